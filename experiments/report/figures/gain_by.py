# SPDX-License-Identifier: MIT
"""The gain at each value of every other axis, and with and without a straggler: a GPU that is over twice as slow."""
from ..archive import TRACE
from ..errors import LeftOut
from ..figure import Figure, figure
from ..gain_plot import baselines, gain_table, need_claims, rows_plot, sureness
from ..numbers import gain_text, metric_text, short
from .sweeps import KEYS, Sweep, gain_figure

STRAGGLER = "cluster.slowdown_max>2"
MOST_ROWS = 40


@figure("gain-by", "Gain at each value of the other axes", place=40)
def make(context):
    context.need_placements()
    others = context.other_axes(TRACE)
    made = [
        by_axis(context, key, values)
        for key, values in others.items()
        if key not in KEYS and (len(others) > 1 or numeric(values))
    ]  # else it would be the figure `gains` once more
    slowest = context.archive.runs["slowdown_max"]
    if (slowest > 2).any() and (slowest <= 2).any():
        source = ["cluster.source"] if "cluster.source" in context.archive.axes else []
        title = "Gain with and without a GPU over twice as slow as the median"
        made.insert(0, rows_figure(context, "gain-by-straggler", title, [*source, STRAGGLER]))
    if not made:
        raise LeftOut(
            "the study has no axis that the figures above do not show, and its clusters do not differ in whether a GPU is over twice as slow as the median."
        )
    return made


def by_axis(context, key, values):
    title = f"Gain by {key}"
    if numeric(values):
        spread = min(values) > 0 and max(values) / min(values) >= 16
        return gain_figure(context, Sweep("gain-by-" + key, title, (key,), key, log=spread), key)
    return rows_figure(context, "gain-by-" + key, title, [key])


def numeric(values):
    return all(isinstance(value, (int, float)) for value in values)


def rows_figure(context, name, title, by):
    rows = context.compare.gains(*by)
    need_claims(rows)
    shown = [row for one in baselines(rows) for row in [row for row in rows if row[1]["baseline"] == one][:MOST_ROWS]]
    plot, lines = rows_plot(shown, lambda values, gain: label(values, gain, by))
    cut = f"The first {MOST_ROWS} rows a baseline are drawn; the CSV has all." if len(shown) < len(rows) else ""
    words = [caption(rows, baselines(rows)[0], by), lines, cut, sureness(rows)]
    return Figure(
        name, title, plot, gain_table(rows, by), " ".join(one for one in words if one), context.compare.command(by)
    )


def label(values, gain, by):
    words = [f"slowest GPU {value}x" if key == STRAGGLER else short(value) for key, value in zip(by, values)]
    return f"{', '.join(words)}: {gain['policy']}"


def caption(rows, baseline, by):
    first = next(gain["policy"] for _, gain in rows if gain["baseline"] == baseline)
    mine = [(values, gain) for values, gain in rows if gain["baseline"] == baseline and gain["policy"] == first]
    words = "; ".join(f"{label(values, gain, by)}: {gain_text(gain)}" for values, gain in mine[:8])
    return f"Gain in {metric_text(mine[0][1]['metric'])} over {baseline}. {words}."
