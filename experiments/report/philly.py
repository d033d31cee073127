# SPDX-License-Identifier: MIT
"""The tables of Philly's study (Jeon et al., ATC'19) beside ours, for docs/reproduction.md: each row is an input, calibrated or
predicted, and only predicted rows can agree. A row is calibrated if it depends on a setting that was chosen after a table of the study
had been compared with ours: on [ladder] attempts, on the rule that who waits for a share does not climb, on servers that are
alike, on the curve through the percentiles of the run time to failure."""
import dataclasses
import itertools

import numpy as np
import pandas as pd

from .archive import Archive
from .errors import data_error
from .numbers import between, missing
from .statistics import mean_interval

INPUT, CALIBRATED, PREDICTED = "input", "calibrated", "predicted"
# How far a share, in points and as a factor, and anything else may be from the study's to agree.
SHARE_POINTS, SHARE_FACTOR, RELATIVE = 10, 2, 0.10
SIZES = (("2 to 4 GPUs", 2, 4), ("5 to 8 GPUs", 5, 8), ("more than 8 GPUs", 9, 1 << 24))
FAIR = {"2 to 4 GPUs": 40.6, "5 to 8 GPUs": 25.8, "more than 8 GPUs": 2.1}  # per cent; the rest is fragmentation
SPREAD_16 = {2: 43.66, 4: 40.94, 8: 28.56}  # mean utilization of jobs of 16 GPUs by servers, per cent
BY_SIZE = {1: 52.38, 4: 45.18, 8: 58.99, 16: 40.39}  # the same by size, all statuses
STATUS = {
    "passed": (60.4, 32.1),
    "killed": (9.0, 29.4),
    "unsuccessful": (30.5, 38.6),
}  # per cent of jobs, and of GPU time
TRIALS = {
    "CPU out of memory": (30.4, 6.62),
    "Incorrect inputs": (24.4, 30.43),
    "Semantic error": (7.4, 9.22),
    "Core dump": (7.3, 3.35),
    "Invalid mem access": (6.5, 3.82),
    "Model ckpt error": (5.0, 21.73),
    "CUDA failure": (3.7, 0.62),
    "MPI runtime failure": (1.2, 14.63),
}  # per cent of trials, and of their run time
PLACED = {8: {1: 92.3, 2: 5.2, 4: 1.9, 8: 0.6}, 16: {2: 89.7, 4: 8.2, 8: 2.1}}  # per cent of jobs of so many GPUs


@dataclasses.dataclass(frozen=True)
class Row:
    what: str
    study: float  # NaN: it gives none
    ours: list  # a value each replication; empty for inputs, which are the study's
    kind: str
    share: bool = True  # in per cent of something: differences are points


def jobs_of(archive, run):
    """The measured jobs of a run with the delays beside them."""
    jobs = archive.table("jobs", ["gpus", "measured", "status", "exec_s", "slowdown_mean", "penalty_mean"], run)
    delays = archive.table(
        "delays", ["fair_share_s", "fragmentation_s", "gang_s", "locality_s", "nodes_mean", "shared_fraction"], run
    )
    table = pd.concat([jobs, delays], axis=1)
    table = table[table["measured"] != 0]
    table["wait_s"] = table[["fair_share_s", "fragmentation_s", "gang_s", "locality_s"]].sum(axis=1)
    table["fragmented_s"] = table["wait_s"] - table["fair_share_s"]
    table["speed"] = 1 / (table["slowdown_mean"] * table["penalty_mean"])
    table["gpu_s"] = table["gpus"] * table["exec_s"]
    if archive.has("failures"):
        failures = archive.table("failures", ["reason", "run_s"], run)
        table.attrs["failures"] = failures[failures["reason"] != "Job preempted"]
    return table


def fair_percent(jobs, least, most):
    """Of the jobs of a size that were delayed, those that waited for their share for most of the time."""
    delayed = jobs[(jobs["gpus"] >= least) & (jobs["gpus"] <= most) & (jobs["wait_s"] > 0)]
    return 100 * (delayed["fair_share_s"] > delayed["fragmented_s"]).mean()


def weighted_speed(jobs):
    """Mean over the time for which GPUs were held; NaN where there are no such jobs."""
    return np.average(jobs["speed"], weights=jobs["exec_s"]) if len(jobs) and jobs["exec_s"].sum() > 0 else np.nan


def servers(jobs):
    """How many servers a job was on: the nearest power of two of the mean over its time."""
    return 2.0 ** np.round(np.log2(jobs["nodes_mean"]))


def ran(jobs):
    return jobs[(jobs["exec_s"] > 0) & jobs["nodes_mean"].notna()]


