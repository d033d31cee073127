#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""processor_minutes.py FOLDER: passes on what ctest prints, and before its summary, which has times of the wall, says how long
processors worked for each suite, by what processor_time.sh wrote into the folder."""
import collections
import pathlib
import re
import sys


def minutes_by_suite(folder):
    minutes = collections.Counter[str]()
    for file in folder.iterdir():
        suite = file.name if file.name.startswith(("full.", "unit.")) else file.name.split(".")[0]
        for times in file.read_text().splitlines()[1::2]:
            minutes[suite] += sum(int(whole) + float(s) / 60 for whole, s in re.findall(r"(\d+)m([\d.]+)s", times))
    return minutes


for line in sys.stdin:
    if line.startswith("Label Time Summary:"):
        of_suites = minutes_by_suite(pathlib.Path(sys.argv[1]))
        print(f"Processor minutes of {len(of_suites)} suites, all that they start included: {of_suites.total():.1f}")
        for name, spent in of_suites.most_common():
            print(f"{name:28} = {spent:6.1f} min")
        print()
    print(line, end="", flush=True)
