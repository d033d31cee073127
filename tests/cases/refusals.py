#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""refusals.py PALSTUDY: bad input is refused with exit code 2 or 3 and a message of at most six lines that says where and
what, and nothing that begins with the output's name is left behind."""
import os
import pathlib
import subprocess
import sys
import tempfile

from case_files import CLUSTER, STUDY, TRACE, left_behind, run, write

PROGRAM = os.path.abspath(sys.argv[1])
failures = []


def expect(holds, case, what, done=None):
    if holds:
        return
    failures.append(case)
    print(f"FAILED {case}: {what}")
    if done is not None:
        print(f"  exit code {done.returncode}, standard error:\n  " + done.stderr.replace("\n", "\n  "))


def check_refusal(case, done, code, says, folder, left=()):
    """`says`: words that the message must hold, the place among them."""
    expect(done.returncode == code, case, f"exit code {code} is due", done)
    expect(done.stderr.startswith("palstudy: "), case, "the message does not begin with the program's name", done)
    expect(done.stderr.count("\n") <= 6, case, "more than six lines", done)
    expect(done.stdout == "", case, "something on standard output", done)
    for word in says:
        expect(word in done.stderr, case, f"the message does not say {word}", done)
    expect(left_behind(folder, "out.h5") == sorted(left), case, f"left behind: {left_behind(folder, 'out.h5')}", done)


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


def bad_studies():
    for case, old, new, *says in [
        ("a misspelt key", "gpus_per_node = 2", "gpu_per_node = 2", "study.toml:6", "gpus_per_node"),
        ("an unknown table", "[measure]", "[mesure]", "study.toml:15", "measure"),
        ("a wrong type", "gpus = 4", 'gpus = "4"', "study.toml:5"),
        ("a wrong type of a text", 'table = "cluster.csv"', "table = 7", "study.toml:7"),
        ("an axis over a missing key", '"policy.placement" =', '"policy.placment" =', "study.toml:18", "policy.placement"),
        ("an empty axis", '["pal", "packed-sticky"]', "[]", "study.toml:18"),
        ("an unknown policy", '"packed-sticky"]', '"packed-stiky"]', "study.toml:18", "packed-sticky"),
        ("GPUs that are no multiple of gpus_per_node", "gpus = 4", "gpus = 5", "study.toml", "gpus_per_node"),
        ("no GPUs", "gpus = 4", "gpus = 0", "study.toml:5"),
        ("a number out of range", "bins = 1", "bins = -1", "study.toml:8"),
        ("a number beyond 64 bits", "gpus = 4", "gpus = 99999999999999999999", "study.toml:5"),
        ("a round of no time", "[measure]", "[engine]\nround_s = 0\n[measure]", "study.toml:15"),
        ("not TOML", "[measure]", "[measure", "study.toml:14"),
    ]:
        refused(case, 2, *says, study=edit(STUDY, old, new))
    refused("an empty study", 2, "study.toml", study="")
    refused("a binary study", 2, "study.toml", study=bytes(range(256)) * 4)
    refused("--set of an unknown key", 2, "policy.placment", arguments=("--set", "policy.placment=pal"))
    refused("--set without a value", 2, "policy.placement", arguments=("--set", "policy.placement"))


