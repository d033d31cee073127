# SPDX-License-Identifier: MIT
"""Runs an accepted study in several ways and compares: what is found belongs to a way, by which it can be found again."""
from __future__ import annotations

import dataclasses
import pathlib
import random
import shutil
import typing

from archive import Archive
from checker import Finding, check
from comparing import Inapplicable, same_run
from program import DATA, DONE, PROPER, Ended, Program
from registry import Registry
from relations import RELATIONS
from study import Study

# What each study goes through, as "way" or "way:number"; a relation is a way of its own.
WAYS = ("plan", "verify", "invariants", "ranks:3", "team:2", "team:3", "team:4", "killed", "parity", *RELATIONS)
MOST_RELATIONS = 2  # of those that say something of the study


@dataclasses.dataclass
class Seen:
    """`found`: findings with the way that found them; `kills`: how many processes were really killed."""

    found: list[tuple[str, Finding]] = dataclasses.field(default_factory=list)
    ran: bool = False
    late_refusal: str = ""
    kills: int = 0
    applied: set[str] = dataclasses.field(default_factory=set)

    def add(self, way: str, rule: str, text: str) -> None:
        self.found.append((way, Finding(rule, text)))


class Examination:
    def __init__(
        self, program: Program, registry: Registry, study: Study, folder: pathlib.Path, rng: random.Random
    ) -> None:
        self.program, self.registry, self.study, self.folder, self.rng = program, registry, study, folder, rng
        self.seen, self.wall_s, self.digest = Seen(), 0.0, ""
        self.relations_left = MOST_RELATIONS

    def go_through(self, ways: typing.Iterable[str]) -> Seen:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.study.write(self.folder)
        alone = self.program.run("alone.h5", cwd=self.folder)
        self.wall_s = alone.wall_s
        if not self._ended_well("alone", alone):
            return self.seen
        self.seen.ran = True
        self.digest = self.program.digest("alone.h5", self.folder)
        if len(self.digest) != 64:
            self.seen.add("alone", "digest", self.digest)
        for way in ways:
            self._go(way)
        return self.seen

    def _go(self, way: str) -> None:
        name, _, number = way.partition(":")
        if name in RELATIONS:
            if self.relations_left == 0 or not self._relation(name):
                return
            self.relations_left -= 1
        elif name == "parity":
            self._parity()
        elif name in ("ranks", "team"):
            team = ("--team", number) if name == "team" else ()
            self._same(way, self.program.run("other.h5", "--force", *team, cwd=self.folder, ranks=int(number)))
        elif name == "killed":
            self._forget("other.h5")
            ended, kills = self.program.run_killed(self.rng, "other.h5", self.wall_s, self.folder)
            self.seen.kills += kills
            self._same(way, ended)
        elif name == "invariants":
            self.seen.found += [(way, finding) for finding in check(self.folder / "alone.h5", self.registry)]
        else:
            ended = self.program.call(
                *(["plan", "study.toml"] if name == "plan" else ["verify", "alone.h5"]), cwd=self.folder
            )
            if ended.code not in ((DONE, DATA) if name == "plan" else (DONE,)):
                self.seen.add(way, name, f"{ended.shown()} ended with {ended.code}: {ended.err.strip()[-600:]}")
        self.seen.applied.add(way)

    def _ended_well(self, way: str, ended: Ended) -> bool:
        """Whether there is an archive. Runs that failed for a reason end with 3 and leave one."""
        if ended.code == DONE:
            return True
        if ended.code == DATA and (self.folder / "alone.h5").exists():
            archive = Archive(self.folder / "alone.h5")
            for run, status, reason in zip(archive.runs["run"], archive.runs["status"], archive.reasons):
                if status == "failed" and (not reason or "internal" in reason):
                    self.seen.add(way, "reason", f"run {run} failed: {reason or 'no reason'}")
            return True
        if ended.code in PROPER and ended.code != DONE:
            self.seen.late_refusal = ended.err.strip()[-400:]
        else:
            self.seen.add(way, "exit code", f"{ended.shown()} ended with {ended.code}: {ended.err.strip()[-600:]}")
        return False

    def _same(self, way: str, ended: Ended) -> None:
        """The archive of another way has the same digest."""
        if ended.code not in (DONE, DATA):
            self.seen.add(way, "exit code", f"{ended.shown()} ended with {ended.code}: {ended.err.strip()[-600:]}")
            return
        digest = self.program.digest("other.h5", self.folder)
        if digest != self.digest:
            self.seen.add(way, "digest", f"{ended.shown()}: {digest}; alone: {self.digest}")

    def _parity(self) -> None:
        """The jobs of a run, exported as a trace with the study that runs them, give the same rows."""
        archive = Archive(self.folder / "alone.h5")
        done = [run for run in archive.run_numbers() if archive.done(run)]
        if not done:
            return
        run, folder = self.rng.choice(done), self.folder / "parity"
        folder.mkdir()
        exported = self.program.call(
            "export", "alone.h5", "--trace", str(run), "-o", "parity/jobs.csv", cwd=self.folder
        )
        again = (
            self.program.call("run", "jobs.toml", "-o", "again.h5", cwd=folder) if exported.code == DONE else exported
        )
        if not (folder / "again.h5").is_file():
            self.seen.add("parity", "exit code", f"{again.shown()} ended with {again.code}: {again.err.strip()[-600:]}")
            return
        for text in same_run(archive, run, Archive(folder / "again.h5")):
            self.seen.add("parity", "parity", f"run {run}: {text}")

    def _relation(self, name: str) -> bool:
        """A study altered so that its rows are known from those of this one; false where there is nothing to alter."""
        folder = self.folder / name
        try:
            altered, compare = RELATIONS[name](self.study, Archive(self.folder / "alone.h5"), self.rng, self.registry)
        except Inapplicable:
            return False
        altered.write(folder)
        ended = self.program.run("alone.h5", "--force", cwd=folder)
        if ended.code not in (DONE, DATA):
            self.seen.add(
                name, "exit code", f"{ended.shown()} in {name}/ ended with {ended.code}: {ended.err.strip()[-600:]}"
            )
        else:
            for text in compare(Archive(self.folder / "alone.h5"), Archive(folder / "alone.h5")):
                self.seen.add(name, name, text)
        return True

    def _forget(self, archive: str) -> None:
        (self.folder / archive).unlink(missing_ok=True)
        shutil.rmtree(self.folder / f"{archive}.parts", ignore_errors=True)
