#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""prose.py SOURCE [PROGRAM] [--page FILE]...: how the pages read. Prints a line for each page and fails where one is harder
to read than its kind may be. With PROGRAM, the help of every command is read too. --page reads only these."""
import argparse
import dataclasses
import pathlib
import re
import statistics
import subprocess
import sys

LONGEST = 45  # words of a sentence, on every page
LONG = 30
FEW = 10  # sentences: a shorter page has only the limit above


@dataclasses.dataclass(frozen=True)
class Limits:
    """Of one kind of page: words in the file, 90th percentile of sentence length, share of long sentences, numbers for each
    100 words, brackets for each sentence. None: no limit."""

    words: int | None = None
    p90: int | None = None
    long_share: float | None = None
    numbers: float | None = None
    brackets: float | None = None


GUIDE = Limits(p90=25, long_share=0.05, numbers=3, brackets=0.3)
RESULTS = Limits(long_share=0.12)
KINDS = (  # the first that fits
    (r"README\.md", dataclasses.replace(GUIDE, words=900, numbers=4)),
    (r"docs/(start|concepts|howto)/.*", GUIDE),
    (r"docs/index\.md", GUIDE),
    (r"docs/(findings|evidence)/.*", RESULTS),
    (r".*", Limits()),
)


def paragraphs(text):
    """Prose alone: a list item is a paragraph; tables, headings, comments and code are none."""
    text = re.sub(r"^---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"^( *)(```|~~~).*?^\1\2 *$", "\n", text, flags=re.DOTALL | re.MULTILINE)
    found, in_list = [[]], False
    for line in text.splitlines():
        item = re.match(r" *([-*+]|\d+\.) +(.*)", line)
        code = line.startswith("    ") and not item and not (in_list and found[-1])
        if not line.strip() or code or re.match(r" *(#|\||<|!\[|=+$|-+$)", line):
            found.append([])
            in_list = in_list and bool(re.match(r" *$|    ", line))
        elif item:
            found.append([item.group(2)])
            in_list = True
        else:
            found[-1].append(line.strip())
    return [" ".join(lines) for lines in found if lines]


def plain(paragraph):
    """As it is read: links are their words, inline code is one word without a number."""
    paragraph = re.sub(r"!?\[([^\]]*)\]\([^)\s]*\)", r"\1", paragraph)
    paragraph = re.sub(r"``.+?``|`[^`]*`", "code", paragraph)
    return paragraph.replace("**", "").replace("\\", "")


def sentences(text):
    for paragraph in map(plain, paragraphs(text)):
        for one in re.split(r"(?<=[.!?:])[\"')\]*]* +(?=[\"'(\[*A-Z]|code\b)", paragraph):
            if re.search(r"[A-Za-z]", one):
                yield one


def words_of(sentence):
    return [word for word in sentence.split() if re.search(r"\w", word)]


@dataclasses.dataclass
class Read:
    page: str
    words: int
    lengths: list
    numbers: int
    brackets: int
    longest: str

    @property
    def p90(self):
        return statistics.quantiles(self.lengths, n=10, method="inclusive")[-1] if len(self.lengths) > 1 else 0

    @property
    def long_share(self):
        return sum(length > LONG for length in self.lengths) / max(1, len(self.lengths))

    @property
    def numbers_per_100(self):
        return 100 * self.numbers / max(1, sum(self.lengths))

    @property
    def brackets_each(self):
        return self.brackets / max(1, len(self.lengths))

    def __str__(self):
        return (
            f"{self.page:44} {self.words:6} {len(self.lengths):5} {self.p90:5.0f} {100 * self.long_share:5.0f} %"
            f" {self.numbers_per_100:6.1f} {self.brackets_each:6.2f} {max(self.lengths, default=0):5}"
        )


def read(page, text):
    found = list(sentences(text))
    return Read(
        page,
        len(text.split()),
        [len(words_of(one)) for one in found],
        sum(len(re.findall(r"(?<![\w'-])[-+]?\d[\d,.]*", one)) for one in found),
        sum(one.count("(") for one in found),
        max(found, key=lambda one: len(words_of(one)), default=""),
    )


def limits_of(page):
    return next(limits for pattern, limits in KINDS if re.fullmatch(pattern, page))


def faults(one):
    """What of a page is over its limits."""
    limits = limits_of(one.page)
    if max(one.lengths, default=0) > LONGEST:
        yield f"a sentence has {max(one.lengths)} words, the most are {LONGEST}: {one.longest[:120]}..."
    if limits.words is not None and one.words > limits.words:
        yield f"{one.words} words, the most are {limits.words}"
    if len(one.lengths) < FEW:
        return
    for what, value, most in (
        ("words is the 90th percentile of a sentence", one.p90, limits.p90),
        (f"of the sentences have over {LONG} words", one.long_share, limits.long_share),
        ("numbers for each 100 words", one.numbers_per_100, limits.numbers),
        ("brackets for each sentence", one.brackets_each, limits.brackets),
    ):
        if most is not None and value > most:
            yield f"{value:.3g} {what}, the most are {most:g}"


def helps(program):
    """The help of the program and of each command, as pages."""
    first = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    listed = first[first.index("ommands:") :] if "ommands:" in first else first[first.index("ubcommands:") :]
    for command in ["", *re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)]:
        words = [program, *([command] if command else []), "--help"]
        text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        lines = (re.sub(r"^ +(-[^ ]+( [A-Z:.{\[][^ ]*)*|[a-z]+)? {2,}", "- ", line) for line in text.splitlines())
        yield f"help {command}".strip(), "\n".join(lines)


def pages(source, chosen):
    listed = subprocess.run(
        [
            "git",
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "README.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "docs/*.md",
        ],
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    for page in chosen or listed:
        if (source / page).exists():
            yield page, (source / page).read_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--page", action="append", default=[])
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="print the N longest sentences of each page")
    given = parser.parse_args()
    print(f"{'page':44} {'words':>6} {'sent.':>5} {'p90':>5} {'over 30':>7} {'no./100':>6} {'( each':>6} {'most':>5}")
    wrong = 0
    texts = list(pages(given.source, given.page))
    texts += helps(given.program) if given.program else []
    assert texts, f"no page under {given.source}"
    for page, text in texts:
        one = read(page, text)
        print(one)
        for sentence in sorted(sentences(text), key=lambda one: -len(words_of(one)))[: given.worst]:
            print(f"    {len(words_of(sentence))}: {sentence}")
        for fault in faults(one):
            wrong += 1
            print(f"FAILED: {page}: {fault}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
