# SPDX-License-Identifier: MIT
"""The tables of rounds, delays, failures and power, against the rows of jobs and events; and what may be no number."""
from __future__ import annotations

import bisect
import itertools
import math
import typing

import numpy as np

from history import Run
from rules_jobs import near

Findings = typing.Iterator[str]


class Level:
    """What has begun and not ended by a time: a sum of weights; what never ends has the end NaN."""

    def __init__(self, spans: list[tuple[float, float, int]]) -> None:
        ends = [(end, -weight) for _, end, weight in spans if not math.isnan(end)]
        changes = sorted([(begin, weight) for begin, _, weight in spans] + ends)
        self._times = [time for time, _ in changes]
        self._sums = list(itertools.accumulate((weight for _, weight in changes), initial=0))

    def at(self, time: float) -> int:
        return self._sums[bisect.bisect_right(self._times, time)]


def rounds_tell_events(run: Run) -> Findings:
    """Jobs that run, that wait, and the GPUs of both, after each boundary."""
    rounds = run.table("rounds")
    if not rounds or not run.events or not run.jobs:
        return
    width = {job: int(run.column(job, "gpus")) for job in run.row_of}
    held = [(part.begin_s, part.end_s, job) for job, parts in run.held.items() for part in parts]
    known = zip(run.row_of, run.jobs["submit_s"].tolist(), run.jobs["finish_s"].tolist())
    there = [(submit, finish, job) for job, submit, finish in known]
    running, waiting = (Level([(begin, end, 1) for begin, end, _ in spans]) for spans in (held, there))
    taken, wanted = (Level([(begin, end, width.get(job, 0)) for begin, end, job in spans]) for spans in (held, there))
    for row, time in enumerate(rounds["time_s"].tolist()):
        runs, gpus, arrived, demand = (level.at(time) for level in (running, taken, waiting, wanted))
        if rounds["running"][row] != runs:
            yield f"at {time} s {rounds['running'][row]} jobs run, by events {runs} do"
        if rounds["free_gpus"][row] > run.gpus - gpus:
            yield f"at {time} s {rounds['free_gpus'][row]} GPUs are free, and jobs hold {gpus} of {run.gpus}"
        if rounds["queued"][row] + runs != arrived:
            yield f"at {time} s {rounds['queued'][row]} jobs wait and {runs} run, {arrived} have arrived and not finished"
        if rounds["demand_gpus"][row] != demand:
            yield f"at {time} s jobs want {rounds['demand_gpus'][row]} GPUs, those there {demand}"


def delays_within_waits(run: Run) -> Findings:
    """Causes of waiting are not negative, and not more than the wait."""
    delays = run.table("delays")
    if not delays or not run.jobs or not len(run.jobs["job"]):
        return
    if delays["job"].tolist() != run.jobs["job"].tolist():
        yield "the rows of /delays are not those of /jobs"
        return
    causes = np.array([delays[name] for name in ("fair_share_s", "fragmentation_s", "gang_s", "locality_s")])
    for row, job in enumerate(delays["job"]):
        total, wait = float(causes[:, row].sum()), float(run.jobs["wait_s"][row])
        if causes[:, row].min() < 0 or total > wait + 1e-9 * max(total, 1e6):
            yield f"job {job} waited {wait} s, and by cause {causes[:, row].tolist()}"


def failures_add_up(run: Run) -> Findings:
    """GPU-seconds of an unsuccessful job are those that its failures lost; attempts count up."""
    failures = run.table("failures")
    if not failures or not run.jobs:
        return
    lost: dict[int, float] = {}
    attempts: dict[int, int] = {}
    for job, attempt, reason, gpus, lost_s, time in zip(
        *(failures[name] for name in ("job", "attempt", "reason", "gpus", "lost_s", "time_s"))
    ):
        if int(job) not in run.row_of:
            yield f"job {job} failed, and has no row in /jobs"
            continue
        lost[int(job)] = lost.get(int(job), 0.0) + (float(lost_s) if gpus > 0 else 0.0)
        if lost_s < 0 or gpus not in (0, run.column(int(job), "gpus")):
            yield f"job {job}: attempt {attempt} on {gpus} GPUs lost {lost_s}"
        if reason != "Job preempted":
            if attempt <= attempts.get(int(job), 0):
                yield f"job {job}: attempt {attempt} failed after attempt {attempts[int(job)]}"
            attempts[int(job)] = int(attempt)
    for job, row in run.row_of.items():
        if run.jobs["status"][row] != "unsuccessful":
            continue
        held = float(run.jobs["exec_s"][row] * run.jobs["gpus"][row])
        if not near(held, lost.get(job, 0.0), 1e3 * float(run.jobs["finish_s"][row])):
            yield f"job {job} was given up after {held} GPU-seconds, its failures lost {lost.get(job, 0.0)}"


