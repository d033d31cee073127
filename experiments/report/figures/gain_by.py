# SPDX-License-Identifier: MIT
"""The change at each value of every other axis, and with and without a straggler: a GPU that is over twice as slow."""
from .. import labels
from ..archive import TRACE
from ..errors import LeftOut
from ..figure import Figure, figure
from ..gain_plot import baselines, gain_table, need_claims, rows_plot, sureness
from ..program import metric_of
from .gains import best_first, label
from .sweeps import KEYS, Sweep, gain_figure

STRAGGLER = "cluster.slowdown_max>2"
MOST_ROWS = 40


@figure("gain-by", "Does the setting matter?", place=40)
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
        title = "How much does one very slow GPU matter?"
        made.insert(0, rows_figure(context, "gain-by-straggler", title, [*source, STRAGGLER]))
    if not made:
        raise LeftOut(
            "the study has no other axis, and its clusters do not differ in whether a GPU is over twice as slow."
        )
    return made


def by_axis(context, key, values):
    title = f"Does it matter: {labels.key(key)}?"
    if numeric(values):
        spread = min(values) > 0 and max(values) / min(values) >= 16
        return gain_figure(context, Sweep((key,), log=spread), key, "gain-by-" + key, title)
    return rows_figure(context, "gain-by-" + key, title, [key])


def numeric(values):
    return all(isinstance(value, (int, float)) for value in values)


def rows_figure(context, name, title, by):
    rows = best_first(context.compare.gains(*by), metric_of(context.compare(*by))["better"] == "more")
    need_claims(rows)
    shown = [row for one in baselines(rows) for row in [row for row in rows if row[1]["baseline"] == one][:MOST_ROWS]]
    one_policy = len({gain["value"] for _, gain in rows}) == 1
    plot, lines = rows_plot(shown, lambda at, gain: label(at, gain, one_policy))
    cut = f"The first {MOST_ROWS} rows a baseline are drawn; the CSV has all. " if len(shown) < len(rows) else ""
    caption = f"{lines} {cut}{sureness(rows, context.compare(*by)['groups'])}"
    return Figure(plot, gain_table(rows), caption, context.compare.typed(context.compare.words(*by)), name, title)
