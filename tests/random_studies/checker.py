# SPDX-License-Identifier: MIT
"""Checks an archive by h5py and numpy alone, as one who knows the documentation and not the program would."""
from __future__ import annotations

import dataclasses
import itertools
import pathlib

import rules_energy
import rules_gpus
import rules_jobs
import rules_metrics
import rules_tables
import rules_work
from archive import Archive
from history import Run
from registry import Registry

MOST_TEXTS = 3  # of a rule, of a run
NEED_EVENTS = rules_gpus.RULES
NEED_JOBS = (*rules_jobs.RULES, *rules_metrics.RULES, *rules_work.RULES, *rules_energy.RULES)


@dataclasses.dataclass(frozen=True)
class Finding:
    """`rule` is the name of what was checked."""

    rule: str
    text: str


def check(path: pathlib.Path, known: Registry) -> list[Finding]:
    """What is wrong in the archive, each rule three times at most."""
    archive = Archive(path, known)
    found: list[Finding] = []
    for number in archive.run_numbers():
        if not archive.done(number):
            continue
        run = Run(archive, number)
        rules = [*(NEED_EVENTS if run.events else ()), *(NEED_JOBS if run.jobs else ()), *rules_tables.RULES]
        for rule in rules:
            try:
                texts = list(itertools.islice(rule(run), MOST_TEXTS))
            except (ArithmeticError, LookupError, TypeError, ValueError) as error:  # rows that no rule expects
                texts = [f"the rule ends with {error!r}"]
            found += [Finding(rule.__name__, f"run {number}: {text}") for text in texts]
    return found
