# SPDX-License-Identifier: MIT
"""Values that no type and range tell: files, and texts in a language of their own. A key without a hint is drawn by its
type; a free text without one is not drawn, and the summary names it."""
from __future__ import annotations

import csv
import dataclasses
import pathlib
import random
import typing

import machines
import traces
from study import File, Study

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass
class World:
    """What has been drawn already."""

    machine: machines.Machine
    tenants: list[str]
    generated: bool
    job_count: int


Hint = typing.Callable[[random.Random, Study, World], typing.Any]

# A section of which no key means anything without one of these; with the values that it needs, where not all serve.
QUOTAS = ("tenants.gpus", "tenants.quotas")
LEADS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "failures": (("failures.model",), ()),
    "tenants": (QUOTAS, ()),
    "ladder": (QUOTAS, ()),
    "gang": (QUOTAS, ()),
    "power": (("power.off",), ()),
    "power.ces": (("power.off",), ("ces", "low-water")),
    "stop": (("stop.looks",), ()),
}
# Sections that are drawn more or less often than others.
SECTION_SHARE = {"policy": 1.0, "output": 1.0, "engine": 0.7, "stop": 0.01, "study": 0.1, "compare": 0.1}


def _failures(rng: random.Random, study: Study, world: World) -> str:
    """Philly's table, or the same with failures that come sooner, so that jobs of minutes meet them."""
    if rng.random() < 0.4:
        return rng.choice(["philly", "philly", "philly", "none"])
    with (ROOT / "jobs" / "failures" / "philly.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    share = rng.choice([0.1, 0.01])
    for row in rows[1:]:
        for column in (5, 6, 7):
            if row[column]:
                row[column] = f"{float(row[column]) * share:.6g}"
    lines = [",".join(row) for row in rows if "," not in "".join(row)]
    study.files["failures.csv"] = File(lines[0] + "\n" + "\n".join(lines[1:3]) + "\n", lines[3:], "\n")
    return "failures.csv"


def _watts(rng: random.Random, study: Study, world: World) -> str:
    if set(world.machine.classes) <= {"A", "B", "C", "D"} and rng.random() < 0.5:
        return "v100"
    rows = [
        f"{name},{kind},{rng.randint(50, 400)},{rng.choice([0.5, 1.15, 2.0]) if kind == 'uncapped' else ''}"
        for name in world.machine.classes
        for kind in [rng.choice(["capped", "uncapped", "lockstep"])]
    ]
    study.files["watts.csv"] = File("name,kind,watts,exponent\n", [*rows, "idle,idle,44,"], "\n")
    return "watts.csv"


def _outages(rng: random.Random, study: Study, world: World) -> str:
    study.files["outages.csv"] = machines.draw_outages(rng, len(world.machine.nodes))
    return "outages.csv"


def _weights(rng: random.Random, study: Study, world: World) -> str:
    rows = [f"{node},{rng.choice([1, 1, 10, 40])}" for node in range(len(world.machine.nodes))]
    study.files["weights.csv"] = File("node,weight\n", rows, "\n")
    return "weights.csv"


def _class_of(rng: random.Random, study: Study, world: World) -> str:
    named = rng.sample([*traces.NAMES, *traces.USERS, "a"], 3)
    rows = [f"{name},{rng.choice(world.machine.classes)}" for name in named]
    if rng.random() < 0.5:
        rows.append(f"*,{rng.choice(world.machine.classes)}")
    study.files["class_of.csv"] = File("name,class\n", rows, "\n")
    return "class_of.csv"


def _queues(rng: random.Random, study: Study, world: World) -> str:
    """The first has all nodes; the other has some, also of these."""
    last = len(world.machine.nodes) - 1
    first = rng.randint(0, last)
    rows = [
        f"{traces.QUEUES[0]},,{rng.choice([1, 1, 5])},{rng.choice(['', 30, 600])}",
        f"{traces.QUEUES[1]},{first}-{rng.randint(first, last)},{rng.choice([1, 3, 5])},{rng.choice(['', 5])}",
    ]
    study.files["queues.csv"] = File("queue,nodes,tier,default_min\n", rows, "\n")
    return "queues.csv"


def _conf(rng: random.Random, study: Study, world: World) -> str:
    """The nodes of the machine, two partitions, and settings of the scheduler, in a file of the site."""
    last = len(world.machine.nodes) - 1
    first = rng.randint(0, last)
    rows = [
        f"SchedulerParameters=bf_interval=60,bf_max_job_test={rng.choice([10, 500])},bf_continue",
        f"PriorityType=priority/{rng.choice(['basic', 'multifactor'])}",
        f"PriorityWeightAge={rng.choice([0, 1000])}",
        f"PriorityMaxAge={rng.choice(['60', '1-0', '2:00:00'])}",
    ]
    rows += [
        f"NodeName=n{node} Gres=gpu:a100:{gpus} Weight={rng.choice([1, 1, 5])}"
        for node, gpus in enumerate(world.machine.nodes)
    ]
    rows += [
        f"PartitionName={traces.QUEUES[0]} Nodes=ALL Default=YES MaxTime=UNLIMITED",
        f"PartitionName={traces.QUEUES[1]} Nodes=n[{first}-{rng.randint(first, last)}] PriorityTier={rng.choice([1, 3])}",
    ]
    study.files["slurm.conf"] = File("", rows, "\n")
    return "slurm.conf"


def _accounts(rng: random.Random, study: Study, world: World) -> str:
    accounts = [name for name in traces.ACCOUNTS if name]
    rows = [f"{account},,{rng.choice([1, 50])}" for account in accounts if rng.random() < 0.7]
    rows += [f"{account},{user},{rng.choice([1, 2, 30])}" for account in accounts for user in traces.USERS]
    study.files["accounts.csv"] = File("account,user,shares\n", rows, "\n")
    return "accounts.csv"


def _quota_of_each(rng: random.Random, world: World) -> dict[str, float]:
    named = world.tenants if rng.random() < 0.8 else world.tenants[:-1] or world.tenants
    return {
        tenant: rng.choice([0, 1, world.machine.gpus // 2, world.machine.gpus, rng.randint(1, world.machine.gpus)])
        for tenant in named
    }


def _quota_file(rng: random.Random, study: Study, world: World) -> str | None:
    if any(key.startswith("tenants.gpus") for key in study.values):
        return None  # either of them
    rows = [f"{tenant},{gpus}" for tenant, gpus in _quota_of_each(rng, world).items()]
    study.files["quotas.csv"] = File("tenant,gpus\n", rows, "\n")
    return "quotas.csv"


def _quotas(rng: random.Random, study: Study, world: World) -> dict[str, float] | None:
    return None if "tenants.quotas" in study.values else _quota_of_each(rng, world)


def _models(rng: random.Random, study: Study, world: World) -> str | None:
    """The models of the traces here, some with unusual numbers."""
    lines = []
    for name in traces.MODELS:
        lines += [
            f"[models.{name}]",
            f'class = "{rng.choice("ABCD")}"',
            f"iteration_s = {rng.choice([0.1, 1.0, 7.5])}",
            f"gradient_bytes = {rng.choice([0, 1e8, 5e9])}",
            f"skew = {rng.choice([0.1, 0.5])}",
            f"gpu_util = {rng.choice([0.2, 0.9])}",
            "mem_bw_util = 0.5",
            'source = "made up"',
        ]
    study.files["models.toml"] = File("\n".join(lines) + "\n", [])
    return "models.toml"


def _mix(rng: random.Random, study: Study, world: World) -> str:
    narrow = [width for width in (1, 2, 4, 8) if width <= world.machine.gpus]
    parts = [
        f"{name}:{rng.choice(narrow)} {rng.randint(1, 4)}" for name in rng.sample(traces.MODELS, rng.randint(1, 3))
    ]
    return ", ".join(parts)


def _all_jobs(rng: random.Random, study: Study, world: World) -> str | None:
    """The word, which stands beside nothing else that says what is measured."""
    others = [key for key in [*study.values, *study.axes] if key.startswith("measure.") and key != "measure.end_s"]
    return None if others or world.generated else "all"


def _thresholds(rng: random.Random, study: Study, world: World) -> str:
    return ", ".join(str(one) for one in sorted(rng.sample([10, 100, 3250, 7200, 40000], rng.randint(1, 3))))


def _partitions(rng: random.Random, study: Study, world: World) -> typing.Any:
    return machines.draw_partitions(rng, world.machine.nodes, world.tenants if not world.generated else [])


HINTS: dict[str, Hint] = {
    "cluster.outages": _outages,
    "cluster.weights": _weights,
    "cluster.partitions": _partitions,
    "cluster.profile": lambda rng, study, world: "longhorn",
    "compare.baseline": lambda rng, study, world: None,  # drawn with the axis of placements
    "failures.model": _failures,
    "measure.jobs": _all_jobs,
    "measure.jobs.first": lambda rng, study, world: rng.randint(0, world.job_count // 3),
    "measure.jobs.last": lambda rng, study, world: rng.randint(world.job_count // 3, max(world.job_count - 1, 0)),
    "measure.warmup_s": lambda rng, study, world: float(rng.choice([0, 3600, 86400])),
    "network.penalty": lambda rng, study, world: None,  # a word: needs a measured profile
    "network.profile": lambda rng, study, world: None,
    "policy.locality": lambda rng, study, world: None,  # as network.penalty
    "policy.system": lambda rng, study, world: None,  # an axis of its own
    "policy.thresholds": _thresholds,
    "power.watts": _watts,
    "slurm.accounts": _accounts,
    "slurm.conf": _conf,
    "slurm.queues": _queues,
    "stop.looks": lambda rng, study, world: [20, 22],
    "stop.relative_half_width": lambda rng, study, world: 0.3,
    "study.creator": lambda rng, study, world: "A. N. Other",
    "study.license": lambda rng, study, world: "CC-BY-4.0",
    "study.name": lambda rng, study, world: rng.choice(["x", "ü b", "=1+1"]),
    "study.question": lambda rng, study, world: rng.choice(["Does it hold?", "ü?"]),
    "study.title": lambda rng, study, world: rng.choice(["", "Does it hold? <b>", "ü"]),
    "tenants.gpus": _quotas,
    "tenants.quotas": _quota_file,
    "workload.class_of": _class_of,
    "workload.mix": _mix,
    "workload.models": _models,
}
