#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""links.py SOURCE: links between the pages of the repository lead to files, the README has at most 120 lines, and its map names every
folder of src/ and no other."""
import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1])
SKIPPED = {"build", "results", ".git", ".cache", "LICENSES"}


def pages():
    for path in sorted(SOURCE.rglob("*.md")):
        if not SKIPPED & set(path.relative_to(SOURCE).parts):
            yield path


def broken(path):
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file = target.split("#")[0]
        if file and "://" not in file and not file.startswith("mailto:") and not (path.parent / file).exists():
            yield f"{path.relative_to(SOURCE)}: {target}"


all_pages = list(pages())
assert len(all_pages) > 20, all_pages
dead = [link for path in all_pages for link in broken(path)]
assert not dead, "links that lead nowhere:\n" + "\n".join(dead)

readme = (SOURCE / "README.md").read_text()
assert len(readme.splitlines()) <= 120, "the README has more than 120 lines"
rows = re.findall(r"^\| (`[^|]*) \|", readme[readme.index("## Map") :], re.MULTILINE)
named = {name for row in rows for name in re.findall(r"`(\w+)/`", row)}
folders = {path.name for path in (SOURCE / "src").iterdir() if path.is_dir()}
assert named == folders, f"the map of the README and src/ differ by {sorted(named ^ folders)}"
print(f"links: {len(all_pages)} pages")
