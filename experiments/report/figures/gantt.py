# SPDX-License-Identifier: MIT
"""One run, GPU by GPU: which class of jobs held which GPUs when, and which GPUs are slow."""
import matplotlib.collections
import matplotlib.patches
import numpy as np

from .. import style
from ..archive import PLACEMENT
from ..errors import LeftOut
from ..figure import Figure, figure
from ..gantt_bars import bars, segments
from ..numbers import count, short

MOST_BARS, MOST_GPUS, HOUR = 5000, 128, 3600.0
SLOW = 1.2  # marked: slower than this in any class, or else the slowest GPU


@figure("gantt", "What happened on each GPU of one run?", place=90)
def make(context):
    context.need_table("events")
    archive = context.archive
    run = chosen_run(context)
    events = archive.table("events", ["time_s", "kind", "job", "gpu_begin", "gpu_count"], run)
    if events.empty:
        raise LeftOut(f"the archive has no events of run {run}.")
    first = int(events["gpu_begin"].iloc[0])
    last = int(events["gpu_begin"].iloc[-1] + events["gpu_count"].iloc[-1])
    events["gpu_begin"] -= first
    table = bars(segments(events, archive.column("events", "gpu", slice(first, last))))
    slowdowns = archive.cluster_of(run)
    gpus = archive.gpus(run)
    shown, cut_gpus = window_of_gpus(gpus, slowdowns)
    table = table[(table["gpu"] < shown.stop) & (table["gpu"] + table["gpus"] > shown.start)]
    end, cut_time = window_of_time(table)
    table = table[table["from_s"] < end].assign(**{"class": "?"})
    if archive.has("jobs"):
        jobs = archive.table("jobs", ["job", "class"], run).set_index("job")["class"]
        table["class"] = table["job"].map(jobs.astype(str)).fillna("?")
    plot, slow = draw(table, slowdowns, shown, end, nodes_of(archive, run, gpus))
    silent = "" if archive.claims[run] else " This run makes no claim: it failed, was unstable or left jobs unfinished."
    caption = (
        f"{describe(context, run)}{silent} Each bar is a job on neighbouring GPUs; white is idle. {slow}{cut_gpus}{cut_time} "
        "A single run, so there is no interval."
    )
    return Figure(plot, table, caption)


def chosen_run(context):
    archive = context.archive
    if context.run is not None:
        if context.run not in archive.runs.index:
            raise LeftOut(f"--run {context.run}: the archive has runs 0 to {len(archive.runs) - 1}.")
        return context.run
    runs, _ = context.slice_of_runs()
    if PLACEMENT in runs and (runs[PLACEMENT] == "pal").any():
        runs = runs[runs[PLACEMENT] == "pal"]
    return int(runs.index[0])


def describe(context, run):
    axes = ", ".join(f"{key} = {short(context.archive.runs.loc[run, key])}" for key in context.archive.axes)
    return f"Run {run}{' (' + axes + ')' if axes else ''}; --run N shows another."


