#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples.py PAGE FOLDER: writes the C++ blocks of a page to files of the names in their first lines.

A block begins with the path that the page gives the file; each has at most 60 lines. One that begins with the path of a header
is a part of it: the example of a table changes two headers, of which FOLDER/table has copies that are so changed.
"""
import pathlib
import re
import sys
import textwrap

page, folder = map(pathlib.Path, sys.argv[1:])
rows_of_the_table = ""
(folder / "table/sim").mkdir(parents=True, exist_ok=True)
(folder / "table/record").mkdir(exist_ok=True)
for indent, block in re.findall(r"^( *)```cpp\n(.*?)^\1```$", page.read_text(), re.DOTALL | re.MULTILINE):
    block = textwrap.dedent(block)
    first, lines = block.split("\n", 1)[0], block.count("\n")
    name = re.fullmatch(r"// src/.*/(\w+\.[ch]pp)", first)
    if not name:
        sys.exit(f"{page}: a block of C++ begins with its path, not with: {first}")
    if lines > 60:
        sys.exit(f"{page}: the example {name[1]} has {lines} lines, more than 60")
    if name[1].endswith(".cpp"):
        (folder / name[1]).write_text(block)
    else:
        rows_of_the_table = block


def changed(header, *changes):
    """A copy of a header in which each text, which stands there once, is another."""
    text = (page.parent / "src" / header).read_text()
    for old, new in changes:
        if text.count(old) != 1:
            sys.exit(f"src/{header}: the example of a table expects this once: {old}")
        text = text.replace(old, new)
    (folder / "table" / header).write_text(text)


each = "  template <class Use>\n  static void each(Use use) {\n    use(&RunTables::"
changed(
    "sim/result.hpp",
    ("/// The rows that the engine writes", rows_of_the_table + "\n/// The rows that the engine writes"),
    (each, "  PartitionRows partitions;\n" + each),
    ("use(&RunTables::solves)", "use(&RunTables::solves), use(&RunTables::partitions)"),
)
changed(
    "record/tables.hpp", ("  solves\n};", "  solves,\n  partitions\n};"), (" solves;\n};", " solves, partitions;\n};")
)
