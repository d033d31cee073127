# SPDX-License-Identifier: MIT
"""What a result rests on, as a table of the page: the settings that change it most, and what else `palstudy compare` says is assumed."""
from . import labels
from .archive import SYSTEM
from .numbers import count, short

SETTINGS = (
    "policy.scheduler",
    "policy.order",
    "policy.backfill",
    "engine.migration_s",
    "network.penalty",
    "policy.knowledge",
    "cluster.bins",
)
ORIGINS = {"imported": "measurements that were imported", "bundled-kernels": "measured with palstudy measure"}
PUBLISHED = "published measurements that come with the program"
MOST = 8  # values of a key; of more the first


def assumptions(archive, told):
    """[(what, value, key)]; `told` is the answer of `palstudy compare`."""
    known = told.get("assumptions", {})
    rows = [(labels.key(key), listed([words(key, one) for one in known[key]]), key) for key in SETTINGS if key in known]
    rows += [("jobs", jobs(archive), ""), ("GPUs", gpus(archive), "")]
    return rows + [(what.rstrip(":"), text, "") for what, text in told.get("assumptions_text", [])]


def words(key, one):
    """A value in words, with that of the study; several numbers of one value as 1 / 1.7 / 1.7."""
    if isinstance(one, list):
        return " / ".join(short(part) for part in one)
    if isinstance(one, dict):
        return f"{one['bins']}, outliers {one['outliers']}"
    plain = labels.VALUES.get(key, {}).get(one)
    return f"{plain} ({one})" if plain else short(one)


def listed(texts):
    return ", ".join(texts if len(texts) <= MOST else [*texts[: MOST - 1], f"... ({len(texts)} values)"])


def values(archive, key):
    """All that a key is set to in the study: of an axis its values, in their order."""
    if key in archive.runs:
        return [short(value) for value in archive.runs[key].unique()]
    first = archive.runs.drop_duplicates(SYSTEM).index if SYSTEM in archive.runs else archive.runs.index[:1]
    return list(dict.fromkeys(short(one) for one in (archive.setting(key, run) for run in first) if one))


def jobs(archive):
    traces = values(archive, "workload.trace")
    if traces:
        return f"of {count(len(traces), 'trace')}: {listed(traces)}"
    load = listed(values(archive, "workload.rho"))
    return f"generated ({listed(values(archive, 'workload.generator'))})" + (f", load {load}" if load else "")


def gpus(archive):
    """How many, and where their slowdowns come from."""
    runs = archive.runs.index if "cluster.gpus" in archive.runs else archive.runs.index[:1]
    sizes = listed(list(dict.fromkeys(f"{archive.gpus(run):,}" for run in runs)))
    sources = [labels.value("cluster.source", one) for one in values(archive, "cluster.source") or ["table"]]
    return "; ".join(one for one in (sizes, listed(sources), origin(archive)) if one)


def origin(archive):
    """Of a profile that is a file the archive knows no more than whether it was imported; a machine is named without an ending."""
    how, profiles = str(archive.attribute("profile.origin")), values(archive, "cluster.profile")
    if how in ("", "None"):
        return listed(values(archive, "cluster.table"))
    published = how == "imported" and not any(name.endswith(".h5") for name in profiles)
    return f"{PUBLISHED if published else ORIGINS.get(how, how)}: {listed(profiles)}"
