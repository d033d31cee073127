#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""refusals.py PALSTUDY: bad input is refused with exit code 2 or 3 and a message of at most six lines that says where and
what, and nothing that begins with the output's name is left behind."""
import os
import pathlib
import subprocess
import sys
import tempfile

from case_files import CLUSTER, STUDY, TRACE, check_refusal, expect, failures, left_behind, run, write

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
    """One of each kind; the tests of study, inputs, workload and variability have the others."""
    for case, old, new, *says in [
        ("a misspelt key", "gpus_per_node = 2", "gpu_per_node = 2", "study.toml:6", "gpus_per_node"),
        (
            "more nodes than were measured",
            'gpus = 4\ngpus_per_node = 2\ntable = "cluster.csv"',
            'gpus = 4000\nsource = "measured"',
            "study.toml:6:10",
            "at most 34 nodes of 4 GPUs",
        ),
        (
            "more jobs measured than can be made",
            'trace = "trace.csv"\nreader = "native"\n\n[measure]\njobs = { first = 0, last = 2 }',
            'generator = "synergy"\n\n[measure]\njobs = { first = 0, last = 100000000 }',
            "study.toml:14:28",
            "16777216",
        ),
        (
            "a window in which more arrive than can be made",
            'trace = "trace.csv"\nreader = "native"\n\n[measure]\njobs = { first = 0, last = 2 }',
            'generator = "philly"\nrho = 0.5\n\n[measure]\nwindow_s = 1e13',
            "study.toml:15:12",
            "too many jobs",
        ),
    ]:
        refused(case, 2, *says, study=edit(STUDY, old, new))
    refused("--set without a value", 2, "policy.placement", arguments=("--set", "policy.placement"))
    refused(
        "a trace that is a device",
        3,
        "study.toml:11:9",
        "a pipe or a device",
        study=edit(STUDY, "trace.csv", "/dev/zero"),
    )
    refused("a job larger than the cluster", 3, "5", trace=edit(TRACE, "2,20,4,", "2,20,5,"))
    refused("a NaN slowdown", 3, "cluster.csv:3:7", cluster=edit(CLUSTER, "1,0,A,1.1", "1,0,A,nan"))


