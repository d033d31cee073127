# SPDX-License-Identifier: MIT
"""Small random machines: nodes, slowdowns, partitions, outages."""
from __future__ import annotations

import random
import typing

from study import File, Study

# Classes that a table of the bundled measurements has.
BUNDLED_CLASSES = {"pal": ["A", "B", "C", "D"], "reliable": ["A", "B", "C", "D"], "trusted": ["A", "C"]}


class Machine:
    """The nodes of a study, and the classes of its slowdowns."""

    def __init__(self, nodes: list[int], classes: list[str]) -> None:
        self.nodes, self.classes = nodes, classes

    @property
    def gpus(self) -> int:
        return sum(self.nodes)


def draw_machine(rng: random.Random, study: Study, sources: list[str], bundled_models: bool) -> Machine:
    """`sources`: what cluster.source may be. `bundled_models`: jobs are of any model of the bundled table, so that all of
    its classes are needed."""
    source = rng.choice(["table", *sources])
    nodes = _draw_nodes(rng, study, source)
    classes = ["A", "B", "C", "D"]
    if source == "table":
        if not bundled_models:
            classes = sorted(rng.sample(["A", "B", "C", "D", "ü", "sgemm"], rng.randint(1, 4)))
        study.files["cluster.csv"] = slowdowns(rng, nodes, classes)
        study.values["cluster.table"] = "cluster.csv"
    elif rng.random() < 0.4:
        table = rng.choice(sorted(BUNDLED_CLASSES))
        if set(BUNDLED_CLASSES[table]) >= set(classes) or not bundled_models:
            study.values["cluster.classes"], classes = table, BUNDLED_CLASSES[table]
    if source != "table" or rng.random() < 0.5:
        study.values["cluster.source"] = source
    return Machine(nodes, classes)


def _draw_nodes(rng: random.Random, study: Study, source: str) -> list[int]:
    if source == "site":  # all nodes that were measured, each of its size
        groups = [{"count": 110, "gpus": 4}, *({"count": 20, "gpus": size} for size in (3, 2, 1))]
        study.values["cluster.nodes"] = groups
        return [int(group["gpus"]) for group in groups for _ in range(group["count"])]
    if source == "measured":
        nodes = [4] * rng.randint(2, 16)
    elif rng.random() < 0.25:
        groups = [{"count": rng.randint(1, 6), "gpus": rng.choice([1, 2, 4, 8])} for _ in range(rng.randint(1, 3))]
        study.values["cluster.nodes"] = groups
        nodes = [group["gpus"] for group in groups for _ in range(group["count"])]
        return nodes if sum(nodes) >= 2 else _draw_nodes(rng, study, source)
    else:
        nodes = [rng.choice([1, 2, 4, 4, 8])] * rng.randint(2, 16)
    study.values.pop("cluster.nodes", None)
    study.values["cluster.gpus"], study.values["cluster.gpus_per_node"] = sum(nodes), nodes[0]
    return nodes


def slowdowns(rng: random.Random, nodes: list[int], classes: list[str]) -> File:
    """A table of slowdowns: of all GPUs alike, of two kinds, or spread, some of them far slower."""
    rows, gpu = [], 0
    kind = {name: rng.choice(["alike", "two", "spread", "spread"]) for name in classes}
    for node, size in enumerate(nodes):
        for _ in range(size):
            for name in classes:
                score = {"alike": 1.0, "two": rng.choice([1.0, 1.5]), "spread": round(rng.gauss(1, 0.1), 4)}[kind[name]]
                if kind[name] == "spread" and rng.random() < 0.05:
                    score = 2.5
                rows.append(f"{gpu},{node},{name},{max(score, 0.3)}")
            gpu += 1
    return File("gpu_id,node_id,class,score\n", rows, "\n")


def draw_partitions(rng: random.Random, nodes: list[int], tenants: list[str]) -> typing.Any:
    """A number of partitions, their sizes, or sizes by tenant."""
    most = min(len(nodes), 6)
    if most < 2:
        return 1
    kind = rng.random()
    if kind < 0.5 or tenants and len(tenants) > len(nodes):
        return rng.randint(1, most)
    parts = len(tenants) if tenants and kind > 0.8 else rng.randint(1, most)
    cuts = [0, *sorted(rng.sample(range(1, len(nodes)), parts - 1)), len(nodes)]
    sizes = [sum(nodes[begin:end]) for begin, end in zip(cuts, cuts[1:])]
    return dict(zip(sorted(tenants), sizes)) if tenants and kind > 0.8 else sizes


def draw_outages(rng: random.Random, nodes: int) -> File:
    """Nodes that go down or drain, also twice at a time, at time 0, and at round times."""
    rows = []
    for _ in range(rng.randint(1, 8)):
        begin = rng.choice([0.0, round(rng.uniform(0, 1e5)), float(360 * rng.randint(0, 200))])
        end = begin + rng.choice([1.0, 360.0, 3600.0, round(rng.uniform(10, 1e5)), 90000.0])
        rows.append(f"{rng.randrange(nodes)},{begin},{end},{rng.choice(['down', 'drain'])}")
    return File("node,from_s,to_s,kind\n", rows, "\n")
