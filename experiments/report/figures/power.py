# SPDX-License-Identifier: MIT
"""Nodes that are powered off and on: how many are on over time, and how often they are woken."""
import numpy as np
import pandas as pd

from .. import labels, style
from ..archive import POLICIES, TRACE
from ..errors import LeftOut, NoClaim
from ..figure import Figure, figure
from ..gantt_bars import segments
from ..numbers import count, percent
from .energy import NONE, OFF, need_power, parameters
from .gantt import describe, nodes_of

DAY, MOST_CHANGES = 86400.0, 4000
USUAL_BOOT_S = 300.0  # the default, which the study in the archive lacks where power.off is an axis


@figure("nodes-on", "How many nodes are on?", place=61)
def nodes_on(context):
    for table in ("rounds", "events"):
        context.need_table(table)
    archive, run = context.archive, chosen_run(context)
    if boot_s(archive, run) == 0:
        raise LeftOut(
            "with power.boot_s = 0 a node is on whenever a job needs it, and the archive does not say when it was off."
        )
    size = nodes_of(archive, run, archive.gpus(run))
    if not size:
        raise LeftOut("the nodes differ in size, and the archive counts the GPUs that are on, not the nodes.")
    table = over_time(archive, run, size)
    cut = ""
    if len(table) > MOST_CHANGES:
        table = table.head(MOST_CHANGES)
        cut = f" Only the first {table['time_s'].iloc[-1] / DAY:.1f} days are shown."
    nodes = archive.gpus(run) // size
    plot, (axis,) = style.panels(1, 1, 2.8)
    for name, label, look in (
        ("on", "on", {"color": style.BLUE}),
        ("in_use", "with jobs", {"color": style.VERMILION, "linestyle": "--"}),
    ):
        axis.step(table["time_s"] / DAY, table[name], where="post", linewidth=1.1, label=label, **look)
    axis.axhline(nodes, color=style.GREY, linewidth=0.8)
    axis.set_xlim(0, max(table["time_s"].iloc[-1] / DAY, 1e-9))
    axis.set_ylim(0, nodes * 1.04)
    axis.set_xlabel("days")
    axis.set_ylabel("nodes")
    axis.legend(ncol=2, loc="lower right", bbox_to_anchor=(1, 1.0), borderaxespad=0)
    length = np.diff(table["time_s"])
    on, used = (
        float((table[name].to_numpy()[:-1] * length).sum() / max(length.sum(), 1e-12) / nodes)
        for name in ("on", "in_use")
    )
    caption = (
        f"{describe(context, run)} Of {count(nodes, 'node')} (the grey line) {percent(on)} are on and {percent(used)} have jobs, in the mean "
        "over the time shown. A node that boots is not on yet, and one that stops is on no longer. What the rule foresees is not in the "
        f"archive.{cut} A single run, so there is no interval."
    )
    return Figure(
        plot,
        table,
        caption,
        f"palstudy export {context.compare.path} --table rounds",
    )


def chosen_run(context):
    """The run of --run, else the first that powers nodes off and makes a claim."""
    archive = context.archive
    if context.run is not None:
        if context.run not in archive.runs.index:
            raise LeftOut(f"--run {context.run}: the archive has runs 0 to {len(archive.runs) - 1}.")
        if not powers_off(archive, context.run):
            raise LeftOut(f"--run {context.run} powers no node off (power.off).")
        return context.run
    return int(runs_with_power_off(context)[0].index[0])


def powers_off(archive, run):
    return archive.setting(OFF, run) not in ("", NONE)


def runs_with_power_off(context):
    """Those of the slice, at all values of [power], that power nodes off; and the sentence about it."""
    if not any(powers_off(context.archive, run) for run in context.archive.runs.index):
        raise LeftOut("no run powers nodes off (power.off).")
    runs, where = context.slice_of_runs(keep=(TRACE, *power_axes(context)))
    runs = runs[[powers_off(context.archive, run) for run in runs.index]]
    if runs.empty:
        raise NoClaim("no run with power-off makes a claim.")
    return runs, where


def power_axes(context):
    return [key for key in context.archive.axes if key.startswith("power.")]


def boot_s(archive, run):
    return float(archive.setting("power.boot_s", run) or USUAL_BOOT_S)


