# SPDX-License-Identifier: MIT
"""Who pays: finish-time fairness by class, size and tenant, the faster GPUs that each gets, and what fairness costs."""
import pandas as pd

from .. import labels, style
from ..assumptions import values
from ..errors import LeftOut, NoClaim
from ..figure import Figure, figure
from ..program import mean_of

PARTS = {"class": "class of the job", "size": "GPUs of the job", "tenant": "tenant"}
METRICS = ["rho_mean", "gpu_time_fast"]
ALL = "all"


@figure("fairness", "Who pays, and for whom?", place=82)
def make(context):
    context.need_table("jobs")
    asked = [value for key in ("policy.order", "compare.metric") for value in values(context.archive, key)]
    if not any(value.startswith("rho") for value in asked):
        raise LeftOut(
            'the study neither orders by finish-time fairness (policy.order = "rho") nor compares it (compare.metric).'
        )
    table = pd.DataFrame(
        [row for part in PARTS for row in of_part(context, part)] + trade(context),
        columns=["by", "value", "policy", "metric", "mean"],
    )
    if table.empty:
        raise NoClaim("no run makes a claim: they failed, were unstable or left jobs unfinished.")
    worst = table[(table["by"] == "class") & (table["metric"] == "rho_mean")].sort_values("mean").iloc[-1]
    caption = (
        f"Left: mean finish-time fairness rho, completion time over the time on an equal share of the cluster; over 1 a job fares worse "
        f"than on that share. Class {worst['value']} under {worst['policy']} fares worst: {worst['mean']:.3g}. Middle: the share of its "
        "own GPU time that a class has on GPUs faster than the median, all of them of a gang. "
        "Right: the price of fairness, the largest rho against the mean completion time, a point a policy and value of the other axes. "
        "Means over seeds; on the left and in the middle over the other axes too."
    )
    return Figure(
        draw(context, table),
        table,
        caption,
        context.compare.typed(context.compare.words_of_shares("rho_mean", "class")),
    )


def of_part(context, part):
    """A row a value of the part, policy and metric; none where all jobs are of one value."""
    answers = [context.compare.shares(metric, part) for metric in METRICS]
    if part == "tenant" and len(answers[0]["groups"]) == 1:
        return []
    return [
        [part, list(group["at"].values())[0], policy, metric, mean[0]]
        for metric, answer in zip(METRICS, answers)
        for group in answer["groups"]
        for policy, mean in mean_of(group, metric, answer["compared"]["values"])[0].items()
    ]


def trade(context):
    """A row a value of the other axes, policy and metric of the whole run."""
    return [
        [ALL, labels.at(group["at"]), policy, metric, mean[0]]
        for metric in ("rho_max", "jct_mean_s")
        for answer in [context.compare.shares(metric, *context.split)]
        for group in answer["groups"]
        for policy, mean in mean_of(group, metric, answer["compared"]["values"])[0].items()
    ]


def draw(context, table):
    plot, axes = style.panels(1, 3, 3.2)
    names = context.policies or list(dict.fromkeys(table["policy"]))
    wide = table[table["by"] != ALL].pivot_table(
        index=["by", "value", "policy"], columns="metric", values="mean", sort=False
    )
    labels = [f"{by} {value}" for by, value in dict.fromkeys((by, value) for by, value, _ in wide.index)]
    for axis, values in ((axes[0], wide["rho_mean"]), (axes[1], wide["gpu_time_fast"])):
        for position, name in enumerate(names):
            mine = values[values.index.get_level_values("policy") == name]
            colour, marker, _ = style.policy(name, position)
            style.markers(
                axis,
                [labels.index(f"{by} {value}") for by, value, _ in mine.index],
                list(mine),
                (colour, marker),
                [True] * len(mine),
            )
        axis.set_xticks(range(len(labels)), labels, rotation=90, fontsize=7.5)
    axes[0].axhline(1, color="black", linewidth=0.8)
    axes[0].set_ylabel("mean rho")
    axes[1].set_ylabel("share of GPU time on fast GPUs")
    points = table[table["by"] == ALL].pivot_table(
        index=["value", "policy"], columns="metric", values="mean", sort=False
    )
    for position, name in enumerate(names):
        mine = points[points.index.get_level_values("policy") == name]
        colour, marker, _ = style.policy(name, position)
        style.markers(axes[2], list(mine["rho_max"]), list(mine["jct_mean_s"]), (colour, marker), [True] * len(mine))
    axes[2].set_xscale("log")
    axes[2].set_yscale("log")
    axes[2].set_xlabel("largest rho")
    axes[2].set_ylabel("mean completion time, s")
    style.legend(axes[0], names, left=True)
    return plot
