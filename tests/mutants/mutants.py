#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants faults in the sources, one at a time, and says which of them no test notices: mutants.py SEED N.

README.md beside this file says what is drawn, how it is tested, and how to read the outcome.
"""
import argparse
import signal
import sys
from itertools import islice
from pathlib import Path

import draw
import known
import statements
from workshop import Outcome, Workshop

ROOMS = [
    "sim",
    "policy",
    "cluster",
    "variability",
    "stats",
    "record",
    "hdf5",
    "shard",
    "archive",
    "study",
    "inputs",
    "analysis",
    "bundle",
    "campaign",
    "workload",
]
ROOT = Path(__file__).resolve().parents[2]
TOLERATED = 0.1  # of the faults, beside those known to change nothing


def arguments():
    parser = argparse.ArgumentParser(prog="./test.sh --mutants", description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int, metavar="N")
    parser.add_argument("--draw", action="store_true", help="print the first N of the draw and test nothing")
    parser.add_argument(
        "--skip",
        type=int,
        default=0,
        metavar="K",
        help="leave out the first K of the draw, which an earlier call tested",
    )
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, default=ROOMS, help="draw from these alone")
    given = parser.parse_args()
    if given.count < 1 or given.skip < 0:
        parser.error("N is at least 1, K at least 0")
    return given


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the fault is taken back, and what runs is ended
    given = arguments()
    mutants = islice(draw.mutants(list(statements.of_rooms(ROOT, given.rooms)), given.seed), given.skip, None)
    if given.draw:
        for _, mutant in zip(range(given.count), mutants):
            print(mutant)
        return 0
    equivalent = known.read(Path(__file__).with_name("equivalent.txt"))
    workshop = Workshop(ROOT, ROOT / "build" / "mutants")
    workshop.prepare()
    outcomes, survivors, redrawn = [], [], 0
    for place, mutant in enumerate(mutants, given.skip + 1):
        if len(outcomes) == given.count:
            break
        outcome = workshop.outcome(mutant)
        if outcome.kind == Outcome.NO_PROGRAM:
            redrawn += 1
            continue
        if outcome.kind == Outcome.SURVIVED and known.key(mutant) in equivalent:
            outcome = Outcome(Outcome.SAME, equivalent[known.key(mutant)])
        outcomes.append(outcome.kind)
        survivors += [mutant] if outcome.kind == Outcome.SURVIVED else []
        print(f"{len(outcomes)}/{given.count} [{place}] {outcome}: {mutant}", flush=True)
    print(
        f"\nseed {given.seed}: {given.count} faults, {outcomes.count(Outcome.KILLED)} found, "
        f"{outcomes.count(Outcome.SAME)} known to change nothing, {len(survivors)} survive; "
        f"{redrawn} more did not compile"
    )
    for mutant in survivors:
        print(f"  survives: {mutant}")
    return 0 if len(survivors) <= TOLERATED * given.count else 1


if __name__ == "__main__":
    sys.exit(main())