def energies_add_up(run: Run) -> Findings:
    """Node-seconds and GPU-seconds fill the time to the horizon; energies add up to that of the run, those of jobs to busy GPUs."""
    power = run.table("power")
    if not power or math.isnan(float(run.metrics.get("energy_j", math.nan))):
        return
    sums = {name: float(power[name].sum()) for name in ("node_s", "gpu_s", "energy_j", "work_s")}
    horizon = sums["node_s"] / len(run.node_sizes)
    given = run.value("power.horizon_s")
    if given is not None and not near(horizon, float(given)):
        yield f"node-seconds of {sums['node_s']} are {horizon} s a node, the horizon is {given}"
    if not near(sums["gpu_s"], horizon * run.gpus):
        yield f"gpu_s add up to {sums['gpu_s']}, {run.gpus} GPUs to the horizon are {horizon * run.gpus}"
    if not near(sums["energy_j"], float(run.metrics["energy_j"])):
        yield f"energies of /power add up to {sums['energy_j']}, energy_j is {run.metrics['energy_j']}"
    for name in ("node_s", "gpu_s", "energy_j", "work_s"):
        if (power[name] < -1e-12 * max(sums[name], 1)).any():  # what is left over is a difference
            yield f"{name} of a row of /power is {power[name].min()}"
    busy = np.array([state == "busy" and cls != "" for state, cls in zip(power["state"], power["class"])])
    if "energy_j" in run.jobs and not near(float(run.jobs["energy_j"].sum()), float(power["energy_j"][busy].sum())):
        yield f"energies of jobs add up to {run.jobs['energy_j'].sum()}, those of busy GPUs to {power['energy_j'][busy].sum()}"
    hours = sums["work_s"] / 3600
    if hours > 0 and not near(float(run.metrics["joules_per_gpu_hour"]), sums["energy_j"] / hours):
        yield f"joules_per_gpu_hour is {run.metrics['joules_per_gpu_hour']}, /power makes {sums['energy_j'] / hours}"


MEANS = {
    "jct_mean_s",
    "jct_p50_s",
    "jct_p95_s",
    "jct_p99_s",
    "wait_mean_s",
    "bounded_slowdown_mean",
    "rho_p95",
    "jain",
    "energy_delay",
    "power_wait_mean_s",
}


def numbers_are_numbers(run: Run) -> Findings:
    """No NaN, and no infinity, but where the page of the column says NaN, and in means over no job."""
    over_nothing = MEANS if not run.jobs or not np.any(run.measured & ~np.isnan(run.jobs["finish_s"])) else set()
    if run.jobs and not np.any(run.measured & ~np.isnan(run.jobs["finish_s"]) & (run.jobs["exec_s"] > 0)):
        over_nothing = over_nothing | {"jain"}  # of jobs that held GPUs
    for table in ("runs", "jobs", "rounds", "nodes", "delays", "failures", "power"):
        rows = {name: np.array([value]) for name, value in run.metrics.items()} if table == "runs" else run.table(table)
        for name, column in rows.items():
            if column.dtype.kind != "f" or run.archive.may_be_nan(table, name) or name in over_nothing:
                continue
            if table == "runs" and name in run.archive.axes:
                continue  # the value of a key, which may be inf
            if not np.all(np.isfinite(column)):
                yield f"/{table}/{name} is {column[~np.isfinite(column)][0]}"


RULES = (rounds_tell_events, delays_within_waits, failures_add_up, energies_add_up, numbers_are_numbers)