def bad_traces():
    for case, old, new, *says in [
        ("a job larger than the cluster", "2,20,4,", "2,20,5,", "5"),
        ("doubled job ids", "1,10,1,", "0,10,1,", "trace.csv:3"),
        ("a job of no GPUs", "1,10,1,", "1,10,0,", "trace.csv:3:6"),
        ("negative work", "2000", "-2000", "trace.csv:3:8"),
        ("a negative time", "2000,1,", "2000,-1,", "trace.csv:3:13"),
        ("a time that is no number", "2000,1,", "2000,nan,", "trace.csv:3:13"),
        ("a negative arrival", "1,10,", "1,-10,", "trace.csv:3:3"),
        ("an unknown class", "1,B", "1,Z", "Z"),
        ("a row too short", "1,10,1,2000,1,B", "1,10,1", "trace.csv:3"),
        ("words in place of numbers", "1,10,1,", "1,ten,1,", "trace.csv:3:3"),
        ("a number out of range", "1,10,1,", "1,10,99999999999999999999,", "trace.csv:3:6"),
        ("a missing column", ",iterations,", ",iteration,", "trace.csv", "iterations"),
    ]:
        refused(case, 3, *says, trace=edit(TRACE, old, new))
    refused("an empty trace", 3, "trace.csv", trace="")
    refused("a trace of a header alone", 3, "trace.csv", trace=TRACE.splitlines()[0] + "\n")
    refused("a binary trace", 3, "trace.csv", trace=bytes(range(256)) * 8)
    for last in ("3", "5000000000"):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, study=edit(STUDY, "last = 2", "last = " + last))
            done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5")
            case = f"measure.jobs up to {last}, beyond the trace"
            expect(done.returncode in (2, 3), case, "exit code 2 or 3 is due", done)
            check_refusal(case, done, done.returncode, ("measure.jobs",), folder)


def bad_clusters():
    first = "0,0,A,1.0\n"
    for case, old, new, *says in [
        ("a NaN slowdown", "1,0,A,1.1", "1,0,A,nan", "cluster.csv:3:7"),
        ("a negative slowdown", "1,0,A,1.1", "1,0,A,-1.1", "cluster.csv:3:7"),
        ("a slowdown of zero", "1,0,A,1.1", "1,0,A,0", "cluster.csv:3:7"),
        ("an infinite slowdown", "1,0,A,1.1", "1,0,A,inf", "cluster.csv:3:7"),
        ("a doubled GPU and class", first, first + first, "cluster.csv:3"),
        ("a missing GPU and class", first, "", "cluster.csv"),
        ("a GPU beyond the cluster", first, "9,4,A,1\n", "cluster.csv:2"),
        ("a GPU in another node", "1,0,A,", "1,1,A,", "cluster.csv:3"),
        ("a missing column", "score", "scores", "cluster.csv", "score"),
    ]:
        refused(case, 3, *says, cluster=edit(CLUSTER, old, new))
    refused("an empty cluster table", 3, "cluster.csv", cluster="")
    refused("a binary cluster table", 3, "cluster.csv", cluster=b"\x00\xff" * 500)


def command_lines():
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        for case, code, says, *arguments in [
            ("no study", 2, ("nowhere.toml",), "run", "nowhere.toml", "-o", "out.h5"),
            ("no output named", 2, ("-o",), "run", "study.toml"),
            ("an unknown option", 2, ("--nonsense",), "run", "study.toml", "-o", "out.h5", "--nonsense"),
            ("a misspelt command", 2, ("compare",), "compair", "out.h5"),
            ("no command", 2, ("--help",)),
            ("a team of two", 2, ("--team",), "run", "study.toml", "-o", "out.h5", "--team", "2"),
            ("a slice that is none", 2, ("--slice",), "run", "study.toml", "-o", "out.h5", "--slice", "3/2"),
            ("a time limit of no time", 2, ("--time-limit",), "run", "study.toml", "-o", "out.h5", "--time-limit", "0"),
            ("an output that is a folder", 2, (".",), "run", "study.toml", "-o", "."),
            ("shards that are not there", 3, ("out.h5.parts",), "merge", "out.h5"),
            ("an archive that is not there", 3, ("out.h5",), "compare", "out.h5"),
            ("an archive that is none", 3, ("trace.csv",), "digest", "trace.csv"),
            ("a list of something else", 2, ("placements",), "list", "placement"),
        ]:
            check_refusal(case, run(PROGRAM, folder, *arguments), code, says, folder)


