# SPDX-License-Identifier: MIT
"""Where the time of the jobs went, and what became of them: the shares of `palstudy compare --metric causes` and `outcomes`."""
import pandas as pd

from .. import labels, style
from ..errors import LeftOut, NoClaim
from ..figure import Figure, figure
from ..numbers import percent
from ..program import averaged_text

CAUSES = {
    "share_work": "the work itself",
    "share_variability": "GPUs slower than the median",
    "share_locality": "the locality penalty",
    "share_migration": "moves",
    "share_failures": "undone by failures",
    "share_waiting": "waiting",
}
JOBS = {"jobs_passed": "passed", "jobs_killed": "killed", "jobs_unsuccessful": "unsuccessful"}
GPU_TIME = {"gpu_time_passed": "passed", "gpu_time_killed": "killed", "gpu_time_unsuccessful": "unsuccessful"}
MOST_BARS = 48
MEANS = "Means over seeds and traces; the command below says how sure they are."


@figure("causes", "Where does the time go?", place=52)
def causes(context):
    context.need_table("jobs")
    table = shares(context, "causes")
    plot, axes = style.panels(1, 1, 0.9 + 0.24 * table["bar"].nunique())
    style.stacked(axes[0], table, CAUSES)
    axes[0].set_xlabel("share of the completion times of measured jobs")
    style.percent_axis(axes[0], "x")
    caption = (
        f"Completion times of all measured jobs together, by where they went{said(table, CAUSES)}. Where jobs ran on GPUs faster than "
        f"the median, that part is under 0 and lies left of it. {table.attrs['averaged']} {MEANS}"
    )
    return Figure(
        plot,
        table,
        caption,
        context.compare.typed(context.compare.words_of_shares("causes", *context.split)),
    )


@figure("outcomes", "What becomes of the jobs?", place=56)
def outcomes(context):
    context.need_table("jobs")
    if not context.archive.has("failures"):
        raise LeftOut("no attempt fails in this study (failures.model), so all jobs end as they should.")
    table = shares(context, "outcomes")
    plot, axes = style.panels(1, 2, 0.9 + 0.26 * table["bar"].nunique(), sharey=True)
    style.part_panels(plot)
    for axis, names, label in zip(axes, (JOBS, GPU_TIME), ("share of the measured jobs", "share of their GPU time")):
        style.stacked(axis, table, names, legend=names is JOBS)
        axis.set_xlabel(label)
        axis.set_xlim(0, 1)
        style.percent_axis(axis, "x")
    lost = table[table["metric"] == "gpu_time_lost"]["share"]
    attempts = table[table["metric"] == "attempts_mean"]["share"]
    caption = (
        f"The measured jobs by how they ended{said(table, JOBS)}. The GPU time that they held{said(table, GPU_TIME)}. "
        + (f"Work that a failure undid is {between(lost, percent)} of the GPU time. " if len(lost) else "")
        + (f"A job makes {between(attempts, lambda one: f'{one:.2f}')} attempts on average. " if len(attempts) else "")
        + f"{table.attrs['averaged']} {MEANS}"
    )
    return Figure(
        plot,
        table,
        caption,
        context.compare.typed(context.compare.words_of_shares("outcomes", *context.split)),
    )


def shares(context, metrics):
    """A row a bar (value of the axes and policy) and metric."""
    answer = context.compare.shares(metrics, *context.split)
    rows = []
    for group in answer["groups"]:
        at = labels.at(group["at"])
        rows += [
            [": ".join(one for one in (at, labels.policy(row["value"])) if one), row["metric"], row["mean"]]
            for row in group["means"]
            if row["mean"] is not None
        ]
    table = pd.DataFrame(rows, columns=["bar", "metric", "share"])
    if table.empty:
        raise NoClaim("no run makes a claim: they failed, were unstable or left jobs unfinished.")
    if table["bar"].nunique() > MOST_BARS:
        raise LeftOut(
            f"it would have {table['bar'].nunique()} bars; the command below prints them: "
            + context.compare.typed(context.compare.words_of_shares(metrics, *context.split))
        )
    table.attrs["averaged"] = averaged_text(answer["groups"])
    return table


def said(table, names):
    """The shares of the first bar, in words, without those that are nothing; the bar is named where there are several."""
    first = table[table["bar"] == table["bar"].iloc[0]].set_index("metric")["share"]
    bar = f" ({table['bar'].iloc[0]})" if table["bar"].nunique() > 1 else ""
    return f"{bar}: " + ", ".join(
        f"{words} {percent(first[name])}"
        for name, words in names.items()
        if name in first and abs(first[name]) >= 0.0005
    )


def between(values, write):
    low, high = write(values.min()), write(values.max())
    return low if low == high else f"{low} to {high}"
