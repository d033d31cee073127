# SPDX-License-Identifier: MIT
"""How much of the machine is allocated, over time."""
import numpy as np
import pandas as pd

from .. import labels, style
from ..errors import LeftOut
from ..figure import Figure, figure
from ..numbers import count, percent
from ..statistics import band_text, mean_band

BINS, MOST_RUNS, DAY = 200, 32, 86400.0


@figure("utilization", "How busy are the GPUs?", place=60)
def make(context):
    context.need_table("rounds")
    runs, where = context.slice_of_runs()
    runs = runs[[all_nodes_on(context.archive, run) for run in runs.index]]
    if runs.empty:
        raise LeftOut(
            "nodes are off or down in these runs, and /rounds does not tell their GPUs from those that jobs hold."
        )
    policy = runs[context.archive.policy_key].astype(str) if context.policies else pd.Series("all", index=runs.index)
    chosen = pd.concat([runs[policy == name].head(MOST_RUNS) for name in policy.unique()])
    states = {run: context.archive.table("rounds", ["time_s", "free_gpus"], run) for run in chosen.index}
    states = {run: state for run, state in states.items() if len(state) > 1}
    if not states:
        raise LeftOut("the rounds of these runs were not kept.")
    edges = np.linspace(0, max(state["time_s"].iloc[-1] for state in states.values()), BINS + 1)
    curves = {run: allocated(state, context.archive.gpus(run), edges) for run, state in states.items()}
    table = by_policy(policy, curves, edges)
    names = list(table["policy"].unique())
    plot = draw(table, names)
    fewest = int(table.groupby("policy")["replications"].max().min())
    cut = f" The first {MOST_RUNS} seeds." if len(chosen) < len(runs) else ""
    caption = (
        f"Share of the GPUs that jobs hold, from time 0 to the end of the run, when the last measured job is done; the "
        f"grey line repeats {names[0]}. {means(context, policy, curves)} {band_text(fewest)} {where}{cut}"
    )
    return Figure(plot, table, " ".join(caption.split()))


def all_nodes_on(archive, run):
    """Whether the GPUs that /rounds does not count as free are those that jobs hold."""
    return archive.setting("power.off", run) in ("", "none") and not archive.setting("cluster.outages", run)


def allocated(state, gpus, edges):
    """Mean share allocated in each bin: the integral of the step function between the edges. NaN once the run is over."""
    time, share = state["time_s"].to_numpy(), 1 - state["free_gpus"].to_numpy() / gpus
    area = np.concatenate([[0], np.cumsum(np.diff(time) * share[:-1])])
    means = np.diff(np.interp(edges, time, area)) / np.diff(edges)
    means[edges[1:] > time[-1] * (1 + 1e-12)] = np.nan
    return means


def by_policy(policy, curves, edges):
    tables = []
    for name in policy.unique():
        some = np.array([curve for run, curve in curves.items() if policy[run] == name])
        if not len(some):
            continue
        going = np.isfinite(some).sum(axis=0)
        rows = [mean_band(column[np.isfinite(column)]) if n else (np.nan,) * 3 for column, n in zip(some.T, going)]
        mean, low, high = np.array(rows, dtype=float).T
        tables.append(
            pd.DataFrame(
                {
                    "policy": name,
                    "from_s": edges[:-1],
                    "to_s": edges[1:],
                    "allocated": mean,
                    "low": low,
                    "high": high,
                    "replications": going,
                }
            )
        )
    return pd.concat(tables)


def draw(table, names):
    plot, axes = style.panels(len(names), 1, 0.6 + 0.85 * len(names), sharex=True, sharey=True)
    first = table[table["policy"] == names[0]]
    for position, (axis, name) in enumerate(zip(axes, names)):
        line = table[table["policy"] == name]
        colour = style.policy(name, position)[0]
        edges = [*line["from_s"] / DAY, line["to_s"].iloc[-1] / DAY]
        axis.stairs(line["allocated"], edges, fill=True, color=colour, alpha=0.35, linewidth=0)
        axis.stairs(line["allocated"], edges, baseline=None, color=colour, linewidth=1)
        axis.stairs(line["high"], edges, baseline=line["low"], fill=True, color=colour, alpha=0.4, linewidth=0)
        if position:
            axis.stairs(first["allocated"], edges, baseline=None, color=style.GREY, linewidth=0.8)
        axis.set_title(labels.policy(name), fontsize=8, pad=2)
        axis.set_ylim(0, 1.02)
        style.percent_axis(axis)
    axes[-1].set_xlim(left=0)
    axes[-1].set_xlabel("days")
    return plot


def means(context, policy, curves):
    """The metric alloc_fraction of the same runs, in words."""
    words = []
    for name in policy.unique():
        mine = [run for run in curves if policy[run] == name]
        words.append(
            f"{name + ' ' if name != 'all' else ''}{percent(context.archive.runs.loc[mine, 'alloc_fraction'].mean())}"
        )
    return f"Means over the run (alloc_fraction): {', '.join(words)}; {count(len(curves), 'run')}."
