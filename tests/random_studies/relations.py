# SPDX-License-Identifier: MIT
"""Studies that are altered so that their rows follow from those of the first: metamorphic rules, each exact."""
from __future__ import annotations

import random
import typing

from archive import Archive
from comparing import Compare, Inapplicable, same_rows
from registry import Registry
from study import File, Study
from twice import twice_the_time

Relation = typing.Callable[[Study, Archive, random.Random, Registry], tuple[Study, Compare]]

UNUSED = "ÿ unused"  # after all others: what is drawn for classes and tenants depends on their numbers
# Metrics of the whole machine, or of the jobs beside it, which an idle node changes.
OF_THE_MACHINE = {"alloc_fraction", "busy_fraction", "effective_fraction", "rho_p95", "jain", "id", "digest", "seed"}


def _native_trace(study: Study) -> str:
    name = study.values.get("workload.trace")
    if study.values.get("workload.reader") != "native" or name not in study.files:
        raise Inapplicable
    return str(name)


def rows_in_another_order(
    study: Study, archive: Archive, rng: random.Random, registry: Registry
) -> tuple[Study, Compare]:
    """The rows of a trace stand for themselves, wherever they stand. Jobs of one time are taken in the order of the file,
    so that they keep theirs; tenants and users are numbered in that order too."""
    altered, name = study.copy(), _native_trace(study)
    numbered = ("tenants.", "workload.resample", "routing.policy")
    if any(key.startswith(numbered) for key in [*study.values, *study.axes]) or _anywhere(
        study, "policy.order", "multifactor"
    ):
        raise Inapplicable
    file = altered.files[name]
    times = [float(cell["submit_s"]) for cell in file.cells()]
    order = list(range(len(times)))
    rng.shuffle(order)
    of_time: dict[float, list[int]] = {}
    for row, time in enumerate(times):
        of_time.setdefault(time, []).append(row)
    file.rows = [file.rows[of_time[times[row]].pop(0)] for row in order]
    return altered, same_rows(("jobs", "events", "rounds", "delays", "failures", "power"))


def unused_class(study: Study, archive: Archive, rng: random.Random, registry: Registry) -> tuple[Study, Compare]:
    """A class that no job has changes nothing, but for GPUs that share a bin in every class."""
    if (
        "cluster.csv" not in study.files
        or _anywhere(study, "policy.types", "joint")
        or UNUSED in study.files["cluster.csv"].text()
    ):
        raise Inapplicable
    if any(key.startswith("power.") for key in [*study.values, *study.axes]):
        raise Inapplicable  # what GPUs of the class draw would have to be said
    altered = study.copy()
    rows = altered.files["cluster.csv"].rows
    gpus = sorted({tuple(row.split(",")[:2]) for row in rows}, key=lambda ids: int(ids[0]))
    altered.files["cluster.csv"] = File(
        "gpu_id,node_id,class,score\n", rows + [f"{gpu},{node},{UNUSED},1" for gpu, node in gpus], "\n"
    )
    return altered, same_rows(("jobs", "events", "rounds", "delays", "failures"), (f"slowdown_{UNUSED}",))


def unused_bin(study: Study, archive: Archive, rng: random.Random, registry: Registry) -> tuple[Study, Compare]:
    """A bin more than a class has slowdowns stays empty."""
    bins = study.values.get("cluster.bins")
    known = study.values.get("policy.knowledge", "oracle")
    if (
        not isinstance(bins, int)
        or bins > 15
        or "cluster.csv" not in study.files
        or known != "oracle"
        or "policy.knowledge" in study.axes
    ):
        raise Inapplicable
    scores: dict[str, set[str]] = {}
    for row in study.files["cluster.csv"].rows:
        _, _, cls, score = row.split(",")
        scores.setdefault(cls, set()).add(score)
    if max(len(values) for values in scores.values()) > bins:
        raise Inapplicable
    altered = study.copy()
    altered.values["cluster.bins"] = bins + 1
    return altered, same_rows(("jobs", "events", "rounds", "delays", "failures", "power"))


