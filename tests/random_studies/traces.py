# SPDX-License-Identifier: MIT
"""Small random traces: the same few jobs, written in the format of each reader."""
from __future__ import annotations

import dataclasses
import json
import random
import time
import typing

from study import File

TENANTS = ["a", "b", "vision team", "ü", "=c"]
USERS = ["u1", "u2", "u 3", "-u4"]
NAMES = ["train", "train-2", "eval", "sweep_17", "über"]
QUEUES = ["main", "narrow"]  # of the second one are jobs of one GPU
ACCOUNTS = ["phys", "chem lab", ""]
MODELS = ["resnet50", "vgg19", "BERT", "GPT2", "PointNet", "DCGAN"]  # of the bundled table, of all classes
DAY = "2017-10-0"


@dataclasses.dataclass
class Job:
    submit_s: float
    gpus: int
    seconds: float
    tenant: str
    user: str
    name: str
    model: str


def draw_jobs(rng: random.Random, count: int, gpus: int, tenants: list[str]) -> list[Job]:
    """Bursts, equal times, round and odd times, and widths up to the whole cluster."""
    whole = rng.random() < 0.5  # equal times are then likely
    span = 10 ** (rng.uniform(2.5, 5.3) if rng.random() < 0.9 else 6.2)  # weeks, now and then
    typical = 10 ** rng.uniform(1.5, 4.3)
    burst, jobs = 0.0, []
    widest = rng.choice([1, 4, gpus // 4 or 1, gpus // 2 or 1, gpus, gpus])
    for _ in range(count):
        if rng.random() < 0.5:
            burst = rng.choice([0.0, rng.uniform(0, span), float(round(rng.uniform(0, span) / 360) * 360)])
        submit = burst if rng.random() < 0.5 else rng.uniform(0, span)
        seconds = rng.choice([typical * 10 ** rng.gauss(0, 0.6), typical, 1.0 if rng.random() < 0.2 else typical * 3])
        width = rng.choice([1, 1, 2, 4, 8, rng.randint(1, gpus)])
        jobs.append(
            Job(
                float(round(submit)) if whole else round(submit, 3),
                max(1, min(width, widest, gpus)),
                max(1.0, float(round(seconds)) if whole else round(seconds, 2)),
                rng.choice(tenants),
                rng.choice(USERS),
                rng.choice(NAMES),
                rng.choice(MODELS),
            )
        )
    return jobs


def native(rng: random.Random, jobs: list[Job], classes: list[str], with_tenants: bool, predicted: bool) -> File:
    """The program's own format, with any of the columns that it may lack."""
    columns = ["job_id", "submit_s", "num_gpus", "iterations", "iteration_s", "class"]
    columns += [
        name
        for name in (
            "model",
            "tenant",
            "user",
            "name",
            "estimate_s",
            "predicted_s",
            "start_s",
            "queue",
            "account",
            "after",
            "array",
        )
        if rng.random() < (0.2 if name in ("after", "array") else 0.5)
        or name == "tenant"
        and with_tenants
        or name == "predicted_s"
        and predicted
    ]
    if "start_s" in columns:
        columns.insert(columns.index("start_s") + 1, "end_s")
    if rng.random() < 0.1:
        rng.shuffle(columns)
    ids = list(range(len(jobs))) if rng.random() < 0.6 else sorted(rng.sample(range(10 * len(jobs)), len(jobs)))
    if rng.random() < 0.3:
        rng.shuffle(ids)
    trust = rng.choice([1.0, 1.0, 2.0, 0.5])
    rows = []
    in_order = sorted(zip((job.submit_s for job in jobs), range(len(jobs)), ids))
    place = {number: at for at, (_, _, number) in enumerate(in_order)}
    arrays = {name: name + rng.choice(["", "%1", "%2"]) for name in ("7", "sweep")}
    for number, job in zip(ids, jobs):
        before = [earlier for _, _, earlier in in_order[: place[number]]]
        iteration_s = rng.choice([1.0, 0.5, 0.1754])
        iterations = rng.choice([max(1, round(job.seconds / iteration_s)), job.seconds / iteration_s])
        cell: dict[str, typing.Any] = {
            "job_id": number,
            "submit_s": job.submit_s,
            "num_gpus": job.gpus,
            "iterations": iterations,
            "iteration_s": iteration_s,
            "class": rng.choice(classes),
            "model": job.model,
            "tenant": job.tenant,
            "user": job.user,
            "name": job.name,
            "estimate_s": round(job.seconds * rng.choice([trust, 1.0, rng.uniform(0.3, 4)]), 1) or 1.0,
            "predicted_s": round(job.seconds * rng.uniform(0.3, 3), 1),
            "start_s": "",
            "end_s": "",
            "queue": QUEUES[1] if job.gpus == 1 and rng.random() < 0.5 else rng.choice([QUEUES[0], ""]),
            "account": rng.choice(ACCOUNTS),
            "after": " ".join(map(str, rng.sample(before, min(len(before), rng.choice([0, 0, 1, 2]))))),
            "array": rng.choice(["", "", *arrays.values()]),
        }
        if rng.random() < 0.9:  # as the site recorded it; else not known
            cell["start_s"] = job.submit_s + rng.choice([0.0, round(job.seconds * rng.random())])
            cell["end_s"] = cell["start_s"] + job.seconds
        rows.append(",".join(str(cell[name]) for name in columns))
    return File(",".join(columns) + "\n", rows, "\n")


def _date(seconds: float) -> str:
    whole = int(seconds) % 777600
    return f"{DAY}{1 + whole // 86400} {whole // 3600 % 24:02}:{whole // 60 % 60:02}:{whole % 60:02}"


def _sia(jobs: list[Job]) -> File:
    return File(
        "job_id,num_gpus,submit_time,duration,model\n",
        [f"{i},{job.gpus},{job.submit_s},{round(job.seconds)},{job.model}" for i, job in enumerate(jobs)],
        "\n",
    )


def _synergy(jobs: list[Job]) -> File:
    return File(
        "", [f"{i},{job.model},{job.submit_s},{round(job.seconds)},{job.gpus}" for i, job in enumerate(jobs)], "\n"
    )


def _gavel(jobs: list[Job]) -> File:
    return File(
        "vc,arrival_s,num_gpus,model,steps,runtime_v100_s\n",
        [f"{job.tenant},{job.submit_s},{job.gpus},any,1,{job.seconds}" for job in jobs],
        "\n",
    )


def _helios(jobs: list[Job]) -> File:
    return File(
        "job_id,user,vc,gpu_num,state,submit_time,start_time,duration\n",
        [
            f"{i},{job.user},{job.tenant},{job.gpus},COMPLETED,{_date(job.submit_s)},{_date(job.submit_s)},{round(job.seconds)}"
            for i, job in enumerate(jobs)
        ],
        "\n",
    )


def _philly_csv(jobs: list[Job]) -> File:
    return File(
        "submit_s,duration_s,num_gpus,vc\n",
        [f"{job.submit_s},{job.seconds},{job.gpus},{job.tenant}" for job in jobs],
        "\n",
    )


def _philly_json(jobs: list[Job]) -> File:
    rows = []
    for job in jobs:
        end = _date(min(job.submit_s, 6e5) + min(job.seconds, 1.7e5))
        detail = [{"ip": "m1", "gpus": [f"gpu{i}" for i in range(job.gpus)]}]
        rows.append(
            json.dumps(
                {
                    "status": "Pass",
                    "vc": job.tenant,
                    "jobid": "x",
                    "user": job.user,
                    "submitted_time": _date(min(job.submit_s, 6e5)),
                    "attempts": [{"start_time": _date(min(job.submit_s, 6e5)), "end_time": end, "detail": detail}],
                }
            )
        )
    return File("[", rows, "]\n", ",\n")


def _swf(jobs: list[Job]) -> File:
    rows = [
        f"{i + 1} {job.submit_s:.0f} -1 {job.seconds:.0f} {job.gpus} -1 -1 {job.gpus} {round(job.seconds * 2)} -1 1 "
        f"{1 + USERS.index(job.user)} {1 + TENANTS.index(job.tenant)} -1 -1 -1 -1 -1"
        for i, job in enumerate(jobs)
    ]
    return File("; a comment\n", rows, "\n")


def _sacct(jobs: list[Job]) -> File:
    """Slurm's accounting, begun long after 1970: every job starts a while after it came, and some ended otherwise."""
    states = ["COMPLETED", "COMPLETED", "FAILED", "TIMEOUT", "CANCELLED by 1003"]
    rows = []
    for i, job in enumerate(jobs):
        submit = 1_780_000_000 + round(job.submit_s)
        start, limit = submit + i % 7 * 60, ["UNLIMITED", "1-00:00:00", "00:30:00"][i % 3]
        end = start + max(1, round(job.seconds))
        gpus = f"gres/gpu:a100={job.gpus},gres/gpu={job.gpus}" if i % 2 else f"gres/gpu={job.gpus}"
        cells = [i + 40, job.user, job.tenant, "gpu", states[i % 5], submit, start, end, limit, gpus, job.name]
        rows.append("|".join(map(str, cells)))
    return File("JobIDRaw|User|Account|Partition|State|Submit|Start|End|Timelimit|AllocTRES|JobName\n", rows, "\n")


# What the csv reader is told of the table below.
CSV_COLUMNS = {
    "job": "id",
    "submit": "came",
    "start": "began",
    "end": "ended",
    "gpus": "nodes * cards",
    "tenant": "team",
    "user": "who",
    "estimate": "limit",
    "model": "what",
}


def _csv(jobs: list[Job]) -> File:
    """A table with columns of its own: dates with a zone beside seconds since 1970, ids that are no numbers."""
    rows = []
    for i, job in enumerate(jobs):
        submit = 1_780_000_000 + round(job.submit_s)
        start = submit + i % 5 * 60
        end = start + max(1, round(job.seconds))
        came = time.strftime("%Y-%m-%d %H:%M:%S+00:00", time.gmtime(submit)) if i % 2 else submit
        cells = [
            f"j{i}",
            came,
            start,
            end,
            1,
            job.gpus,
            job.tenant,
            job.user,
            ["", "12:00:00", "900"][i % 3],
            job.model,
        ]
        rows.append(",".join(map(str, cells)))
    return File("id,came,began,ended,nodes,cards,team,who,limit,what\n", rows, "\n")


# The formats of published traces. A reader that is not here is not drawn, and the summary says so.
FORMATS: dict[str, typing.Callable[[list[Job]], File]] = {
    "csv": _csv,
    "sia": _sia,
    "synergy": _synergy,
    "gavel": _gavel,
    "helios": _helios,
    "philly-csv": _philly_csv,
    "philly-json": _philly_json,
    "sacct": _sacct,
    "swf": _swf,
}
