# SPDX-License-Identifier: MIT
"""What powering nodes off saves and costs, and where the energy goes: the table /power and the metrics of energy."""
import numpy as np
import pandas as pd

from .. import style
from ..archive import POLICIES, TRACE, is_seed
from ..errors import LeftOut, NoClaim
from ..figure import Figure, figure
from ..numbers import count, percent
from ..statistics import mean_interval

OFF, NONE, ORDER, RANDOM, KWH = "power.off", "none", "power.off_order", "random", 3.6e6
STATES = {
    "unused": "busy nodes, GPUs without a job",
    "idle": "idle nodes",
    "stopping": "stopping",
    "off": "off",
    "booting": "booting",
}
CHANGES = ["saved", "saved_low", "saved_high", "delay", "delay_low", "delay_high"]


def need_power(context):
    if not context.archive.has("power"):
        raise LeftOut("energy was not accounted (power.account = true in the study does).")


@figure("energy-delay", "What does saving energy cost?", place=62)
def energy_delay(context):
    need_power(context)
    axes = [key for key in context.archive.axes if key.startswith("power.")]
    if NONE not in [str(value) for value in context.archive.axes.get(OFF, [])]:
        raise LeftOut(f'the study has no axis {OFF} with "{NONE}" on it, so that nothing is there to save against.')
    runs, where = context.slice_of_runs(keep=(TRACE, *axes))
    table = against_none(runs, axes, [key for key in context.archive.axes if key not in axes])
    if table.empty:
        raise NoClaim("no run with power-off has a partner without that makes a claim.")
    table["pareto"] = pareto(table)
    plot = draw(table)
    return Figure(
        plot,
        table,
        caption(table, axes, where),
        f"palstudy compare {context.compare.path} --metric energy_j",
    )


def against_none(runs, axes, others):
    """A row a rule, its parameters and placement: energy saved and completion time added, over the runs without power-off that agree in
    all else. Ratios of pairs, as geometric means; intervals over the pairs. Parameters that change nothing about a rule are not told.
    """
    base = (
        runs[runs[OFF] == NONE].drop_duplicates(others).set_index(others) if others else runs[runs[OFF] == NONE].head(1)
    )
    policies = [key for key in POLICIES if key in others]
    rows = []
    for values, some in runs[runs[OFF] != NONE].groupby([*axes, *policies], observed=True, sort=False):
        logs = pairs(some, base, others)
        if not len(logs):
            continue
        energy, delay = (np.exp(mean_interval(column)) for column in logs.T)
        values = values if isinstance(values, tuple) else (values,)
        rows.append([*values, *(1 - energy[[0, 2, 1]]), *(delay - 1), len(logs)])
    table = pd.DataFrame(rows, columns=[*axes, *policies, *CHANGES, "pairs"])
    return table.drop_duplicates([OFF, *policies, "saved", "delay"]).reset_index(drop=True)


def pairs(some, base, others):
    """The logarithms of the ratios of energy and of mean completion time, a row a pair."""
    rows = []
    for _, run in some.iterrows():
        key = tuple(run[other] for other in others)
        key = key[0] if len(key) == 1 else key
        if others and key not in base.index:
            continue
        partner = base.loc[key] if others else base.iloc[0]
        rows.append([np.log(run[name] / partner[name]) for name in ("energy_j", "jct_mean_s")])
    return np.array(rows, dtype=float)


def pareto(table):
    """Whether no other row saves as much for less delay, or more for as much."""
    saved, delay = table["saved"].to_numpy(), table["delay"].to_numpy()
    return [
        not any((saved >= saved[i]) & (delay <= delay[i]) & ((saved > saved[i]) | (delay < delay[i])))
        for i in range(len(table))
    ]


def draw(table):
    plot, (axis,) = style.panels(1, 1, 3.4)
    lines = [OFF, *(key for key in POLICIES if key in table and table[key].nunique() > 1)]
    names = []
    for position, (name, some) in enumerate(table.groupby(table[lines].astype(str).agg(" ".join, axis=1), sort=False)):
        names.append(name)
        some = some.sort_values("delay")
        colour, marker, _ = style.policy(name, position)
        axis.errorbar(
            some["delay"],
            some["saved"],
            color=colour,
            linestyle="none",
            elinewidth=0.7,
            alpha=0.5,
            xerr=np.nan_to_num([some["delay"] - some["delay_low"], some["delay_high"] - some["delay"]]),
            yerr=np.nan_to_num([some["saved"] - some["saved_low"], some["saved_high"] - some["saved"]]),
        )
        style.markers(axis, some["delay"], some["saved"], (colour, marker), some["saved_low"].notna())
    front = table[table["pareto"]].sort_values("delay")
    axis.plot(front["delay"], front["saved"], color=style.GREY, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)
    axis.plot(0, 0, marker="+", color="black", markersize=9)
    axis.set_xlabel("mean completion time added, against no power-off")
    axis.set_ylabel("energy saved")
    style.percent_axis(axis), style.percent_axis(axis, "x")
    style.legend(axis, names)
    return plot


def caption(table, axes, where):
    front = table[table["pareto"]].sort_values("saved", ascending=False)
    told = "; ".join(
        f"{parameters(row, axes)} saves {percent(row['saved'])} for {percent(row['delay'])}"
        for _, row in front.head(4).iterrows()
    )
    return (
        f"Energy saved and mean completion time added, against the runs without power-off (the cross) that agree in all else: geometric "
        f"means over {count(int(table['pairs'].min()), 'pair')} or more of each point, with 95 % intervals where there are eight. The grey line "
        f"is the Pareto front, {count(len(front), 'point')} of {len(table)}: {told}. {where}"
    ).strip()