def command_lines():
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        for case, code, says, *arguments in [
            ("no study", 2, ("nowhere.toml",), "run", "nowhere.toml", "-o", "out.h5"),
            ("no output named", 2, ("-o",), "run", "study.toml"),
            ("an unknown option", 2, ("--nonsense",), "run", "study.toml", "-o", "out.h5", "--nonsense"),
            ("a misspelt command", 2, ("compare",), "compair", "out.h5"),
            ("no command", 2, ("--help",)),
            ("a team of none", 2, ("--team",), "run", "study.toml", "-o", "out.h5", "--team", "0"),
            ("a slice that is none", 2, ("--slice",), "run", "study.toml", "-o", "out.h5", "--slice", "3/2"),
            ("a time limit of no time", 2, ("--time-limit",), "run", "study.toml", "-o", "out.h5", "--time-limit", "0"),
            ("a folder in place of a study", 2, (".: is a directory",), "run", ".", "-o", "out.h5"),
            (
                "--resume with --force",
                2,
                ("--resume", "--force"),
                "run",
                "study.toml",
                "-o",
                "out.h5",
                "--resume",
                "--force",
            ),
            ("--retry-failed alone", 2, ("--resume",), "run", "study.toml", "-o", "out.h5", "--retry-failed"),
            (
                "a table that there is not",
                2,
                ('"Jobs"', "runs, jobs, events, rounds"),
                "export",
                "x.h5",
                "--table",
                "Jobs",
            ),
            ("a file to verify that is not there", 3, ("nowhere.h5",), "verify", "nowhere.h5"),
            ("a file to verify that is no HDF5", 3, ("trace.csv",), "verify", "trace.csv"),
            ("an output that is a folder", 2, (".",), "run", "study.toml", "-o", "."),
            (
                "an output that names a folder",
                2,
                ("new/: is a folder", "-o new/NAME"),
                "run",
                "study.toml",
                "-o",
                "new/",
            ),
            (
                "an output below a file",
                2,
                ("trace.csv/x.h5", "is no folder"),
                "run",
                "study.toml",
                "-o",
                "trace.csv/x.h5",
            ),
            ("a cluster below a file", 2, ("is no folder",), "cluster", "study.toml", "-o", "trace.csv/x/x.h5"),
            (
                "a measurement that names a folder",
                2,
                ("new/: is a folder",),
                "measure",
                "--backend",
                "host",
                "-o",
                "new/",
            ),
            ("a folder to verify", 3, (".: is a folder",), "verify", "."),
            ("a folder to compare", 3, (".: is a folder",), "compare", "."),
            ("a folder to show", 3, (".: is a folder", "longhorn"), "profile", "show", "."),
            ("shards that are not there", 3, ("out.h5.parts",), "merge", "out.h5"),
            ("an archive that is not there", 3, ("out.h5",), "compare", "out.h5"),
            ("an archive that is none", 3, ("trace.csv",), "digest", "trace.csv"),
            (
                "a negative seed of a measurement",
                2,
                ("--seed", "-1 is not a whole number"),
                "measure",
                "-o",
                "out.h5",
                "--backend",
                "host",
                "--seed",
                "-1",
            ),
            (
                "a kernel larger than any memory",
                2,
                ("--param", "triad", "GB"),
                "measure",
                "-o",
                "out.h5",
                "--backend",
                "host",
                "--kernel",
                "triad",
                "--param",
                "triad.n=4000000000",
            ),
            (
                "a slice beyond 64 bits",
                2,
                ("--slice", "beyond 64 bits"),
                "run",
                "study.toml",
                "-o",
                "out.h5",
                "--slice",
                f"1/{HUGE}",
            ),
            ("a list of something else", 2, ("placements",), "list", "placement"),
        ]:
            check_refusal(case, run(PROGRAM, folder, *arguments), code, says, folder)
        expect(not os.path.exists(os.path.join(folder, "new")), "refused outputs", "a folder was made")


