# SPDX-License-Identifier: MIT
"""Gains with their intervals, drawn: what several figures share."""
import pandas as pd

from . import style
from .errors import NoClaim
from .numbers import gain_interval, gain_percent, missing
from .program import averaged_text, distinct_scopes, reasons

COLUMNS = ["baseline", "policy", "metric", "improvement", "low", "high", "least", "most", "pairs", "replications"]


def gain_table(rows, keys=()):
    """[(values of keys, gain)] as a table: the data of a figure."""
    table = pd.DataFrame(
        [{**dict(zip(keys, values)), **{name: gain.get(name) for name in COLUMNS}} for values, gain in rows]
    )
    return table.reindex(columns=[*keys, *COLUMNS])


def need_claims(rows):
    """There is something to draw, or the figure is left out."""
    if not any(gain.get("pairs") for _, gain in rows):
        raise NoClaim("no run makes a claim: they failed, were unstable or left jobs unfinished.")


def baselines(rows):
    return list(dict.fromkeys(gain["baseline"] for _, gain in rows))


def policies(rows, baseline):
    return list(dict.fromkeys(gain["policy"] for _, gain in rows if gain["baseline"] == baseline))


def draw_points(axis, at, gains, name, position):
    """One policy's gains at x positions: a marker, and its interval as a bar where there is one."""
    colour, marker, _ = style.policy(name, position)
    shown = [(x, gain) for x, gain in zip(at, gains) if gain and gain.get("pairs")]
    for x, gain in shown:
        if not missing(gain.get("low")):
            axis.plot([x, x], [gain["low"], gain["high"]], color=colour, linewidth=2.2, solid_capstyle="butt")
    style.markers(
        axis,
        [x for x, _ in shown],
        [gain["improvement"] for _, gain in shown],
        (colour, marker),
        [not missing(gain.get("low")) for _, gain in shown],
    )


def draw_rows(axis, rows, labels):
    """A row a gain, from the top: the point, the interval as a thick bar, least and most over the pairs as a thin one, and
    the number in words at the right."""
    names = list(dict.fromkeys(gain["policy"] for _, gain in rows))
    for place, (_, gain) in enumerate(rows):
        y = -place
        colour, marker, _ = style.policy(gain["policy"], names.index(gain["policy"]))
        if not gain.get("pairs"):
            axis.text(0, y, "no claim", va="center", ha="center", fontsize=7.5, color=style.GREY)
            continue
        axis.plot([gain["least"], gain["most"]], [y, y], color=colour, linewidth=0.8, alpha=0.7)
        if not missing(gain.get("low")):
            axis.plot([gain["low"], gain["high"]], [y, y], color=colour, linewidth=3, solid_capstyle="butt")
        style.markers(axis, [gain["improvement"]], [y], (colour, marker), [not missing(gain.get("low"))])
    for place, (_, gain) in enumerate(rows):
        words = "" if not gain.get("pairs") else gain_percent(gain)
        if not missing(gain.get("low")):
            words += f"  ({gain_interval(gain)})"
        axis.annotate(words, (1.01, -place), xycoords=("axes fraction", "data"), va="center", fontsize=7.5)
    axis.axvline(0, color="black", linewidth=0.8)
    axis.set_yticks([-place for place in range(len(rows))], labels)
    axis.set_ylim(-len(rows) + 0.4, 0.6)
    axis.grid(True, axis="x")
    axis.grid(False, axis="y")
    style.percent_axis(axis, "x")
    axis.xaxis.set_major_locator(style.few_ticks())


def rows_plot(rows, label):
    """A panel a baseline, a row a gain; `label(values, gain)` names it. The plot, and the sentence on its thin lines."""
    over = baselines(rows)
    blocks = [[row for row in rows if row[1]["baseline"] == name] for name in over]
    plot, axes = style.panels(
        len(over),
        1,
        0.55 + sum(0.19 * len(block) + 0.35 for block in blocks),
        sharex=True,
        gridspec_kw={"height_ratios": [len(block) for block in blocks]},
    )
    for axis, name, block in zip(axes, over, blocks):
        draw_rows(axis, block, [label(values, gain) for values, gain in block])
        axis.set_title(f"over {name}")
    cut = limit_rows(axes, rows)
    axes[-1].set_xlabel("gain: 1 - geometric mean of the ratios (right of 0 is better)")
    return plot, "Thin lines go from the worst to the best pair" + (
        "; an arrow is on those that go on beyond the left end." if cut else "."
    )


def limit_rows(axes, rows):
    """One range for all panels: all points and intervals, and of the thin lines what is above -100 %. Whether a line is cut."""
    ends = [
        gain[name]
        for _, gain in rows
        if gain.get("pairs")
        for name in ("improvement", "low", "high")
        if not missing(gain.get(name))
    ] + [0.0]
    lines = [max(gain[name], -1.0) for _, gain in rows if gain.get("pairs") for name in ("least", "most")]
    low, high = min(ends + lines), max(ends + lines)
    left = low - 0.04 * (high - low)
    for axis in axes:
        axis.set_xlim(left, high + 0.04 * (high - low))
    return any([point_beyond(axis, left) for axis in axes])


def point_beyond(axis, left):
    """An arrow at the left end of every line that goes on beyond it; whether there is one."""
    found = False
    for line in list(axis.get_lines()):
        xs, ys = line.get_xdata(), line.get_ydata()
        if len(xs) == 2 and min(xs) < left and ys[0] == ys[1]:
            axis.plot(
                [left], [ys[0]], linestyle="none", marker="<", color=line.get_color(), markersize=4, clip_on=False
            )
            found = True
    return found


def sureness(rows):
    """The sentences of a caption on intervals: what they are over, why some are missing, and what the gains are averaged over."""
    some = [gain for _, gain in rows if gain.get("pairs")]
    words = []
    if any(not missing(gain.get("low")) for gain in some):
        words.append("Thick bars and bands are 95 % intervals" + few(distinct_scopes(some), " ", "") + ".")
        words.append(one_of(tested(some), "coverage", "Such intervals, ", "."))
        words += [given_sentence(one) for one in dict.fromkeys(gain.get("given", "") for gain in some) if one]
    missing_why = reasons(some)
    if missing_why:
        which = "No intervals" if all(missing(gain.get("low")) for gain in some) else "Where there is no interval"
        words.append(f"{which}: {'; '.join(missing_why)}.")
    words.append(averaged_sentence(rows).strip())
    if len(some) < len(rows):
        words.append(
            f"{len(rows) - len(some)} of {len(rows)} comparisons make no claim: their runs failed, were unstable or "
            "left jobs unfinished."
        )
    return " ".join(word for word in words if word)


def given_sentence(given):
    """What the intervals take as given."""
    return f"They are {given}."


def tested(gains):
    """Those of which it is known in how many simulated trials such intervals held the truth."""
    return [gain for gain in gains if gain.get("tested")]


def one_of(gains, name, before, after):
    """What gains say under a name, each once; "" where they say nothing."""
    return few(list(dict.fromkeys(gain[name] for gain in gains if gain.get(name))), before, after)


def few(said, before, after):
    more = f" (and {len(said) - 3} more such)" if len(said) > 3 else ""
    return f"{before}{' or '.join(said[:3])}{more}{after}" if said else ""


def averaged_sentence(rows):
    words = averaged_text([gain for _, gain in rows])
    return f" {words[0].upper()}{words[1:]}." if words else ""
