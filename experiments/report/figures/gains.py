# SPDX-License-Identifier: MIT
"""Every policy against every baseline, best first, at each value of the axes that are neither seeds nor traces."""
from .. import labels
from ..errors import LeftOut
from ..figure import Figure, figure
from ..gain_plot import gain_table, need_claims, rows_plot, sureness
from ..program import metric_of

MOST_ROWS = 120


@figure("gains", "What does each policy change?", place=10)
def make(context):
    context.need_placements()
    by = context.split
    found = context.compare(*by)
    metric = metric_of(found)
    rows = best_first(context.compare.gains(*by), metric["better"] == "more")
    need_claims(rows)
    if len(rows) > MOST_ROWS:
        raise LeftOut(f"it would have {len(rows):,} rows; All metrics has them.")
    one = len({gain["value"] for _, gain in rows}) == 1
    plot, lines = rows_plot(rows, lambda at, gain: label(at, gain, by and one))
    caption = f"{lines} {sureness(rows, found['groups'])}"
    return Figure(plot, gain_table(rows), caption, context.compare.typed(context.compare.words(*by)))


def best_first(rows, more_is_better):
    """Point by point, the policies in the order of their changes at the first point."""
    points = [at for place, (at, _) in enumerate(rows) if at not in [one for one, _ in rows[:place]]]
    points.sort(key=lambda at: at.get("cluster.slowdown_max") == "<= 2")  # "without one" is read after the others
    first = {
        gain["value"]: gain["ratio"] for at, gain in reversed(rows) if at == points[0] and gain["ratio"] is not None
    }
    worst = max(first.values(), default=1.0)

    def rank(row):
        at, gain = row
        ratio = first.get(gain["value"], worst)
        return points.index(at), gain["value"] not in first, -ratio if more_is_better else ratio

    return sorted(rows, key=rank)


def label(at, gain, alone=False):
    """ "PAL", or of a study that is split "whole measured nodes: PAL"; `alone`: all rows are of one policy."""
    where, name = labels.at(at), labels.policy(gain["value"])
    return where if alone else f"{where}: {name}" if where else name
