# SPDX-License-Identifier: MIT
"""How long the jobs of each tenant wait: virtual clusters of a trace, as they stand in /jobs."""
import pandas as pd

from .. import style
from ..archive import POLICIES, TRACE
from ..errors import LeftOut
from ..figure import Figure, figure
from ..numbers import count
from ..statistics import band_text, mean_band

ORDER, HOUR, MOST_TENANTS = "policy.order", 3600.0, 14
OTHERS = "(others)"


@figure("queue-by-tenant", "Which tenants wait longest?", place=55)
def make(context):
    context.need_table("jobs")
    runs, where = context.slice_of_runs(keep=(TRACE, ORDER))
    lines = [key for key in (ORDER, *POLICIES) if key in context.archive.axes]
    label = runs[lines].astype(str).agg(", ".join, axis=1) if lines else pd.Series("all", index=runs.index)
    jobs = context.archive.table("jobs", ["run", "tenant", "gpus", "exec_s", "wait_s", "measured"])
    jobs = jobs[jobs["run"].isin(runs.index) & (jobs["measured"] == 1) & jobs["wait_s"].notna()]
    jobs = jobs.assign(tenant=jobs["tenant"].astype(str).replace("", "(none)"), policy=jobs["run"].map(label))
    if jobs["tenant"].nunique() < 2:
        raise LeftOut("the jobs are not of several tenants.")
    tenants, rest = largest_tenants(jobs)
    jobs.loc[~jobs["tenant"].isin(tenants), "tenant"] = OTHERS
    table = means(jobs, tenants + ([OTHERS] if rest else []))
    names = list(dict.fromkeys(label))
    plot = draw(table, names)
    worst = table.loc[table["hours"].idxmax()]
    said = f" The {count(rest, 'tenant')} with least GPU time are taken together." if rest else ""
    under = "" if names == ["all"] else f" under {worst['policy']}"
    caption = (
        f"Hours for which measured jobs wait, in the mean of each tenant, those with most GPU time first; longest for "
        f"{worst['tenant']}{under}, {worst['hours']:.3g} h.{said} {count(len(runs), 'run')}: {context.what_repeats(runs)}. "
        f"{band_text(int(table['runs'].min()), 'Bars')} {where}"
    )
    return Figure(
        plot,
        table,
        " ".join(caption.split()),
        f"palstudy export {context.compare.path} --table jobs",
    )


def largest_tenants(jobs):
    """The tenants with most GPU time, and how many there are beside them."""
    time = (jobs["gpus"] * jobs["exec_s"]).groupby(jobs["tenant"]).sum().sort_values(ascending=False, kind="stable")
    most = len(time) if len(time) <= MOST_TENANTS else MOST_TENANTS - 1
    return list(time.index[:most]), len(time) - most


def means(jobs, tenants):
    """A row a tenant and policy: the mean wait of each run, and its mean and band over the runs."""
    each = jobs.groupby(["tenant", "policy", "run"], observed=True)["wait_s"].mean() / HOUR
    rows = [
        [
            tenant,
            policy,
            *mean_band(some),
            len(some),
            jobs[(jobs["tenant"] == tenant) & (jobs["policy"] == policy)].shape[0],
        ]
        for (tenant, policy), some in each.groupby(level=["tenant", "policy"], sort=False)
    ]
    table = pd.DataFrame(rows, columns=["tenant", "policy", "hours", "low", "high", "runs", "jobs"])
    return table.sort_values("tenant", key=lambda names: names.map(tenants.index), kind="stable").reset_index(drop=True)


def draw(table, names):
    tenants = list(dict.fromkeys(table["tenant"]))
    plot, (axis,) = style.panels(1, 1, 1.1 + 0.28 * len(tenants))
    for position, name in enumerate(names):
        mine = table[table["policy"] == name]
        shift = (position - (len(names) - 1) / 2) * 0.7 / max(len(names), 3)
        at = [tenants.index(tenant) + shift for tenant in mine["tenant"]]
        colour, marker, _ = style.policy(name, position)
        for y, low, high in zip(at, mine["low"], mine["high"]):
            axis.plot([low, high], [y, y], color=colour, linewidth=2, alpha=0.6, solid_capstyle="butt")
        style.markers(axis, mine["hours"], at, (colour, marker), mine["low"].notna())
    axis.set_yticks(range(len(tenants)), tenants)
    axis.set_ylim(len(tenants) - 0.5, -0.5)
    axis.set_xlim(left=0)
    axis.grid(True, axis="x")
    axis.set_xlabel("mean wait, hours")
    if names != ["all"]:
        style.legend(axis, names)
    return plot
