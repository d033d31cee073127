#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""unified_sources.py BUILD FOLDER [CHANGED]: the compile commands of a unity build, with its joint sources under names by which
clang's analyzer knows them for such (UnifiedSource*): of other files it analyzes nothing that they include. Prints the
files to look at, the largest first, each ended by a zero byte. CHANGED lists paths of the repository, one a line: of a
source that is not among them, and includes none of them itself, nothing is looked at."""
import json
import pathlib
import re
import sys

build, folder = map(pathlib.Path, sys.argv[1:3])
changed = set(pathlib.Path(sys.argv[3]).read_text().splitlines()) if len(sys.argv) > 3 else None
root = pathlib.Path(__file__).resolve().parent.parent
folder.mkdir(exist_ok=True)
sizes = {}


def wanted(source):
    """Whether a source is to be looked at. Includes are relative to src/ or to the root."""
    if changed is None or str(source.relative_to(root)) in changed:
        return True
    included = re.findall(r'^#include "(.*)"', source.read_text(), re.M)
    return any(name in changed or f"src/{name}" in changed for name in included)


def kept(text):
    """A joint source without those that are not to be looked at."""
    lines = (line for line in text.splitlines() if line.startswith("#include"))
    return "".join(f"{line}\n" for line in lines if wanted(pathlib.Path(line.split('"')[1])))


entries = json.loads((build / "compile_commands.json").read_text())
for number, entry in enumerate(entries):
    source = pathlib.Path(entry["file"])
    if source.parent.name == "Unity":
        text = kept(source.read_text())
        copy = (folder / f"UnifiedSource{number}.cpp").resolve()
        copy.write_text(text)
        entry["command"] = entry["command"].replace(str(source), str(copy))
        entry["file"] = str(copy)
    else:
        text = "#include" if wanted(source) else ""
    if text:
        sizes[entry["file"]] = text.count("#include")
(folder / "compile_commands.json").write_text(json.dumps(entries))
for file in sorted(sizes, key=lambda one: sizes[one], reverse=True):
    print(file, end="\0")
