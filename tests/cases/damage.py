#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""damage.py PALSTUDY: an archive with a flipped byte is not taken for a sound one: diff, digest and run --resume end with exit
code 3, name the file and say what to do. Whole ones are as before. And an output that is a link is written where the link leads."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from case_files import STUDY, expect, failures, left_behind, run, write

PROGRAM = os.path.abspath(sys.argv[1])


def refused(case, done, *says):
    expect(done.returncode == 3, case, "exit code 3 is due", done)
    expect(done.stdout == "", case, "something on standard output", done)
    expect(done.stderr.startswith("palstudy: ") and done.stderr.count("\n") <= 6, case, "no message of six lines", done)
    for word in says:
        expect(word in done.stderr, case, f"the message does not say {word}", done)


def chunk_of(folder, column):
    """Where the one chunk of a column lies in out.h5, and how many bytes it has."""
    listed = subprocess.run(
        ["h5ls", "-v", "-a", f"out.h5/jobs/{column}"], cwd=folder, capture_output=True, text=True, check=True
    )
    size, place = re.search(r"^\s+0x0+\s+(\d+)\s+(\d+)\s+\[0", listed.stdout, re.M).groups()
    return int(place), int(size)


def flipped_values():
    """Within the chunks of columns of /jobs, where only their checksums know. Bytes anywhere: tests/archive."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5")
        run(PROGRAM, folder, "run", "study.toml", "-o", "twin.h5")
        done = run(PROGRAM, folder, "diff", "out.h5", "twin.h5")
        expect(done.returncode == 0 and done.stdout.startswith("identical"), "diff of twins", "they differ", done)
        digest = run(PROGRAM, folder, "digest", "out.h5")
        stored = run(PROGRAM, folder, "digest", "--stored", "out.h5")
        same = digest.returncode == 0 and len(digest.stdout) == 65 and digest.stdout == stored.stdout
        expect(same, "digest of a whole archive", "another than is stored", digest)
        output = pathlib.Path(folder) / "out.h5"
        whole = output.read_bytes()
        for column in ("job", "class", "jct_s"):
            chunk, size = chunk_of(folder, column)
            place = chunk + size // 2
            damaged = bytearray(whole)
            damaged[place] ^= 1
            output.write_bytes(damaged)
            found = run(PROGRAM, folder, "verify", "out.h5")
            expect(
                f"/jobs/{column}" in found.stdout, f"verify with byte {place} of {column} flipped", "not found", found
            )
            for command in (("diff", "out.h5", "twin.h5"), ("diff", "twin.h5", "out.h5"), ("digest", "out.h5")):
                case = f"{' '.join(command)} with byte {place} of {column} flipped"
                refused(case, run(PROGRAM, folder, *command), "out.h5", "damaged" if "diff" in command else "restore")
            refused(
                f"--resume with byte {place} of {column} flipped",
                run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume"),
                "out.h5",
                "damaged",
                "restore it",
            )
            write(folder, study=STUDY + '"seed" = [1, 2]\n')
            grown = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume")
            expect(
                grown.returncode in (2, 3) and "out.h5" in grown.stderr,
                f"growing with byte {place} flipped",
                "taken",
                grown,
            )
            write(folder)
            expect(left_behind(folder, "out.h5") == ["out.h5"], "a damaged archive", "something was left behind")
            output.write_bytes(whole)


def links():
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        there = pathlib.Path(folder) / "scratch"
        there.mkdir()
        for link, target in (("new.h5", "scratch/new.h5"), ("abs.h5", str(there / "abs.h5"))):
            os.symlink(target, pathlib.Path(folder) / link)
            for attempt in ("first", "second"):
                done = run(
                    PROGRAM, folder, "run", "study.toml", "-o", link, *(["--force"] if attempt == "second" else [])
                )
                expect(done.returncode == 0, f"-o of a link, {attempt}", "it was refused", done)
                expect(os.path.islink(os.path.join(folder, link)), f"-o of a link, {attempt}", "the link is gone")
            expect(
                os.listdir(there).count(link) == 1, f"-o of a link {link}", f"the target folder has {os.listdir(there)}"
            )
            done = run(PROGRAM, folder, "verify", link)
            expect(done.returncode == 0, "verify through a link", "it does not hold", done)
        expect(sorted(os.listdir(there)) == ["abs.h5", "new.h5"], "-o of a link", "something else was left there")


flipped_values()
links()
sys.exit(1 if failures else 0)
