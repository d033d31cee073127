# SPDX-License-Identifier: MIT
"""What the rows of /jobs say, against the events and against each other."""
from __future__ import annotations

import math
import typing

import numpy as np

from history import Run

Findings = typing.Iterator[str]


def near(a: float, b: float, scale: float = 0.0) -> bool:
    """Equal but for rounding, of numbers as large as `scale`."""
    return a == b or math.isnan(a) and math.isnan(b) or abs(a - b) <= 1e-9 * max(abs(a), abs(b), scale, 1.0)


def times_add_up(run: Run) -> Findings:
    """jct = finish - submit, wait = jct - exec, submit <= start <= finish, and no time is negative."""
    jobs = run.jobs
    for row, job in enumerate(jobs["job"]):
        submit, start, finish = (float(jobs[name][row]) for name in ("submit_s", "start_s", "finish_s"))
        jct, wait, exec_s = (float(jobs[name][row]) for name in ("jct_s", "wait_s", "exec_s"))
        if not near(jct, finish - submit, abs(finish)):
            yield f"job {job}: jct_s {jct}, finish less submission {finish - submit}"
        if not near(wait, jct - exec_s, abs(finish)):
            yield f"job {job}: wait_s {wait}, completion time less exec_s {jct - exec_s}"
        if start < submit or finish < start or finish < submit:
            yield f"job {job}: submitted at {submit}, started at {start}, finished at {finish} s"
        if wait < -1e-9 * max(finish, 1) or exec_s < 0 or jct < 0:
            yield f"job {job}: wait_s {wait}, exec_s {exec_s}, jct_s {jct}"


def status_fits(run: Run) -> Findings:
    """The status says whether the job started and finished."""
    jobs = run.jobs
    fails = run.value("failures.model", "none") != "none"
    ended = {"passed", "killed", "unsuccessful"} if fails else {"finished", "killed"}
    for job, status, start, finish, attempts in zip(
        *(jobs[name] for name in ("job", "status", "start_s", "finish_s", "attempts"))
    ):
        if (status in ended) == math.isnan(finish):
            yield f"job {job} is {status}, and finished at {finish} s"
        if status not in ended | {"running", "waiting"}:
            yield f"job {job} is {status}"
        if status == "running" and math.isnan(start) or status == "waiting" and not math.isnan(start):
            yield f"job {job} is {status}, and started at {start} s"
        if math.isnan(start) and attempts != 0 and not fails or not math.isnan(start) and attempts < 1:
            yield f"job {job} started at {start} s, and had {attempts} attempts"


def rows_tell_events(run: Run) -> Findings:
    """start_s, finish_s and exec_s are those of the events."""
    if not run.events:
        return
    for job, row in run.row_of.items():
        parts = run.held.get(job, [])
        start, finish = float(run.jobs["start_s"][row]), float(run.jobs["finish_s"][row])
        if not near(start, parts[0].begin_s if parts else math.nan):
            yield f"job {job} started at {start} s, and was first launched at {parts[0].begin_s if parts else 'no time'}"
        last = parts[-1] if parts else None
        if (
            parts
            and last is not None
            and (last.ended_by == "finish") != (not math.isnan(finish))
            and not _given_up(run, job)
        ):
            yield f"job {job} finished at {finish} s, and its last GPUs were taken by {last.ended_by or 'nothing'}"
        if last is not None and last.ended_by == "finish" and last.end_s != finish:
            yield f"job {job} finished at {finish} s, its event is at {last.end_s} s"
        yield from _exec_of(run, job, parts)


def _given_up(run: Run, job: int) -> bool:
    """Whether the job was given up in validation, which is no event."""
    return bool(run.column(job, "status") == "unsuccessful")


def _exec_of(run: Run, job: int, parts: list[typing.Any]) -> Findings:
    exec_s = float(run.column(job, "exec_s"))
    closed = sum(part.end_s - part.begin_s for part in parts if not math.isnan(part.end_s))
    if parts and math.isnan(parts[-1].end_s):
        if exec_s < closed - 1e-9 * max(closed, 1):
            yield f"job {job} runs on, with exec_s {exec_s}, less than {closed} of its earlier launches"
    elif not near(exec_s, closed, max((part.end_s for part in parts), default=0.0)):
        yield f"job {job} held GPUs for {closed} s, and exec_s is {exec_s}"


def counts_tell_events(run: Run) -> Findings:
    """Preemptions are stops but for failed attempts; migrations are launches on other GPUs than those held last."""
    if not run.events:
        return
    failures = run.table("failures")
    failed: dict[int, list[float]] = {}
    if failures:
        for job, gpus, reason, time in zip(failures["job"], failures["gpus"], failures["reason"], failures["time_s"]):
            if gpus > 0 and reason != "Job preempted":
                failed.setdefault(int(job), []).append(float(time))
    for job, parts in run.held.items():
        if job not in run.row_of:
            continue
        stops = sum(part.ended_by == "stop" and part.end_s not in failed.get(job, []) for part in parts)
        if stops != run.column(job, "preemptions"):
            yield f"job {job} was stopped {stops} times, and has {run.column(job, 'preemptions')} preemptions"
        moves = sum(
            before.gpus != after.gpus and not (before.ended_by == "stop" and before.end_s in failed.get(job, []))
            for before, after in zip(parts, parts[1:])
        )
        if moves != run.column(job, "migrations"):
            yield f"job {job} was launched on other GPUs {moves} times, and has {run.column(job, 'migrations')} migrations"


def conserved(run: Run) -> Findings:
    """Each job has one row; what did not finish is counted; nothing happens after the end."""
    jobs = run.jobs
    if len(set(jobs["job"].tolist())) != len(jobs["job"]):
        yield "a job has two rows in /jobs"
    if run.metrics["job_count"] != len(jobs["job"]):
        yield f"job_count is {run.metrics['job_count']}, /jobs has {len(jobs['job'])} rows"
    unfinished = int(np.isnan(jobs["finish_s"][run.measured]).sum())
    limited = not math.isinf(float(run.value("measure.end_s", math.inf)))
    if run.metrics["jobs_unfinished"] < unfinished or not limited and run.metrics["jobs_unfinished"] != unfinished:
        yield f"jobs_unfinished is {run.metrics['jobs_unfinished']}, {unfinished} rows of measured jobs have no finish"
    if unfinished and not limited:
        yield f"{unfinished} measured jobs are unfinished, and nothing ends the run before"
    limit = run.limit_s
    if run.events and len(run.events["time_s"]) and run.events["time_s"].max() > limit:
        yield f"an event at {run.events['time_s'].max()} s, after the last boundary, {limit} s"
    late = [int(job) for job, finish in zip(jobs["job"], jobs["finish_s"]) if finish > limit]
    if late:
        yield f"jobs {late[:5]} finish after the last boundary, {limit} s"


RULES = (times_add_up, status_fits, rows_tell_events, counts_tell_events, conserved)
