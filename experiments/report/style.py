# SPDX-License-Identifier: MIT
"""How figures look: the palette of Okabe and Ito (colour-blind safe), and beside every colour a marker, a dash or a hatch, so
that nothing is lost in black and white. Output is the same bytes for the same data."""
import io
import re

import matplotlib
import matplotlib.lines
import matplotlib.ticker

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the back end has to be chosen first)

from . import labels  # noqa: E402

BLUE, VERMILION, BLACK, GREEN, PURPLE, ORANGE, SKY, YELLOW = (
    "#0072B2",
    "#D55E00",
    "#000000",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#F0E442",
)
GREY = "#767676"

# colour, marker, dashes: the same for a policy in every figure.
POLICIES = {
    "pal": (BLUE, "o", "-"),
    "pm-first": (VERMILION, "s", "--"),
    "packed-sticky": (BLACK, "^", "-."),
    "packed-nonsticky": (GREEN, "v", ":"),
    "random-sticky": (PURPLE, "D", (0, (5, 1, 1, 1, 1, 1))),
    "random-nonsticky": (ORANGE, "X", (0, (1, 1))),
    "pal-levels": (SKY, "P", (0, (7, 2))),
    "pal-sticky": (GREY, "h", (0, (3, 1, 1, 1))),
}
OTHERS = [
    (BLUE, "p", "-"),
    (VERMILION, "d", "--"),
    (GREEN, "<", ":"),
    (PURPLE, ">", "-."),
    (BLACK, "8", "-"),
    (ORANGE, "s", "--"),
    (SKY, "D", ":"),
    (GREY, "^", "-."),
    (BLUE, "X", "--"),
    (VERMILION, "v", ":"),
]
CLASS_COLOURS = [SKY, ORANGE, GREEN, PURPLE, YELLOW, BLUE, VERMILION]
CLASS_HATCHES = ["", "///", "\\\\\\", "xxx", "---", "|||", "+++"]  # lines only: dots take a quarter of a megabyte

NUMBER = re.compile(r"[-\N{MINUS SIGN}]?[\d.,]+( ?%)?$")

WIDTH = 7.2  # inches: two columns of a paper, or the width of the page


def policy(name, position=0):
    """(colour, marker, dashes) of a policy; one that is not known here gets what its position says."""
    return POLICIES.get(name) or OTHERS[position % len(OTHERS)]


def setup():
    """Everything from matplotlib's own defaults, whatever the user's matplotlibrc says."""
    matplotlib.rcdefaults()
    matplotlib.use("Agg")
    plt.rcParams.update(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": "palstudy",
            "pdf.fonttype": 42,
            "path.simplify": True,
            "font.family": "sans-serif",
            "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"],
            "font.size": 8.5,
            "axes.titlesize": 9,
            "axes.titleweight": "bold",
            "axes.titlelocation": "left",
            "axes.labelsize": 8.5,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "axes.grid": True,
            "axes.grid.axis": "y",
            "grid.color": "#dddddd",
            "grid.linewidth": 0.6,
            "xtick.labelsize": 8,
            "ytick.labelsize": 8,
            "legend.fontsize": 8,
            "legend.frameon": False,
            "lines.linewidth": 1.5,
            "lines.markersize": 5,
            "hatch.linewidth": 0.5,
            "figure.constrained_layout.use": True,
            "figure.dpi": 100,
            "savefig.dpi": 100,
            "patch.linewidth": 0.5,
        }
    )


def panels(rows, columns, height, **options):
    """A figure of the page's width with rows x columns axes, and these in reading order."""
    figure, axes = plt.subplots(rows, columns, figsize=(WIDTH, height), squeeze=False, **options)
    return figure, list(axes.flat)


def part_panels(figure):
    """Room between panels that stand side by side, for the ends of their scales."""
    figure.get_layout_engine().set(wspace=0.06)


def legend(axis, names, lines=False, left=False):
    """The policies of all panels, above this one, which is the first: at its right end, or, where there are panels beside it,
    above them all."""
    handles = []
    for position, name in enumerate(names):
        colour, marker, dashes = policy(name, position)
        handles.append(
            matplotlib.lines.Line2D(
                [],
                [],
                color=colour,
                marker=marker,
                linestyle=dashes if lines else "none",
                markeredgecolor="white",
                markeredgewidth=0.5,
                markersize=6,
                label=labels.policy(name),
            )
        )
    options = {"handles": handles, "handlelength": 3.2 if lines else 1.5, "columnspacing": 1.2, "borderaxespad": 0}
    if left:
        legend_over_all(axis.figure, options)
    else:
        axis.legend(ncol=min(3, len(handles)), loc="lower right", bbox_to_anchor=(1, 1.0), **options)


def legend_over_all(figure, options):
    """A legend in a strip of its own at the top of the figure, which the panels leave free."""
    columns = min(4, len(options["handles"]))
    rows = -(-len(options["handles"]) // columns)
    height = figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - (0.17 * rows + 0.08) / height))
    figure.legend(ncol=columns, loc="upper center", bbox_to_anchor=(0.5, 0.995), **options)


