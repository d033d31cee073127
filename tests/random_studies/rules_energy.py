# SPDX-License-Identifier: MIT
"""The energy of a run, made again from its events, its slowdowns and the table of watts, as docs/howto/energy.md tells it."""
from __future__ import annotations

import csv
import math
import typing

import numpy as np

from history import Held, Run
from rules_jobs import near

Findings = typing.Iterator[str]
Row = typing.Dict[str, str]


def energy_of_run(run: Run) -> Findings:
    """Of runs in which all nodes stay on, nothing holds GPUs but events say so, and every class has its row of watts."""
    watts, slowdowns = _watts(run), run.archive.clusters[0] if len(run.archive.clusters) == 1 else {}
    energy = float(run.metrics.get("energy_j", math.nan))
    if (
        watts is None
        or not run.events
        or not run.jobs
        or math.isnan(energy)
        or not math.isfinite(run.end_s)
        or not _simple(run)
    ):
        return
    horizon = float(run.table("power")["node_s"].sum()) / len(run.node_sizes)
    capped = [name for name, row in watts.items() if row["kind"] == "capped"]
    if len(capped) > 1 or any(len(slowdowns.get(f"slowdown_{name}", [])) != run.gpus for name in capped):
        return  # which of them says how GPUs leak is a matter of the order of classes
    leak = np.asarray(slowdowns[f"slowdown_{capped[0]}"]) if capped else np.ones(run.gpus)
    held_s = held_j = 0.0
    for job, parts in run.held.items():
        cls = str(run.column(job, "class"))
        speed = slowdowns.get(f"slowdown_{cls}")
        if cls not in watts or speed is None or len(speed) != run.gpus:
            return
        for part in parts:
            seconds = _seconds_to(run, part, horizon)
            held_s += seconds * len(part.gpus)
            held_j += seconds * _power(run, watts, cls, np.asarray(speed), leak, list(part.gpus))
    idle_w = float(run.value("power.idle_w", watts["idle"]["watts"]))
    base_j = float(run.value("power.base_w", 300)) * len(run.node_sizes) * horizon
    made = float(run.value("power.pue", 1)) * (base_j + idle_w * (run.gpus * horizon - held_s) + held_j)
    if not near(energy, made):
        yield f"energy_j is {energy}, events and watts make {made}"


def _simple(run: Run) -> bool:
    off = run.value("power.off", "none") != "none"
    return not off and run.value("gang.timeout_s") is None and float(run.value("engine.migration_s", 0)) == 0


def _seconds_to(run: Run, part: Held, horizon: float) -> float:
    end = run.end_s if math.isnan(part.end_s) else min(part.end_s, run.end_s)
    return max(0.0, min(end, horizon) - part.begin_s)


def _power(run: Run, watts: dict[str, Row], cls: str, speed: np.ndarray, leak: np.ndarray, gpus: list[int]) -> float:
    """What the GPUs of a job draw together; those that are faster than its slowest one wait for the rest of the time."""
    row = watts[cls]
    full = float(row["watts"])
    computes = speed[gpus] / speed[gpus].max()
    if row["kind"] == "capped":
        return full * len(gpus)
    if row["kind"] == "uncapped":
        return float(np.sum(computes * full * leak[gpus] ** float(row["exponent"]) + (1 - computes) * full))
    idle = float(run.value("power.idle_w", watts["idle"]["watts"]))
    waits = idle + float(run.value("power.wait", 0.5)) * (full - idle)
    return float(np.sum(computes * full + (1 - computes) * waits))


def _watts(run: Run) -> dict[str, Row] | None:
    """The rows of a table of the study's own."""
    name = run.value("power.watts")
    if name is None or not str(name).endswith(".csv"):
        return None
    with run.archive.beside(str(name)).open(encoding="utf-8") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


RULES = (energy_of_run,)
