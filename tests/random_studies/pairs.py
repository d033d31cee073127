# SPDX-License-Identifier: MIT
"""A study for every pair of features that the program's table knows: it is refused by the table, or holds like any other."""
from __future__ import annotations

import dataclasses
import itertools
import typing

import hints
from registry import Registry
from study import tomllib

# Features of jobs, which no key asks for: what makes such jobs.
WIDE_JOBS = "wide-jobs"
OF_JOBS: dict[str, dict[str, typing.Any]] = {
    WIDE_JOBS: {WIDE_JOBS: True, "cluster.partitions": 2, "workload.reader": "native"},
    "job-models": {"workload.generator": "mix", "workload.mix": "claire-512:8 2, claire-256:1 1, resnet50:4 1"},
}
# What a feature leaves to other keys.
BESIDE: dict[str, dict[str, typing.Any]] = {
    "stopping-order": {"policy.placement": "packed-sticky"},
    "queues": {"policy.backfill": "slurm", "workload.reader": "native"},
}
# Jobs are read or generated.
EXCLUSIVE = {"workload.reader", "workload.generator"}
DRAWS = 4  # of a pair, where jobs and machine happen not to go together


@dataclasses.dataclass(frozen=True)
class Pair:
    first: str
    second: str
    forced: tuple[tuple[str, typing.Any], ...]

    @property
    def name(self) -> str:
        return f"{self.first}+{self.second}"


def all_pairs(registry: Registry) -> tuple[list[Pair], list[str]]:
    """The pairs of features; and those that no study can ask for, since one key would need two values, or nothing asks."""
    asked = {row["feature"]: _asked(registry, row) for row in registry.features()}
    pairs, impossible = [], []
    for first, second in itertools.combinations(asked, 2):
        one, other = asked[first], asked[second]
        both = {**(one or {}), **(other or {})}
        two_values = any(part is None or any(both[key] != part[key] for key in part) for part in (one, other))
        if two_values or both.keys() >= EXCLUSIVE:
            impossible.append(f"{first}+{second}")
        else:
            pairs.append(Pair(first, second, tuple(both.items())))
    return pairs, impossible


def _asked(registry: Registry, row: dict[str, str]) -> dict[str, typing.Any] | None:
    """The values that ask for a feature; None is a value that is drawn."""
    if row["feature"] in OF_JOBS:
        return OF_JOBS[row["feature"]]
    if row["for example"]:
        key, _, value = row["for example"].partition(" = ")
        return {key: tomllib.loads(f"value = {value}")["value"], **BESIDE.get(row["feature"], {})}
    key = row["asked for by"]
    if key not in registry.keys:
        key = hints.LEADS.get(key, (("",), ()))[0][0]
    return {key: None, **BESIDE.get(row["feature"], {})} if key in registry.keys else None


def refused_by_table(registry: Registry, message: str) -> bool:
    """Whether a refusal has the words of a row of the table."""
    return any(row["because"] in " ".join(message.split()) for row in registry.together())
