# SPDX-License-Identifier: MIT
"""Work: what a job did on the GPUs that events name, at the true slowdowns and the penalty of their distance, is its own."""
from __future__ import annotations

import math
import typing

import numpy as np

from history import Held, Run
from rules_jobs import near

Findings = typing.Iterator[str]


def work_is_done(run: Run) -> Findings:
    """Seconds over slowdown and penalty add up to the ideal time; of jobs that finish at boundaries they may be more.

    Not of runs in which something else takes or adds time: failures, neighbours, moves that cost, models with groups of GPUs.
    """
    if not run.events or not run.jobs or not _plain(run):
        return
    exact = run.value("engine.completion", "exact") == "exact"
    for job, parts in run.held.items():
        if job not in run.row_of or run.column(job, "status") != "finished" or _grouped(run, job):
            continue
        factors = [_factors(run, part, str(run.column(job, "class"))) for part in parts]
        if any(factor is None for factor in factors):
            return
        known = [factor for factor in factors if factor is not None]
        seconds = [part.end_s - part.begin_s for part in parts]
        work, ideal = sum(s / (slow * far) for s, (slow, far) in zip(seconds, known)), float(run.column(job, "ideal_s"))
        if not near(work, ideal, parts[-1].end_s) and (exact or work < ideal):
            yield f"job {job} did {work} s of work on its GPUs, and needs {ideal} s"
        total = sum(seconds)
        means = [
            sum(s * one[index] for s, one in zip(seconds, known)) / total if total else math.nan for index in (0, 1)
        ]
        for name, mean in zip(("slowdown_mean", "penalty_mean"), means):
            if total and not near(float(run.column(job, name)), mean, 1e-3 * parts[-1].end_s / total):
                yield f"{name} of job {job} is {run.column(job, name)}, its GPUs make {mean}"


def _grouped(run: Run, job: int) -> bool:
    known = run.archive.known
    return known is None or run.column(job, "model") in known.grouped_models


def _plain(run: Run) -> bool:
    costs = float(run.value("engine.migration_s", 0)) > 0
    neighbours = any(run.value(key) is not None for key in ("interference.intra", "interference.inter"))
    return (
        not costs
        and not neighbours
        and run.value("failures.model", "none") == "none"
        and run.value("network.penalty") is None
    )


def _factors(run: Run, part: Held, cls: str) -> tuple[float, float] | None:
    """Slowdown of the slowest GPU, and penalty of the widest level."""
    if len(run.archive.clusters) != 1:
        return None
    slowdowns = run.archive.clusters[0].get(f"slowdown_{cls.replace('%', '%25').replace('/', '%2F')}")
    if slowdowns is None or len(slowdowns) != run.gpus:
        return None
    gpus = list(part.gpus)
    nodes = set(run.node_of[gpus].tolist())
    cabinets = {node // int(run.value("cluster.nodes_per_cabinet", 16)) for node in nodes}
    level = "node" if len(nodes) == 1 else "cabinet" if len(cabinets) == 1 else "cluster"
    penalty = run.value(f"network.penalty.{level}")  # none where it follows from one that is an axis
    return None if penalty is None else (float(np.max(slowdowns[gpus])), float(penalty))


RULES = (work_is_done,)
