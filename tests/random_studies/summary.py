# SPDX-License-Identifier: MIT
"""What came of many studies: findings, and how often each key and each registered thing was drawn."""
from __future__ import annotations

import collections
import dataclasses
import pathlib
import sys

from examine import Seen
from registry import Registry
from study import Study


@dataclasses.dataclass
class Outcome:
    """`refusals`: keys that were altered before the program accepted the study; `refused`: why it never did; `by_table`: that
    is the table's reason, and the study one of a pair."""

    seed: str
    index: int
    study: Study
    refusals: collections.Counter[str]
    seen: Seen = dataclasses.field(default_factory=Seen)
    refused: str = ""
    by_table: bool = False
    kept: pathlib.Path | None = None


class Summary:
    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.found: list[Outcome] = []
        self.count = collections.Counter[str]()
        self.drawn = collections.Counter[str]()
        self.things = collections.Counter[tuple[str, str]]()
        self.refusals = collections.Counter[str]()
        self.ways = collections.Counter[str]()
        self.first_of_rule: dict[str, int] = {}

    def add(self, outcome: Outcome) -> list[str]:
        """Counts a study; lines to be printed at once."""
        self.count["studies"] += 1
        self.count["ran"] += outcome.seen.ran
        self.count["killed"] += outcome.seen.kills > 0
        self.count["kills"] += outcome.seen.kills
        self.refusals.update(outcome.refusals)
        self.ways.update(way.partition(":")[0] for way in outcome.seen.applied)
        if outcome.seen.ran:
            self._count_keys(outcome.study)
        self.count["by table"] += outcome.by_table
        if not outcome.seen.found:
            if outcome.by_table:
                return []
            if outcome.refused:
                self.count["refused"] += 1
                return [
                    f"study {outcome.index} of seed {outcome.seed} is refused: {' '.join(outcome.refused.split())[:160]}"
                ]
            return []
        self.found.append(outcome)
        lines = [f"FOUND in study {outcome.index} of seed {outcome.seed}:"]
        for way, finding in outcome.seen.found:
            self.first_of_rule.setdefault(finding.rule, self.count["studies"])
            lines.append(f"  {way}: {finding.rule}: {finding.text}")
        return [
            *lines,
            f"  repeat: {sys.executable} tests/random_studies/random_studies.py --case {outcome.kept}",
            f"  or: ./test.sh --random {outcome.seed} 1 --first {outcome.index}",
        ]

    def _count_keys(self, study: Study) -> None:
        for key in [*study.values, *study.axes]:
            self.drawn[key] += 1
        for known in self.registry.keys.values():
            axis = study.axes.get(known.name)
            values = (
                axis if isinstance(axis, list) else [study.values[known.name]] if known.name in study.values else []
            )
            for value in values:
                if value in known.choices:
                    self.things[known.name, value] += 1

    def text(self, quiet: bool, seconds: float) -> str:
        lines = []
        if not quiet:
            lines += self._keys_text() + self._things_text() + self._never_drawn()
        lines.append("ways: " + ", ".join(f"{way} {count}" for way, count in sorted(self.ways.items())))
        count = self.count
        lines.append(
            f"{count['studies']} studies in {seconds:.0f} s: {count['ran']} ran, {count['refused']} refused, {count['by table']} refused by the "
            f"table, {count['killed']} "
            f"really killed ({count['kills']} kills), {sum(self.refusals.values())} draws altered; {len(self.found)} with findings"
        )
        return "\n".join(lines)

    def _never_drawn(self) -> list[str]:
        """Keys that were in no study that ran: with few studies by chance, with many for want of a hint."""
        never = [name for name in self.registry.keys if not self.drawn[name]]
        return [f"never drawn: {', '.join(never)}"] if never else []

    def _keys_text(self) -> list[str]:
        lines = ["key: drawn / altered or left out for a refusal"]
        for key in self.registry.keys:
            lines.append(f"  {key}: {self.drawn[key]} / {self.refusals[key]}")
        return lines

    def _things_text(self) -> list[str]:
        lines = ["registered things and other choices: drawn"]
        for key in self.registry.keys.values():
            if key.choices and not key.name.startswith(("compare.", "stop.")):
                lines.append(
                    f"  {key.name}: " + ", ".join(f"{name} {self.things[key.name, name]}" for name in key.choices)
                )
        return lines
