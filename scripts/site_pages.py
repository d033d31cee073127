#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""site_pages.py FOLDER: what mkdocs makes the site of. docs/ is copied to FOLDER/docs; a file elsewhere in the repository that a
page links to is copied to FOLDER/docs/files. FOLDER/mkdocs.yml has the pages in the order in which docs/index.md names them."""
import json
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
CODE = re.compile(r"^( *)```.*?^\1``` *$", re.DOTALL | re.MULTILINE)
SECTIONS = ("start", "concepts", "howto", "findings", "gallery", "evidence", "reference")
NAMES = {"howto": "How to"}
LEFT_OUT = ("templates", "values")  # folders of docs/ that are no pages


class Site:
    def __init__(self, folder: pathlib.Path):
        self.docs = folder / "docs"
        self.copied: dict[pathlib.Path, pathlib.Path] = {}

    def place(self, path: pathlib.Path) -> pathlib.Path:
        """Where a file of the repository lies in the site, relative to its docs."""
        return path.relative_to(DOCS) if path.is_relative_to(DOCS) else pathlib.Path("files") / path.relative_to(ROOT)

    def add(self, path: pathlib.Path) -> pathlib.Path:
        """Copies a file with those to which it links; of a folder, its README or the list of its files."""
        if (path / "README.md").exists():
            path = path / "README.md"
        if path.name == "README.md" and (path.parent / "index.md").exists():
            path = path.parent / "index.md"
        if path in self.copied:
            return self.copied[path]
        place = self.place(path) if path.is_file() else self.place(path) / "index.md"
        if path.name == "README.md":
            place = place.with_name("index.md")
        if path.is_file() and path.suffix != ".md" and path.parent != DOCS / "figures" and path.suffix != ".svg":
            place = place.with_name(place.name + ".txt")  # which a browser shows
        self.copied[path] = place
        target = self.docs / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            target.write_text(listing(path))
        elif path.suffix == ".md":
            target.write_text(self.with_links(path))
        else:
            shutil.copyfile(path, target)
        return place

    def with_links(self, path: pathlib.Path) -> str:
        """The text of a page, with its links as they lie in the site."""
        here = self.copied[path]

        def leading(found: re.Match[str]) -> str:
            before, target, after = found.groups()
            if "://" in target or target.startswith("mailto:"):
                return found.group(0)
            there = (path.parent / target).resolve()
            if not there.exists():
                raise SystemExit(f"{path.relative_to(ROOT)}: the link {target} leads nowhere")
            up = "../" * len(here.parent.parts)
            return f"{before}{up}{self.add(there).as_posix()}{after}"

        text, parts, end = path.read_text(), [], 0
        for code in CODE.finditer(text):
            parts += [LINK.sub(leading, text[end : code.start()]), code.group(0)]
            end = code.end()
        return "".join(parts) + LINK.sub(leading, text[end:])


def listing(folder: pathlib.Path) -> str:
    names = sorted(path.name + ("/" if path.is_dir() else "") for path in folder.iterdir())
    return f"# {folder.relative_to(ROOT)}\n\n" + "\n".join(f"- `{name}`" for name in names) + "\n"


def title_of(page: pathlib.Path) -> str:
    found = re.search(r"^# (.+)$", page.read_text(), re.MULTILINE)
    return found.group(1).replace("`", "") if found else page.stem


def navigation() -> list[dict[str, object]]:
    """By the order of the links of docs/index.md; a page that it does not name is an error, since nobody would find it."""
    named = [
        (DOCS / target).resolve()
        for _, target, _ in LINK.findall((DOCS / "index.md").read_text())
        if "://" not in target
    ]
    parts: list[dict[str, object]] = [{"Documentation": "index.md"}]
    for section in SECTIONS:
        there = sorted((DOCS / section).glob("*.md"))
        missing = [page.name for page in there if page not in named and section != "reference"]
        if missing:
            raise SystemExit(f"docs/index.md does not name these pages of docs/{section}: {', '.join(missing)}")
        there.sort(key=lambda page: named.index(page) if page in named else len(named))
        pages = [{title_of(page): page.relative_to(DOCS).as_posix()} for page in there]
        parts.append({NAMES.get(section, section.capitalize()): pages})
    return parts


def main(folder: pathlib.Path) -> None:
    site = Site(folder)
    for page in sorted(DOCS.rglob("*.md")):
        if not set(LEFT_OUT) & set(page.relative_to(DOCS).parts):
            site.add(page)
    for figure in sorted((DOCS / "figures").glob("*")):
        site.add(figure)
    config = {
        "site_name": "palstudy",
        "docs_dir": "docs",
        "use_directory_urls": False,  # the site can be read from a folder
        "theme": {"name": "material", "font": False, "features": ["navigation.sections", "navigation.top"]},
        "plugins": ["search"],
        "markdown_extensions": ["tables", "fenced_code", {"toc": {"permalink": True}}],
        "nav": navigation(),
    }
    (folder / "mkdocs.yml").write_text(json.dumps(config, indent=1) + "\n")  # JSON is YAML


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
