# SPDX-License-Identifier: MIT
"""The gain at each value of every other axis, and with and without a straggler: a GPU that is over twice as slow."""
from .. import style
from ..archive import TRACE
from ..errors import LeftOut
from ..figure import Figure, figure
from ..gain_plot import baselines, draw_rows, gain_table, limit_rows, need_claims, sureness
from ..numbers import gain_text, metric_text, short
from .sweeps import KEYS, Sweep, gain_figure

STRAGGLER = "cluster.slowdown_max>2"
MOST_ROWS = 40


@figure("gain-by", "Gain at each value of the other axes", place=40)
def make(context):
    context.need_placements()
    made = [by_axis(context, key, values) for key, values in context.other_axes(TRACE).items() if key not in KEYS]
    slowest = context.archive.runs["slowdown_max"]
    if (slowest > 2).any() and (slowest <= 2).any():
        source = ["cluster.source"] if "cluster.source" in context.archive.axes else []
        title = "Gain with and without a GPU over twice as slow as the median"
        made.insert(0, rows_figure(context, "gain-by-straggler", title, [*source, STRAGGLER]))
    if not made:
        raise LeftOut("the study has no other axis, and its clusters do not differ in whether a GPU is over twice as slow.")
    return made


def by_axis(context, key, values):
    title = f"Gain by {key}"
    if all(isinstance(value, (int, float)) for value in values):
        spread = min(values) > 0 and max(values) / min(values) >= 16
        return gain_figure(context, Sweep("gain-by-" + key, title, (key,), key, log=spread), key)
    return rows_figure(context, "gain-by-" + key, title, [key])


def rows_figure(context, name, title, by):
    rows = context.compare.gains(*by)
    need_claims(rows)
    over = baselines(rows)
    blocks = [[row for row in rows if row[1]["baseline"] == one][:MOST_ROWS] for one in over]
    plot, axes = style.panels(len(over), 1, 0.55 + sum(0.19 * len(block) + 0.35 for block in blocks), sharex=True,
                              gridspec_kw={"height_ratios": [len(block) for block in blocks]})
    for axis, baseline, block in zip(axes, over, blocks):
        draw_rows(axis, block, [label(values, gain, by) for values, gain in block])
        axis.set_title(f"over {baseline}")
    limit_rows(axes, [row for block in blocks for row in block])
    axes[-1].set_xlabel("gain: 1 - geometric mean of the ratios (right of 0 is better)")
    return Figure(name, title, plot, gain_table(rows, by), caption(rows, over[0], by), context.compare.command(by))


def label(values, gain, by):
    words = [f"slowest GPU {value}x" if key == STRAGGLER else short(value) for key, value in zip(by, values)]
    return f"{', '.join(words)}: {gain['policy']}"


def caption(rows, baseline, by):
    first = next(gain["policy"] for _, gain in rows if gain["baseline"] == baseline)
    mine = [(values, gain) for values, gain in rows if gain["baseline"] == baseline and gain["policy"] == first]
    words = "; ".join(f"{label(values, gain, by)}: {gain_text(gain)}" for values, gain in mine[:8])
    cut = f" The first {MOST_ROWS} rows a baseline are drawn; the CSV has all." if len(rows) > MOST_ROWS * 2 else ""
    return (f"Gain in {metric_text(mine[0][1]['metric'])} over {baseline}, all other axes together. {words}. Thin lines go from the worst "
            f"to the best pair (as far as -100 %).{cut} " + sureness(rows))
