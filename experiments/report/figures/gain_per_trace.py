# SPDX-License-Identifier: MIT
"""The change on each trace, after Figure 10 of PAL (SC'24)."""
from .. import labels, style
from ..archive import TRACE
from ..errors import LeftOut
from ..figure import Figure, figure
from ..gain_plot import against, baselines, draw_points, gain_table, need_claims, policies, sureness, words_of
from ..numbers import short

ALL = "all traces"


@figure("gain-per-trace", "Which traces gain?", place=20)
def make(context):
    context.need_placements()
    if TRACE not in context.archive.axes:
        raise LeftOut("the study runs on one trace, or on generated jobs.")
    rows = context.compare.gains(TRACE)
    whole = [({TRACE: ALL}, gain) for _, gain in context.compare.gains("none")]
    traces = list(dict.fromkeys(at[TRACE] for at, _ in rows))
    need_claims(rows)
    over = baselines(rows)
    plot, axes = style.panels(len(over), 1, 0.5 + 2.1 * len(over), sharex=True, sharey=True)
    for axis, baseline in zip(axes, over):
        draw_panel(axis, rows + whole, traces, baseline, context.policies)
    style.legend(axes[0], context.policies, left=True)
    axes[-1].set_xticks(range(len(traces) + 1), [*(short(trace) for trace in traces), f"{ALL}\n(geom. mean)"])
    words = caption(rows, whole, over[0], len(traces)) + sureness(rows + whole, context.compare(TRACE)["groups"])
    return Figure(plot, gain_table(rows + whole), words, context.compare.typed(context.compare.words(TRACE)))


def draw_panel(axis, rows, traces, baseline, every):
    names = policies(rows, baseline)
    where = {trace: place for place, trace in enumerate([*traces, ALL])}
    axis.axvspan(len(traces) - 0.5, len(traces) + 0.5, color="#eeeeee", zorder=0)
    for position, name in enumerate(names):
        mine = [(at[TRACE], gain) for at, gain in rows if (gain["baseline"], gain["value"]) == (baseline, name)]
        shift = (position - (len(names) - 1) / 2) * 0.8 / max(len(names), 3)
        draw_points(
            axis, [where[trace] + shift for trace, _ in mine], [gain for _, gain in mine], name, every.index(name)
        )
    for place in range(1, len(traces)):
        axis.axvline(place - 0.5, color="#dddddd", linewidth=0.6, zorder=0)
    axis.axhline(0, color="black", linewidth=0.8)
    axis.set_ylabel("change")
    axis.set_title(against(baseline))
    axis.set_xlim(-0.5, len(traces) + 0.5)
    style.percent_axis(axis)


def caption(rows, whole, baseline, traces):
    """The first policy that is compared with the first baseline, in words."""
    first = next(gain for _, gain in whole if gain["baseline"] == baseline)
    mine = {
        short(at[TRACE]): gain
        for at, gain in rows
        if (gain["baseline"], gain["value"]) == (baseline, first["value"]) and gain["pairs"]
    }
    if not mine:
        return ""
    least, most = (choose(mine, key=lambda trace: mine[trace]["ratio"]) for choose in (min, max))
    return (
        f"{labels.in_sentence(first['value'])} against {labels.in_sentence(baseline)}: {words_of(mine[least])} on {least}, "
        f"{words_of(mine[most])} on {most}, {words_of(first)} over all {traces} (shaded). After Figure 10 of PAL. "
    )