def delay_rows(runs):
    rows = []
    for name, least, most in SIZES:
        ours = [fair_percent(jobs, least, most) for jobs in runs]
        rows.append(
            Row(
                f"{name}: delayed by fragmentation", round(100 - FAIR[name], 1), [100 - one for one in ours], CALIBRATED
            )
        )
    several = [jobs[jobs["gpus"] > 1] for jobs in runs]
    rows.append(
        Row(
            "fragmentation's part of all time waited, jobs of several GPUs",
            80,
            [100 * jobs["fragmented_s"].sum() / jobs["wait_s"].sum() for jobs in several],
            CALIBRATED,
        )
    )
    return rows


def spread_rows(runs):
    speeds = {number: [] for number in SPREAD_16}
    for jobs in runs:
        wide = ran(jobs[jobs["gpus"] == 16])
        on = servers(wide)
        for number, speed in speeds.items():
            speed.append(weighted_speed(wide[on == number]))
    rows = []
    for number, study in SPREAD_16.items():
        ours = [study] if number == 2 else [SPREAD_16[2] * a / b for a, b in zip(speeds[number], speeds[2])]
        rows.append(Row(f"utilization of 16 GPUs on {number} servers", study, ours, CALIBRATED, False))
    return rows


def size_rows(runs):
    speeds = {size: [weighted_speed(ran(jobs[jobs["gpus"] == size])) for jobs in runs] for size in BY_SIZE}
    rows = []
    for size, study in BY_SIZE.items():
        ours = [study] if size == 1 else [BY_SIZE[1] * a / b for a, b in zip(speeds[size], speeds[1])]
        rows.append(Row(f"utilization of {size} GPU{'s' if size > 1 else ''}", study, ours, CALIBRATED, False))
    return rows


def placed_rows(runs):
    rows = []
    for size, shares in PLACED.items():
        for number, study in shares.items():
            ours = []
            for jobs in runs:
                of_size = ran(jobs[jobs["gpus"] == size])
                ours.append(100 * (servers(of_size) == number).mean() if len(of_size) else np.nan)
            rows.append(Row(f"{size} GPUs on {number} server{'s' if number > 1 else ''}", study, ours, CALIBRATED))
    return rows


def status_rows(runs):
    """What became of jobs. The share of jobs that are killed follows from the shares by size, which are an input."""
    rows = []
    for name, (count, gpu_time) in STATUS.items():
        rows.append(
            Row(
                f"jobs {name}",
                count,
                [100 * (jobs["status"] == name).mean() for jobs in runs],
                INPUT if name == "killed" else PREDICTED,
            )
        )
        rows.append(
            Row(
                f"GPU time of jobs {name}",
                gpu_time,
                [100 * jobs.loc[jobs["status"] == name, "gpu_s"].sum() / jobs["gpu_s"].sum() for jobs in runs],
                PREDICTED,
            )
        )
    return rows


def trial_rows(runs):
    """Failed attempts by reason. Their counts are drawn from. Which curve runs through the percentiles of the run time, and where it ends,
    was settled by these very shares of run time, so they are calibrated."""
    rows = []
    for name, (trials, run_time) in TRIALS.items():
        each = [jobs.attrs["failures"] for jobs in runs]
        rows.append(Row(f"trials: {name}", trials, [100 * (one["reason"] == name).mean() for one in each], INPUT))
        rows.append(
            Row(
                f"run time of trials: {name}",
                run_time,
                [100 * one.loc[one["reason"] == name, "run_s"].sum() / one["run_s"].sum() for one in each],
                CALIBRATED,
            )
        )
    return rows


INPUTS = (
    ("servers of 8 and of 2 GPUs", "231 and 321 of 552, in proportion"),
    ("quotas of 11 tenants", "as published, in proportion"),
    ("an incomplete gang is held for, and backs off", "150 s, 120 s (2 to 3 minutes, 2 minutes)"),
    ("preemption from an occupancy of", "90 %"),
    (
        "attempts a level of locality relaxation",
        "3 of 9 boundaries (ours: not published; calibrated with Table 2 in view)",
    ),
    ("servers a rack", "16 (ours: not published)"),
    ("two servers instead of one", "1.171 (ResNet-50: 114.8 and 98.0 images a second)"),
    ("across racks", "1.7 (ours: not published)"),
    (
        "load",
        "0.75 of the GPUs offered in `philly-2490`, 0.76 in `philly`, 1.03 in `philly-failures`, whose failing jobs end early, and 0.68 in "
        "`philly-spread`, whose jobs are slowed (`palstudy plan`; the study: two thirds busy)",
    ),
    ("a neighbour on the host, on the network", "1.296, 1.323 (ResNet-50: 98.0, 75.6, 74.1)"),
)


