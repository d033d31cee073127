#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""parts.py PALSTUDY: what others put into FILE.h5.parts, or in its place, stays as it is and is named."""
import os
import pathlib
import shutil
import sys
import tempfile

from case_files import expect, failures, left_behind, run, write

PROGRAM = os.path.abspath(sys.argv[1])
MEASURE = (
    "measure",
    "--backend",
    "host",
    "--kernel",
    "triad",
    "--param",
    "triad.n=4096",
    "--repeats",
    "1",
    "--batch-s",
    "0.001",
    "--warm-up-s",
    "0.001",
    "--repeat-s",
    "0.002",
)
PRECIOUS = "not of this program"


def plant(folder, parts):
    """Files and links of others, some with names like those of a campaign. Returns the names."""
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    (elsewhere / "kept.txt").write_text(PRECIOUS)
    parts.mkdir(exist_ok=True)
    for name in ("notes.txt", "download.part", "draft.new", "paper.shard"):
        (parts / name).write_text(PRECIOUS)
    (parts / "data").mkdir()
    (parts / "data/table.csv").write_text(PRECIOUS)
    (parts / "slice-of-life").mkdir()
    (parts / "slice-of-life/novel.txt").write_text(PRECIOUS)
    (parts / "dangling").symlink_to("nowhere")
    (parts / "there").symlink_to(elsewhere)
    (parts / "study.toml.1.new").symlink_to(elsewhere / "kept.txt")
    os.mkfifo(parts / "pipe.shard")  # whoever opens it waits for ever
    return sorted(
        [
            "pipe.shard",
            "notes.txt",
            "download.part",
            "draft.new",
            "paper.shard",
            "data",
            "slice-of-life",
            "dangling",
            "there",
            "study.toml.1.new",
        ]
    )


def check_kept(case, folder, parts, planted, done):
    expect(
        parts.is_dir() and sorted(os.listdir(parts)) == planted,
        case,
        f"what stays is not what was put there: {left(parts)}",
        done,
    )
    kept = [name for name in planted if (parts / name).is_file()] + [
        "data/table.csv",
        "slice-of-life/novel.txt",
        "there/kept.txt",
    ]
    for name in kept:
        path = parts / name
        expect(path.is_file() and path.read_text() == PRECIOUS, case, f"{name} has changed", done)
    expect((folder / "elsewhere/kept.txt").is_file(), case, "what a link leads to is gone", done)


def left(parts):
    return sorted(os.listdir(parts)) if parts.is_dir() else None


def check_named(case, parts, planted, done):
    lines = [line for line in done.stderr.splitlines() if "not made here" in line]
    expect(len(lines) == 1 and parts.name in lines[0], case, "not one line that names the folder", done)
    expect(all(name in "".join(lines) for name in planted[:5]), case, "the first are not named", done)
    expect(f"and {len(planted) - 5} more" in "".join(lines), case, "nor how many there are besides", done)


def foreign_things():
    with tempfile.TemporaryDirectory() as name:
        folder, parts = pathlib.Path(name), pathlib.Path(name) / "out.h5.parts"
        write(folder)
        run(PROGRAM, folder, "run", "study.toml", "-o", "whole.h5")
        digest = run(PROGRAM, folder, "digest", "whole.h5").stdout
        for piece in ("1/2", "2/2"):
            done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume", "--slice", piece)
            expect(done.returncode == 0, "slices", "refused", done)
        # A shard with an altered byte: merge says which run is missing, and of which file why.
        shard = next(parts.glob("*.shard"))
        bytes_of_shard = shard.read_bytes()
        shard.write_bytes(bytes_of_shard[:-9] + bytes([bytes_of_shard[-9] ^ 1]) + bytes_of_shard[-8:])
        done = run(PROGRAM, folder, "merge", "out.h5")
        expect(
            done.returncode == 4 and "no shard holds run" in done.stderr and shard.name in done.stderr,
            "merge of a damaged shard",
            "the shard is not named",
            done,
        )
        shard.write_bytes(bytes_of_shard)
        planted = plant(folder, parts)
        done = run(PROGRAM, folder, "merge", "out.h5")
        expect(done.returncode == 0, "merge beside foreign things", "exit code 0 is due", done)
        check_kept("merge beside foreign things", folder, parts, planted, done)
        check_named("merge beside foreign things", parts, planted, done)
        expect(
            run(PROGRAM, folder, "digest", "out.h5").stdout == digest != "",
            "merge beside foreign things",
            "another digest",
        )
        run(PROGRAM, folder, "bundle", "out.h5", "-o", "bundled")  # its description says how often it was started
        expect(
            "in 2 starts" in (folder / "bundled" / "artifact-description.md").read_text(),
            "merge of two slices",
            "not both of them",
        )
        done = run(PROGRAM, folder, "status", "out.h5")
        expect(
            done.returncode == 0 and "archived: 2 of 2" in done.stdout,
            "status beside foreign things",
            "no status",
            done,
        )

    # They were there before the campaign: it does its work, as if the folder were empty. Nothing of its own is left.
    with tempfile.TemporaryDirectory() as name:
        folder, parts = pathlib.Path(name), pathlib.Path(name) / "out.h5.parts"
        write(folder)
        planted = plant(folder, parts)
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume")
        expect(done.returncode == 0, "run beside foreign things", "exit code 0 is due", done)
        check_kept("run beside foreign things", folder, parts, planted, done)
        check_named("run beside foreign things", parts, planted, done)


