# SPDX-License-Identifier: MIT
"""Which faults a seed draws: statements uniformly, without repeats, then one of the statement's changes uniformly."""
import hashlib
from dataclasses import dataclass

import operators
from statements import Statement


@dataclass(frozen=True)
class Mutant:
    statement: Statement
    change: operators.Change

    @property
    def old(self):
        return self.statement.code[self.change.begin : self.change.end]

    def applied_to(self, text):
        """The file's text with the fault in it."""
        begin = self.statement.begin + self.change.begin
        return text[:begin] + self.change.new + text[self.statement.begin + self.change.end :]

    def __str__(self):
        code = " ".join(self.statement.code.split())
        whole = self.old == self.statement.code
        what = "deleted" if whole else f'"{self.old}" becomes "{self.change.new}" at {self.change.begin}'
        return f"{self.statement.file}:{self.statement.line}: {what} in `{code[:120]}`"


def number(seed, purpose, which, below):
    """Uniform in [0, below): a hash, so that it is the same with any Python anywhere."""
    digest = hashlib.sha256(f"{seed} {purpose} {which}".encode()).digest()
    return int.from_bytes(digest, "big") % below


def mutants(statements, seed):
    """Without end but for that of the statements."""
    left = list(range(len(statements)))
    which = 0
    while left:
        statement = statements[left.pop(number(seed, "statement", which, len(left)))]
        possible = operators.changes(statement.code)
        yield Mutant(statement, possible[number(seed, "change", which, len(possible))])
        which += 1
