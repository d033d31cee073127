#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""json_output.py PALSTUDY: what --json of status, merge and plan says agrees with what is there, and with the text. Those of
verify and diff are in altered.py."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from case_files import expect, failures, run, write

PROGRAM = os.path.abspath(sys.argv[1])


def told(case, folder, *arguments, code=0):
    """The one object that the command prints."""
    done = run(PROGRAM, folder, *arguments)
    expect(done.returncode == code, case, f"exit code {code} is due", done)
    try:
        return json.loads(done.stdout)
    except ValueError:
        expect(False, case, f"no JSON: {done.stdout!r}", done)
        return {}


def expect_fields(case, have, **want):
    for name, value in want.items():
        expect(
            have.get(name, "(not there)") == value,
            case,
            f"{name} is {have.get(name, '(not there)')!r} instead of {value!r}",
        )


def campaign():
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--slice", "1/2")
        have = told("status --json of a slice", folder, "status", "out.h5", "--json")
        expect_fields(
            "status --json of a slice",
            have,
            file="out.h5",
            state="shards",
            runs=2,
            done=1,
            failed=0,
            missing=1,
            left_to_do="",
            look="",
            checkpoints=[],
        )
        # Runs are missing: nothing is written, so there is nothing to tell but the error.
        done = run(PROGRAM, folder, "merge", "out.h5", "--json")
        expect(
            done.returncode == 4 and done.stdout == "" and not os.path.exists(os.path.join(folder, "out.h5")),
            "merge --json of a slice",
            "exit code 4 and no object are due",
            done,
        )

        run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--slice", "2/2")
        have = told("status --json of both slices", folder, "status", "out.h5", "--json")
        expect_fields("status --json of both slices", have, state="shards", runs=2, done=2, failed=0, missing=0)
        expect(
            "palstudy merge" in have.get("left_to_do", ""), "status --json of both slices", "the command is not named"
        )
        have = told("merge --json", folder, "merge", "out.h5", "--json")
        expect(have == {"file": "out.h5", "runs": 2, "done": 2, "failed": 0}, "merge --json", f"it says {have}")
        have = told("status --json of an archive", folder, "status", "out.h5", "--json")
        expect_fields(
            "status --json of an archive",
            have,
            file="out.h5",
            state="archived",
            runs=2,
            done=2,
            failed=0,
            missing=0,
            left_to_do="",
            checkpoints=[],
        )
        expect(
            "archived: 2 of 2 runs done, 0 failed" in run(PROGRAM, folder, "status", "out.h5").stdout,
            "status",
            "another text",
        )


MEASURE = (
    PROGRAM,
    "measure",
    "--backend",
    "host",
    "--kernel",
    "sgemm",
    "--kernel",
    "triad",
    "--param",
    "sgemm.n=96",
    "--param",
    "triad.n=16384",
    "--batch-s",
    "0.002",
    "--warm-up-s",
    "0.002",
    "--repeat-s",
    "0.005",
    "-o",
)


def measurement():
    """One that was stopped long before its end, and one that is whole: one core, two kernels, so many repeats."""
    with tempfile.TemporaryDirectory() as folder:
        with subprocess.Popen(
            [*MEASURE, "begun.h5", "--repeats", "1000"], cwd=folder, stderr=subprocess.DEVNULL
        ) as begun:
            while begun.poll() is None:  # until the first of either kernel is done
                have = run(PROGRAM, folder, "status", "begun.h5", "--json")
                if have.returncode == 0 and json.loads(have.stdout).get("repeats", 0) >= 2:
                    begun.send_signal(signal.SIGTERM)
                    break
                time.sleep(0.1)
        expect(begun.returncode == 4, "a measurement that is stopped", f"exit code 4 is due, not {begun.returncode}")
        have = told("status --json of a measurement", folder, "status", "begun.h5", "--json")
        expect_fields(
            "status --json of a measurement",
            have,
            file="begun.h5",
            state="measuring",
            kernels=2,
            gpus=1,
            wanted=1000,
            launches=1,
            problems=[],
        )
        expect(
            2 <= have.get("repeats", 0) < 2000, "status --json of a measurement", f"repeats of either kernel: {have}"
        )
        expect(have.get("session") and have.get("begun_utc"), "status --json of a measurement", f"no session: {have}")

        done = subprocess.run(
            [*MEASURE, "whole.h5", "--repeats", "3"], cwd=folder, text=True, capture_output=True, check=False
        )
        expect(done.returncode == 0, "a measurement", "exit code 0 is due", done)
        have = told("status --json of a profile", folder, "status", "whole.h5", "--json")
        expect_fields(
            "status --json of a profile", have, file="whole.h5", state="profile", kernels=2, gpus=1, sessions=1
        )
        expect(have.get("repeats", 0) >= 6, "status --json of a profile", f"three repeats of two kernels: {have}")


def plan():
    """--quick says of every run that nothing was simulated; without it those of this little study are. The text has a line
    for each point, however many seeds it has; --json has all runs."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        for options, simulated, estimate in ((("--quick",), 0, "formula"), ((), 2, "ended")):
            case = f"plan {' '.join(options)}"
            have = told(case + " --json", folder, "plan", "study.toml", "--json", *options)
            expect_fields(case + " --json", have, simulated=simulated)
            expect(
                [one["estimate"] for one in have["runs"]] == [estimate] * 2,
                case + " --json",
                f"estimates of {have['runs']}",
            )
            text = run(PROGRAM, folder, "plan", "study.toml", *options).stdout
            expect(("(--quick)" in text) == (options != ()), case, f"said if and only if: {text}")
            expect(text.count(estimate) >= 2, case, f"the column says something else: {text}")
        many = ("--quick", "--set", "seed={first=1,count=50}")
        lines = run(PROGRAM, folder, "plan", "study.toml", *many).stdout.splitlines()
        expect(
            lines[1].startswith("100 runs at 2 points: ")
            and sum(" 50 " in line for line in lines) == 2
            and any(line.startswith("notes: idle-seeds") for line in lines),
            "plan of many seeds",
            f"a line a point is due: {lines}",
        )
        have = told("plan --json of many seeds", folder, "plan", "study.toml", "--json", *many)
        expect(len(have["runs"]) == 100, "plan --json of many seeds", f"{len(have['runs'])} runs")
        expect(len(os.listdir(folder)) == 3, "plan", "it wrote something")


for part in (campaign, measurement, plan):
    part()
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
