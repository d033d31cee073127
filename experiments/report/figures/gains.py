# SPDX-License-Identifier: MIT
"""Every policy against every baseline, at each value of the axes that are neither seeds nor traces."""
from ..errors import LeftOut
from ..figure import Figure, figure
from ..gain_plot import gain_table, need_claims, rows_plot, sureness
from ..numbers import count, gain_text, metric_text, short

MOST_ROWS = 120


@figure("gains", "Gain over the baselines", place=10)
def make(context):
    context.need_placements()
    by = context.split
    answer = context.compare(*by)
    rows = context.compare.gains(*by, metrics=(answer["metric"],) if by else (answer["metric"], "makespan_s"))
    need_claims(rows)
    if len(rows) > MOST_ROWS:
        raise LeftOut(f"it would have {len(rows):,} rows; the table has those of {metric_text(answer['metric'])}.")
    plot, lines = rows_plot(rows, lambda values, gain: label(by, values, gain))
    caption = " ".join([first_gains(rows, answer["metric"], by), lines, sureness(rows)])
    return Figure("gains", "Gain over the baselines", plot, gain_table(rows, by), caption, context.compare.command(by))


def label(by, values, gain):
    """ "pal, makespan", or, of a study that is split, "oracle: pal"; numbers with the name of their axis, as they would say nothing without."""
    where = ", ".join(
        f"{key.rsplit('.', 1)[-1]} = {short(value)}" if number(value) else short(value)
        for key, value in zip(by, values)
    )
    return f"{where}: {gain['policy']}" if where else f"{gain['policy']}, {metric_text(gain['metric'])}"


def number(value):
    try:
        float(value)
    except ValueError:
        return False
    return True


def first_gains(rows, metric, by):
    """What the policy that the study names first gains over the first baseline, value by value."""
    first = rows[0][1]
    mine = [
        (values, gain)
        for values, gain in rows
        if gain["metric"] == metric
        and gain.get("pairs")
        and (gain["baseline"], gain["policy"]) == (first["baseline"], first["policy"])
    ]
    words = [
        f"{', '.join(f'{key} = {short(value)}' for key, value in zip(by, values))}{': ' if by else ''}{gain_text(gain)}, "
        f"{count(gain['pairs'], 'pair')}"
        for values, gain in mine[:8]
    ]
    return (
        f"Over {first['baseline']}, {first['policy']} gains in {metric_text(metric)}: {'; '.join(words)}."
        if words
        else ""
    )