def window_of_gpus(gpus, slowdowns):
    """At most 128 GPUs, around the slowest one."""
    if gpus <= MOST_GPUS:
        return range(gpus), ""
    slowest = int(np.argmax(worst(slowdowns))) if slowdowns else 0
    first = min(slowest // MOST_GPUS * MOST_GPUS, gpus - MOST_GPUS)
    return range(first, first + MOST_GPUS), f" {MOST_GPUS} of {gpus:,} GPUs are shown, those around the slowest."


def window_of_time(table):
    """All of it, or as long as its first 5,000 bars reach."""
    end = float(table["to_s"].max()) if len(table) else 1.0
    if len(table) <= MOST_BARS:
        return end, ""
    end = float(table["from_s"].iloc[MOST_BARS])
    return end, f" Only the first {end / HOUR:.1f} hours are shown."


def nodes_of(archive, run, gpus):
    """GPUs per node, where all nodes are alike; else 0."""
    if not archive.has("nodes"):
        return 0
    rows = archive.rows_of("nodes", run)
    nodes = rows.stop - rows.start
    return gpus // nodes if nodes and gpus % nodes == 0 else 0


def worst(slowdowns):
    return np.max(np.stack(list(slowdowns.values())), axis=0)


def draw(table, slowdowns, shown, end, per_node):
    height = min(max(0.075 * len(shown), 2.5), 8.5)
    plot, (left, right) = style.plt.subplots(
        1, 2, figsize=(style.WIDTH, height), sharey=True, gridspec_kw={"width_ratios": [1, 7]}
    )
    for position, name in enumerate(sorted(table["class"].unique())):
        some = table[table["class"] == name]
        boxes = [
            ((row.from_s / HOUR, row.gpu - 0.5), (row.to_s - row.from_s) / HOUR, row.gpus)
            for row in some.itertuples(index=False)
        ]
        look = {
            "facecolor": style.CLASS_COLOURS[position % 7],
            "hatch": style.CLASS_HATCHES[position % 7],
            "edgecolor": "#333333",
            "linewidth": 0.25,
        }
        right.add_collection(
            matplotlib.collections.PatchCollection(
                [matplotlib.patches.Rectangle(*box) for box in boxes], match_original=False, **look
            )
        )
        right.add_patch(matplotlib.patches.Rectangle((-1, -10), 0, 0, label=f"class {name}", **look))  # for the legend
    right.set_xlim(0, end / HOUR)
    right.set_ylim(shown.stop - 0.5, shown.start - 0.5)
    right.set_xlabel("hours")
    for axis in (left, right):
        axis.grid(False)
        axis.set_yticks(
            list(range(shown.start, shown.stop, max(per_node, 1) * (4 if len(shown) > 32 and per_node else 1)))
        )
    for edge in range(shown.start, shown.stop, per_node) if per_node else ():
        for axis in (left, right):
            axis.axhline(edge - 0.5, color="#bbbbbb", linewidth=0.4, zorder=0)
    slow = draw_slowdowns(left, right, slowdowns, shown)
    left.set_ylabel("GPU" + (f" (lines between nodes of {per_node})" if per_node else ""))
    handles, labels = right.get_legend_handles_labels()
    keep = dict(zip(labels, handles))
    right.legend(keep.values(), keep.keys(), ncol=7, loc="lower right", bbox_to_anchor=(1, 1.0), borderaxespad=0.2)
    return plot, slow


def draw_slowdowns(left, right, slowdowns, shown):
    """How slow each GPU is, as bars beside the chart; slow ones get a mark and their number. The sentence about them."""
    if not slowdowns:
        left.set_visible(False)
        return "The archive holds no slowdowns of this cluster."
    values = worst(slowdowns)
    some = values[shown.start : shown.stop]
    marked = [gpu for gpu in shown if values[gpu] > SLOW] or [shown.start + int(np.argmax(some))]
    left.barh(
        list(shown), some - 1, height=0.8, color=[style.VERMILION if gpu in marked else style.GREY for gpu in shown]
    )
    left.set_xlabel("slowest class\nover median", fontsize=7.5)
    left.invert_xaxis()
    left.xaxis.set_major_locator(style.few_ticks(2))
    style.percent_axis(left, "x")
    for gpu in marked[:12]:
        right.annotate(
            f"\N{BLACK LEFT-POINTING TRIANGLE} {values[gpu]:.2g}x",
            (1.0, gpu),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=7,
            color=style.VERMILION,
        )
    which = ", ".join(f"{gpu} ({values[gpu]:.3g}x)" for gpu in marked[:6])
    more = f" and {len(marked) - 6} more" if len(marked) > 6 else ""
    what = f"over {SLOW}x in some class" if values[marked[0]] > SLOW else "the slowest, though under 1.2x"
    return f"Marked {'is' if len(marked) == 1 else 'are'} {count(len(marked), 'GPU')} {what}: {which}{more}."
