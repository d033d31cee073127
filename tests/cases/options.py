#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""options.py PALSTUDY: what is said of options that there are not, and of their numbers; NO_COLOR."""
import json
import os
import pty
import subprocess
import sys
import tempfile

from case_files import STUDY, check_refusal, expect, failures, run, write

PROGRAM = os.path.abspath(sys.argv[1])
HUGE = "99999999999999999999"  # beyond 64 bits


def whole_numbers():
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        # Of every option that takes a whole number: beyond 64 bits, negative, a word. The second is what it has to be at least.
        for option, least, *arguments in [
            ("--team", 1, "run", "study.toml", "-o", "out.h5"),
            ("--run", 0, "export", "out.h5", "--table", "jobs"),
            ("--seed", 0, "measure", "-o", "out.h5", "--backend", "host"),
            ("--repeats", 1, "measure", "-o", "out.h5", "--backend", "host"),
            ("--hosts-of", 1, "measure", "-o", "out.h5", "--backend", "host"),
            ("--nodes", 0, "profile", "show", "longhorn"),
            ("--gpus", 1, "profile", "links", "out.h5"),
            ("--classes", 1, "classify", "out.h5"),
        ]:
            for value, word in (
                (HUGE, "is beyond 64 bits"),
                ("-" + HUGE, "is beyond 64 bits"),
                ("-1", "is not a whole number"),
                ("1.5", "is not a whole number"),
            ):
                check_refusal(
                    f"{option} {value}",
                    run(PROGRAM, folder, *arguments, option + "=" + value),
                    2,
                    (option, f"{value} {word}", f"from {least} "),
                    folder,
                )


def unknown_options():
    """The nearest option is named, and the command whose --help tells of it, however deep it lies."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        for given, near, command, *arguments in [
            ("--resum", "--resume", "run", "run", "study.toml", "-o", "out.h5"),
            ("--dryrun=1", "--dry-run", "run", "run", "study.toml"),
            ("--jsn", "--json", "profile show", "profile", "show", "longhorn"),
            ("--outlier", "--outliers", "profile bins", "profile", "bins", "longhorn"),
            ("--versoin", "--version", ""),
        ]:
            done = run(PROGRAM, folder, *arguments, given)
            check_refusal(
                f"the option {given}",
                done,
                2,
                (
                    f'unknown option "{given.split("=")[0]}"; did you mean "{near}"?',
                    f"  {('palstudy ' + command).strip()} --help",
                ),
                folder,
            )
        done = run(PROGRAM, folder, "run", "study.toml", "--nothing-like-it-at-all")
        check_refusal("an option like no other", done, 2, ("unknown option", "palstudy run --help"), folder)
        expect("did you mean" not in done.stderr, "an option like no other", "another one is named", done)


def hidden_command():
    """What shells call stands in no list for people."""
    with tempfile.TemporaryDirectory() as folder:
        done = run(PROGRAM, folder, "compair")
        check_refusal(
            "an unknown command",
            done,
            2,
            ('unknown command "compair"; did you mean "compare"?', "known: advise, bundle, "),
            folder,
        )
        expect("complete" not in done.stderr, "an unknown command", "the hidden command is named", done)


def how_to_set():
    """The help of --set shows each way to write a value; each is taken as it is shown."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, study=STUDY + '"policy.order" = ["fifo", "srtf"]\n')
        told = run(PROGRAM, folder, "run", "--help").stdout
        for value, points in (
            ("policy.order=las", 2),
            ('policy.order=["fifo","las"]', 4),
            ("seed={first=1,count=5}", 20),
        ):
            expect(value in told, "run --help", f"--set {value} is not shown")
            done = run(PROGRAM, folder, "plan", "study.toml", "--quick", "--json", "--set", value)
            expect(
                done.returncode == 0 and len(json.loads(done.stdout)["runs"]) == points,
                f"--set {value}",
                f"not {points} runs",
                done,
            )
        line = next(line for line in told.splitlines() if "--output" in line)
        expect("required unless --dry-run" in line, "run --help", "-o is not marked as required")


def study_that_is_there():
    """init has no --force, and names none: a study was edited by hand."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        full = ("bash", "-c", 'ulimit -f 1; exec "$@"', "bash")
        done = run(PROGRAM, folder, "init", "-o", "new.toml", prefix=full)
        expect(
            done.returncode == 3
            and "File too large" in done.stderr
            and not os.path.exists(os.path.join(folder, "new.toml")),
            "init on a full disk",
            "exit code 3, the cause and no file are due",
            done,
        )
        done = run(PROGRAM, folder, "init", "-o", "study.toml")
        check_refusal("init over a study", done, 2, ("study.toml: exists already", "give another -o"), folder)
        expect("--force" not in done.stderr, "init over a study", "an option is named that there is not", done)


def colours():
    """Levels of the log are coloured on a terminal, unless NO_COLOR is set and not empty (no-color.org)."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        for said, coloured in ((None, True), ("", True), ("1", False)):
            environment = {**os.environ, "TERM": "xterm"}
            environment.pop("NO_COLOR", None)
            if said is not None:
                environment["NO_COLOR"] = said
            ours, theirs = pty.openpty()
            done = subprocess.run(
                [PROGRAM, "run", "study.toml", "-o", "out.h5", "--force"],
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=theirs,
                env=environment,
                check=False,
            )
            os.close(theirs)
            text = b""
            try:
                while piece := os.read(ours, 65536):
                    text += piece
            except OSError:  # the other end is closed
                pass
            os.close(ours)
            expect(done.returncode == 0 and b"info" in text, f"NO_COLOR={said}", f"no log: {text}")
            expect((b"\x1b[" in text) == coloured, f"NO_COLOR={said}", f"coloured, or not: {text}")


for part in (whole_numbers, unknown_options, hidden_command, how_to_set, study_that_is_there, colours):
    part()
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
