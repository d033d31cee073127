# SPDX-License-Identifier: MIT
"""What events may say: a GPU is held by one job at a time, and a job does nothing after its end."""
from __future__ import annotations

import typing

import numpy as np

from history import Run

KINDS = {"finish": 0, "stop": 1, "launch": 2}
Findings = typing.Iterator[str]


def events_in_order(run: Run) -> Findings:
    """By time, kind and job, jobs in the order of arrival, which is that of their rows."""
    keys = [
        (time, KINDS.get(kind, 9), run.row_of.get(int(job), 0))
        for time, kind, job in zip(run.events["time_s"], run.events["kind"], run.events["job"])
    ]
    for before, after in zip(keys, keys[1:]):
        if before >= after and run.jobs:
            yield f"event {after} stands after {before}"


def gpus_held_once(run: Run) -> Findings:
    """After all events of an instant no GPU is held by two jobs."""
    holder: dict[int, int] = {}
    mine: dict[int, list[int]] = {}
    events = run.events
    times = events["time_s"]
    for at in np.unique(times):
        rows = np.flatnonzero(times == at)
        for row in rows:
            for gpu in mine.pop(int(events["job"][row]), []):
                holder.pop(gpu, None)
        for row in rows:
            if events["kind"][row] != "launch":
                continue
            job = int(events["job"][row])
            for gpu in events["gpus"][row]:
                if int(gpu) in holder:
                    yield f"GPU {gpu} is held by jobs {holder[int(gpu)]} and {job} at {at} s"
                holder[int(gpu)] = job
            mine[job] = [int(gpu) for gpu in events["gpus"][row]]


def life_of_jobs(run: Run) -> Findings:
    """Nothing follows a finish; only a job that holds GPUs is stopped or finishes."""
    over: set[int] = set()
    holding: set[int] = set()
    for time, kind, job in zip(run.events["time_s"], run.events["kind"], run.events["job"]):
        if job in over:
            yield f"job {job} has a {kind} at {time} s, after its finish"
        if kind != "launch" and job not in holding:
            yield f"job {job} has a {kind} at {time} s, but holds no GPUs"
        if kind == "launch":
            holding.add(job)
        else:
            holding.discard(job)
        if kind == "finish":
            over.add(job)


def widths(run: Run) -> Findings:
    """A job holds as many GPUs of the cluster as its row says, each once, in ascending order."""
    for time, kind, job, gpus in zip(run.events["time_s"], run.events["kind"], run.events["job"], run.events["gpus"]):
        if kind != "launch":
            continue
        if int(job) not in run.row_of:
            if run.jobs:
                yield f"job {job} is launched, and has no row in /jobs"
            continue
        if len(gpus) != run.column(int(job), "gpus"):
            yield f"job {job} is launched on {len(gpus)} GPUs at {time} s, and wants {run.column(int(job), 'gpus')}"
        if any(b <= a for a, b in zip(gpus, gpus[1:])) or len(gpus) and not 0 <= gpus[0] <= gpus[-1] < run.gpus:
            yield f"job {job} is launched on GPUs {list(gpus)} at {time} s, of {run.gpus}"
        if time < run.column(int(job), "submit_s"):
            yield f"job {job} is launched at {time} s, and submitted at {run.column(int(job), 'submit_s')} s"


def inside_partitions(run: Run) -> Findings:
    """A job with a partition holds GPUs of that partition alone."""
    nodes = run.table("nodes")
    if not nodes or not run.jobs:
        return
    partition_of = dict(zip(nodes["node"].tolist(), nodes["partition"].tolist()))
    for job, parts in run.held.items():
        partition = run.column(job, "partition") if job in run.row_of else -1
        for part in parts:
            there = {partition_of[int(run.node_of[gpu])] for gpu in part.gpus}
            if partition >= 0 and there != {int(partition)}:
                yield f"job {job} of partition {partition} holds GPUs of {sorted(there)} at {part.begin_s} s"


def nodes_are_up(run: Run) -> Findings:
    """No job is launched on a node that is down or drains, nor holds GPUs of one that is down."""
    for node, begin, end, kind in run.archive.outages(run.number):
        for job, parts in run.held.items():
            for part in parts:
                if node not in run.node_of[list(part.gpus)]:
                    continue
                if begin <= part.begin_s < end and (kind == "down" or not _stayed(run, parts, part, node)):
                    yield f"job {job} is launched at {part.begin_s} s on node {node}, which is to {kind} from {begin} to {end} s"
                if kind == "down" and part.begin_s < begin and begin <= run.goes_on_to_s and not part.end_s <= begin:
                    yield f"job {job} holds GPUs of node {node} to {part.end_s} s, which is down from {begin} s on"


def nodes_of_queues(run: Run) -> Findings:
    """A job holds GPUs of its queue's nodes alone."""
    queues = run.archive.queues(run.number)
    if not queues:
        return
    of_job = run.archive.trace_column(run.number, "queue")
    first = next(iter(queues))
    for job, parts in run.held.items():
        nodes = queues[of_job.get(job) or first]
        for part in parts:
            beyond = {int(node) for node in run.node_of[list(part.gpus)]} - nodes if nodes else set()
            if beyond:
                yield f"job {job} holds GPUs of nodes {sorted(beyond)} at {part.begin_s} s, which its queue does not have"


def jobs_before_are_over(run: Run) -> Findings:
    """Under Slurm's backfill a job holds nothing before those are over that it comes after."""
    if run.value("policy.backfill") != "slurm":
        return
    for job, text in run.archive.trace_column(run.number, "after").items():
        for before in map(int, text.split()):
            if job not in run.held or before not in run.held:
                continue
            last = run.held[before][-1]
            if last.ended_by != "finish" or not last.end_s <= run.held[job][0].begin_s:
                yield f"job {job} starts at {run.held[job][0].begin_s} s, and job {before} goes on to {last.end_s} s"


def few_tasks_at_once(run: Run) -> Findings:
    """Under Slurm's backfill no more tasks of an array run than may."""
    if run.value("policy.backfill") != "slurm":
        return
    tasks: dict[str, list[int]] = {}
    for job, array in run.archive.trace_column(run.number, "array").items():
        if "%" in array:
            tasks.setdefault(array, []).append(job)
    for array, jobs in tasks.items():
        parts = [part for job in jobs for part in run.held.get(job, [])]
        changes = [(part.begin_s, 1) for part in parts] + [
            (part.end_s, -1) for part in parts if part.end_s == part.end_s
        ]
        running = 0
        for time, change in sorted(changes):
            running += change
            if running > int(array.split("%")[1]):
                yield f"{running} tasks of {array} run at {time} s"


def _stayed(run: Run, parts: list[typing.Any], part: typing.Any, node: int) -> bool:
    """Whether the job held GPUs of the node until it was launched there again."""
    before = [one for one in parts if one.end_s == part.begin_s]
    return bool(before) and node in run.node_of[list(before[-1].gpus)]


RULES = (
    events_in_order,
    gpus_held_once,
    life_of_jobs,
    widths,
    inside_partitions,
    nodes_are_up,
    nodes_of_queues,
    jobs_before_are_over,
    few_tasks_at_once,
)
