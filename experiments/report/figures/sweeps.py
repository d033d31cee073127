# SPDX-License-Identifier: MIT
"""An axis of numbers against the gain, and against the time itself: the locality penalty, the load, the size, ..."""
import dataclasses

import numpy as np
import pandas as pd

from .. import style
from ..archive import TRACE
from ..errors import LeftOut, NoClaim
from ..figure import Figure, figure
from ..gain_plot import averaged_sentence, baselines, gain_table, need_claims, policies, sureness
from ..numbers import count, gain_text, metric_text, missing, short, with_interval
from ..program import mean_of

HOUR = 3600.0
LOADS = ("workload.jobs_per_h", "workload.rho")


@dataclasses.dataclass(frozen=True)
class Sweep:
    """One kind of sweep: which axes it takes, in order of preference."""

    name: str
    title: str
    keys: tuple
    label: str
    log: bool = False


LOCALITY = Sweep(
    "locality-sweep",
    "Locality penalty (after Figure 12 of PAL)",
    ("network.penalty.cluster", "network.penalty.cabinet", "network.penalty.node"),
    "locality penalty",
)
LOAD = Sweep("load-sweep", "Load (after Figures 13, 15 and 16 of PAL)", LOADS, "load")
LOAD_GAIN = Sweep("load-gain", "Load against gain", LOADS, "load")
SIZE = Sweep("size-gain", "Cluster size against gain", ("cluster.gpus",), "GPUs", log=True)
MIGRATION = Sweep(
    "migration-gain", "Cost of moving a job against gain", ("engine.migration_s",), "seconds lost by a move"
)
KEYS = {key for sweep in (LOCALITY, LOAD, SIZE, MIGRATION) for key in sweep.keys}
LABELS = {
    "workload.jobs_per_h": "jobs that arrive per hour",
    "workload.rho": "offered load (1: all GPUs, at slowdown 1)",
}


@figure("locality-sweep", LOCALITY.title, place=30)
def locality(context):
    return both(context, LOCALITY)


@figure("load-sweep", LOAD.title, place=32)
def load(context):
    return [time_figure(context, LOAD, key_of(context, LOAD))]


@figure("load-gain", LOAD_GAIN.title, place=34)
def load_gain(context):
    return [gain_figure(context, LOAD_GAIN, key_of(context, LOAD_GAIN))]


@figure("size-gain", SIZE.title, place=36)
def size(context):
    return [gain_figure(context, SIZE, key_of(context, SIZE))]


@figure("migration-gain", MIGRATION.title, place=38)
def migration(context):
    return [gain_figure(context, MIGRATION, key_of(context, MIGRATION))]


def both(context, sweep):
    key = key_of(context, sweep)
    time = dataclasses.replace(sweep, name=sweep.name + "-time", title=sweep.title + ": the time itself")
    gain = dataclasses.replace(sweep, title=sweep.title + ": the gain")
    return [gain_figure(context, gain, key), time_figure(context, time, key)]


def key_of(context, sweep):
    context.need_placements()
    for key in sweep.keys:
        if key in context.archive.axes:
            return key
    raise LeftOut(f"the study has no axis {' or '.join(sweep.keys)}.")


def facet_of(context, key):
    """Another axis to make a column of panels for, and its values; (None, [None]) if there is none or it has too many."""
    for other, values in context.other_axes(key, TRACE).items():
        if len(values) <= 4:
            return other, values
    return None, [None]


