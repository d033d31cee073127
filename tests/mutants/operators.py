# SPDX-License-Identifier: MIT
"""The faults that are planted: what one statement of C++ can be changed into.

A statement comes as `Statement`, whose `code` has strings, character constants and comments blanked out, place by place,
so that no fault lands in one. A change is a piece of the statement and what stands there instead.
"""
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    begin: int  # within the statement
    end: int
    new: str


# Binary operators have a blank on either side, as the formatter leaves them: so `T&&`, `const T&`, `vector<int>` and a
# unary minus are none of them.
SWAPS = {
    "<": ["<="],
    "<=": ["<"],
    ">": [">="],
    ">=": [">"],
    "==": ["!="],
    "!=": ["=="],
    "+": ["-"],
    "-": ["+"],
    "*": ["/"],
    "/": ["*"],
    "%": ["*"],
    "&&": ["||"],
    "||": ["&&"],
    "&": ["|"],
    "|": ["&"],
    "^": ["&"],
    "<<": [">>"],
    ">>": ["<<"],
    "+=": ["-="],
    "-=": ["+="],
    "*=": ["/="],
    "/=": ["*="],
    "|=": ["&="],
    "&=": ["|="],
}
BINARY = re.compile(r"(?<=\s)(" + "|".join(re.escape(one) for one in sorted(SWAPS, key=len, reverse=True)) + r")(?=\s)")
STEP = re.compile(r"\+\+|--")
NOT = re.compile(r"(?<![\w!])!(?=[\w(])")
WORDS = {
    "true": "false",
    "false": "true",
    "min": "max",
    "max": "min",
    "min_element": "max_element",
    "max_element": "min_element",
    "lower_bound": "upper_bound",
    "upper_bound": "lower_bound",
    "floor": "ceil",
    "ceil": "floor",
    "any_of": "all_of",
    "all_of": "any_of",
    "none_of": "any_of",
    "front": "back",
    "back": "front",
    "push_back": None,
}
WORD = re.compile(r"(?<![\w:])(?:std::)?(" + "|".join(word for word, new in WORDS.items() if new) + r")(?=\b)(?!\w)")
NUMBER = re.compile(r"(?<![\w.])(\d[\d']*\.?\d*(?:[eE][+-]?\d+)?)([uUlLfF]*)(?![\w.])")
# What declares something, or leaves a value behind: without it the program would not compile, or would mean nothing.
KEPT = re.compile(
    r"^(?:return\s+\S|else\b|case\b|default\b|using\b|typedef\b|template\b|static_assert\b|struct\b|class\b|"
    r"enum\b|namespace\b|public\b|private\b|protected\b|friend\b|operator\b|explicit\b|virtual\b|"
    r"const\b|constexpr\b|auto\b|static\b|thread_local\b|extern\b|inline\b|mutable\b|unsigned\b|"
    r"\[\[)"
)
DECLARES = re.compile(r"^(?:[\w:]+(?:<[^;]*>)?(?:::\w+)*[&*]?)\s+[&*]?\w+\s*(?:$|[;={(,\[])")
STATEMENT_WORDS = re.compile(r"^(?:throw|delete|goto|co_return)\b")


def constants(code):
    """Every number one up; 0 and 1 into each other, a fraction doubled."""
    for found in NUMBER.finditer(code):
        number, suffix = found.group(1), found.group(2)
        if "." in number or "e" in number.lower():
            value = float(number.replace("'", ""))
            new = "1.0" if value == 0 else repr(2 * value)
        else:
            value = int(number.replace("'", "").lstrip("0") or "0")
            new = {0: "1", 1: "0"}.get(value, str(value + 1))
        yield Change(found.start(), found.end(), new + suffix)


def operators(code):
    """An arithmetic, comparing, logical or assigning operator into its neighbour; `!` taken away."""
    for found in BINARY.finditer(code):
        for new in SWAPS[found.group(1)]:
            yield Change(found.start(1), found.end(1), new)
    for found in STEP.finditer(code):
        yield Change(found.start(), found.end(), "--" if found.group() == "++" else "++")
    for found in NOT.finditer(code):
        yield Change(found.start(), found.end(), "")


def words(code):
    """A named choice into its opposite: true and false, min and max, any and all."""
    for found in WORD.finditer(code):
        yield Change(found.start(1), found.end(1), WORDS[found.group(1)])


def deletion(code):
    """The whole statement, where it is one that is done and not one that declares or returns a value."""
    if not code.endswith(";"):
        return
    text = code[:-1].strip()
    if text.count("(") != text.count(")") or text.endswith(("= default", "= delete")):
        return  # the end of a call with a lambda in it; a declaration
    if not text or text[0] in ")," or KEPT.match(text) or (DECLARES.match(text) and not STATEMENT_WORDS.match(text)):
        return
    yield Change(0, len(code), ";")


def changes(code):
    """All faults that one statement can have, in the order of their place. A `throw` is only ever deleted: its values
    are texts of messages."""
    if STATEMENT_WORDS.match(code):
        return list(deletion(code))
    found = [*constants(code), *operators(code), *words(code), *deletion(code)]
    return sorted(found, key=lambda change: (change.begin, change.end, change.new))
