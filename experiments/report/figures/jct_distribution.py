# SPDX-License-Identifier: MIT
"""How long jobs take: the whole distribution by policy, with bands over seeds."""
import numpy as np
import pandas as pd

from .. import style
from ..archive import TRACE
from ..figure import Figure, figure
from ..numbers import count
from ..statistics import band_text, cumulative, mean_band

HOUR, POINTS, MOST_JOBS = 3600.0, 160, 4_000_000


@figure("jct-distribution", "How long do jobs take?", place=50)
def make(context):
    context.need_table("jobs")
    runs, where = context.slice_of_runs(keep=(TRACE,))
    runs, sampled = sample(runs)
    jobs = completion_times(context.archive, runs)
    low, high = max(jobs["jct_s"].min(), 1.0), max(jobs["jct_s"].max(), 2.0)
    grid = np.geomspace(low, high, POINTS)
    table = distributions(context, runs, jobs, grid)
    plot, axes = style.panels(1, 2, 3.1)
    draw(axes, table, [name for name in context.policies or ["all"]])
    if context.policies:
        style.legend(axes[0], context.policies, lines=True, left=True)
    fewest = int(table["replications"].min())
    caption = (
        f"Completion times of measured jobs, {count(len(jobs), 'job')} of {count(len(runs), 'run')}: "
        f"{context.what_repeats(runs)}. Left: the share of jobs done within a time; a curve further "
        f"left is better. Right: the share that takes longer, on a logarithmic scale, where the slowest jobs show. "
        f"{medians(table)} {band_text(fewest)} {where} {sampled}"
    )
    return Figure(plot, table, " ".join(caption.split()))


def sample(runs):
    """Whole runs, every so many of them, where all together have more jobs than need be read."""
    total = int(runs["job_count"].sum())
    if total <= MOST_JOBS:
        return runs, ""
    seeds = runs["seed"].unique()
    kept = seeds[:: int(np.ceil(total / MOST_JOBS))]
    some = runs[runs["seed"].isin(kept)]
    if len(kept) == len(seeds):
        return runs, ""
    return some, f"A sample: {len(kept):,} of {len(seeds):,} seeds, evenly spaced."


def completion_times(archive, runs):
    """run and jct_s of the measured jobs that finished, of these runs."""
    if len(runs) * 3 > len(archive.runs):  # most rows are wanted: one read a column
        jobs = archive.table("jobs", ["run", "jct_s", "measured"])
        jobs = jobs[jobs["run"].isin(runs.index)]
    else:
        jobs = pd.concat([archive.table("jobs", ["run", "jct_s", "measured"], run) for run in runs.index])
    return jobs[(jobs["measured"] == 1) & jobs["jct_s"].notna()]


def distributions(context, runs, jobs, grid):
    """A row a policy and time: share done, with its band over the combinations of seeds."""
    seeds = context.archive.seeds
    keys = [name for name in (context.archive.policy_key, *seeds) if name in runs]
    owner = runs.groupby(keys, observed=True, sort=False).ngroup() if keys else pd.Series(0, index=runs.index)
    by_owner = dict(list(jobs["jct_s"].groupby(owner.loc[jobs["run"]].to_numpy(), sort=False)))
    policy = runs[context.archive.policy_key].astype(str) if context.policies else pd.Series("all", index=runs.index)
    tables = []
    for name in context.policies or ["all"]:
        curves = [cumulative(by_owner[one], grid) for one in owner[policy == name].unique() if one in by_owner]
        if not curves:
            continue
        mean, low, high = mean_band(curves)
        tables.append(
            pd.DataFrame(
                {
                    "policy": name,
                    "jct_s": grid,
                    "share_done": mean,
                    "low": low.clip(0, 1),
                    "high": high.clip(0, 1),
                    "replications": len(curves),
                }
            )
        )
    return pd.concat(tables)


def draw(axes, table, names):
    for position, name in enumerate(names):
        line = table[table["policy"] == name]
        colour, _, dashes = style.policy(name, position)
        hours = line["jct_s"] / HOUR
        for axis, flip in zip(axes, (False, True)):
            middle, low, high = (1 - line[end] if flip else line[end] for end in ("share_done", "low", "high"))
            axis.fill_between(hours, low, high, color=colour, alpha=0.18, linewidth=0)
            axis.plot(hours, middle.where(middle > 1e-9) if flip else middle, color=colour, linestyle=dashes)
            axis.set_xscale("log")
            axis.set_xlabel("completion time, hours")
            axis.xaxis.set_major_locator(style.decades())
            axis.xaxis.set_major_formatter(style.plain_numbers())
    axes[0].set_ylabel("share of jobs done within")
    axes[1].set_ylabel("share of jobs that take longer")
    axes[1].set_yscale("log")
    axes[1].set_ylim(top=1.05)
    style.percent_axis(axes[0])
    axes[1].yaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")


def medians(table):
    words = []
    for name, line in table.groupby("policy", sort=False):
        half = line[line["share_done"] >= 0.5]
        if len(half):
            words.append(f"{name + ' ' if name != 'all' else ''}{half.iloc[0]['jct_s'] / HOUR:.2g} h")
    return f"Half of the jobs are done within about: {', '.join(words)}."