def gain_figure(context, sweep, key):
    facet, facets = facet_of(context, key)
    rows = context.compare.gains(*([facet] if facet else []), key)
    need_claims(rows)
    over = baselines(rows)
    plot, axes = style.panels(len(over), len(facets), 0.6 + 2.2 * len(over), sharex=True, sharey=True)
    for place, axis in enumerate(axes):
        baseline, value = over[place // len(facets)], facets[place % len(facets)]
        mine = [
            (float(values[-1]), gain)
            for values, gain in rows
            if gain["baseline"] == baseline and (facet is None or values[0] == str(value))
        ]
        draw_gains(axis, mine, policies(rows, baseline), context.policies)
        axis.set_title(f"over {baseline}" + (f", {short(value)}" if facet else ""), fontsize=8 if facet else None)
        finish(axis, sweep, key, {x for x, _ in mine}, place // len(facets) == len(over) - 1)
        if place % len(facets) == 0:
            axis.set_ylabel("gain")
        axis.axhline(0, color="black", linewidth=0.8)
        style.percent_axis(axis)
    style.legend(axes[0], context.policies, lines=True, left=facet is not None)
    by = [*([facet] if facet else []), key]
    return Figure(
        sweep.name,
        sweep.title,
        plot,
        gain_table(rows, by),
        gain_caption(rows, over[0], key),
        context.compare.command(by),
    )


def draw_gains(axis, mine, names, every):
    for name in names:
        colour, marker, dashes = style.policy(name, every.index(name))
        line = sorted(
            ((x, gain) for x, gain in mine if gain["policy"] == name and gain.get("pairs")), key=lambda one: one[0]
        )
        at = [x for x, _ in line]
        if any(not missing(gain.get("low")) for _, gain in line):
            low, high = (
                [np.nan if missing(gain.get(end)) else gain[end] for _, gain in line] for end in ("low", "high")
            )
            axis.fill_between(at, low, high, color=colour, alpha=0.18, linewidth=0)
        axis.plot(at, [gain["improvement"] for _, gain in line], color=colour, linestyle=dashes)
        style.markers(
            axis,
            at,
            [gain["improvement"] for _, gain in line],
            (colour, marker),
            [not missing(gain.get("low")) for _, gain in line],
        )
    silent = sorted({x for x, _ in mine} - {x for x, gain in mine if gain.get("pairs")})
    mark_silent(axis, silent)


def mark_silent(axis, silent):
    """Where no run makes a claim."""
    for x in silent:
        axis.axvline(x, color=style.GREY, linewidth=0.8, linestyle=(0, (2, 3)))
        axis.annotate(
            "no claim",
            (x, 0.98),
            xycoords=("data", "axes fraction"),
            rotation=90,
            ha="right",
            va="top",
            fontsize=7,
            color=style.GREY,
        )


def finish(axis, sweep, key, values, last):
    if sweep.log:
        axis.set_xscale("log", base=2)
        if 1 < len(values) <= 8:
            axis.set_xticks(sorted(values))
            axis.minorticks_off()
        axis.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
    if last:
        axis.set_xlabel(LABELS.get(key, sweep.label))


def gain_caption(rows, baseline, key):
    mine = [(float(values[-1]), gain) for values, gain in rows if gain["baseline"] == baseline]
    first = mine[0][1]["policy"]
    line = [(x, gain) for x, gain in mine if gain["policy"] == first and gain.get("pairs")]
    if not line:
        return f"{first} makes no claim over {baseline} at any value of {key}. " + sureness(rows)
    (low, start), (high, end) = min(line, key=lambda one: one[0]), max(line, key=lambda one: one[0])
    return (
        f"Gain in {metric_text(start['metric'])} over {baseline}: of {first}, from {gain_text(start)} at {key} = {low:g} to "
        f"{gain_text(end)} at {high:g}. Hollow points have no interval. " + sureness(rows)
    )


def time_figure(context, sweep, key):
    """The metric itself, in hours, by policy: the means of `palstudy compare`, with their intervals where it gives them."""
    facet, facets = facet_of(context, key)
    by = [*([facet] if facet else []), key]
    metric = context.compare(*by)["metric"]
    if not metric.endswith("_s"):
        raise LeftOut(f"the metric {metric} is no time.")
    table = times(context, by, metric)
    if table.empty:
        raise NoClaim("at no point do the runs of all policies make a claim.")
    plot, axes = style.panels(1, len(facets), 2.9, sharey=True)
    for axis, value in zip(axes, facets):
        mine = table if facet is None else table[table[facet].astype(str) == str(value)]
        draw_times(axis, mine, key, context.policies)
        mark_silent(axis, sorted(set(context.archive.axes[key]) - set(mine[key])))
        axis.set_title(short(value) if facet else "")
        finish(axis, sweep, key, set(), True)
    axes[0].set_ylim(bottom=0)
    axes[0].set_ylabel(f"{metric_text(metric)}, hours")
    style.legend(axes[0], context.policies, lines=True, left=facet is not None)
    caption = time_caption(table, key, metric) + averaged_sentence(context.compare.gains(*by))
    table = table.rename(columns={"policy": context.archive.policy_key})
    return Figure(sweep.name, sweep.title, plot, table, caption, context.compare.command(by))


def times(context, by, metric):
    """A row a value of the axes and policy. Only points at which every policy's run makes a claim, so that policies are compared
    on the same work."""
    rows = []
    for group in context.compare(*by)["groups"]:
        values = list(group["at"].values())
        means, points = mean_of(group, metric, context.policies)
        rows += [
            [*values[:-1], float(values[-1]), name, *(end / HOUR for end in mean), points]
            for name, mean in means.items()
        ]
    return pd.DataFrame(rows, columns=[*by, "policy", "hours", "low", "high", "points"])


def draw_times(axis, table, key, every):
    for position, name in enumerate(every):
        line = table[table["policy"] == name].sort_values(key)
        colour, marker, dashes = style.policy(name, position)
        axis.fill_between(line[key], line["low"], line["high"], color=colour, alpha=0.18, linewidth=0)
        axis.plot(line[key], line["hours"], color=colour, linestyle=dashes)
        style.markers(axis, line[key], line["hours"], (colour, marker), line["low"].notna())


def time_caption(table, key, metric):
    first = table.iloc[0]
    points = (
        f", averaged over {count(int(table['points'].max()), 'point')} of the other axes"
        if table["points"].max() > 1
        else ""
    )
    how = (
        "in brackets and as bands the 95 % intervals of these means"
        if table["low"].notna().any()
        else "no intervals, since they are averaged"
        if points
        else "no intervals"
    )
    return (
        f"{metric_text(metric).capitalize()} in hours (mean over seeds{points}), only where the runs of all policies make a claim. "
        f"At {key} = {first[key]:g}: "
        + ", ".join(
            f"{row['policy']} {with_interval(row['hours'], row['low'], row['high'], lambda hours: f'{hours:.3g} h')}"
            for _, row in table[table[key] == first[key]].drop_duplicates("policy").iterrows()
        )
        + f"; {how}. How sure a difference is, the gain says, whose runs are paired."
    )
