# SPDX-License-Identifier: MIT
"""Faults that are known to change nothing, with the reason: equivalent.txt. A line that begins with a blank gives the
reason of the fault above it; a fault is FILE, a tab, the statement, a tab, the statement with the fault in it."""


def flat(code):
    return " ".join(code.split())


def key(mutant):
    """Not by line, so that it holds while other lines of the file change."""
    statement, change = mutant.statement, mutant.change
    changed = statement.code[: change.begin] + change.new + statement.code[change.end :]
    return "\t".join((statement.file, flat(statement.code), flat(changed)))


def read(path):
    reasons, last = {}, None
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" ") and last is not None:
            reasons[last] = (reasons[last] + " " + line.strip()).strip()
        else:
            last = line
            reasons[last] = ""
    return reasons
