# SPDX-License-Identifier: MIT
"""An axis of numbers against the gain, and against the time itself: the locality penalty, the load, the size, ..."""
import dataclasses

import numpy as np
import pandas as pd

from .. import labels, style
from ..archive import TRACE
from ..errors import LeftOut, NoClaim
from ..figure import Figure, figure
from ..gain_plot import against, baselines, gain_row, gain_table, need_claims, policies, sureness, words_of
from ..numbers import count, with_interval
from ..program import averaged_text, mean_of, metric_of

HOUR = 3600.0


@dataclasses.dataclass(frozen=True)
class Sweep:
    """One kind of sweep: which axes it takes, in order of preference."""

    keys: tuple
    log: bool = False


LOCALITY = Sweep(("network.penalty.cluster", "network.penalty.cabinet", "network.penalty.node"))
LOAD = Sweep(("workload.jobs_per_h", "workload.rho"))
SIZE = Sweep(("cluster.gpus",), log=True)
MIGRATION = Sweep(("engine.migration_s",))
KEYS = {key for sweep in (LOCALITY, LOAD, SIZE, MIGRATION) for key in sweep.keys}


@figure("locality-sweep", "Does the locality penalty matter?", place=30)
def locality(context):
    key = key_of(context, LOCALITY)
    title = "How long do jobs take, by locality penalty?"
    return [gain_figure(context, LOCALITY, key), time_figure(context, LOCALITY, key, "locality-sweep-time", title)]


@figure("load-sweep", "How long do jobs take, by load?", place=32)
def load(context):
    return time_figure(context, LOAD, key_of(context, LOAD))


@figure("load-gain", "Does the load matter?", place=34)
def load_gain(context):
    return gain_figure(context, LOAD, key_of(context, LOAD))


@figure("size-gain", "Does the size of the cluster matter?", place=36)
def size(context):
    return gain_figure(context, SIZE, key_of(context, SIZE))


@figure("migration-gain", "Does the cost of a move matter?", place=38)
def migration(context):
    return gain_figure(context, MIGRATION, key_of(context, MIGRATION))


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


def gain_figure(context, sweep, key, name="", title=""):
    facet, facets = facet_of(context, key)
    by = [*([facet] if facet else []), key]
    rows = context.compare.gains(*by)
    need_claims(rows)
    over = baselines(rows)
    plot, axes = style.panels(len(over), len(facets), 0.6 + 2.2 * len(over), sharex=True, sharey=True)
    for place, axis in enumerate(axes):
        baseline, value = over[place // len(facets)], facets[place % len(facets)]
        mine = [
            (float(at[key]), gain)
            for at, gain in rows
            if gain["baseline"] == baseline and (facet is None or at[facet] == str(value))
        ]
        draw_gains(axis, mine, policies(rows, baseline), context.policies)
        title_of = against(baseline) + (f"; {labels.value(facet, value)}" if facet else "")
        axis.set_title(title_of, fontsize=8 if facet else None)
        finish(axis, sweep, key, {x for x, _ in mine}, place // len(facets) == len(over) - 1)
        if place % len(facets) == 0:
            axis.set_ylabel("change")
        axis.axhline(0, color="black", linewidth=0.8)
        style.percent_axis(axis)
    style.legend(axes[0], context.policies, lines=True, left=True)
    caption = gain_caption(rows, over[0], key) + sureness(rows, context.compare(*by)["groups"])
    return Figure(plot, gain_table(rows), caption, context.compare.typed(context.compare.words(*by)), name, title)


def draw_gains(axis, mine, names, every):
    for name in names:
        colour, marker, dashes = style.policy(name, every.index(name))
        line = sorted(
            ((x, gain_row(gain)) for x, gain in mine if gain["value"] == name and gain["pairs"]), key=lambda one: one[0]
        )
        at, changes = [x for x, _ in line], [row["change"] for _, row in line]
        low, high = ([np.nan if row[end] is None else row[end] for _, row in line] for end in ("low", "high"))
        if not np.isnan(low).all():
            axis.fill_between(at, low, high, color=colour, alpha=0.18, linewidth=0)
        axis.plot(at, changes, color=colour, linestyle=dashes)
        style.markers(axis, at, changes, (colour, marker), np.isfinite(low))
    mark_silent(axis, sorted({x for x, _ in mine} - {x for x, gain in mine if gain["pairs"]}))


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
        axis.set_xlabel(labels.key(key))


def gain_caption(rows, baseline, key):
    mine = [(float(at[key]), gain) for at, gain in rows if gain["baseline"] == baseline]
    first = mine[0][1]["value"]
    line = [(x, gain) for x, gain in mine if gain["value"] == first and gain["pairs"]]
    who = f"{labels.in_sentence(first)} against {labels.in_sentence(baseline)}"
    if not line:
        return f"{who}: no claim at any value. "
    (low, start), (high, end) = min(line, key=lambda one: one[0]), max(line, key=lambda one: one[0])
    return f"{who}: {words_of(start)} at {low:g}, {words_of(end)} at {high:g}. "


def time_figure(context, sweep, key, name="", title=""):
    """The metric itself, in hours, by policy: the means of `palstudy compare`, with their intervals where it gives them."""
    facet, facets = facet_of(context, key)
    by = [*([facet] if facet else []), key]
    found = context.compare(*by)
    metric = metric_of(found)["name"]
    if not labels.is_time(metric):
        raise LeftOut(f"the metric {metric} is no time.")
    table = times(context, by, metric)
    if table.empty:
        raise NoClaim("at no point do the runs of all policies make a claim.")
    plot, axes = style.panels(1, len(facets), 2.9, sharey=True)
    for axis, value in zip(axes, facets):
        mine = table if facet is None else table[table[facet].astype(str) == str(value)]
        draw_times(axis, mine, key, context.policies)
        mark_silent(axis, sorted(set(context.archive.axes[key]) - set(mine[key])))
        axis.set_title(labels.value(facet, value) if facet else "")
        finish(axis, sweep, key, set(), True)
    axes[0].set_ylim(bottom=0)
    axes[0].set_ylabel(f"{labels.metric(metric)}, hours")
    style.legend(axes[0], context.policies, lines=True, left=True)
    caption = f"{time_caption(table, key, metric)} {averaged_text(found['groups'])}".strip()
    table = table.rename(columns={"policy": context.archive.policy_key})
    return Figure(plot, table, caption, context.compare.typed(context.compare.words(*by)), name, title)


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
    points = f", averaged over {count(int(table['points'].max()), 'point')}" if table["points"].max() > 1 else ""
    bands = "Bands are the 95 % intervals of these means." if table["low"].notna().any() else "They have no intervals."
    rows = table[table[key] == first[key]].drop_duplicates("policy")
    told = ", ".join(
        f"{labels.in_sentence(row.policy)} {with_interval(row.hours, row.low, row.high, lambda hours: f'{hours:.3g} h')}"
        for row in rows.itertuples()
    )
    return (
        f"The {labels.metric(metric)}: means over seeds{points}, where all policies make a claim. At {first[key]:g}: {told}. {bands} "
        "Differences are surer than the bands, because runs are paired."
    )
