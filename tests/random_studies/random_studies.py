#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes random studies and holds the program to what must be true of every study. README.md says how.

    random_studies.py SEED N [--first I] [--ways WAY ...]     N studies of a seed
    random_studies.py pairs [N] [--first I]                   one for each pair of features; N of them, from the Ith on
    random_studies.py --case FOLDER                           a kept study, once more
"""
from __future__ import annotations

import argparse
import multiprocessing
import pathlib
import random
import shutil
import subprocess
import sys
import time
import typing

import pairs
import shrink
from acceptance import Accepted, accept
from draw import Drawing, draw
from examine import WAYS, Examination, Seen
from program import DONE, Program
from registry import Registry
from relations import RELATIONS
from study import Study
from summary import Outcome, Summary

ROOT = pathlib.Path(__file__).resolve().parents[2]
Job = tuple[str, int, typing.Optional[pairs.Pair]]
PAIRS, COMMIT = "pairs", "commit"


class Worker:
    """One process that examines studies; what it keeps is asked once."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.program, self.registry = Program(options.program), Registry(options.program)

    def study(self, seed: str, index: int, pair: pairs.Pair | None = None) -> Outcome:
        folder = self.options.folder / f"{seed}-{index}"
        drawing, accepted = self._draw(seed, index, pair, folder)
        outcome = Outcome(seed, index, drawing.study.used_files(), accepted.refused)
        if accepted.last.code != 0:
            outcome.refused = accepted.last.err.strip()
            outcome.by_table = pair is not None and pairs.refused_by_table(self.registry, outcome.refused)
            if not accepted.proper:
                outcome.seen.add(
                    "plan", "exit code", f"plan --quick ended with {accepted.last.code}: {outcome.refused[-500:]}"
                )
            elif pair and not outcome.by_table:
                outcome.seen.add(
                    "plan", "table", f"{pair.name} is refused, and by no row of the table: {outcome.refused[:500]}"
                )
        elif pair and self._apart(pair):
            outcome.seen.add("plan", "table", f"{pair.name} do not go together by the table, and are accepted")
        else:
            rng = random.Random(f"ways/{seed}/{index}")
            outcome.seen = self.examine(outcome.study, folder, rng, self._ways(rng))
            outcome.refused = outcome.seen.late_refusal
        if outcome.seen.found:
            outcome.kept = shrink.keep(self, outcome, self.options.folder / "found" / f"{seed}-{index}")
        shutil.rmtree(folder, ignore_errors=True)
        return outcome

    def _draw(self, seed: str, index: int, pair: pairs.Pair | None, folder: pathlib.Path) -> tuple[Drawing, Accepted]:
        """A study that is accepted, or was refused; of a pair a few are tried before its refusal counts."""
        for attempt in range(pairs.DRAWS if pair else 1):
            drawing = draw(
                self.registry, seed if attempt == 0 else f"{seed}/{attempt}", index, dict(pair.forced) if pair else None
            )
            accepted = accept(self.program, drawing, folder)
            if accepted.last.code == DONE or pairs.refused_by_table(self.registry, accepted.last.err):
                break
        return drawing, accepted

    def _apart(self, pair: pairs.Pair) -> bool:
        rows = [{row["feature"], row["not with"]} for row in self.registry.together()]
        return {pair.first, pair.second} in rows

    def examine(self, study: Study, folder: pathlib.Path, rng: random.Random, ways: typing.Iterable[str]) -> Seen:
        return Examination(self.program, self.registry, study, folder, rng).go_through(ways)

    def _ways(self, rng: random.Random) -> list[str]:
        """Invariants always; one of the ways with several ranks, the first relations that apply, and of the others most."""
        if self.options.ways:
            return list(self.options.ways)
        ranks = [way for way in WAYS if way.startswith(("team", "ranks"))]
        relations = list(RELATIONS)
        rng.shuffle(relations)
        others = [way for way in WAYS if way not in ranks and way not in RELATIONS]
        return [
            "invariants",
            rng.choice(ranks),
            *(way for way in others if way != "invariants" and rng.random() < self.options.share),
            *relations,
        ]


_worker: Worker | None = None


def _start(options: argparse.Namespace) -> None:
    global _worker
    _worker = Worker(options)


def _examine(job: Job) -> Outcome:
    assert _worker is not None
    return _worker.study(*job)


def run_studies(options: argparse.Namespace, jobs: list[Job]) -> Summary:
    summary = Summary(Registry(options.program))
    with multiprocessing.Pool(options.at_once, _start, (options,)) as pool:
        for outcome in pool.imap(_examine, jobs):
            for line in summary.add(outcome):
                print(line, flush=True)
    return summary


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", nargs="?", default="")
    parser.add_argument("count", nargs="?", type=int, default=0)
    parser.add_argument("--first", default="0", help="index of the first study; commit: one that the commit says")
    parser.add_argument("--case", type=pathlib.Path, help="folder of a kept study")
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "palstudy"))
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "random_studies")
    parser.add_argument("--ways", nargs="*", choices=WAYS, help="these ways alone")
    parser.add_argument("--share", type=float, default=0.8, help="of the ways that each study goes through")
    parser.add_argument("--smaller", action="store_true", help="make the case smaller, in its place")
    parser.add_argument("--shrink-for-s", type=float, default=60.0, help="seconds for a finding")
    parser.add_argument("--no-shrink", dest="shrink", action="store_false", help="keep studies as they were drawn")
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--quiet", action="store_true", help="no counts of what was drawn")
    return parser.parse_args(arguments)


def commit() -> str:
    """The first digits of the commit; those of none where the tree is no repository."""
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return asked.stdout.strip()[:12] or "0" * 12


def jobs_of(options: argparse.Namespace) -> list[Job]:
    """The studies that are asked for; pairs go round, so that any number can be the first."""
    if options.seed != PAIRS:
        return [(options.seed, options.first + index, None) for index in range(options.count)]
    known, impossible = pairs.all_pairs(Registry(options.program))
    print(f"{len(known)} pairs of features; {len(impossible)} that no study can ask for: {', '.join(impossible)}")
    count = min(options.count, len(known)) or len(known)
    places = [(options.first + place) % len(known) for place in range(count)]
    return [(PAIRS, place, known[place]) for place in places]


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    options.first = int(commit()[:8], 16) if options.first == COMMIT else int(options.first)
    if options.seed == COMMIT:
        options.seed = commit()
        print(f"the seed is the commit, {options.seed}")
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.case:
        return (shrink.make_smaller if options.smaller else shrink.repeat)(Worker(options), options.case.resolve())
    began = time.monotonic()
    summary = run_studies(options, jobs_of(options))
    print(summary.text(quiet=options.quiet, seconds=time.monotonic() - began))
    return 1 if summary.found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
