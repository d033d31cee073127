#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""links.py SOURCE: links between the pages of the repository lead to files and headings that are there, and the map in src/README.md
names every folder of src/ and no other."""
import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1])
SKIPPED = {"build", "results", ".git", ".cache", "LICENSES"}


def pages():
    for path in sorted(SOURCE.rglob("*.md")):
        if not SKIPPED & set(path.relative_to(SOURCE).parts):
            yield path


def without_code(path):
    return re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)


def anchors(path):
    """Of the headings of a page, as forges make them."""
    for heading in re.findall(r"^#+ +(.+?) *$", without_code(path), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        yield re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")


def broken(path):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(path)):
        file, _, anchor = target.partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        there = path.parent / file if file else path
        if not there.exists() or anchor and there.suffix == ".md" and anchor not in anchors(there):
            yield f"{path.relative_to(SOURCE)}: {target}"


all_pages = list(pages())
assert len(all_pages) > 20, all_pages
dead = [link for path in all_pages for link in broken(path)]
assert not dead, "links that lead nowhere:\n" + "\n".join(dead)

rooms = re.findall(r"^\| (\[[^|]*) \|", (SOURCE / "src" / "README.md").read_text(), re.MULTILINE)
named = {name for row in rooms for name in re.findall(r"\[(\w+)\]\(\1/README\.md\)", row)}
folders = {path.name for path in (SOURCE / "src").iterdir() if path.is_dir()}
assert named == folders, f"the map of src/README.md and src/ differ by {sorted(named ^ folders)}"
print(f"links: {len(all_pages)} pages")