def outputs():
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        output = pathlib.Path(folder) / "out.h5"
        output.write_text("precious")
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5")
        check_refusal("an existing output", done, 2, ("out.h5", "--force"), folder, left=["out.h5"])
        expect(output.read_text() == "precious", "an existing output", "it was changed")
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--force")
        expect(done.returncode == 0 and left_behind(folder, "out.h5") == ["out.h5"], "--force", "it was refused", done)
        output.unlink()

        # A slice leaves shards. They are not overwritten without a word, nor taken for another study's.
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--slice", "1/2")
        expect(done.returncode == 0, "a slice", "it was refused", done)
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5")
        check_refusal("existing shards", done, 2, ("out.h5.parts", "--resume"), folder, left=["out.h5.parts"])
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume", "--set", "engine.round_s=60")
        check_refusal("shards of another study", done, 2, ("out.h5.parts",), folder, left=["out.h5.parts"])
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume")
        expect(done.returncode == 0 and left_behind(folder, "out.h5") == ["out.h5"], "--resume", "it was refused", done)

        # A file-size limit stands for a full disk: it needs no privilege. 1 KiB, then enough to begin but not to end.
        for kib in (0, 1, 4):
            limited = ("bash", "-c", f'ulimit -f {kib}; exec "$@"', "bash")
            done = run(PROGRAM, folder, "run", "study.toml", "-o", "full.h5", prefix=limited)
            expect(done.returncode == 3, f"a full disk at {kib} KiB", "exit code 3 is due", done)
            expect(done.stderr.count("\n") <= 6, f"a full disk at {kib} KiB", "more than six lines", done)
            expect(left_behind(folder, "full.h5") == [], f"a full disk at {kib} KiB",
                   f"left behind: {left_behind(folder, 'full.h5')}", done)
        if os.geteuid() != 0:  # root writes everywhere
            os.chmod(folder, 0o500)
            done = run(PROGRAM, folder, "run", "study.toml", "-o", "new.h5")
            expect(done.returncode == 3, "a folder that may not be written", "exit code 3 is due", done)
            os.chmod(folder, 0o700)
        # Standard output: a full disk is said, a reader that has seen enough is no error.
        script = '"$0" export out.h5 --table jobs >/dev/full; echo $?; "$0" export out.h5 --table jobs | head -1 >/dev/null; echo ${PIPESTATUS[0]}'
        done = subprocess.run(["bash", "-c", script, PROGRAM], cwd=folder, capture_output=True, text=True)
        expect(done.stdout.split() == ["3", "0"], "standard output that cannot be written", "exit codes 3 and 0 are due", done)
        for folder_name in ("new/deep",):  # folders on the way are made, as results/ on a fresh clone
            done = run(PROGRAM, folder, "run", "study.toml", "-o", folder_name + "/x.h5")
            expect(done.returncode == 0, "an output in a new folder", "it was refused", done)


def accepted():
    """What looks odd and is right: an unsorted trace, with a word about it, and the same result as when sorted."""
    head, *rows = TRACE.splitlines()
    digests = []
    for order in (rows, rows[::-1]):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, trace="\n".join([head, *order]) + "\n")
            done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5")
            expect(done.returncode == 0, "an unsorted trace", "it was refused", done)
            expect(("trace.csv" in done.stderr) == (order != rows), "an unsorted trace", "said if and only if", done)
            digests.append(run(PROGRAM, folder, "digest", "out.h5").stdout)
    expect(digests[0] == digests[1] != "", "an unsorted trace", "another result than sorted")
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        done = run(PROGRAM, folder, "run", "study.toml", "--dry-run")
        expect(done.returncode == 0 and "2 runs" in done.stdout, "--dry-run", "no plan", done)
        expect(len(os.listdir(folder)) == 3, "--dry-run", "it wrote something")
        for command in ("run", "plan", "compare", "export", "verify", "digest", "diff", "merge", "list"):
            done = run(PROGRAM, folder, command, "--help")
            expect(done.returncode == 0 and done.stdout and not done.stderr, f"{command} --help", "no help", done)
        for kind in ("orders", "placements", "routings", "kernels", "models", "generators", "readers", "keys", "columns",
                     "metrics"):
            for form in ((), ("--json",), ("--markdown",)):
                done = run(PROGRAM, folder, "list", kind, *form)
                expect(done.returncode == 0 and done.stdout, f"list {kind} {form}", "nothing", done)


for part in (bad_studies, bad_traces, bad_clusters, command_lines, outputs, accepted):
    part()
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
