# SPDX-License-Identifier: MIT
"""Every policy against every baseline, over the whole study."""
from .. import style
from ..figure import Figure, figure
from ..gain_plot import baselines, draw_rows, gain_table, limit_rows, need_claims, sureness
from ..numbers import count, gain_text, metric_text

@figure("gains", "Gain over the baselines", place=10)
def make(context):
    context.need_placements()
    answer = context.compare()
    rows = [((), gain | {"given": answer.get("given", "")}) for group in answer["groups"] for gain in group["gains"]
            if gain["metric"] in (answer["metric"], "makespan_s")]
    need_claims(rows)
    over = baselines(rows)
    blocks = [[row for row in rows if row[1]["baseline"] == name] for name in over]
    plot, axes = style.panels(len(over), 1, 0.55 + sum(0.19 * len(block) + 0.35 for block in blocks), sharex=True,
                              gridspec_kw={"height_ratios": [len(block) for block in blocks]})
    for axis, name, block in zip(axes, over, blocks):
        draw_rows(axis, block, [f"{gain['policy']}, {metric_text(gain['metric'])}" for _, gain in block])
        axis.set_title(f"over {name}")
    limit_rows(axes, rows)
    axes[-1].set_xlabel("gain: 1 - geometric mean of the ratios (right of 0 is better)")
    best = max((gain for _, gain in rows if gain.get("pairs") and gain["metric"] == answer["metric"]
                and gain["baseline"] == over[0]), key=lambda gain: gain["improvement"], default=None)
    caption = ""
    if best:
        caption = (f"Over {over[0]}, {best['policy']} gains most in {metric_text(answer['metric'])}: {gain_text(best)}, over "
                   f"{count(best['pairs'], 'pair')} of runs. ")
    caption += "Thin lines go from the worst to the best pair (as far as -100 %). " + sureness(rows)
    return Figure("gains", "Gain over the baselines", plot, gain_table(rows), caption, context.compare.command())
