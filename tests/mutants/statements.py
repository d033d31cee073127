# SPDX-License-Identifier: MIT
"""Sources of C++ as statements: what ends in `;`, and what stands before a `{` (conditions, loops)."""
import re
from dataclasses import dataclass

import operators

SUFFIXES = {".cpp", ".hpp"}
# Left aside: a prefetch and a reservation change no result, an include or a compile-time check is no statement, and
# registries of text (summaries, helps) are messages.
SKIPPED = re.compile(
    r"prefetch|\.fetch\(|\.reserve\(|static_assert|\bassert\(|^\s*#|^using\b|^namespace\b|^template\b|^typedef\b"
)


@dataclass(frozen=True)
class Statement:
    file: str  # relative to the repository
    line: int
    begin: int  # in the text of the file
    code: str  # strings and comments blanked

    @property
    def end(self):
        return self.begin + len(self.code)


def blanked(text):
    """The text with comments, strings, characters and preprocessor lines as blanks, place by place; line ends stay."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
        r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",
        re.S | re.M,
    )

    def blank(found):
        body = re.sub(r"[^\n]", " ", found.group())
        literal = found.group()[0] in "\"'R"
        return '"' + body[1:-1] + '"' if literal and len(body) > 1 else body

    return pattern.sub(blank, text)


def split(text):
    """(begin, end) of every statement of blanked text. A `;` within parentheses, as in `for`, ends none."""
    begin, depth = 0, 0
    for at, char in enumerate(text):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth = max(0, depth - 1)
        elif char in "{}" or (char == ";" and depth == 0):
            yield begin, at + (char == ";")
            begin = at + 1
            if char in "{}":
                depth = 0  # the body of a lambda begins, or ends, within a call


def statements(file, text):
    """Those of a file that can carry a fault."""
    clean = blanked(text)
    for begin, end in split(clean):
        piece = clean[begin:end]
        begin += len(piece) - len(piece.lstrip())
        piece = piece.strip()
        if not piece or SKIPPED.search(piece) or not operators.changes(piece):
            continue
        yield Statement(file, clean.count("\n", 0, begin) + 1, begin, clean[begin : begin + len(piece)])


def of_rooms(root, rooms):
    """All statements of `src/<room>`, in the order of the files' names, which no folder's order enters."""
    files = [path for room in rooms for path in (root / "src" / room).rglob("*") if path.suffix in SUFFIXES]
    for path in sorted(files, key=lambda one: one.relative_to(root).as_posix()):
        yield from statements(path.relative_to(root).as_posix(), path.read_text())