def damaged_study():
    """What merge and status advise where the study in the folder is damaged is followed, and no run is lost."""
    with tempfile.TemporaryDirectory() as name:
        folder, parts = pathlib.Path(name), pathlib.Path(name) / "out.h5.parts"
        write(folder)
        run(PROGRAM, folder, "run", "study.toml", "-o", "whole.h5")
        run(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--resume", "--slice", "1/2")
        study = (parts / "study.toml").read_bytes()
        for damage in (study[:40], b"x = \n", b"\0"):
            (parts / "study.toml").write_bytes(damage)
            for command in ("merge", "status"):
                done = run(PROGRAM, folder, command, "out.h5")
                expect(
                    done.returncode == 3 and "remove it and run the study again with --resume" in done.stderr,
                    f"{command} of a damaged study",
                    "its removal is not advised",
                    done,
                )
        for left in (None, study.replace(b"\n", b"\b")):  # --resume alone helps where what is there is no TOML
            shutil.copytree(parts, folder / "again.h5.parts", dirs_exist_ok=True)
            saved = folder / "again.h5.parts/study.toml"
            saved.unlink() if left is None else saved.write_bytes(left)
            done = run(PROGRAM, folder, "run", "study.toml", "-o", "again.h5", "--resume")
            expect(done.returncode == 0, "resumed without its study", "exit code 0 is due", done)
            digests = [run(PROGRAM, folder, "digest", file).stdout for file in ("whole.h5", "again.h5")]
            expect(digests[0] == digests[1] != "", "resumed without its study", "another digest")
            (folder / "again.h5").unlink()


def foreign_things_of_a_measurement():
    with tempfile.TemporaryDirectory() as name:
        folder, parts = pathlib.Path(name), pathlib.Path(name) / "gpus.h5.parts"
        planted = plant(folder, parts)
        (parts / "measure.json").mkdir()  # cannot be written: the measurement is refused after it has begun
        (parts / "paper.shard").unlink()  # a shard would keep what is there anyway
        before = left(parts)
        done = run(PROGRAM, folder, *MEASURE, "-o", "gpus.h5")
        expect(done.returncode in (2, 3), "a measurement that is refused", "exit code 2 or 3 is due", done)
        expect(left(parts) == before, "a measurement that is refused", f"what stays is {left(parts)}", done)
        (parts / "measure.json").rmdir()
        (parts / "paper.shard").write_text(PRECIOUS)
        done = run(PROGRAM, folder, *MEASURE, "-o", "gpus.h5")
        expect(done.returncode == 0, "a measurement beside foreign things", "exit code 0 is due", done)
        check_kept("a measurement beside foreign things", folder, parts, planted, done)
        check_named("a measurement beside foreign things", parts, planted, done)


def in_place_of_the_folder():
    """A link of that name: each command refuses it with exit code 2, and it stays, and so does what it leads to. What else may
    stand there, and in the place of the locks, is held by tests/shard."""
    with tempfile.TemporaryDirectory() as name:
        folder, parts = pathlib.Path(name), pathlib.Path(name) / "out.h5.parts"
        write(folder)
        (folder / "roomy").mkdir()
        (folder / "roomy/00000000000000a0.ckpt").write_text(PRECIOUS)
        parts.symlink_to("roomy")
        for command in (
            ("run", "study.toml", "-o", "out.h5"),
            ("run", "study.toml", "-o", "out.h5", "--resume"),
            ("run", "study.toml", "-o", "out.h5", "--slice", "1/2"),
            ("merge", "out.h5"),
            ("status", "out.h5"),
            (*MEASURE, "-o", "out.h5"),
        ):
            done = run(PROGRAM, folder, *command)
            case = f"{' '.join(command[:1] + command[4:6])} where out.h5.parts is a link"
            expect(done.returncode == 2 and "out.h5.parts: is a link;" in done.stderr, case, "not said", done)
            expect(left_behind(folder, "out.h5") == ["out.h5.parts"], case, "something new, or it is gone", done)
        kept = (folder / "roomy/00000000000000a0.ckpt").read_text() == PRECIOUS and len(left(folder / "roomy")) == 1
        expect(kept, "out.h5.parts as a link to a folder", "what it leads to has changed")


for part in (
    foreign_things,
    damaged_study,
    foreign_things_of_a_measurement,
    in_place_of_the_folder,
):
    part()
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
