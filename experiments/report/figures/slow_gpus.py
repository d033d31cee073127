# SPDX-License-Identifier: MIT
"""Who got the slow GPUs: the slowdown that jobs ran at, by class and by size."""
import numpy as np
import pandas as pd

from .. import style
from ..archive import TRACE
from ..errors import LeftOut
from ..figure import Figure, figure
from ..numbers import count, percent
from ..statistics import band_text, mean_band
from .jct_distribution import sample

COLUMNS = ["run", "class", "gpus", "exec_s", "slowdown_mean", "measured"]
SIZES = [
    (1, 1, "1 GPU"),
    (2, 4, "2 to 4"),
    (5, 8, "5 to 8"),
    (9, 16, "9 to 16"),
    (17, 64, "17 to 64"),
    (65, 1 << 40, "over 64"),
]


@figure("slow-gpus", "Who got the slow GPUs?", place=80)
def make(context):
    context.need_table("jobs")
    runs, where = context.slice_of_runs(keep=(TRACE,))
    runs, sampled = sample(runs)
    jobs = context.archive.table("jobs", COLUMNS)
    jobs = jobs[
        jobs["run"].isin(runs.index) & (jobs["measured"] == 1) & (jobs["exec_s"] > 0) & jobs["slowdown_mean"].notna()
    ]
    if jobs.empty:
        raise LeftOut("no measured job ran.")
    seeds = context.archive.seeds
    owner = runs.groupby(seeds, sort=False).ngroup() if seeds else pd.Series(0, index=runs.index)
    jobs = jobs.assign(
        policy=jobs["run"].map(runs[context.archive.policy_key].astype(str)) if context.policies else "all",
        replication=jobs["run"].map(owner),
        weight=jobs["gpus"] * jobs["exec_s"],
        size=size_of(jobs["gpus"]),
    )
    table = pd.concat([means(jobs, "class"), means(jobs, "size")])
    plot = draw(table, context.policies or ["all"])
    fewest = int(table["replications"].min())
    caption = (
        f"Mean slowdown that measured jobs ran at, weighted by GPU-seconds: 0 % is the median GPU, and a job runs at the "
        f"pace of its slowest. {words(table)} {band_text(fewest, 'Bars')} {count(len(runs), 'run')}. {where} {sampled}"
    )
    return Figure(plot, table, " ".join(caption.split()))


def size_of(gpus):
    names = np.empty(len(gpus), dtype=object)
    for least, most, name in SIZES:
        names[((gpus >= least) & (gpus <= most)).to_numpy()] = name
    return pd.Categorical(names, categories=[name for _, _, name in SIZES])


def means(jobs, key):
    """A row a policy and class (or size): the weighted mean of each replication, and its mean and band over them."""
    sums = (
        jobs.assign(felt=jobs["weight"] * jobs["slowdown_mean"])
        .groupby(["policy", key, "replication"], observed=True, sort=False)[["felt", "weight"]]
        .sum()
    )
    each = (sums["felt"] / sums["weight"]).groupby(level=["policy", key], observed=True, sort=False)
    rows = [[key, policy, str(value), *mean_band(some), len(some)] for (policy, value), some in each]
    table = pd.DataFrame(rows, columns=["by", "policy", "value", "slowdown", "low", "high", "replications"])
    order = list(jobs[key].cat.categories)
    return table.sort_values("value", key=lambda values: values.map(order.index), kind="stable")


def draw(table, names):
    plot, axes = style.panels(1, 2, 3.0, sharey=True)
    for axis, key, label in zip(axes, ("class", "size"), ("class of the job", "GPUs of the job")):
        part = table[table["by"] == key]
        values = list(dict.fromkeys(part["value"]))
        for position, name in enumerate(names):
            mine = part[part["policy"] == name]
            shift = (position - (len(names) - 1) / 2) * 0.8 / max(len(names), 3)
            at = [values.index(value) + shift for value in mine["value"]]
            colour, marker, _ = style.policy(name, position)
            for x, low, high in zip(at, mine["low"] - 1, mine["high"] - 1):
                axis.plot([x, x], [low, high], color=colour, linewidth=2, solid_capstyle="butt")
            style.markers(axis, at, mine["slowdown"] - 1, (colour, marker), mine["low"].notna())
        for place in range(1, len(values)):
            axis.axvline(place - 0.5, color="#dddddd", linewidth=0.6, zorder=0)
        axis.axhline(0, color="black", linewidth=0.8)
        axis.set_xlim(-0.5, len(values) - 0.5)
        axis.set_xticks(range(len(values)), values, fontsize=7.5)
        axis.set_xlabel(label)
        style.percent_axis(axis)
    axes[0].set_ylabel("slower than the median GPU by")
    if names != ["all"]:
        style.legend(axes[0], names, left=True)
    return plot


def words(table):
    part = table[table["by"] == "class"]
    first = part[part["value"] == part["value"].iloc[0]]
    said = [
        f"{row.policy + ' ' if row.policy != 'all' else ''}{percent(row.slowdown - 1)}" for row in first.itertuples()
    ]
    return f"Class {part['value'].iloc[0]}: {', '.join(said)}."
