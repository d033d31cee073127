# SPDX-License-Identifier: MIT
"""The gain on each trace, after Figure 10 of PAL (SC'24)."""
from .. import style
from ..archive import TRACE
from ..errors import LeftOut
from ..figure import Figure, figure
from ..gain_plot import baselines, draw_points, gain_table, need_claims, policies, sureness
from ..numbers import gain_percent, gain_text, metric_text, short

ALL = "all traces"


@figure("gain-per-trace", "Gain on each trace (after Figure 10 of PAL)", place=20)
def make(context):
    context.need_placements()
    if TRACE not in context.archive.axes:
        raise LeftOut("the study runs on one trace, or on generated jobs.")
    rows = context.compare.gains(TRACE)
    whole = [((ALL,), gain) for _, gain in context.compare.gains("none")]
    traces = list(dict.fromkeys(values[0] for values, _ in rows))
    need_claims(rows)
    over = baselines(rows)
    plot, axes = style.panels(len(over), 1, 0.5 + 2.1 * len(over), sharex=True, sharey=True)
    for axis, baseline in zip(axes, over):
        draw_panel(axis, rows + whole, traces, baseline, context.policies)
    style.legend(axes[0], context.policies)
    axes[-1].set_xticks(range(len(traces) + 1), [*(short(trace) for trace in traces), f"{ALL}\n(geom. mean)"])
    table = gain_table(rows + whole, [TRACE])
    return Figure(
        "gain-per-trace",
        "Gain on each trace (after Figure 10 of PAL)",
        plot,
        table,
        caption(rows, whole, over[0], traces),
        context.compare.command([TRACE]),
    )


def draw_panel(axis, rows, traces, baseline, every):
    names = policies(rows, baseline)
    where = {trace: place for place, trace in enumerate([*traces, ALL])}
    axis.axvspan(len(traces) - 0.5, len(traces) + 0.5, color="#eeeeee", zorder=0)
    for position, name in enumerate(names):
        mine = [(values[0], gain) for values, gain in rows if gain["baseline"] == baseline and gain["policy"] == name]
        shift = (position - (len(names) - 1) / 2) * 0.8 / max(len(names), 3)
        draw_points(
            axis, [where[trace] + shift for trace, _ in mine], [gain for _, gain in mine], name, every.index(name)
        )
    for place in range(1, len(traces)):
        axis.axvline(place - 0.5, color="#dddddd", linewidth=0.6, zorder=0)
    axis.axhline(0, color="black", linewidth=0.8)
    axis.set_ylabel("gain")
    axis.set_title(f"over {baseline}")
    axis.set_xlim(-0.5, len(traces) + 0.5)
    style.percent_axis(axis)


def caption(rows, whole, baseline, traces):
    """The first policy that is compared with the first baseline, in words."""
    first = next(gain for _, gain in whole if gain["baseline"] == baseline)
    mine = {
        values[0]: gain
        for values, gain in rows
        if gain["baseline"] == baseline and gain["policy"] == first["policy"] and gain.get("pairs")
    }
    if not mine:
        return sureness(rows + whole)
    least, most = (choose(mine, key=lambda trace: mine[trace]["improvement"]) for choose in (min, max))
    return (
        f"Gain in {metric_text(first['metric'])}, trace by trace: {first['policy']} gains between "
        f"{gain_percent(mine[least])} ({short(least)}) and {gain_percent(mine[most])} "
        f"({short(most)}) over {baseline}, and {gain_text(first)} over all {len(traces)} (shaded, from the geometric mean "
        f"of the ratios). Below 0 a policy is worse than the baseline. " + sureness(rows + whole)
    )
