# SPDX-License-Identifier: MIT
"""How good predicted durations have to be: the gain of an order that uses them against their error, beside orders that use none."""
from .. import labels, style
from ..errors import LeftOut
from ..figure import Figure, figure
from ..gain_plot import against, gain_row, gain_table, need_claims, sureness, words_of

ORDER, SIGMA, BACKFILL = "policy.order", "workload.predictor_sigma", "policy.backfill"
PREDICTING = ("qssf", "qssf-believed")
OVER = ("fifo", "fewest-gpus")  # orders that know nothing of durations: what a prediction has to beat


@figure("prediction-error", "How good must predictions be?", place=39)
def make(context):
    orders = [str(name) for name in context.archive.axes.get(ORDER, [])]
    over = [name for name in OVER if name in orders]
    if SIGMA not in context.archive.axes or not over or not any(name in orders for name in PREDICTING):
        raise LeftOut(
            f"the study has no axis {SIGMA}, or none {ORDER} with one of {', '.join(PREDICTING)} and one of {', '.join(OVER)} on it."
        )
    by = [*([BACKFILL] if BACKFILL in context.archive.axes else []), SIGMA]
    rows = [
        (name, [row for row in context.compare.against(f"{ORDER}={name}", *by) if row[1]["value"] not in over[:place]])
        for place, name in enumerate(over)
    ]  # two orders are compared once
    every = [row for _, some in rows for row in some]
    need_claims(every)
    words = context.compare.words_against(f"{ORDER}={over[-1]}", *by)
    told = caption(rows) + sureness(every, context.compare.ask(words)["groups"])
    return Figure(draw(context, rows, orders), gain_table(every), told, context.compare.typed(words))


def draw(context, rows, orders):
    """A row of panels an order that is compared with, a column a backfill."""
    backfills = [str(value) for value in context.archive.axes.get(BACKFILL, [])] or [None]
    plot, axes = style.panels(len(rows), len(backfills), 0.6 + 2.3 * len(rows), sharex=True, sharey="row")
    shown = [name for name in orders if any(gain["value"] == name for _, some in rows for _, gain in some)]
    for place, axis in enumerate(axes):
        over, some = rows[place // len(backfills)]
        backfill = backfills[place % len(backfills)]
        mine = [
            (float(at[SIGMA]), gain)
            for at, gain in some
            if gain["pairs"] and (backfill is None or at[BACKFILL] == backfill)
        ]
        for position, name in enumerate(shown):
            draw_line(axis, [(x, gain) for x, gain in mine if gain["value"] == name], name, position, len(shown))
        axis.axhline(0, color="black", linewidth=0.8)
        axis.set_xticks(sorted(float(value) for value in context.archive.axes[SIGMA]))
        axis.set_title(against(over) + (f"; {labels.value(BACKFILL, backfill)}" if backfill else ""), fontsize=8.5)
        style.percent_axis(axis)
        if place % len(backfills) == 0:
            axis.set_ylabel("change")
        if place // len(backfills) == len(rows) - 1:
            axis.set_xlabel("prediction error: sd of ln(predicted / true)")
    style.legend(axes[0], shown, lines=True, left=True)
    return plot


def draw_line(axis, line, name, position, lines):
    """One order: its gains, a little beside those of the others so that all intervals are seen."""
    colour, marker, dashes = style.policy(name, position)
    line = sorted(((x, gain_row(gain)) for x, gain in line), key=lambda one: one[0])
    width = line[-1][0] - line[0][0] if line else 0.0
    at = [x + 0.02 * width * (position - (lines - 1) / 2) for x, _ in line]
    for x, (_, row) in zip(at, line):
        if row["low"] is not None:
            axis.plot([x, x], [row["low"], row["high"]], color=colour, linewidth=2.2, alpha=0.6, solid_capstyle="butt")
    changes = [row["change"] for _, row in line]
    axis.plot(at, changes, color=colour, linestyle=dashes)
    style.markers(axis, at, changes, (colour, marker), [row["low"] is not None for _, row in line])


def caption(rows):
    words = []
    for over, some in rows:
        lines = {}
        for at, gain in some:
            if gain["value"] in PREDICTING and gain["pairs"]:
                lines.setdefault((gain["value"], at.get(BACKFILL, "")), []).append((float(at[SIGMA]), gain))
        for (name, backfill), line in lines.items():
            (low, first), (high, last) = min(line, key=lambda one: one[0]), max(line, key=lambda one: one[0])
            where = f" with {labels.value(BACKFILL, backfill)}" if backfill else ""
            words.append(f"{name} against {over}{where}: {words_of(first)} at {low:g}, {words_of(last)} at {high:g}")
    return f"Orders without predictions are level. {'; '.join(words)}. "