def unused_tenant(study: Study, archive: Archive, rng: random.Random, registry: Registry) -> tuple[Study, Compare]:
    """A tenant without jobs takes nothing, unless quotas are in proportion."""
    if "tenants.gpus" not in study.values or study.values.get("tenants.scale") or "tenants.scale" in study.axes:
        raise Inapplicable
    altered = study.copy()
    altered.values["tenants.gpus"] = {**study.values["tenants.gpus"], UNUSED: 8}
    return altered, same_rows(("jobs", "events", "rounds", "delays", "failures"))


def node_that_is_down(study: Study, archive: Archive, rng: random.Random, registry: Registry) -> tuple[Study, Compare]:
    """A node that is never up changes no schedule, where nobody looks at slowdowns or at the size of the cluster."""
    values = study.values
    blind = {
        "policy.placement": ("packed-sticky", "packed-nonsticky"),
        "policy.order": ("fifo", "las", "srtf", "srtf-gpu", "sjf", "fewest-gpus", "qssf", "las2d", None),
    }
    for key, choices in blind.items():
        if key in study.axes or values.get(key) not in choices:
            raise Inapplicable
    others = (
        "tenants.",
        "power.",
        "failures.faults",
        "policy.scheduler",
        "policy.estimate_inflation",
        "policy.reservation",
        "cluster.nodes",
    )
    if (
        any(key.startswith(others) for key in [*values, *study.axes])
        or "cluster.csv" not in study.files
        or "workload.trace" not in values
    ):
        raise Inapplicable
    if archive.values.get("cluster.partitions", 1) != 1 or any(key.startswith("cluster.") for key in study.axes):
        raise Inapplicable
    altered = study.copy()
    each = values["cluster.gpus_per_node"]
    node, first = values["cluster.gpus"] // each, values["cluster.gpus"]
    classes = sorted({row.split(",")[2] for row in study.files["cluster.csv"].rows})
    altered.values["cluster.gpus"] += each
    altered.files["cluster.csv"].rows += [f"{first + gpu},{node},{name},1" for gpu in range(each) for name in classes]
    outages = altered.files.setdefault("outages.csv", File("node,from_s,to_s,kind\n", [], "\n"))
    if "cluster.outages" not in values:
        outages.rows = []
    outages.rows.append(f"{node},0,1e12,down")
    altered.values["cluster.outages"] = "outages.csv"
    machine = OF_THE_MACHINE | {"slowdown_mean", "energy_j"}
    return altered, same_rows(("events", "jobs", "rounds"), machine)


def one_size(study: Study, archive: Archive, rng: random.Random, registry: Registry) -> tuple[Study, Compare]:
    """One partition is a list of one size."""
    if (
        "cluster.partitions" in study.axes
        or "cluster.gpus" in study.axes
        or archive.values.get("cluster.partitions", 1) != 1
    ):
        raise Inapplicable
    altered = study.copy()
    nodes = altered.values.get("cluster.nodes")
    gpus = sum(group["count"] * group["gpus"] for group in nodes) if nodes else altered.values.get("cluster.gpus", 64)
    altered.values["cluster.partitions"] = [gpus]
    return altered, same_rows(("jobs", "events", "rounds", "nodes", "delays", "failures", "power"))


def _anywhere(study: Study, key: str, value: typing.Any) -> bool:
    """Whether a run may have this value of a key."""
    axis = study.axes.get(key, [])
    systems = study.axes.get("policy.system", [])
    return (
        study.values.get(key) == value
        or value in (axis if isinstance(axis, list) else [])
        or any(one.get(key.rpartition(".")[2]) == value for one in systems)
    )


RELATIONS: dict[str, Relation] = {
    "twice-the-time": twice_the_time,
    "rows-in-another-order": rows_in_another_order,
    "unused-class": unused_class,
    "unused-bin": unused_bin,
    "unused-tenant": unused_tenant,
    "node-that-is-down": node_that_is_down,
    "one-size": one_size,
}