def cells(row):
    """Ours, the interval, and whether it agrees. Inputs, and what is set to the study's value, have no interval."""
    known = [one for one in row.ours if not missing(float(one))]
    if not known:
        return "none ran", "", ""
    mean, low, high = (float(one) for one in mean_interval(known))
    if row.kind == INPUT or row.ours == [row.study]:
        return f"{mean:.1f} %", "", ""
    interval = between(low, high, lambda one: f"{one:.1f} %")
    if row.kind != PREDICTED:
        return f"{mean:.1f} %", interval, ""
    far = abs(mean - row.study)
    near = far <= SHARE_POINTS and max(mean, row.study) <= SHARE_FACTOR * min(mean, row.study)
    agrees = near if row.share else far <= RELATIVE * row.study
    return f"{mean:.1f} %", interval, "yes" if agrees else "no"


def table(title, rows, beside=()):
    """The rows of one table; `beside` are the same rows of other runs, in two more columns."""
    heads = [
        "",
        "the study",
        "ours",
        "95 % interval",
        "kind",
        "agrees",
        *(["published machine", "95 % interval"] if beside else []),
    ]
    lines = [
        f"### {title}",
        "",
        f"| {' | '.join(heads).lstrip()} |",
        "|---|---:|---:|---:|---|---|" + ("---:|---:|" if beside else ""),
    ]
    for row, other in itertools.zip_longest(rows, beside):
        ours, interval, agrees = cells(row)
        more = cells(other)[:2] if other else ()
        lines.append(f"| {' | '.join([row.what, f'{row.study:g} %', ours, interval, row.kind, agrees, *more])} |")
    return [*lines, ""]


DELAYS = ("Delayed by what (Table 2)", delay_rows)
PLACES = ("Servers that jobs got", placed_rows)
SPREAD = ("Utilization by servers", spread_rows)
SIZE = ("Utilization by size", size_rows)
STATUSES = ("What became of jobs (public trace)", status_rows)
REASONS = ("Failed attempts by reason (Table 7)", trial_rows)


@dataclasses.dataclass(frozen=True)
class Beside:
    """Runs of another study whose values stand beside those of a table."""

    study: str
    at: dict  # values of its axes


@dataclasses.dataclass(frozen=True)
class Study:
    title: str
    groups: tuple  # of its tables
    why: str
    beside: Beside | None = None


# philly-spread on the machine as published: its runs that place as philly-spread does.
PUBLISHED = Beside("philly-pal", {"policy.placement": "packed-sticky", "policy.knowledge": "oracle"})

STUDIES = {
    "philly-2490": Study(
        "Why jobs wait: 2,490 GPUs",
        (DELAYS, PLACES),
        "Two readings of the rules were chosen with Table 2 in view: an attempt takes as long as a gang's, timeout and back-off (27 "
        "boundaries for three), and a job that waits for its share makes no attempt meanwhile. Delays and servers depend on both, so all "
        "rows are calibrated. Recorded run times already contain the cost of distance and neighbours, so neither is added. With a third "
        "or three times of the attempts fragmentation delays 49, 73 and 84 % of those that are delayed, or 73, 86 and 95 % (`--set "
        "ladder.attempts=9 --set seed=1`, or 81, in an archive FOLDER/philly-2490.h5, then `palstudy-report --reproduction FOLDER`), "
        "and with 8 or 32 servers a rack nearly as above (`--set cluster.nodes_per_cabinet=8`, the same): that it grows with size does "
        "not depend on these two. Fragmentation is a smaller part of the waiting time than in the study.",
    ),
    "philly-failures": Study(
        "What failures cost: 2,490 GPUs",
        (STATUSES, REASONS, DELAYS, PLACES),
        "The study's column is the public trace, because its shares of failing and of killed jobs by size are the inputs; the paper "
        "counts 69.3, 13.5 and 17.2 % of jobs, and 44.5, 37.7 and 17.8 % of GPU time. How many jobs are killed follows from these "
        "shares. They are those of the latest part of the trace, the study's column is the whole trace. The load is calibrated, and "
        "so is the run time of trials: the curve through the three published percentiles, and its end at 20,000 minutes, were "
        "chosen by these shares of run time. Attempts are drawn, and a transient failure may be survived at the next attempt: fewer "
        "jobs fail for good than failed in the trace. A run time to failure "
        "beyond a job's own never happens, which reduces the reasons that come late (checkpoints, MPI). With failures "
        "fragmentation still delays wide jobs most, but its part of all time waited is larger than without, as the rows show.",
    ),
    "philly": Study(
        "The included trace alone: 570 GPUs",
        (DELAYS, PLACES),
        "The rules are those chosen on 2,490 GPUs, so all rows are calibrated. The load is 0.76 by the recorded times; failures, "
        "which end jobs early, leave less of it. On 570 GPUs quotas are 13 to 104 (those of "
        "jobs/traces/philly/philly_vc.csv in proportion), so that a few wide jobs take their tenant over quota: more of the widest wait "
        "for their share than on the whole machine. Without failures most wait for it (`--set "
        "'failures.model=\"none\"'`): a small cluster with the jobs of a large one is not a scaled one.",
    ),
    "philly-spread": Study(
        "What spread costs: 2,488 GPUs in servers of 8",
        (SPREAD, SIZE),
        "16 GPUs on 2 servers and one GPU are set to the study's values, and the number of copies of the trace is that at which jobs, "
        "slowed, hold three quarters of the GPUs while jobs are measured (`--set output.rounds=true`, then `palstudy export FILE --table "
        "rounds`: `free_gpus`). Servers of 8 GPUs alone were chosen with the table in view, so no row is predicted. "
        "The published machine, beside it, is that of philly-2490, with 321 servers of 2 GPUs (philly-pal, `packed-sticky`; jobs that "
        "are stopped there also pay a minute to restart): 16 GPUs can be eight of these in one rack, without a neighbour, "
        "and 8 servers cost no more than 4. A job of 16 GPUs fills two servers of 8, which leaves no space for neighbours; on more "
        "servers there is space, so 4 servers cost speed and 8 cost more; both cost too much; one measured pair of jobs represents all "
        "neighbours here. Philly's "
        'jobs rarely ran so: 2 % of those of 16 GPUs were on 8 servers at all (the study\'s column under "Servers that jobs got"), in '
        "ours 3 to 8 %. "
        "Utilization of 8 GPUs is above that of one in the study, which no model of speed alone can reproduce.",
        PUBLISHED,
    ),
}


