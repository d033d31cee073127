# SPDX-License-Identifier: MIT
"""Brings a drawn study to one that the program accepts: what it refuses by name is left out, or what it asks for given."""
from __future__ import annotations

import collections
import dataclasses
import pathlib
import re

from draw import Drawing
from program import DATA, DONE, USAGE, Ended, Program

MOST_TRIES = 25


@dataclasses.dataclass
class Accepted:
    """`refused`: how often each key was left out or given for a refusal. `last`: how the last plan ended."""

    last: Ended
    refused: collections.Counter[str]

    @property
    def proper(self) -> bool:
        return self.last.code in (DONE, USAGE, DATA)


def accept(program: Program, drawing: Drawing, folder: pathlib.Path) -> Accepted:
    """Plans the study; after each refusal one key is taken away or added. The drawing ends as what was planned last."""
    refused: collections.Counter[str] = collections.Counter()
    while True:
        drawing.study.write(folder)
        ended = program.call("plan", "study.toml", "--quick", cwd=folder)
        if ended.code not in (USAGE, DATA) or sum(refused.values()) >= MOST_TRIES:
            return Accepted(ended, refused)
        key = _mend(drawing, ended.err)
        if not key:
            return Accepted(ended, refused)
        refused[key] += 1


def _mend(drawing: Drawing, message: str) -> str:
    """The key that was altered, taken away, or added; "" if the message names none."""
    study, rng = drawing.study, drawing.rng
    given = {**study.values, **study.axes}
    advised = _advised(drawing, message)
    if advised and rng.random() < 0.6:
        key = rng.choice(sorted(advised))
        study.axes.pop(key, None)
        study.values[key] = advised[key]
        return key
    named = _named(drawing, message)
    free = [key for key in named if key not in drawing.kept]
    optional, missing = [key for key in free if key in given], [key for key in free if key not in given]
    rng.shuffle(missing)
    if not optional or rng.random() < 0.4:
        added = next((key for key in missing if drawing.set(key)), "")
        if added:
            return added
    beside = [
        key
        for key in given
        if key not in drawing.kept and any(key.startswith(f"{one.rpartition('.')[0]}.") for one in missing)
    ]
    if not optional and not beside:
        return ""
    key = rng.choice(optional or beside)
    for one in (key, *drawing.led_by(key)):
        study.values.pop(one, None)
        study.axes.pop(one, None)
    return key


def _advised(drawing: Drawing, message: str) -> dict[str, str]:
    """Words that the advice gives choices: policy.backfill = "greedy"."""
    advice = message.partition("\n")[2]
    found = {key: word for key, word in re.findall(r'([a-z_]+(?:\.[A-Za-z_]+)+) = "([^"]+)"', advice)}
    return {
        key: word
        for key, word in found.items()
        if key not in drawing.kept
        and word in getattr(drawing.registry.keys.get(key), "choices", [])
        and drawing.study.values.get(key) != word
    }


def _named(drawing: Drawing, message: str) -> list[str]:
    """Keys whose line the message points at, or that it names, or whose section it points at."""
    named = [drawing.study.key_of_line(int(line)) for line in re.findall(r"study\.toml:(\d+)", message)]
    words = set(re.findall(r"[a-z_]+(?:\.[A-Za-z_]+)+", message))
    named += [key for key in drawing.registry.keys if key in words]
    sections = set(re.findall(r"(?:^|[\s:\[])([a-z_]+(?:\.[a-z_]+)?)[:\]]", message))
    if not any(named):
        named += [key for key in [*drawing.study.values, *drawing.study.axes] if key.rpartition(".")[0] in sections]
    return [key for key in dict.fromkeys(named) if key]
