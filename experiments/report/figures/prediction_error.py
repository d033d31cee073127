# SPDX-License-Identifier: MIT
"""How good predicted durations have to be: the gain of an order that uses them against their error, beside orders that use none."""
from .. import style
from ..errors import LeftOut
from ..figure import Figure, figure
from ..gain_plot import gain_table, need_claims, sureness
from ..numbers import gain_text, metric_text, missing, short

ORDER, SIGMA, BACKFILL = "policy.order", "workload.predictor_sigma", "policy.backfill"
PREDICTING = ("qssf", "qssf-believed")
OVER = ("fifo", "fewest-gpus")  # orders that know nothing of durations: what a prediction has to beat
TITLE = "Prediction error against completion time"


@figure("prediction-error", TITLE, place=39)
def make(context):
    orders = [str(name) for name in context.archive.axes.get(ORDER, [])]
    over = [name for name in OVER if name in orders]
    if SIGMA not in context.archive.axes or not over or not any(name in orders for name in PREDICTING):
        raise LeftOut(
            f"the study has no axis {SIGMA}, or none {ORDER} with one of {', '.join(PREDICTING)} and one of {', '.join(OVER)} on it."
        )
    by = [*([BACKFILL] if BACKFILL in context.archive.axes else []), SIGMA]
    rows = [
        (name, [row for row in context.compare.against(f"{ORDER}={name}", *by) if row[1]["policy"] not in over[:place]])
        for place, name in enumerate(over)
    ]  # two orders are compared once
    every = [row for _, some in rows for row in some]
    need_claims(every)
    return [
        Figure(
            "prediction-error",
            TITLE,
            draw(context, rows, orders),
            gain_table(every, by),
            caption(rows),
            context.compare.against_command(f"{ORDER}={over[-1]}", *by),
        )
    ]


def draw(context, rows, orders):
    """A row of panels an order that is compared with, a column a backfill."""
    backfills = [str(value) for value in context.archive.axes.get(BACKFILL, [])] or [None]
    plot, axes = style.panels(len(rows), len(backfills), 0.6 + 2.3 * len(rows), sharex=True, sharey="row")
    shown = [name for name in orders if any(gain["policy"] == name for _, some in rows for _, gain in some)]
    for place, axis in enumerate(axes):
        over, some = rows[place // len(backfills)]
        backfill = backfills[place % len(backfills)]
        mine = [
            (float(values[-1]), gain)
            for values, gain in some
            if gain.get("pairs") and (backfill is None or values[0] == backfill)
        ]
        for position, name in enumerate(shown):
            draw_line(axis, [(x, gain) for x, gain in mine if gain["policy"] == name], name, position, len(shown))
        axis.axhline(0, color="black", linewidth=0.8)
        axis.set_xticks(sorted(float(value) for value in context.archive.axes[SIGMA]))
        axis.set_title(f"over {over}" + (f", backfill {backfill}" if backfill else ""), fontsize=8.5)
        style.percent_axis(axis)
        if place % len(backfills) == 0:
            axis.set_ylabel("gain")
        if place // len(backfills) == len(rows) - 1:
            axis.set_xlabel("prediction error: sd of ln(predicted / true)")
    style.legend(axes[0], shown, lines=True, left=True)
    return plot


def draw_line(axis, line, name, position, lines):
    """One order: its gains, a little beside those of the others so that all intervals are seen."""
    colour, marker, dashes = style.policy(name, position)
    line = sorted(line, key=lambda one: one[0])
    width = line[-1][0] - line[0][0] if line else 0.0
    at = [x + 0.02 * width * (position - (lines - 1) / 2) for x, _ in line]
    for x, (_, gain) in zip(at, line):
        if not missing(gain.get("low")):
            axis.plot(
                [x, x], [gain["low"], gain["high"]], color=colour, linewidth=2.2, alpha=0.6, solid_capstyle="butt"
            )
    axis.plot(at, [gain["improvement"] for _, gain in line], color=colour, linestyle=dashes)
    style.markers(
        axis,
        at,
        [gain["improvement"] for _, gain in line],
        (colour, marker),
        [not missing(gain.get("low")) for _, gain in line],
    )


def caption(rows):
    words = []
    for over, some in rows:
        lines = {}
        for values, gain in some:
            if gain["policy"] in PREDICTING and gain.get("pairs"):
                lines.setdefault((gain["policy"], *values[:-1]), []).append((float(values[-1]), gain))
        for (name, *backfill), line in lines.items():
            (low, first), (high, last) = min(line, key=lambda one: one[0]), max(line, key=lambda one: one[0])
            words.append(
                f"{name} over {over}{', backfill ' + short(backfill[0]) if backfill else ''}: {gain_text(first)} at {low:g}, "
                f"{gain_text(last)} at {high:g}"
            )
    every = [row for _, some in rows for row in some]
    predicting = [name for name in PREDICTING if any(gain["policy"] == name for _, gain in every)]
    return (
        f"Gain in {metric_text(every[0][1]['metric'])} against the error of predictions, on which only {' and '.join(predicting)} "
        f"{'depends' if len(predicting) == 1 else 'depend'}: the lines of the other orders are level. {'; '.join(words)}. "
        f"Hollow points have no interval. {sureness(every)}"
    )
