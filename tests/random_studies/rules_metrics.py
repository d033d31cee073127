# SPDX-License-Identifier: MIT
"""Metrics of /runs, made again from the rows."""
from __future__ import annotations

import math
import typing

import numpy as np

from history import Run
from rules_jobs import near

Findings = typing.Iterator[str]


def _means(run: Run) -> dict[str, float]:
    mine = {name: column[run.measured] for name, column in run.jobs.items()}
    jct, exec_s = mine["jct_s"], mine["exec_s"]
    made = {
        "jct_mean_s": np.mean(jct),
        "wait_mean_s": np.mean(mine["wait_s"]),
        "jct_p50_s": np.quantile(jct, 0.5),
        "jct_p95_s": np.quantile(jct, 0.95),
        "jct_p99_s": np.quantile(jct, 0.99),
        "makespan_s": np.max(mine["finish_s"]),
        "bounded_slowdown_mean": np.mean(np.maximum(1, jct / np.maximum(mine["ideal_s"], 10))),
        "busy_fraction": float(np.sum(exec_s * mine["gpus"])) / (run.gpus * float(np.max(mine["finish_s"])))
        if np.max(mine["finish_s"]) > 0
        else math.nan,
    }
    return {name: float(value) for name, value in made.items()}


def means_of_rows(run: Run) -> Findings:
    """Of runs whose measured jobs have all finished."""
    if run.metrics["jobs_unfinished"] or not run.measured.any():
        return
    for name, made in _means(run).items():
        stored = float(run.metrics[name])
        if not near(stored, made, float(run.metrics["makespan_s"]) if name.endswith("_s") else 0) and not math.isnan(
            made
        ):
            yield f"{name} is {stored}, its rows make {made}"


def counts_of_rows(run: Run) -> Findings:
    for name in ("preemptions", "migrations"):
        made = int(run.jobs[name][run.measured].sum())
        if run.metrics[name] != made:
            yield f"{name} is {run.metrics[name]}, its rows make {made}"


def fractions(run: Run) -> Findings:
    """Shares of GPU time lie between 0 and 1, those of all jobs and of the measured ones in order."""
    alloc, busy = float(run.metrics["alloc_fraction"]), float(run.metrics["busy_fraction"])
    if math.isnan(alloc) and math.isnan(busy):
        return  # of no time
    if not -1e-12 <= alloc <= 1 + 1e-9 or not -1e-12 <= busy <= 1 + 1e-9 or busy > alloc + 1e-9:
        yield f"alloc_fraction is {alloc}, busy_fraction {busy}"
    if float(run.metrics["effective_fraction"]) < 0:
        yield f"effective_fraction is {run.metrics['effective_fraction']}"


def node_seconds(run: Run) -> Findings:
    """busy_s of a node is the time for which events say that its GPUs were held; GPUs that gangs hold idle come on top."""
    nodes = run.table("nodes")
    if not nodes or not run.events or not math.isfinite(run.end_s):
        return
    made = np.zeros(len(run.node_sizes))
    for parts in run.held.values():
        for part in parts:
            end = run.end_s if math.isnan(part.end_s) else min(part.end_s, run.end_s)
            np.add.at(made, run.node_of[list(part.gpus)], end - part.begin_s)
    gangs = run.value("gang.timeout_s") is not None
    for node, stored, one in zip(nodes["node"], nodes["busy_s"], made):
        if one > stored + 1e-6 * max(one, 1) or not gangs and not near(float(stored), float(one), 1e3 * run.end_s):
            yield f"busy_s of node {node} is {stored}, its events make {one}"


RULES = (means_of_rows, counts_of_rows, fractions, node_seconds)