def need_independent_seeds(archive, path):
    """The intervals of these tables take every seed as new draws of clusters and jobs; where seeds are crossed, or draw from one trace,
    they would be too narrow."""
    drawn = archive.setting("workload.resample", archive.runs.index[0])
    if drawn not in ("", "none"):
        raise data_error(
            f"draws {drawn} of one trace by seed (workload.resample), which the tables of Philly take as other workloads",
            path,
            "run the study without workload.resample",
        )
    if len(archive.seeds) > 1:
        raise data_error(
            f"has crossed seeds ({', '.join(archive.seeds)}), which the tables of Philly take as independent",
            path,
            "give the study the axis seed alone",
        )


def runs_of(path, at=None):
    """The jobs of each finished run, of those that have the values `at` of the axes."""
    with Archive(path) as archive:
        need_independent_seeds(archive, path)
        runs = archive.runs[archive.runs["status"] == "done"]
        for key, value in (at or {}).items():
            runs = runs[runs[key] == value]
        return [jobs_of(archive, run) for run in runs.index]


def tables_of(path, groups=(DELAYS, SPREAD, SIZE, PLACES), beside=()):
    """The tables that one archive gives, as lines, and how many of its predicted rows agree; `beside` are the runs whose values stand
    beside them."""
    runs = runs_of(path)
    made = [(title, rows(runs), rows(beside) if beside else ()) for title, rows in groups]
    predicted = [row for _, rows, _ in made for row in rows if row.kind == PREDICTED]
    agree = sum(cells(row)[2] == "yes" for row in predicted)
    return [line for one in made for line in table(*one)], agree, len(predicted)


def agreement(agree, predicted):
    return f"{agree} of {predicted} predicted rows agree." if predicted else "No row is predicted."


def philly_section(folder):
    """Lines of the page, for those of the studies that have an archive in the folder."""
    there = [name for name in STUDIES if (folder / f"{name}.h5").exists()]
    if not there:
        return []
    lines = [
        "# Philly's tables, and ours",
        "",
        "Jeon, Venkataraman, Phanishayee, Qian, Xiao, Yang, USENIX ATC'19. A row is an *input* if it is one or follows from one; "
        "*calibrated* if it depends on a setting that was chosen after tables of the study had been compared with ours, however far "
        "from the study it then is; else *predicted*. Only predicted rows can agree: a share does within "
        f"{SHARE_POINTS} points and a factor of {SHARE_FACTOR}, anything else within {100 * RELATIVE:.0f} %. The intervals hold for "
        "this one trace: each seed draws the cluster, the part of a copy of the trace and the failures again, but not the jobs. A job "
        "counts as delayed if it waited beyond the boundary after its arrival: by fair share if that was the longer part of its wait, "
        "else by fragmentation, which includes the time in incomplete gangs. Utilization is assumed to be "
        "proportional to speed.",
        "",
        "| input | value |",
        "|---|---|",
        *(f"| {what} | {value} |" for what, value in INPUTS),
        "",
    ]
    for name in there:
        study = STUDIES[name]
        other = study.beside and folder / f"{study.beside.study}.h5"
        beside = runs_of(other, study.beside.at) if other and other.exists() else ()
        own, agree, predicted = tables_of(folder / f"{name}.h5", study.groups, beside)
        lines += [f"## {study.title}", "", agreement(agree, predicted), "", *own, study.why, ""]
    return lines
