#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""outputs.py PALSTUDY: what stands at an output is kept unless it is the command's own and --force is given, a finished archive
is gone on with or refused, and whatever cannot be written leaves nothing behind."""
import os
import pathlib
import subprocess
import sys
import tempfile

from case_files import TRACE, check_refusal, expect, failures, left_behind, run, write

PROGRAM = os.path.abspath(sys.argv[1])


def replaced_with_force(folder, output):
    """--force replaces what the command itself writes; neither what another one writes, nor what it reads."""
    for command, other in (("run", "cluster"), ("cluster", "run")):
        done = run(PROGRAM, folder, command, "study.toml", "-o", "out.h5")
        expect(done.returncode == 0, f"{command} of an output that is not there", "it was refused", done)
        before, kept = output.stat().st_ino, output.read_bytes()
        done = run(PROGRAM, folder, command, "study.toml", "-o", "out.h5")
        check_refusal(f"{command}: an existing output", done, 2, ("out.h5", "--force"), folder, left=["out.h5"])
        expect(output.read_bytes() == kept, f"{command}: an existing output", "it was changed")
        done = run(PROGRAM, folder, command, "study.toml", "-o", "out.h5", "--force")
        expect(done.returncode == 0 and left_behind(folder, "out.h5") == ["out.h5"], f"{command} --force", done=done)
        expect(output.stat().st_ino != before, f"{command} --force", "the file is the old one")
        done = run(PROGRAM, folder, other, "study.toml", "-o", "out.h5", "--force")
        says = ("out.h5", "is there and no", "give another -o", "move")
        check_refusal(f"{other} --force over what {command} wrote", done, 2, says, folder, left=["out.h5"])
        os.symlink("trace.csv", folder / "link")
        for name in ("trace.csv", "link"):
            done = run(PROGRAM, folder, command, "study.toml", "-o", name, "--force")
            lost = "is read by this command and would be lost"
            check_refusal(f"{command} --force over its trace", done, 2, (lost,), folder, left=["out.h5"])
            expect((folder / "trace.csv").read_text() == TRACE, f"{command} over its trace", "it was changed")
        os.unlink(folder / "link")
        output.unlink()
    before = (folder / "study.toml").read_bytes()
    done = run(PROGRAM, folder, "run", "study.toml", "-o", "study.toml", "--force")
    kept = (folder / "study.toml").read_bytes() == before
    expect(done.returncode == 2 and kept, "run over its study", "it was changed", done)


def shards(folder):
    """A slice leaves shards, which are not overwritten without a word."""
    done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--slice", "1/2")
    expect(done.returncode == 0, "a slice", "it was refused", done)
    done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5")
    check_refusal("existing shards", done, 2, ("out.h5.parts", "--resume"), folder, left=["out.h5.parts"])
    done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume")
    expect(done.returncode == 0 and left_behind(folder, "out.h5") == ["out.h5"], "--resume", "it was refused", done)


def finished_archive(folder, output):
    """What is asked of an archive that is whole: to go on with it, to verify it when it is damaged."""
    before = output.read_bytes()
    for extra in ((), ("--slice", "1/2")):
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume", *extra)
        content = done.returncode == 0 and "nothing was missing" in done.stderr and "keeps" not in done.stderr
        expect(content, "--resume of a finished archive", "it should be content", done)
    done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume", "--set", "study.name=other")
    said = done.returncode == 0 and "keeps its own names" in done.stderr
    expect(said, "--resume of a finished archive with another name", "it does not say that the name stays", done)
    done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume", "--set", "engine.round_s=60")
    check_refusal("--resume of another study", done, 2, ("out.h5", "--force"), folder, left=["out.h5"])
    expect(output.read_bytes() == before, "--resume of a finished archive", "it was changed")
    # Cut short, and hit in the metadata of the root group: HDF5 cannot open the one, nor read the other.
    for case, data in (
        ("cut short", before[:-1]),
        ("hit in its root group", before[:60] + bytes([before[60] ^ 1]) + before[61:]),
    ):
        (folder / "damaged.h5").write_bytes(data)
        done = run(PROGRAM, folder, "verify", "damaged.h5")
        found = done.returncode == 5 and "damaged.h5" in done.stdout
        expect(found, f"verify of an archive {case}", "exit code 5 is due", done)
        done = run(PROGRAM, folder, "status", "damaged.h5")
        expect(done.returncode == 3 and "damaged.h5" in done.stderr, f"status of an archive {case}", done=done)
        if case == "cut short":
            expect("restore the file from a copy" in done.stderr, f"status of an archive {case}", "what to do", done)
    (folder / "damaged.h5").unlink()


def disks_and_streams(folder):
    # A file-size limit stands for a full disk: it needs no privilege. Each call that fails is in tests/faults.
    limited = ("bash", "-c", 'ulimit -f 1; exec "$@"', "bash")
    done = run(PROGRAM, folder, "run", "study.toml", "-o", "full.h5", prefix=limited)
    expect(done.returncode == 3 and done.stderr.count("\n") <= 6, "a full disk", "exit code 3 is due", done)
    expect(left_behind(folder, "full.h5") == [], "a full disk", f"left behind: {left_behind(folder, 'full.h5')}", done)
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
    ended = done.stdout.split() == ["3", "0", "3", "0", "3", "0"]
    expect(ended, "standard streams that are full or closed", "exit codes 3, 0, 3, 0, 3 and 0 are due", done)


def folders_on_the_way(folder):
    """They are made, as results/ on a fresh clone, and that is said once; not for what is refused."""
    done = run(PROGRAM, folder, "cluster", "nowhere.toml", "-o", "none/x.h5")
    expect(done.returncode == 2 and not (folder / "none").exists(), "a cluster of no study", "a folder", done)
    for command, made in (("run", "new/deep"), ("cluster", "drawn")):
        for new in (True, False):
            done = run(PROGRAM, folder, command, "study.toml", "--force", "-o", made + "/x.h5")
            said = (made + "/x.h5: its folder is new" in done.stderr) == new
            expect(done.returncode == 0 and said, f"{command} into a new folder", "said once", done)


with tempfile.TemporaryDirectory() as place:
    scratch = pathlib.Path(place)
    write(scratch)
    replaced_with_force(scratch, scratch / "out.h5")
    shards(scratch)
    finished_archive(scratch, scratch / "out.h5")
    disks_and_streams(scratch)
    folders_on_the_way(scratch)
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
