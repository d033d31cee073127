# SPDX-License-Identifier: MIT
"""What work costs on slow and on fast GPUs: the energy of jobs by the slowdown that they ran at."""
import numpy as np
import pandas as pd

from .. import style
from ..archive import TRACE
from ..errors import LeftOut
from ..figure import Figure, figure
from ..numbers import count
from .energy import need_power

COLUMNS = ["class", "gpus", "ideal_s", "finish_s", "slowdown_mean", "penalty_mean", "measured", "energy_j"]
GROUPS = 5


@figure("energy-by-slowdown", "What does work cost on slow GPUs?", place=66)
def make(context):
    need_power(context)
    context.need_table("jobs")
    if "energy_j" not in context.archive.columns("jobs"):
        raise LeftOut("the archive has no energy of single jobs.")
    runs, where = context.slice_of_runs(keep=(TRACE,))
    jobs = pd.concat([counted_whole(context.archive, run) for run in runs.index])
    if jobs.empty:
        raise LeftOut("no measured job ended before the horizon of energy.")
    table = pd.concat([by_slowdown(name, some) for name, some in jobs.groupby("class", sort=True)], ignore_index=True)
    told = "; ".join(
        f"class {name} {change(some['wh'])} for {change(some['slowdown'])} of slowdown"
        for name, some in table.groupby("class", sort=False)
    )
    caption = (
        f"Energy of jobs over their work at slowdown 1 and their own locality penalty. {GROUPS} points a class, each a part of its work as "
        f"large as the others, by the mean slowdown that jobs ran at, which is that of their slowest GPU; from the fastest to the slowest: {told}. "
        "Energy holds a share of the base power of nodes, which is larger for jobs without neighbours, so that points differ by "
        f"more than slowdowns. {count(len(jobs), 'measured job')} that ended before the horizon, {count(len(runs), 'run')}: "
        f"{context.what_repeats(runs)}; no interval. Which nodes were off for how long is not in the archive. {where}"
    )
    return Figure(
        draw(table),
        table,
        caption.strip(),
        f"palstudy export {context.compare.path} --table jobs",
    )


def change(values):
    """How much more the last value is than the first."""
    return f"{100 * (values.iloc[-1] / values.iloc[0] - 1):+.1f} %".replace("-", "\N{MINUS SIGN}")


def counted_whole(archive, run):
    """The measured jobs of a run all of whose energy is counted."""
    power = archive.table("power", ["gpu_s"], run)
    jobs = archive.table("jobs", COLUMNS, run).astype({"class": str})
    ended = jobs["finish_s"] <= power["gpu_s"].sum() / archive.gpus(run)
    return jobs[
        ended
        & (jobs["measured"] == 1)
        & jobs["energy_j"].notna()
        & jobs["slowdown_mean"].notna()
        & (jobs["ideal_s"] > 0)
    ]


def by_slowdown(name, jobs):
    """A row a part of the work of a class, the fastest first."""
    jobs = jobs.sort_values("slowdown_mean", kind="stable")
    work = (jobs["gpus"] * jobs["ideal_s"] * jobs["penalty_mean"]).to_numpy()
    middle = (np.cumsum(work) - work / 2) / work.sum()
    part = np.minimum((middle * GROUPS).astype(int), GROUPS - 1)
    rows = []
    for one in np.unique(part):
        mine, weight = jobs[part == one], work[part == one]
        rows.append(
            [
                name,
                float((mine["slowdown_mean"] * weight).sum() / weight.sum()),
                mine["energy_j"].sum() / weight.sum(),
                len(mine),
            ]
        )
    return pd.DataFrame(rows, columns=["class", "slowdown", "wh", "jobs"])  # J a GPU-second are Wh a GPU-hour


def draw(table):
    plot, (axis,) = style.panels(1, 1, 3.0)
    names = list(dict.fromkeys(table["class"]))
    labels = [f"class {name}" for name in names]
    for position, (name, label) in enumerate(zip(names, labels)):
        some = table[table["class"] == name]
        colour, marker, dashes = style.policy(label, position)
        axis.plot(some["slowdown"] - 1, some["wh"], color=colour, linestyle=dashes, linewidth=1)
        style.markers(axis, some["slowdown"] - 1, some["wh"], (colour, marker), [False] * len(some))
    axis.set_ylim(bottom=0)
    style.percent_axis(axis, "x")
    axis.set_xlabel("slower than the median GPU by")
    axis.set_ylabel("Wh a GPU-hour of work")
    style.legend(axis, labels, lines=True)
    return plot
