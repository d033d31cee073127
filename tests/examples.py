#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples.py PAGE FOLDER: writes the C++ blocks of a page to files of the names in their first lines.

A block begins with the path that the page gives the file; each has at most 60 lines.
"""
import pathlib
import re
import sys

page, folder = map(pathlib.Path, sys.argv[1:])
folder.mkdir(parents=True, exist_ok=True)
for block in re.findall(r"^```cpp\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE):
    first, lines = block.split("\n", 1)[0], block.count("\n")
    name = re.fullmatch(r"// src/.*/(\w+\.cpp)", first)
    if not name:
        sys.exit(f"{page}: a block of C++ begins with its path, not with: {first}")
    if lines > 60:
        sys.exit(f"{page}: the example {name[1]} has {lines} lines, more than 60")
    (folder / name[1]).write_text(block)
