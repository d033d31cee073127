#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""refusals.py PALSTUDY: bad input is refused with exit code 2 or 3 and a message of at most six lines that says where and
what, and nothing that begins with the output's name is left behind. One case of each kind: what else is refused, and in which
words, is held by the tests of the room that refuses it."""
import os
import sys
import tempfile

from case_files import CLUSTER, STUDY, check_refusal, expect, failures, run, write

PROGRAM = os.path.abspath(sys.argv[1])
HUGE = "99999999999999999999"  # beyond 64 bits


def refused(case, code, *says, arguments=(), **files):
    """Spoils one of the files; run, run --dry-run and plan must all refuse it."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, **files)
        check_refusal(case, run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", *arguments), code, says, folder)
        if not arguments:
            check_refusal(case + " (plan)", run(PROGRAM, folder, "plan", "study.toml"), code, says, folder)


def edit(text, old, new):
    assert old in text, old
    return text.replace(old, new)


def bad_inputs():
    refused("a misspelt key", 2, "study.toml:6", "gpus_per_node", study=edit(STUDY, "gpus_per_node", "gpu_per_node"))
    jobs = 'trace = "trace.csv"\nreader = "native"\n\n[measure]\njobs = { first = 0, last = 2 }'
    window = 'generator = "philly"\nrho = 0.5\n\n[measure]\nwindow_s = 1e13'
    refused("more jobs than can be made", 2, "study.toml:15:12", "too many jobs", study=edit(STUDY, jobs, window))
    refused("--set without a value", 2, "policy.placement", arguments=("--set", "policy.placement"))
    device = edit(STUDY, "trace.csv", "/dev/zero")
    refused("a trace that is a device", 3, "study.toml:11:9", "a pipe or a device", study=device)
    refused("a NaN slowdown", 3, "cluster.csv:3:7", cluster=edit(CLUSTER, "1,0,A,1.1", "1,0,A,nan"))


def command_lines():
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        for case, code, says, arguments in [
            ("no study", 2, ("nowhere.toml",), "run nowhere.toml -o out.h5"),
            ("a folder in place of a study", 2, (".: is a directory",), "run . -o out.h5"),
            ("no output named", 2, ("-o",), "run study.toml"),
            ("an output that names a folder", 2, ("new/: is a folder", "-o new/NAME"), "run study.toml -o new/"),
            ("no command", 2, ("--help",), ""),
            ("a team of none", 2, ("--team",), "run study.toml -o out.h5 --team 0"),
            ("a slice that is none", 2, ("--slice",), "run study.toml -o out.h5 --slice 3/2"),
            ("a slice beyond 64 bits", 2, ("beyond 64 bits",), f"run study.toml -o out.h5 --slice 1/{HUGE}"),
            ("a time limit of no time", 2, ("--time-limit",), "run study.toml -o out.h5 --time-limit 0"),
            (
                "options that exclude each other",
                2,
                ("--resume", "--force"),
                "run study.toml -o out.h5 --resume --force",
            ),
            ("an option that needs another", 2, ("--resume",), "run study.toml -o out.h5 --retry-failed"),
            ("an unknown table", 2, ('"Jobs"', "runs, jobs, events, rounds"), "export x.h5 --table Jobs"),
            ("an unknown list", 2, ("placements",), "list placement"),
            ("a file that is not there", 3, ("nowhere.h5",), "verify nowhere.h5"),
            ("a file that is no HDF5", 3, ("trace.csv",), "digest trace.csv"),
            ("a folder in place of a file", 3, (".: is a folder",), "compare ."),
            (
                "a kernel larger than any memory",
                2,
                ("--param", "triad", "GB"),
                "measure -o out.h5 --backend host --kernel triad --param triad.n=4000000000",
            ),
        ]:
            check_refusal(case, run(PROGRAM, folder, *arguments.split()), code, says, folder)
        expect(not os.path.exists(os.path.join(folder, "new")), "refused outputs", "a folder was made")


def accepted():
    """Whoever only asks is answered, and nothing is written."""
    commands = "run plan compare export verify digest diff merge list saving".split()
    kinds = """schedulers backfills effects orders placements sources knowledge routings kernels models generators readers importers
    keys columns metrics tables rules forecasts""".split()
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        done = run(PROGRAM, folder, "run", "study.toml", "--dry-run")
        expect(done.returncode == 0 and "2 runs" in done.stdout, "--dry-run", "no plan", done)
        expect(len(os.listdir(folder)) == 3, "--dry-run", "it wrote something")
        for command in commands:
            done = run(PROGRAM, folder, command, "--help")
            expect(done.returncode == 0 and done.stdout and not done.stderr, f"{command} --help", "no help", done)
        for kind in kinds:
            for form in ((), ("--json",), ("--markdown",)):
                done = run(PROGRAM, folder, "list", kind, *form)
                expect(done.returncode == 0 and done.stdout, f"list {kind} {form}", "nothing", done)


for part in (bad_inputs, command_lines, accepted):
    part()
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
