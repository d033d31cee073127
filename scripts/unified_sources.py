#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""unified_sources.py BUILD FOLDER: the compile commands of a unity build, with its joint sources under names by which
clang's analyzer knows them for such (UnifiedSource*): of other files it analyzes nothing that they include. Prints the
files to look at, the largest first, each ended by a zero byte."""
import json
import pathlib
import sys

build, folder = map(pathlib.Path, sys.argv[1:])
folder.mkdir(exist_ok=True)
sizes = {}
entries = json.loads((build / "compile_commands.json").read_text())
for number, entry in enumerate(entries):
    source = pathlib.Path(entry["file"])
    text = source.read_text()
    if source.parent.name == "Unity":
        copy = (folder / f"UnifiedSource{number}.cpp").resolve()
        copy.write_text(text)
        entry["command"] = entry["command"].replace(str(source), str(copy))
        entry["file"] = str(copy)
    sizes[entry["file"]] = text.count("#include")
(folder / "compile_commands.json").write_text(json.dumps(entries))
for file in sorted(sizes, key=sizes.get, reverse=True):
    print(file, end="\0")