def parameters(row, axes):
    return ", ".join(
        [str(row[OFF]), *(f"{key} {row[key]:g}" for key in axes if isinstance(row[key], (int, float, np.number)))]
    )


@figure("off-order", "Does it matter which nodes are off?", place=63)
def off_order(context):
    need_power(context)
    if RANDOM not in [str(value) for value in context.archive.axes.get(ORDER, [])]:
        raise LeftOut(
            f'the study has no axis {ORDER} with "{RANDOM}" on it, so that no choice of nodes has a partner at random.'
        )
    runs = context.archive.runs[context.archive.claims]
    runs = runs[runs[OFF] != NONE] if OFF in runs else runs
    table = against_random(runs, [key for key in context.archive.axes if key != ORDER])
    if table.empty:
        raise NoClaim("no run has a partner with random nodes off that makes a claim.")
    plot, axes = style.panels(1, 2, 0.9 + 0.32 * len(table), sharey=True)
    style.part_panels(plot)
    for axis, what, label in zip(axes, ("energy", "delay"), ("energy", "mean completion time")):
        middle = table[what]
        axis.errorbar(
            middle,
            range(len(table)),
            fmt="o",
            color=style.BLUE,
            markersize=4,
            elinewidth=1,
            xerr=np.nan_to_num([middle - table[what + "_low"], table[what + "_high"] - middle]),
        )
        axis.axvline(0, color="black", linewidth=0.8)
        axis.set_yticks(range(len(table)), table["point"])
        axis.set_ylim(len(table) - 0.5, -0.5)
        axis.set_xlabel(f"{label}, against random nodes off")
        style.percent_axis(axis, "x")
    told = "; ".join(
        f"{row['point']}: energy {change(row, 'energy')}, completion time {change(row, 'delay')}"
        for _, row in table.iterrows()
    )
    return Figure(
        plot,
        table,
        f"Energy and mean completion time where nodes are chosen, over those of the runs that agree in all but {ORDER} and choose them at "
        f"random: geometric means over pairs, less 1, with 95 % intervals where there are eight. {told}.",
    )


def against_random(runs, others):
    """A row a choice of nodes and point of the axes that are no seeds."""
    base = runs[runs[ORDER] == RANDOM].set_index(others)
    points = [key for key in others if not is_seed(key) and runs[key].nunique() > 1]
    rows = []
    for _, some in runs[runs[ORDER] != RANDOM].groupby([ORDER, *points], observed=True, sort=False):
        logs = pairs(some, base, others)
        if len(logs):
            energy, delay = (np.exp(mean_interval(column)) - 1 for column in logs.T)
            rows.append([", ".join(str(some[key].iloc[0]) for key in (ORDER, *points)), *energy, *delay, len(logs)])
    return pd.DataFrame(
        rows, columns=["point", "energy", "energy_low", "energy_high", "delay", "delay_low", "delay_high", "pairs"]
    )


def change(row, what):
    low, high = row[what + "_low"], row[what + "_high"]
    return percent(row[what], 2) + ("" if np.isnan(low) else f" ({percent(low, 2)} to {percent(high, 2)})")


@figure("energy", "Where does the energy go?", place=64)
def energy(context):
    need_power(context)
    runs, where = context.slice_of_runs(keep=(TRACE, OFF))
    shown = [key for key in (OFF, *POLICIES) if key in context.archive.axes]
    rows = [
        part for run in runs.index for part in parts(context.archive, run, [str(runs.loc[run, key]) for key in shown])
    ]
    table = (
        pd.DataFrame(rows, columns=["bar", "metric", "share"])
        .groupby(["bar", "metric"], sort=False)["share"]
        .sum()
        .reset_index()
    )
    repeats = {
        name: len(some)
        for name, some in runs.groupby(runs[shown].astype(str).agg(", ".join, axis=1) if shown else lambda _: "all")
    }
    table["share"] = [share / KWH / repeats[bar] for bar, share in zip(table["bar"], table["share"])]
    names = {metric: STATES.get(metric, f"jobs of class {metric}") for metric in table["metric"]}
    plot, (axis,) = style.panels(1, 1, 1.2 + 0.3 * table["bar"].nunique())
    style.stacked(axis, table, names, write=None)
    axis.set_xlabel("kWh a run, up to the horizon")
    total = table.groupby("bar", sort=False)["share"].sum()
    jobs = table[~table["metric"].isin(STATES)].groupby("bar", sort=False)["share"].sum()
    words = "; ".join(
        f"{bar}: {whole:,.0f} kWh, {percent(jobs.get(bar, 0.0) / whole)} of them by jobs"
        for bar, whole in total.items()
    )
    seeds = [key for key in context.archive.axes if is_seed(key)]
    data = table.rename(columns={"metric": "state_or_class", "share": "kwh"})
    return Figure(
        plot,
        data,
        f"Energy by state of the nodes and class of the jobs, base power included; mean over {count(len(runs), 'run')}"
        f"{' (' + ', '.join(seeds) + ')' if seeds else ''}. {words}. {where}".strip(),
        f"palstudy export {context.compare.path} --table power",
    )


def parts(archive, run, values):
    """(bar, class or state, joules) of a run."""
    rows = archive.table("power", ["state", "class", "energy_j"], run)
    for _, row in rows.iterrows():
        state = str(row["state"])
        yield [
            ", ".join(values) or "all",
            str(row["class"]) or ("unused" if state == "busy" else state),
            row["energy_j"],
        ]
