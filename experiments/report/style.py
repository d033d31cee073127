# SPDX-License-Identifier: MIT
"""How figures look: the palette of Okabe and Ito (colour-blind safe), and beside every colour a marker, a dash or a hatch, so
that nothing is lost in black and white. Output is the same bytes for the same data."""
import matplotlib
import matplotlib.lines
import matplotlib.ticker

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the back end has to be chosen first)

BLUE, VERMILION, BLACK, GREEN, PURPLE, ORANGE, SKY, YELLOW = (
    "#0072B2", "#D55E00", "#000000", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442")
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
OTHERS = [(BLUE, "p", "-"), (VERMILION, "d", "--"), (GREEN, "<", ":"), (PURPLE, ">", "-."), (BLACK, "8", "-")]
CLASS_COLOURS = [SKY, ORANGE, GREEN, PURPLE, YELLOW, BLUE, VERMILION]
CLASS_HATCHES = ["", "///", "\\\\\\", "xxx", "---", "|||", "+++"]  # lines only: dots take a quarter of a megabyte

WIDTH = 7.2  # inches: two columns of a paper, or the width of the page


def policy(name, position=0):
    """(colour, marker, dashes) of a policy; one that is not known here gets what its position says."""
    return POLICIES.get(name) or OTHERS[position % len(OTHERS)]


def setup():
    """Everything from matplotlib's own defaults, whatever the user's matplotlibrc says."""
    matplotlib.rcdefaults()
    matplotlib.use("Agg")
    plt.rcParams.update({
        "svg.fonttype": "none", "svg.hashsalt": "palstudy", "pdf.fonttype": 42, "path.simplify": True,
        "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"], "font.size": 8.5,
        "axes.titlesize": 9, "axes.titleweight": "bold", "axes.titlelocation": "left", "axes.labelsize": 8.5,
        "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
        "axes.grid": True, "axes.grid.axis": "y", "grid.color": "#dddddd", "grid.linewidth": 0.6,
        "xtick.labelsize": 8, "ytick.labelsize": 8, "legend.fontsize": 8, "legend.frameon": False,
        "lines.linewidth": 1.5, "lines.markersize": 5, "hatch.linewidth": 0.5, "figure.constrained_layout.use": True,
        "figure.dpi": 100, "savefig.dpi": 100, "patch.linewidth": 0.5,
    })


def panels(rows, columns, height, **options):
    """A figure of the page's width with rows x columns axes, and these in reading order."""
    figure, axes = plt.subplots(rows, columns, figsize=(WIDTH, height), squeeze=False, **options)
    return figure, list(axes.flat)


def legend(axis, names, lines=False, left=False):
    """The policies of all panels, above this one, which is the first: at its right end, or, where there are panels beside it,
    above them all."""
    handles = []
    for position, name in enumerate(names):
        colour, marker, dashes = policy(name, position)
        handles.append(matplotlib.lines.Line2D([], [], color=colour, marker=marker, linestyle=dashes if lines else "none",
                                               markeredgecolor="white", markeredgewidth=0.5, markersize=6, label=name))
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


def markers(axis, at, values, look, filled):
    """Points of one policy; those that are not `filled` have no interval and are hollow."""
    colour, marker = look
    for solid in (True, False):
        chosen = [(x, y) for x, y, full in zip(at, values, filled) if bool(full) == solid]
        axis.plot([x for x, _ in chosen], [y for _, y in chosen], linestyle="none", marker=marker, color=colour,
                  markerfacecolor=colour if solid else "white", markeredgecolor="white" if solid else colour,
                  markeredgewidth=0.5 if solid else 1.1, markersize=6 if solid else 5)


def percent_axis(axis, which="y"):
    getattr(axis, which + "axis").set_major_formatter(matplotlib.ticker.PercentFormatter(1.0))


def plain_numbers():
    """0.1, 1, 10, 1,000 on a logarithmic axis."""
    return matplotlib.ticker.FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}")


def decades():
    return matplotlib.ticker.LogLocator(numticks=8)


def few_ticks(most=7):
    return matplotlib.ticker.MaxNLocator(most, steps=[1, 2, 2.5, 5, 10])


def save(figure, stem):
    """STEM.svg and STEM.pdf, without dates."""
    figure.savefig(f"{stem}.svg", metadata={"Date": None, "Creator": "palstudy-report"})
    figure.savefig(f"{stem}.pdf", metadata={"CreationDate": None, "Creator": "palstudy-report", "Producer": None})
    plt.close(figure)
