# SPDX-License-Identifier: MIT
"""Makes a study that finds something as small as it can be while it still finds it, and keeps it with its command."""
from __future__ import annotations

import json
import pathlib
import random
import re
import shutil
import time
import typing

from checker import Finding
from program import DONE
from study import Study

if typing.TYPE_CHECKING:
    from random_studies import Worker
    from summary import Outcome

ALWAYS = (
    "workload.trace",
    "workload.reader",
    "workload.columns",
    "cluster.table",
    "output.events",
    "output.jobs",
    "output.rounds",
)


def keep(worker: Worker, outcome: Outcome, folder: pathlib.Path) -> pathlib.Path:
    """Shrinks the study to its first finding, and writes it with what it takes to see that again."""
    way, finding = outcome.seen.found[0]
    case = {"way": way, "rule": finding.rule, "found": finding.text, "seed": outcome.seed, "index": outcome.index}
    study = _shrunk(worker, outcome.study, case, folder) if worker.options.shrink else outcome.study
    _write(study, case, folder)
    return folder


def make_smaller(worker: Worker, folder: pathlib.Path) -> int:
    """A kept study in place of which a smaller one does as well."""
    case = _case(folder)
    _write(_shrunk(worker, Study.read(folder), case, worker.options.folder / folder.name), case, folder)
    return 0


def repeat(worker: Worker, folder: pathlib.Path) -> int:
    """A kept study, in the way that found something (three times where ranks or kills make it a matter of luck)."""
    way, scratch = _case(folder)["way"], worker.options.folder / f"case-{folder.name}"
    for attempt in range(_attempts(way)):
        ways = dict.fromkeys(["invariants", "verify", *([] if way == "alone" else [way])])
        seen = worker.examine(Study.read(folder), scratch, random.Random(attempt), ways)
        for one, finding in seen.found:
            print(f"{folder.name}: {one}: {finding.rule}: {finding.text}")
        if seen.late_refusal:
            print(f"{folder.name} is refused: {seen.late_refusal}")
        if seen.found:
            return 1
    shutil.rmtree(scratch, ignore_errors=True)
    return 0


def _case(folder: pathlib.Path) -> dict[str, typing.Any]:
    return typing.cast("dict[str, typing.Any]", json.loads((folder / "case.json").read_text(encoding="utf-8")))


def _attempts(way: str) -> int:
    return 3 if way.startswith(("team", "ranks", "killed")) else 1


def _shrunk(worker: Worker, study: Study, case: dict[str, typing.Any], folder: pathlib.Path) -> Study:
    scratch = folder.with_name(folder.name + "-shrinking")
    study = smallest(study, Finder(worker, case["way"], signature(Finding(case["rule"], case["found"])), scratch))
    shutil.rmtree(scratch, ignore_errors=True)
    return study


def _write(study: Study, case: dict[str, typing.Any], folder: pathlib.Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    study.write(folder)
    (folder / "case.json").write_text(json.dumps(case, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def signature(finding: Finding) -> tuple[str, str]:
    """What findings of one cause have in common: the rule, and the words before all that differs."""
    return finding.rule, re.sub(r"^run \d+: |[\d.]+", "", finding.text)[:20]


class Finder:
    """Whether a study still has a finding of this signature in this way."""

    def __init__(self, worker: Worker, way: str, wanted: tuple[str, str], folder: pathlib.Path) -> None:
        self.worker, self.way, self.wanted, self.folder = worker, way, wanted, folder
        self.until = time.monotonic() + worker.options.shrink_for_s

    def __call__(self, study: Study) -> bool:
        study.write(self.folder)
        ways = [] if self.way in ("alone", "plan") else [self.way]
        if self.way == "plan":
            return self.worker.program.call("plan", "study.toml", "--quick", cwd=self.folder).code not in (DONE, 2, 3)
        for attempt in range(_attempts(self.way)):
            seen = self.worker.examine(study, self.folder, random.Random(attempt), ways)
            if any(signature(finding) == self.wanted for _, finding in seen.found):
                return True
        return False

    def out_of_time(self) -> bool:
        return time.monotonic() > self.until


def smallest(study: Study, found: Finder) -> Study:
    """Axes become one value, then keys go, then rows of files, as long as the finding stays."""
    for key in list(study.axes):
        study = _one_value(study, key, found)
    study = _without_keys(study, found)
    for name in list(study.files):
        study = _fewer_rows(study, name, found)
    return _without_keys(study, found).used_files()


def _one_value(study: Study, key: str, found: Finder) -> Study:
    axis = study.axes[key]
    values = [None, *(axis if isinstance(axis, list) else range(axis["first"], axis["first"] + axis["count"]))]
    for value in values:
        smaller = study.copy()
        del smaller.axes[key]
        if value is not None and not isinstance(value, dict):
            smaller.values[key] = value
        if not found.out_of_time() and found(smaller):
            return smaller
    return study


def _without_keys(study: Study, found: Finder) -> Study:
    """First half of them at once, then fewer."""
    keys = [key for key in study.values if key not in ALWAYS]
    size = max(1, len(keys) // 2)
    while keys and not found.out_of_time():
        for begin in range(0, len(keys), size):
            smaller = study.copy()
            for key in keys[begin : begin + size]:
                smaller.values.pop(key, None)
            if len(smaller.values) < len(study.values) and not found.out_of_time() and found(smaller):
                study = smaller
        if size == 1:
            break
        keys = [key for key in study.values if key not in ALWAYS]
        size = max(1, size // 2)
    return study


def _fewer_rows(study: Study, name: str, found: Finder) -> Study:
    size = max(1, len(study.files[name].rows) // 2)
    while not found.out_of_time() and study.files[name].rows:
        begin = 0
        while begin < len(study.files[name].rows) and not found.out_of_time():
            smaller = study.copy()
            del smaller.files[name].rows[begin : begin + size]
            if found(smaller):
                study = smaller
            else:
                begin += size
        if size == 1:
            break
        size = max(1, size // 2)
    return study
