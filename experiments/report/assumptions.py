# SPDX-License-Identifier: MIT
"""What a result rests on, as a table of the page: the settings that change it most, as the resolved study has them."""
import re

from .archive import SYSTEM
from .numbers import count, short

ORIGINS = {"imported": "measurements that were imported", "bundled-kernels": "measured with palstudy measure"}
PUBLISHED = "published measurements that come with the program"

KNOWN = {
    "oracle": "the true slowdowns",
    "runs": "a few measurements of them",
    "other-half": "the other half of the measurements",
    "stale": "old measurements",
    "flat": "nothing, all GPUs alike",
}


def assumptions(archive, told):
    """[(what, value)]; which jobs are measured and the load that they offer are said in the words of `palstudy compare` (`told`), where it
    says them, since that knows the jobs and not the keys alone."""
    rows = [
        ("locality penalty", penalty(archive)),
        ("backfill", text(archive, "policy.backfill", "none")),
        ("a move costs", migration(archive)),
        ("order of jobs", text(archive, "policy.order", "fifo")),
        ("baseline", baselines(told)),
        ("policies know", knowledge(archive)),
        ("in bins of GPUs", text(archive, "cluster.bins")),
        ("measured jobs", line_of(told, "measured") or measured_jobs(archive)),
        ("offered load", line_of(told, "load")),
        ("jobs", jobs(archive)),
        ("GPUs", gpus(archive)),
        *other_settings(told),
    ]
    return [row for row in rows if row[1]]


def line_of(told, name):
    """A line of the answer without its head, which the table has, and with long times in days."""
    words = told.get(name, {}).get("text", "").removeprefix("measured: ").removeprefix("offered load: ")
    return re.sub(r"\b(\d+) s\b", lambda found: duration(found.group(1)), words)


def values(archive, key):
    """All that a key is set to in the study: of an axis its values, in their order."""
    if key in archive.runs:
        return [short(value) for value in archive.runs[key].unique()]
    first = archive.runs.drop_duplicates(SYSTEM).index if SYSTEM in archive.runs else archive.runs.index[:1]
    return list(dict.fromkeys(short(one) for one in (archive.setting(key, run) for run in first) if one))


def text(archive, key, default=""):
    found = values(archive, key)
    if len(found) > 8:
        found = [*found[:7], f"... ({len(found)} values)"]
    return ", ".join(found) or default


def penalty(archive):
    levels = [
        (words, text(archive, f"network.penalty.{level}"))
        for level, words in (
            ("node", "within a node"),
            ("cabinet", "within a cabinet"),
            ("cluster", "between cabinets"),
        )
    ]
    return "; ".join(f"{value} {words}" for words, value in levels if value) or text(archive, "network.penalty")


def migration(archive):
    found = values(archive, "engine.migration_s")
    return "nothing" if [float(one) for one in found] in ([], [0]) else f"{', '.join(found)} s"


def baselines(told):
    """What each baseline does to running jobs, in the words of the line of `palstudy compare`."""
    names = told.get("compared", {}).get("baselines", [])
    return "; ".join(f"{what} {text_of}" for what, text_of in told.get("assumptions_text", []) if what in names)


def other_settings(told):
    """What the line of `palstudy compare` says that no other row does, a row each."""
    names = told.get("compared", {}).get("baselines", [])
    return [(what.rstrip(":"), text_of) for what, text_of in told.get("assumptions_text", []) if what not in names]


def origin_of(archive, origin):
    """Of a profile that is a file the archive knows no more than whether it was imported; a machine is named without an ending."""
    files = [name.endswith(".h5") for name in values(archive, "cluster.profile")]
    return PUBLISHED if origin == "imported" and not any(files) else ORIGINS.get(origin, origin)


def knowledge(archive):
    """Of the slowdowns, which rule how fast jobs run."""
    return ", ".join(
        f"{KNOWN[one]} ({one})" if one in KNOWN else one for one in values(archive, "policy.knowledge") or ["oracle"]
    )


def measured_jobs(archive):
    first, last = text(archive, "measure.jobs.first"), text(archive, "measure.jobs.last")
    if last:
        return f"jobs {first} to {last} of the trace"
    warmup, window = text(archive, "measure.warmup_s"), text(archive, "measure.window_s")
    if not window:
        return "every job of the trace"
    initial = "; those that run at time 0 as well" if text(archive, "measure.initial") == "true" else ""
    return (
        f"those that arrive within {duration(window)}"
        + (f" after {duration(warmup)}" if warmup not in ("", "0", "0.0") else " from the start")
        + initial
    )


def duration(seconds):
    """72 days, 3.5 days, 300 s; of an axis as it is."""
    try:
        number = float(seconds)
    except ValueError:
        return f"{seconds} s"
    return f"{number / 86400:g} day{'s' if number != 86400 else ''}" if number >= 86400 else f"{number:g} s"


def jobs(archive):
    generator, trace, drawn = (text(archive, f"workload.{key}") for key in ("generator", "trace", "resample"))
    load = text(archive, "workload.rho")
    if trace:
        many = len(values(archive, "workload.trace"))
        return f"{'trace' if many == 1 else count(many, 'trace')} {trace}" + (
            f", {drawn} of it drawn by seed" if drawn not in ("", "none") else ""
        )
    return f"generated ({generator})" + (f" for an offered load of {load}" if load else "")


def gpus(archive):
    """How many, and where their slowdowns come from."""
    source, origin = text(archive, "cluster.source", "table"), str(archive.attribute("profile.origin"))
    table = f" {text(archive, 'cluster.table')}" if "table" in source.split(", ") else ""
    profile = (
        f"; {origin_of(archive, origin)}: {text(archive, 'cluster.profile')}" if origin not in ("", "None") else ""
    )
    runs = archive.runs.index
    sizes = (
        list(dict.fromkeys(f"{archive.gpus(run):,}" for run in runs))
        if "cluster.gpus" in archive.runs
        else [f"{archive.gpus(runs[0]):,}"]
    )
    from_table = source == "table"
    return f"{', '.join(sizes)}; slowdowns {'read from the table' + table if from_table else 'of source ' + source + table + profile}"