def kept_with_force(folder):
    """--force replaces what the command itself writes, and no other file; least of all one that the study is made of."""
    output = pathlib.Path(folder) / "out.h5"
    alien, cut = b"precious", pathlib.Path(folder) / "whole.h5"
    run(PROGRAM, folder, "run", "study.toml", "-o", "whole.h5")
    whole = cut.read_bytes()
    cut.unlink()
    for command in ("run", "cluster"):
        for force in ((), ("--force",)):
            for what, content, says in (
                ("text", alien, "is there and no"),
                ("a cut archive", whole[: len(whole) // 2], "damaged"),
            ):
                output.write_bytes(content)
                done = run(PROGRAM, folder, command, "study.toml", "-o", "out.h5", *force)
                check_refusal(
                    f"{command} {force} over {what}",
                    done,
                    2,
                    ("out.h5", says, "give another -o", "move"),
                    folder,
                    left=["out.h5"],
                )
                expect(output.read_bytes() == content, f"{command} {force} over {what}", "it was changed")
                output.unlink()
            for name in ("trace.csv", "./trace.csv", "link"):
                if name == "link":
                    os.symlink("trace.csv", os.path.join(folder, "link"))
                before = (pathlib.Path(folder) / "trace.csv").read_bytes()
                done = run(PROGRAM, folder, command, "study.toml", "-o", name, *force)
                expect(
                    done.returncode == 2 and "is read by this command and would be lost" in done.stderr,
                    f"{command} {force} over its trace {name}",
                    "it has to be refused as an input",
                    done,
                )
                expect(
                    (pathlib.Path(folder) / "trace.csv").read_bytes() == before,
                    f"{command} over its trace",
                    "it was changed",
                )
            os.unlink(os.path.join(folder, "link"))
    before = (pathlib.Path(folder) / "study.toml").read_bytes()
    done = run(PROGRAM, folder, "run", "study.toml", "-o", "study.toml", "--force")
    expect(
        done.returncode == 2 and (pathlib.Path(folder) / "study.toml").read_bytes() == before,
        "run over its study",
        "it was changed",
        done,
    )


def outputs():
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        output = pathlib.Path(folder) / "out.h5"
        for command, other in (("run", "cluster"), ("cluster", "run")):
            done = run(PROGRAM, folder, command, "study.toml", "-o", "out.h5")
            expect(done.returncode == 0, f"{command} of an output that is not there", "it was refused", done)
            before, kept = output.stat().st_ino, output.read_bytes()
            done = run(PROGRAM, folder, command, "study.toml", "-o", "out.h5")
            check_refusal(f"{command}: an existing output", done, 2, ("out.h5", "--force"), folder, left=["out.h5"])
            expect(output.read_bytes() == kept, f"{command}: an existing output", "it was changed")
            done = run(PROGRAM, folder, command, "study.toml", "-o", "out.h5", "--force")
            expect(
                done.returncode == 0 and left_behind(folder, "out.h5") == ["out.h5"],
                f"{command} --force",
                "it was refused",
                done,
            )
            expect(output.stat().st_ino != before, f"{command} --force", "the file is the old one")
            done = run(PROGRAM, folder, other, "study.toml", "-o", "out.h5", "--force")
            check_refusal(
                f"{other} --force over what {command} wrote",
                done,
                2,
                ("out.h5", "is there and no"),
                folder,
                left=["out.h5"],
            )
            output.write_text("")  # an empty file, as mktemp makes one, holds nothing that could be lost
            done = run(PROGRAM, folder, command, "study.toml", "-o", "out.h5", "--force")
            expect(done.returncode == 0, f"{command} --force over an empty file", "it was refused", done)
            output.unlink()
        kept_with_force(folder)

        # A slice leaves shards. They are not overwritten without a word, nor taken for another study's.
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--slice", "1/2")
        expect(done.returncode == 0, "a slice", "it was refused", done)
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5")
        check_refusal("existing shards", done, 2, ("out.h5.parts", "--resume"), folder, left=["out.h5.parts"])
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume", "--set", "engine.round_s=60")
        check_refusal("shards of another study", done, 2, ("out.h5.parts",), folder, left=["out.h5.parts"])
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume")
        expect(done.returncode == 0 and left_behind(folder, "out.h5") == ["out.h5"], "--resume", "it was refused", done)

        finished_archive(folder, output)
        not_ours(folder)

        # A file-size limit stands for a full disk: it needs no privilege. 1 KiB, then enough to begin but not to end.
        for kib in (0, 1, 4):
            limited = ("bash", "-c", f'ulimit -f {kib}; exec "$@"', "bash")
            done = run(PROGRAM, folder, "run", "study.toml", "-o", "full.h5", prefix=limited)
            expect(done.returncode == 3, f"a full disk at {kib} KiB", "exit code 3 is due", done)
            expect(done.stderr.count("\n") <= 6, f"a full disk at {kib} KiB", "more than six lines", done)
            expect(
                left_behind(folder, "full.h5") == [],
                f"a full disk at {kib} KiB",
                f"left behind: {left_behind(folder, 'full.h5')}",
                done,
            )
        if os.geteuid() != 0:  # root writes everywhere
            os.chmod(folder, 0o500)
            done = run(PROGRAM, folder, "run", "study.toml", "-o", "new.h5")
            expect(done.returncode == 3, "a folder that may not be written", "exit code 3 is due", done)
            os.chmod(folder, 0o700)
        # Standard output: a full disk is said, a reader that has seen enough is no error.
        script = (
            '"$0" export out.h5 --table jobs >/dev/full; echo $?; "$0" export out.h5 --table jobs | head -1 >/dev/null; echo ${PIPESTATUS[0]}; '
            '"$0" export out.h5 --table jobs >/dev/full 2>&1; echo $?; "$0" bundle out.h5 -o bundled 2>&- >/dev/null; echo $?; '
            '"$0" export out.h5 --table jobs >&-; echo $?; "$0" plan study.toml --quick <&- >/dev/null; echo $?'
        )
        done = subprocess.run(["bash", "-c", script, PROGRAM], cwd=folder, capture_output=True, text=True)
        expect(
            done.stdout.split() == ["3", "0", "3", "0", "3", "0"],
            "standard streams that are full or closed",
            "exit codes 3, 0, 3, 0, 3 and 0 are due",
            done,
        )
        # Folders on the way are made, as results/ on a fresh clone, and that is said once; not for what is refused.
        done = run(PROGRAM, folder, "cluster", "nowhere.toml", "-o", "none/x.h5")
        expect(
            done.returncode == 2 and not os.path.exists(os.path.join(folder, "none")),
            "a cluster of no study",
            "a folder",
            done,
        )
        for command, made in (("run", "new/deep"), ("cluster", "drawn")):
            for new in (True, False):
                done = run(PROGRAM, folder, command, "study.toml", "--force", "-o", made + "/x.h5")
                expect(done.returncode == 0, f"{command} into a new folder", "it was refused", done)
                expect(
                    (made + "/x.h5: its folder is new" in done.stderr) == new,
                    f"{command} into a new folder",
                    "said once",
                    done,
                )


def not_ours(folder):
    """A folder of shards that this program cannot read, or that belongs to a measurement, stays as it is."""
    parts = pathlib.Path(folder) / "full.h5.parts"
    parts.mkdir()
    shard = parts / "2026-01-01T000000Z-1-0.shard"
    shard.write_bytes(b"of another version")
    for extra in ((), ("--resume",)):
        done = run(
            PROGRAM,
            folder,
            "run",
            "study.toml",
            "-o",
            "full.h5",
            *extra,
            prefix=("bash", "-c", 'ulimit -f 1; exec "$@"', "bash"),
        )
        expect(done.returncode in (2, 3), "shards that cannot be read", "exit code 2 or 3 is due", done)
        expect(shard.read_bytes() == b"of another version", "shards that cannot be read", "they are gone", done)
    shard.unlink()
    for left in parts.iterdir():
        left.unlink()
    (parts / "measure.json").write_text("{}")
    for extra in ((), ("--resume",), ("--slice", "1/2")):
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "full.h5", *extra)
        check_refusal("the folder of a measurement", done, 2, ("full.h5.parts", "measure"), folder, left=["out.h5"])
    (parts / "measure.json").unlink()
    parts.rmdir()


def finished_archive(folder, output):
    """What is asked of an archive that is whole: to go on with it, to compare it, to verify it when it is damaged."""
    before = output.read_bytes()
    for extra in ((), ("--slice", "1/2")):
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume", *extra)
        expect(
            done.returncode == 0 and "nothing was missing" in done.stderr and "keeps" not in done.stderr,
            "--resume of a finished archive",
            "it should be content",
            done,
        )
    done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume", "--set", "study.name=other")
    expect(
        done.returncode == 0 and "keeps its own names" in done.stderr,
        "--resume of a finished archive with another name",
        "it does not say that the name stays",
        done,
    )
    for case, *arguments in [
        ("--resume of a finished archive with another study", "--set", "engine.round_s=60"),
        ("--resume of a finished archive with one run fewer", "--set", 'policy.placement=["pal"]'),
        ("--resume of a finished archive with one more axis", "--set", "policy.order=fifo"),
    ]:
        if "one more axis" in case:
            arguments = ()
            write(folder, study=STUDY + '"policy.order" = ["fifo"]\n')
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume", *arguments)
        check_refusal(case, done, 2, ("out.h5", "--force"), folder, left=["out.h5"])
    write(folder, trace=edit(TRACE, "2000", "2001"))
    done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume")
    check_refusal(
        "--resume of a finished archive with another trace",
        done,
        2,
        ("out.h5", "SHA-256 of trace.csv was"),
        folder,
        left=["out.h5"],
    )
    write(folder)
    expect(output.read_bytes() == before, "--resume of a finished archive", "it was changed")

    done = run(PROGRAM, folder, "compare", "out.h5", "--by", "policy.placement")
    check_refusal(
        "compare by what is compared", done, 2, ("--by policy.placement", "compared"), folder, left=["out.h5"]
    )
    done = run(PROGRAM, folder, "compare", "out.h5", "--by", "size>2")
    check_refusal(
        "compare by groups of jobs at a number", done, 2, ("--by size>2", "split at a number"), folder, left=["out.h5"]
    )
    # Cut short, and hit in the metadata of the root group: HDF5 cannot open the one, nor read the other.
    for case, data in (
        ("cut short", before[:-1]),
        ("hit in its superblock", before[:20] + bytes([before[20] ^ 1]) + before[21:]),
        ("hit in its root group", before[:60] + bytes([before[60] ^ 1]) + before[61:]),
    ):
        (pathlib.Path(folder) / "damaged.h5").write_bytes(data)
        done = run(PROGRAM, folder, "verify", "damaged.h5")
        expect(
            done.returncode == 5 and "damaged.h5" in done.stderr and done.stdout != "",
            f"verify of an archive {case}",
            "exit code 5 is due",
            done,
        )
        done = run(PROGRAM, folder, "status", "damaged.h5")
        expect(
            done.returncode == 3 and "damaged.h5" in done.stderr,
            f"status of an archive {case}",
            "exit code 3 is due",
            done,
        )
        if case == "cut short":
            expect("restore the file from a copy" in done.stderr, f"status of an archive {case}", "what to do", done)
    (pathlib.Path(folder) / "damaged.h5").unlink()


def types_of_an_axis():
    """360 and 360.0 are one value of a real key, so a campaign may go on with either; a text beside bins is not."""
    for case, key, first, second, code in [
        ("integers, then reals", "engine.round_s", "[60, 360]", "[60.0, 360.0]", 0),
        ("reals, then integers", "engine.round_s", "[60.0, 360.5]", "[60, 360.5]", 0),
        ("integers, then a text too", "cluster.bins", "[1, 2]", '[1, 2, "silhouette"]', 2),
    ]:
        with tempfile.TemporaryDirectory() as folder:
            digests = []
            axis = lambda values: STUDY.replace("bins = 1\n", "") + f'"{key}" = {values}\n'
            head = axis(first).replace('["pal", "packed-sticky"]', '["pal"]')
            tail = axis(second).replace('["pal", "packed-sticky"]', '["pal"]')
            write(folder, study=head)
            done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--slice", "1/2")
            write(folder, study=tail)
            done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume")
            if code != 0:
                check_refusal(f"an axis of {case}", done, code, ("axes",), folder, left=["out.h5.parts"])
                continue
            expect(done.returncode == 0, f"an axis of {case}", "it was refused", done)
            for study in (head, tail):
                write(folder, study=study)
                run(PROGRAM, folder, "run", "study.toml", "-o", "whole.h5", "--force")
                digests.append(run(PROGRAM, folder, "digest", "whole.h5").stdout)
            digests.append(run(PROGRAM, folder, "digest", "out.h5").stdout)
            expect(len(set(digests)) == 1 and digests[0], f"an axis of {case}", f"digests {digests}")


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
        for command in ("run", "plan", "compare", "export", "verify", "digest", "diff", "merge", "list", "saving"):
            done = run(PROGRAM, folder, command, "--help")
            expect(done.returncode == 0 and done.stdout and not done.stderr, f"{command} --help", "no help", done)
        for kind in (
            "schedulers",
            "backfills",
            "effects",
            "orders",
            "placements",
            "sources",
            "knowledge",
            "routings",
            "kernels",
            "models",
            "generators",
            "readers",
            "keys",
            "columns",
            "metrics",
            "tables",
            "rules",
            "forecasts",
        ):
            for form in ((), ("--json",), ("--markdown",)):
                done = run(PROGRAM, folder, "list", kind, *form)
                expect(done.returncode == 0 and done.stdout, f"list {kind} {form}", "nothing", done)


for part in (bad_inputs, command_lines, outputs, types_of_an_axis, accepted):
    part()
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