def stacked(axis, table, names, legend=True, write=lambda share: f"{100 * share:.0f} %"):
    """A row a `bar` of the table, from the top, of the shares of the metrics in `names`; what is under 0 goes left. Shares with room
    are written."""
    bars = list(dict.fromkeys(table["bar"]))
    found = table[table["metric"].isin(names)]
    values = found.pivot_table(index="bar", columns="metric", values="share", sort=False).reindex(bars).fillna(0.0)
    shown = [name for name in names if name in values and values[name].abs().max() >= 0.0005]
    right, left = [0.0] * len(bars), [0.0] * len(bars)
    widest = max(float(values[shown].clip(lower=0).sum(axis=1).max()) if shown else 0.0, 1e-12)
    for position, name in enumerate(shown):
        place = list(names).index(name) % len(CLASS_COLOURS)
        starts = [right[i] if share >= 0 else left[i] for i, share in enumerate(values[name])]
        axis.barh(
            range(len(bars)),
            values[name],
            left=starts,
            height=0.72,
            color=CLASS_COLOURS[place],
            hatch=CLASS_HATCHES[place],
            edgecolor="#333333",
            linewidth=0.3,
            label=names[name],
        )
        for i, share in enumerate(values[name]):
            if write and share > 0.09 * widest:
                axis.text(
                    starts[i] + share / 2,
                    i,
                    write(share),
                    ha="center",
                    va="center",
                    fontsize=7,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
                )
            (right if share >= 0 else left)[i] += share
    axis.set_yticks(range(len(bars)), bars)
    axis.set_ylim(len(bars) - 0.5, -0.5)
    axis.axvline(0, color="black", linewidth=0.8)
    axis.grid(True, axis="x")
    axis.grid(False, axis="y")
    if legend and shown:
        handles, labels = axis.get_legend_handles_labels()
        legend_over_all(axis.figure, {"handles": handles, "labels": labels, "columnspacing": 1.2, "borderaxespad": 0})


def markers(axis, at, values, look, filled):
    """Points of one policy; those that are not `filled` have no interval and are hollow."""
    colour, marker = look
    for solid in (True, False):
        chosen = [(x, y) for x, y, full in zip(at, values, filled) if bool(full) == solid]
        axis.plot(
            [x for x, _ in chosen],
            [y for _, y in chosen],
            linestyle="none",
            marker=marker,
            color=colour,
            markerfacecolor=colour if solid else "white",
            markeredgecolor="white" if solid else colour,
            markeredgewidth=0.5 if solid else 1.1,
            markersize=6 if solid else 5,
        )


def percent_axis(axis, which="y"):
    getattr(axis, which + "axis").set_major_formatter(
        lambda share, _: f"{100 * share:.6g} %".replace("-", "\N{MINUS SIGN}")
    )


def plain_numbers():
    """0.1, 1, 10, 1,000 on a logarithmic axis."""
    return matplotlib.ticker.FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}")


def decades():
    return matplotlib.ticker.LogLocator(numticks=8)


def few_ticks(most=7):
    return matplotlib.ticker.MaxNLocator(most, steps=[1, 2, 2.5, 5, 10])


def overlapping(labels, room=2):
    """Whether two neighbours among these texts, as they are laid out, come closer than `room` pixels."""
    boxes = [label.get_window_extent() for label in labels if label.get_visible() and label.get_text()]
    return any(
        one.x0 < other.x1 + room and other.x0 < one.x1 + room and one.y0 < other.y1 and other.y0 < one.y1
        for one, other in zip(boxes, boxes[1:])
    )


def labels_within(axis_of):
    """The labels of an axis' ticks that lie within its range."""
    low, high = sorted(axis_of.get_view_interval())
    return [tick.label1 for tick in axis_of.get_major_ticks() if low <= tick.get_loc() <= high]


def part_ticks(figure):
    """Lays out again the axes on which labels overlap: of numbers every other one stays, and names are turned."""
    for _ in range(4):
        figure.canvas.draw()
        axes = [one for axis in figure.axes if axis.get_visible() for one in (axis.xaxis, axis.yaxis)]
        crowded = [one for one in axes if not turned(one) and overlapping(labels_within(one))]
        for one in crowded:
            if all(NUMBER.match(label.get_text()) for label in labels_within(one) if label.get_text()):
                low, high = sorted(one.get_view_interval())
                one.set_major_locator(
                    matplotlib.ticker.FixedLocator([at for at in one.get_majorticklocs() if low <= at <= high][::2])
                )
            else:
                plt.setp(one.get_majorticklabels(), rotation=30, ha="right", rotation_mode="anchor")
        if not crowded:
            return


def turned(axis_of):
    return any(label.get_rotation() for label in labels_within(axis_of))


def drawn(figure):
    """The bytes of the figure as SVG and as PDF, without dates."""
    part_ticks(figure)
    svg, pdf = io.BytesIO(), io.BytesIO()
    figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": "palstudy-report"})
    figure.savefig(pdf, format="pdf", metadata={"CreationDate": None, "Creator": "palstudy-report", "Producer": None})
    plt.close(figure)
    return svg.getvalue(), pdf.getvalue()
