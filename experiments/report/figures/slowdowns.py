# SPDX-License-Identifier: MIT
"""How slow the GPUs are: those that were simulated, and those that were measured."""
import numpy as np
import pandas as pd

from .. import style
from ..errors import LeftOut
from ..figure import Figure, figure
from ..numbers import count, percent

BINS, MOST_CLUSTERS, LEAST = 60, 200, 0.5


@figure("slowdowns", "How slow are the simulated GPUs?", place=70)
def clusters(context):
    stored = context.archive.clusters
    if not stored:
        raise LeftOut("no cluster's slowdowns are stored (above 65,536 GPUs the archive holds the recipe alone).")
    some = [stored[key] for key in list(stored)[:MOST_CLUSTERS]]
    names = sorted({name for one in some for name in one})
    values = {name: np.concatenate([one[name] for one in some if name in one]) for name in names}
    plot, table = histograms(values, [f"class {name}" for name in names], "slowdown (1: the median GPU)")
    kept = f" The first {MOST_CLUSTERS} of {len(stored)}." if len(some) < len(stored) else ""
    caption = (
        f"How many GPUs are how slow, in {count(len(some), 'simulated cluster')}, by class.{kept} The scale of counts is "
        f"logarithmic, so that single slow GPUs show. {tails(values, 'Class ')} These are the simulated truth: no sample, so "
        f"no interval."
    )
    return Figure(plot, table, caption)


@figure("profile", "How slow are the measured GPUs?", place=72)
def profiles(context):
    values = context.archive.profiles
    if not values:
        raise LeftOut("the clusters were read from a table, so the archive holds no measurements.")
    medians = {name: gpus for name, (gpus, _) in values.items()}
    runs = {name: runs for name, (_, runs) in values.items()}
    plot, table = histograms(
        medians, list(medians), "time over the median GPU's (single runs: over the median run's)", runs
    )
    caption = (
        f"Filled: the median of each measured GPU. Dashed line: single runs, scaled to the number of GPUs. Where the line is wider than the "
        f"filled bars, what differs is the run and not the GPU. Medians: {tails(medians)}"
    )
    return Figure(plot, table, caption)


def histograms(values, titles, label, beside=None):
    columns = min(len(values), 4)
    rows = -(-len(values) // columns)
    plot, axes = style.panels(rows, columns, 0.5 + 2.0 * rows, sharey=True)
    style.part_panels(plot)
    tables, highest = [], 1
    for axis, title, (name, some) in zip(axes, titles, values.items()):
        other = beside[name] if beside else some
        edges = np.linspace(min(some.min(), other.min()), max(some.max(), other.max(), some.min() + 0.01), BINS + 1)
        counts = np.histogram(some, edges)[0]
        axis.stairs(counts, edges, baseline=LEAST, fill=True, color=style.SKY, edgecolor=style.BLUE, linewidth=0.8)
        table = {"what": title, "from": edges[:-1], "to": edges[1:], "gpus": counts}
        if beside:
            table["runs"] = np.histogram(other, edges)[0]
            scale = len(some) / max(len(other), 1)
            axis.stairs(
                np.maximum(table["runs"] * scale, LEAST),
                edges,
                baseline=LEAST,
                color=style.VERMILION,
                linewidth=1,
                linestyle="--",
            )
        tables.append(pd.DataFrame(table))
        axis.axvline(1, color="black", linewidth=0.8, linestyle=":")
        axis.set_yscale("log")
        highest = max(highest, counts.max())
        axis.yaxis.set_major_formatter(style.plain_numbers())
        axis.xaxis.set_major_locator(style.few_ticks(4))
        axis.set_title(title, fontsize=8)
    for axis in axes[len(values) :]:
        axis.set_visible(False)
    axes[0].set_ylim(LEAST, 2 * highest)
    for row in range(rows):
        axes[row * columns].set_ylabel("GPUs")
    plot.supxlabel(label, fontsize=8.5)
    return plot, pd.concat(tables)


def tails(values, prefix=""):
    words = [
        f"{prefix}{name}: slowest {times(some.max())}, {share_over(some, 1.05)} over 1.05x"
        + (f", {int((some > 2).sum())} of {count(len(some), 'GPU')} over 2x" if (some > 2).any() else "")
        for name, some in values.items()
    ]
    return "; ".join(words) + "."


def share_over(values, slowdown):
    share = float((values > slowdown).mean())
    return "none" if share == 0 else "under 0.1 %" if share < 0.001 else percent(share)


def times(slowdown):
    """1.004x, 1.14x, 2.83x."""
    return f"{slowdown:.3f}x" if slowdown < 1.1 else f"{slowdown:.3g}x"