def over_time(archive, run, size):
    """A row each time that one of them changes: nodes that are on (GPUs that are free or held, over those of a node) and nodes with jobs."""
    rounds = archive.table("rounds", ["time_s", "free_gpus"], run)
    events = archive.table("events", ["time_s", "kind", "job", "gpu_begin", "gpu_count"], run)
    if rounds.empty or events.empty:
        raise LeftOut(f"the archive has no rounds or no events of run {run}.")
    first = int(events["gpu_begin"].iloc[0])
    last = int(events["gpu_begin"].iloc[-1] + events["gpu_count"].iloc[-1])
    events["gpu_begin"] -= first
    stays = segments(events, archive.column("events", "gpu", slice(first, last)))
    at = rounds["time_s"].to_numpy()
    held = present(stays["from_s"], stays["to_s"], at)
    used = busy_times(stays.assign(node=stays["gpu"] // size))
    table = pd.DataFrame(
        {
            "time_s": at,
            "on": (held + rounds["free_gpus"].to_numpy()) / size,
            "in_use": present(used["from_s"], used["to_s"], at),
        }
    )
    same = (table[["on", "in_use"]] == table[["on", "in_use"]].shift()).all(axis=1)
    same.iloc[-1] = False  # the end of the run
    return table[~same].reset_index(drop=True)


def present(begin, end, at):
    """How many intervals hold each time; an interval holds its beginning, and not its end."""
    return np.searchsorted(np.sort(begin.to_numpy()), at, side="right") - np.searchsorted(
        np.sort(end.to_numpy()), at, side="right"
    )


def busy_times(stays):
    """(node, from_s, to_s): when a node has jobs, each stretch once."""
    stays = stays[stays["to_s"] > stays["from_s"]].sort_values(["node", "from_s", "to_s"])
    until = stays.groupby("node")["to_s"].cummax().groupby(stays["node"]).shift(fill_value=-np.inf)
    stretch = (stays["from_s"] > until).cumsum()
    return stays.groupby(stretch).agg(node=("node", "first"), from_s=("from_s", "min"), to_s=("to_s", "max"))


@figure("wake-ups", "How often are nodes woken?", place=65)
def wake_ups(context):
    need_power(context)
    runs, where = runs_with_power_off(context)
    runs = runs[[boot_s(context.archive, run) > 0 for run in runs.index]]
    if runs.empty:
        raise LeftOut(
            "with power.boot_s = 0 booting takes no time, by which the archive tells how often nodes are woken."
        )
    runs = runs.assign(wake_ups=[per_node_and_day(context.archive, run) for run in runs.index])
    axes = power_axes(context)
    table = means(runs, [*axes, *(key for key in POLICIES if key in context.archive.axes)])
    plot = draw_wake_ups(table)
    few, many = table.loc[table["wake_ups"].idxmin()], table.loc[table["wake_ups"].idxmax()]
    told = f"from {few['wake_ups']:.3g} ({words(few, axes)}) to {many['wake_ups']:.3g} ({words(many, axes)})"
    if len(table) == 1:
        told = f"{many['wake_ups']:.3g}"
    return Figure(
        plot,
        table,
        f"A node is woken {told} times a day: the time in which nodes boot, over power.boot_s, a node and day up to the horizon. Means over "
        f"{count(int(table['runs'].min()), 'run')} or more of each point, without an interval. {where}".strip(),
        f"palstudy export {context.compare.path} --table power",
    )


def draw_wake_ups(table):
    """A panel a placement, so that a rule looks alike in all."""
    policy = [key for key in POLICIES if key in table]
    panels = list(table.groupby(policy[0], sort=False)) if policy else [("", table)]
    columns = min(len(panels), 3)
    rows = -(-len(panels) // columns)
    plot, axes = style.panels(rows, columns, 0.4 + 2.6 * rows, sharex=True, sharey=True)
    style.part_panels(plot)
    rules = list(dict.fromkeys(table[OFF])) if OFF in table else ["all"]
    for axis, (name, some) in zip(axes, panels):
        for position, rule in enumerate(rules):
            mine = some[some[OFF] == rule] if OFF in some else some
            style.markers(
                axis, mine["wake_ups"], mine["power_wait_s"], style.policy(rule, position)[:2], [True] * len(mine)
            )
        axis.set_title(labels.policy(name), fontsize=8, pad=2)
        axis.set_xlabel("wake-ups, a node and day")
    for axis in axes[len(panels) :]:
        axis.set_visible(False)
    axes[0].set_xlim(left=0), axes[0].set_ylim(bottom=0)
    axes[0].set_ylabel("mean wait for power, s a job")
    if rules != ["all"]:
        style.legend(axes[0], rules, left=len(panels) > 1)
    return plot


def per_node_and_day(archive, run):
    rows = archive.table("power", ["state", "node_s"], run)
    booting = rows.loc[rows["state"].astype(str) == "booting", "node_s"].sum()
    return booting / boot_s(archive, run) / (rows["node_s"].sum() / DAY)


def means(runs, keys):
    """A row a point of [power] and placement; parameters that change nothing about a rule are not told."""
    groups = [(("all",), runs)] if not keys else runs.groupby(keys, observed=True, sort=False)
    rows = [
        [
            *(values if isinstance(values, tuple) else (values,)),
            some["wake_ups"].mean(),
            some["power_wait_mean_s"].mean(),
            len(some),
        ]
        for values, some in groups
    ]
    table = pd.DataFrame(rows, columns=[*(keys or ["point"]), "wake_ups", "power_wait_s", "runs"])
    same = [key for key in (OFF, *POLICIES) if key in table]
    return table.drop_duplicates([*same, "wake_ups", "power_wait_s"]).reset_index(drop=True)


def words(row, axes):
    return parameters(row, axes) if OFF in axes else ", ".join(f"{key} {row[key]}" for key in axes) or "all"
