# SPDX-License-Identifier: MIT
"""Changes with their intervals, drawn: what several figures share."""
import pandas as pd

from . import labels, style
from .errors import NoClaim
from .numbers import change_text, change_words, ends, interval_text
from .program import averaged_text

COLUMNS = ["baseline", "policy", "metric", "change", "low", "high", "least", "most", "pairs", "replications"]


def gain_row(gain):
    """What is drawn of a gain: changes, and the ends of the interval that holds together with the others; None where there is none."""
    low, high = ends(gain) or (None, None)
    least, most = gain["pair_ratios"] or (None, None)
    ratios = {"change": gain["ratio"], "low": low, "high": high, "least": least, "most": most}
    return {
        "baseline": gain["baseline"],
        "policy": gain["value"],
        "metric": gain["metric"],
        **{name: None if ratio is None else ratio - 1 for name, ratio in ratios.items()},
        "pairs": gain["pairs"],
        "replications": gain["seeds"].get("replications", 0),
    }


def gain_table(rows):
    """[(point, gain)] as a table: the data of a figure."""
    table = pd.DataFrame([{**at, **gain_row(gain)} for at, gain in rows])
    table[COLUMNS[3:8]] = table[COLUMNS[3:8]].astype(float)
    return table


def need_claims(rows):
    """There is something to draw, or the figure is left out."""
    if not any(gain["pairs"] for _, gain in rows):
        raise NoClaim("no run makes a claim: they failed, were unstable or left jobs unfinished.")


def baselines(rows):
    return list(dict.fromkeys(gain["baseline"] for _, gain in rows))


def policies(rows, baseline):
    return list(dict.fromkeys(gain["value"] for _, gain in rows if gain["baseline"] == baseline))


def against(baseline):
    return f"against {labels.policy(baseline)}"


def draw_points(axis, at, gains, name, position):
    """One policy's changes at x positions: a marker, and its interval as a bar if there is one."""
    colour, marker, _ = style.policy(name, position)
    shown = [(x, gain_row(gain)) for x, gain in zip(at, gains) if gain["pairs"]]
    for x, row in shown:
        if row["low"] is not None:
            axis.plot([x, x], [row["low"], row["high"]], color=colour, linewidth=2.2, solid_capstyle="butt")
    filled = [row["low"] is not None for _, row in shown]
    style.markers(axis, [x for x, _ in shown], [row["change"] for _, row in shown], (colour, marker), filled)


def draw_rows(axis, rows, texts):
    """A row a gain, from the top: the point, the interval as a thick bar, least and most over the pairs as a thin one, and the number at
    the right. Points of one setting stand together."""
    names, places = list(dict.fromkeys(gain["value"] for _, gain in rows)), row_places(rows)
    for y, (_, gain) in zip(places, rows):
        row = gain_row(gain)
        colour, marker, _ = style.policy(row["policy"], names.index(row["policy"]))
        if not row["pairs"]:
            axis.text(0, y, "no claim", va="center", ha="center", fontsize=7.5, color=style.GREY)
            continue
        axis.plot([row["least"], row["most"]], [y, y], color=colour, linewidth=0.8, alpha=0.7)
        if row["low"] is not None:
            axis.plot([row["low"], row["high"]], [y, y], color=colour, linewidth=3, solid_capstyle="butt")
        style.markers(axis, [row["change"]], [y], (colour, marker), [row["low"] is not None])
        number = change_text(gain) + (f"  ({interval_text(gain)})" if row["low"] is not None else "")
        axis.annotate(number, (1.02, y), xycoords=("axes fraction", "data"), va="center", fontsize=7.5)
    axis.axvline(0, color="black", linewidth=0.8)
    axis.set_yticks(places, texts)
    axis.set_ylim(places[-1] - 0.6, 0.6)
    axis.grid(True, axis="x")
    axis.grid(False, axis="y")
    style.percent_axis(axis, "x")
    axis.xaxis.set_major_locator(style.few_ticks())


