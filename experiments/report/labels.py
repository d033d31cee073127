# SPDX-License-Identifier: MIT
"""Keys, values and metrics in plain words, for the answer and the figures. What is not here is shown as it is."""
from .numbers import short

VALUES = {
    "policy.placement": {
        "pal": "PAL",
        "pal-sticky": "PAL, jobs stay",
        "pal-levels": "PAL, by levels",
        "pm-first": "PM-First",
        "packed-sticky": "packed, jobs stay",
        "packed-nonsticky": "packed, jobs move",
        "random-sticky": "random, jobs stay",
        "random-nonsticky": "random, jobs move",
        "tiresias": "Tiresias",
        "consolidate": "consolidated",
        "slurm": "Slurm",
    },
    "policy.order": {
        "fifo": "first come, first served",
        "las": "least attained service",
        "las2d": "least attained GPU time",
        "srtf": "shortest remaining time",
        "sjf": "shortest job",
        "qssf": "least predicted GPU time",
        "fewest-gpus": "fewest GPUs",
        "rho": "finish-time fairness",
        "multifactor": "Slurm's priorities",
    },
    "policy.backfill": {
        "none": "no backfill",
        "greedy": "greedy backfill",
        "easy": "EASY backfill",
        "conservative": "conservative backfill",
        "slurm": "Slurm's backfill",
    },
    "policy.knowledge": {
        "oracle": "slowdowns known",
        "runs": "known from a few runs",
        "other-half": "known from the other half of the runs",
        "stale": "known from old runs",
        "flat": "all GPUs believed alike",
    },
    "cluster.source": {
        "table": "GPUs of a table",
        "bootstrap": "drawn GPUs",
        "measured": "whole measured nodes",
        "block": "nodes drawn and smoothed",
    },
    "cluster.slowdown_max": {"> 2": "with a very slow GPU", "<= 2": "without one"},
    "power.off": {"none": "all nodes on"},
}
KEYS = {
    "policy.placement": "placement",
    "policy.system": "system",
    "policy.order": "order of jobs",
    "policy.backfill": "backfill",
    "policy.scheduler": "scheduler",
    "policy.knowledge": "policies know",
    "engine.migration_s": "seconds lost by a move",
    "network.penalty": "penalty: node / cabinet / cluster",
    "network.penalty.node": "penalty within a node",
    "network.penalty.cabinet": "penalty within a cabinet",
    "network.penalty.cluster": "penalty between cabinets",
    "cluster.source": "source",
    "cluster.bins": "bins of GPUs",
    "cluster.gpus": "GPUs",
    "cluster.partitions": "partitions",
    "cluster.slowdown_max": "slowest GPU",
    "workload.rho": "offered load",
    "workload.jobs_per_h": "jobs that arrive in an hour",
    "workload.trace": "trace",
    "workload.predictor_sigma": "error of predictions",
    "seed": "seed",
    "cluster.seed": "cluster seed",
    "workload.seed": "workload seed",
}
METRICS = {
    "jct_mean_s": "mean completion time",
    "jct_p50_s": "median completion time",
    "jct_p95_s": "95th percentile of completion times",
    "jct_p99_s": "99th percentile of completion times",
    "jct_log_mean_s": "geometric mean completion time",
    "wait_mean_s": "mean wait",
    "bounded_slowdown_mean": "mean bounded slowdown",
    "makespan_s": "makespan",
    "energy_j": "energy",
}


def key(name):
    return KEYS.get(name, name)


def metric(name):
    return METRICS.get(name, name)


def is_time(name):
    """Metrics bear their unit in their names."""
    return name.endswith("_s")


def policy(name):
    """A value of the axis that is compared: a placement, an order, or a system, whose names are the study's own."""
    return VALUES["policy.placement"].get(name) or VALUES["policy.order"].get(name, name)


def renamed(policies, points):
    """[(words, name in the study)] of policies and of points (`at`) that the page calls otherwise; capitals do not count."""
    pairs = [(policy(name), name) for name in policies]
    for of, one in ((of, str(one)) for point in points for of, one in point.items()):
        words = VALUES.get(of, {}).get(one)
        pairs += [(words, f"{of} {one}" if one.startswith(("<", ">")) else f"{of} = {one}")] if words else []
    return [(words, name) for words, name in dict.fromkeys(pairs) if words.lower() != name]


def in_sentence(name):
    """The same where a comma would tear the sentence: "packed-sticky"."""
    words = policy(name)
    return name if "," in words else words


def value(of, one):
    """A value of a key. A number says nothing without its key: "offered load = 0.6"."""
    words = VALUES.get(of, {}).get(str(one), short(one))
    return f"{key(of)} = {words}" if words in ("true", "false") or is_number(words) else words


def at(point, comma=", "):
    """The values of several keys."""
    return comma.join(value(of, one) for of, one in point.items())


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True
