#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""walkthrough.py PAGE PROGRAM [--write]: does what a page tells its reader to do, and compares what the page shows.

A block ```console has commands after "$ ", each followed by what it prints; a line "..." stands for any lines. A block under
<!-- file NAME --> is written to NAME. A block under <!-- not run: WHY --> is left out. All is done in one empty folder, with
the program, the report and the module on their paths and REPO, the repository, in the environment. Seconds, memory, dates and
commits may differ. --write puts what is printed into the page."""
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(
    r"(?:<!-- (?P<what>file|not run:) (?P<name>.*?) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
MAY_DIFFER = (
    re.compile(r"(?<![\w.])\d[\d.,]*(?= (ms|s|min|KiB|MiB|GiB|KB|MB|GB|runs/s)\b)"),
    re.compile(r"\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?Z?)?|\b\d\d:\d\d:\d\d\b"),
    re.compile(r"\b[0-9a-f]{7,40}\b"),
)
PROGRESS = re.compile(r"\] info: .*(\d+ of [\d,]+ (runs )?done|: \d+ s$)")  # what only a slow machine prints


def alike(line):
    for pattern in MAY_DIFFER:
        line = pattern.sub("#", line)
    return " ".join(line.split())


def commands(text):
    """(command, what the page shows of it) of a console block; a command goes on after a backslash."""
    found, lines = [], text.splitlines()
    while lines:
        line = lines.pop(0)
        assert line.startswith("$ "), f"a console block begins with '$ ': {line}"
        command = [line[2:]]
        while command[-1].endswith("\\"):
            command.append(lines.pop(0))
        shown = []
        while lines and not lines[0].startswith("$ "):
            shown.append(lines.pop(0))
        found.append(("\n".join(command), shown))
    return found


def matches(shown, printed):
    """Line by line; "..." stands for any lines."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(matches(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and alike(shown[0]) == alike(printed[0]) and matches(shown[1:], printed[1:])


class Reader:
    def __init__(self, folder, program):
        self.folder, self.faults = folder, 0
        program = pathlib.Path(program).resolve()
        build = next((path for path in program.parents if (path / "palstudy-report").exists()), program.parent)
        self.environment = {**os.environ, "REPO": str(ROOT), "COLUMNS": "100", "PYTHONPATH": str(ROOT / "python")}
        self.environment |= {"PALSTUDY_PROGRAM": str(program), "TZ": "UTC"}
        self.environment["PATH"] = f"{folder}/.programs:{build}:{os.environ['PATH']}"
        (folder / ".programs").mkdir()
        (folder / ".programs" / "palstudy").symlink_to(program)

    def run(self, command):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        lines = [line.rstrip() for line in done.stdout.splitlines() if not PROGRESS.search(line)]
        while lines and not lines[-1]:
            lines.pop()
        return done.returncode, lines

    def console(self, text, write):
        """The block as it is now."""
        now = []
        for command, shown in commands(text):
            code, printed = self.run(command)
            while shown and not shown[-1]:
                shown.pop()
            if code != 0:
                self.fault(command, f"ends with {code}", printed)
            elif not matches(shown, printed) and not write:
                self.fault(
                    command, "prints something else", difflib.unified_diff(shown, printed, "page", "now", lineterm="")
                )
            now += ["$ " + command, *(shown if code != 0 or matches(shown, printed) else printed)]
        return "\n".join(now) + "\n"

    def fault(self, command, what, lines):
        self.faults += 1
        print(f"FAILED: {command}\n  {what}:")
        print("\n".join("  " + line for line in lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("program")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    text, done = given.page.read_text(), 0
    with tempfile.TemporaryDirectory() as name:
        reader = Reader(pathlib.Path(name), given.program)

        def follow(block):
            nonlocal done
            if block["what"] == "file":
                path = reader.folder / block["name"]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block["text"])
            elif block["what"] is None and block["kind"] == "console":
                done += 1
                return block[0].replace(block["text"], reader.console(block["text"], given.write))
            return block[0]

        now = BLOCK.sub(follow, text)
    if given.write:
        given.page.write_text(now)
    assert done > 0, f"{given.page} has no command"
    print(f"{done} blocks, {reader.faults} faults")
    return 1 if reader.faults else 0


if __name__ == "__main__":
    sys.exit(main())
