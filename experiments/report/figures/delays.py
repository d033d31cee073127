# SPDX-License-Identifier: MIT
"""Why jobs waited, by size, and why attempts failed: the tables /delays and /failures of a cluster that tenants share."""
import pandas as pd

from .. import labels, style
from ..archive import TRACE
from ..errors import LeftOut
from ..figure import Figure, figure
from ..numbers import count, percent
from .slow_gpus import SIZES, size_of

HOUR = 3600.0
CAUSES = {
    "fair_share_s": "its tenant's share",
    "fragmentation_s": "fragmentation",
    "gang_s": "gangs not complete",
    "locality_s": "locality",
}
PREEMPTED = "Job preempted"  # not a failure of the attempt
MOST_REASONS = 14


@figure("delays", "Why do jobs wait?", place=54)
def delays(context):
    for table in ("delays", "jobs"):
        if not context.archive.has(table):
            raise LeftOut(
                f"the archive has no table /{table}: delays are kept by cause where tenants, gangs or a ladder of locality are used."
                if table == "delays"
                else "the archive has no table /jobs (output.jobs = true in the study keeps it)."
            )
    runs, where = context.slice_of_runs(keep=(TRACE,))
    jobs = pd.concat([measured_delays(context.archive, run, runs) for run in runs.index])
    table = means(jobs)
    plot, axes = style.panels(1, 2, 1.0 + 0.24 * table["bar"].nunique(), sharey=True)
    style.part_panels(plot)
    hours = table.assign(share=table["hours"], metric=table["cause"])
    style.stacked(axes[0], hours, CAUSES, write=None)
    axes[0].set_xlabel("hours waited a job, those without a wait included")
    style.stacked(axes[1], table.assign(metric=table["cause"]), CAUSES, legend=False)
    axes[1].set_xlabel("share of the time waited")
    axes[1].set_xlim(0, 1)
    style.percent_axis(axes[1], "x")
    total = jobs[list(CAUSES)].sum()
    fewest = table.loc[table["jobs"].idxmin()]
    words = (
        ", ".join(f"{what} {percent(total[cause] / total.sum())}" for cause, what in CAUSES.items() if total[cause] > 0)
        or "no job waited"
    )
    caption = (
        f"Time that measured jobs waited, by cause and by the GPUs that they ask for; of all time waited: {words}. "
        f"{count(len(jobs), 'job')} of {count(len(runs), 'run')}: {context.what_repeats(runs)}. Means over these jobs, without an "
        f"interval; the fewest, {count(int(fewest['jobs']), 'job')}, are behind the bar \"{fewest['bar']}\". {where}"
    )
    return Figure(
        plot,
        table.drop(columns="bar"),
        caption.strip(),
        f"palstudy export {context.compare.path} --table delays",
    )


def measured_delays(archive, run, runs):
    """The measured jobs of a run with their delays; both tables have a row a job, in the same order."""
    jobs = archive.table("jobs", ["gpus", "measured"], run)
    jobs = pd.concat([jobs, archive.table("delays", list(CAUSES), run)], axis=1)
    return jobs[jobs["measured"] != 0].assign(
        policy=str(runs.loc[run, archive.policy_key]) if archive.policy_key in runs else "all"
    )


def means(jobs):
    """A row a size, policy and cause: hours a job, and the share of the time waited."""
    jobs = jobs.assign(size=size_of(jobs["gpus"]))
    groups = jobs.groupby(["size", "policy"], observed=True, sort=False)
    order, policies = [name for _, _, name in SIZES], list(dict.fromkeys(jobs["policy"]))
    sums, jobs_of = groups[list(CAUSES)].sum(), groups.size()
    sums = sums.loc[sorted(sums.index, key=lambda one: (order.index(one[0]), policies.index(one[1])))]
    rows = [
        [
            f"{size}{'' if size.endswith('GPU') else ' GPUs'}{'' if policy == 'all' else ': ' + labels.policy(policy)}",
            size,
            policy,
            cause,
            seconds / HOUR / jobs_of[size, policy],
            seconds / total if total else 0.0,
            jobs_of[size, policy],
        ]
        for (size, policy), line in sums.iterrows()
        for total in [line.sum()]
        for cause, seconds in line.items()
    ]
    return pd.DataFrame(rows, columns=["bar", "size", "policy", "cause", "hours", "share", "jobs"])


@figure("failures", "Why do attempts fail?", place=58)
def failures(context):
    if not context.archive.has("failures"):
        raise LeftOut("no attempt fails in this study (failures.model).")
    context.need_table("jobs")
    runs, where = context.slice_of_runs(keep=(TRACE,))
    policy = ""
    key = context.archive.policy_key
    if key in context.archive.axes:
        runs = runs[runs[key] == runs[key].iloc[0]]
        policy = f" under {runs[key].iloc[0]}"
    attempts = pd.concat([failed_attempts(context.archive, run) for run in runs.index])
    preempted = attempts["reason"] == PREEMPTED
    attempts = attempts[~preempted]
    if attempts.empty:
        raise LeftOut("no attempt of a measured job failed.")
    table = by_reason(attempts)
    shown = table.head(MOST_REASONS)
    plot, axes = style.panels(1, 2, 0.7 + 0.22 * len(shown), sharey=True)
    style.part_panels(plot)
    for axis, column, label in zip(
        axes, ("attempts", "run_time"), ("share of the failed attempts", "share of their run time")
    ):
        axis.barh(range(len(shown)), shown[column], color=style.SKY, edgecolor=style.BLUE)
        for place, share in enumerate(shown[column]):
            axis.annotate(
                percent(share), (share, place), xytext=(3, 0), textcoords="offset points", va="center", fontsize=7.5
            )
        axis.set_yticks(range(len(shown)), shown["reason"])
        axis.set_xlim(0, 1.18 * max(shown[column]))
        axis.set_xlabel(label)
        axis.grid(True, axis="x")
        axis.grid(False, axis="y")
        axis.xaxis.set_major_locator(style.few_ticks(5))
        style.percent_axis(axis, "x")
    axes[0].invert_yaxis()
    more = f" The {len(table) - MOST_REASONS} rarest reasons are in the CSV alone." if len(table) > MOST_REASONS else ""
    caption = (
        f"{count(len(attempts), 'attempt')} of measured jobs failed{policy} in {count(len(runs), 'run')}, most often by {table.iloc[0]['reason']} "
        f"({percent(table.iloc[0]['attempts'])}).{more} Beside these {count(int(preempted.sum()), 'attempt')} ended by preemption. {where}"
    )
    return Figure(
        plot,
        table,
        caption.strip(),
        f"palstudy export {context.compare.path} --table failures",
    )


def failed_attempts(archive, run):
    jobs = archive.table("jobs", ["job", "measured"], run)
    table = archive.table("failures", ["job", "reason", "run_s"], run)
    return table[table["job"].isin(jobs["job"][jobs["measured"] != 0])].astype({"reason": str})


def by_reason(attempts):
    groups = attempts.groupby("reason")["run_s"]
    total = attempts["run_s"].sum()
    table = pd.DataFrame(
        {"attempts": groups.size() / len(attempts), "run_time": groups.sum() / total if total else 0.0}
    )
    return table.sort_values(["attempts", "run_time"], ascending=False).rename_axis("reason").reset_index()