def row_places(rows):
    """From 0 downwards; between settings of several policies there is a gap."""
    several = len({gain["value"] for _, gain in rows}) > 1
    places = [0.0]
    for (one, _), (other, _) in zip(rows, rows[1:]):
        places.append(places[-1] - (1.5 if several and one != other else 1.0))
    return places


def rows_plot(rows, label):
    """A panel a baseline, a row a gain; `label(point, gain)` names it. The plot, and the sentence on its thin lines."""
    over = baselines(rows)
    blocks = [[row for row in rows if row[1]["baseline"] == name] for name in over]
    heights = [1.2 - row_places(block)[-1] for block in blocks]
    plot, axes = style.panels(
        len(over),
        1,
        0.5 + sum(0.19 * height + 0.3 for height in heights),
        sharex=True,
        gridspec_kw={"height_ratios": heights},
    )
    for axis, name, block in zip(axes, over, blocks):
        draw_rows(axis, block, [label(at, gain) for at, gain in block])
        names = policies(rows, name)
        axis.set_title(f"{labels.policy(names[0])} {against(name)}" if len(names) == 1 else against(name))
    cut = limit_rows(axes, rows)
    axes[-1].set_xlabel(change_label({gain["metric"] for _, gain in rows}))
    return plot, "Thin lines go from the least to the most of single pairs" + (
        "; an arrow is on those that go on beyond the right end." if cut else "."
    )


def change_label(metrics):
    """ "mean completion time, change (left of 0 is shorter)" """
    side = "shorter" if all(map(labels.is_time, metrics)) else "less"
    return (f"{labels.metric(*metrics)}, " if len(metrics) == 1 else "") + f"change (left of 0 is {side})"


def limit_rows(axes, rows):
    """One range for all panels: all points and intervals, and of the thin lines what is under +100 %. Whether a line is cut."""
    shown = [gain_row(gain) for _, gain in rows if gain["pairs"]]
    ends_of = [row[name] for row in shown for name in ("change", "low", "high", "least") if row[name] is not None]
    ends_of += [0.0, *(min(row["most"], 1.0) for row in shown)]
    low, high = min(ends_of), max(ends_of)
    right = high + 0.04 * (high - low)
    for axis in axes:
        axis.set_xlim(low - 0.04 * (high - low), right)
    return any([point_beyond(axis, right) for axis in axes])


def point_beyond(axis, right):
    """An arrow at the right end of every line that goes on beyond it; whether there is one."""
    found = False
    for line in list(axis.get_lines()):
        xs, ys = line.get_xdata(), line.get_ydata()
        if len(xs) == 2 and max(xs) > right and ys[0] == ys[1]:
            arrow = {"linestyle": "none", "marker": ">", "markersize": 4, "clip_on": False}
            axis.plot([right], [ys[0]], color=line.get_color(), **arrow)
            found = True
    return found


def words_of(gain):
    """A change in words, for captions."""
    return change_words(gain, labels.is_time(gain["metric"]))


def sureness(rows, groups):
    """The sentences of a caption on intervals: which they are, why some are missing, and what the changes are averaged over."""
    some = [gain for _, gain in rows if gain["pairs"]]
    words = []
    if any(ends(gain) for gain in some):
        together = (
            ", which hold together" if any(gain["interval"] and gain["interval"]["together"] for gain in some) else ""
        )
        words.append(f"Thick bars and bands are 95 % intervals{together}.")
    why = list(dict.fromkeys(gain["no_interval"]["text"] for gain in some if gain["no_interval"]))
    words += [f"Hollow points have no interval: {'; '.join(why)}."] if why else []
    words.append(averaged_text(groups))
    if len(some) < len(rows):
        words.append(f"{len(rows) - len(some)} of {len(rows)} comparisons make no claim.")
    return " ".join(word for word in words if word)
