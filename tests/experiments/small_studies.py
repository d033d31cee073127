# SPDX-License-Identifier: MIT
"""How each study is made small, what it warns of and what it cannot answer. A study that is not named here is held to the
default: 8 seeds, two values of every other axis, no warning, a comparison with an interval."""
import pathlib
import sys

EXPERIMENTS = pathlib.Path(__file__).resolve().parents[2] / "experiments"
SEEDS = 8  # the fewest replications that give an interval
LOOKS = [20, 40]  # the first look is at 20 seeds or later

# Less of the same, as --set has it, so that a run takes tenths of a second.
SMALLER_PHILLY = [
    "cluster.nodes=[{count=53,gpus=8},{count=73,gpus=2}]",
    "workload.copies=1",
    "measure.warmup_s=86400",
    "measure.window_s=259200",
]
LOW_LOAD = ["measure.jobs={first=200,last=500}", "workload.jobs_per_h=[2,3]"]
FROM_THE_START = ["measure.warmup_s=0", "measure.window_s=43200"]  # so that no run is left out for its queue
SMALLER = {
    "claire-ensemble": FROM_THE_START,
    "load-fifo": LOW_LOAD,
    "load-las": LOW_LOAD,
    "load-srtf": LOW_LOAD,
    "megatron-mix": ["cluster.gpus=512", *FROM_THE_START],
    "million": ["cluster.gpus=4096", "cluster.partitions=4"],
    "partitions": ["cluster.gpus=1024", "cluster.partitions=[1,8]", *FROM_THE_START],
    "philly": SMALLER_PHILLY,
    "philly-2490": SMALLER_PHILLY,
    "philly-failures": SMALLER_PHILLY,
    "philly-pal": SMALLER_PHILLY,
    "philly-spread": ["cluster.nodes=[{count=71,gpus=8}]", *SMALLER_PHILLY[1:]],
    "qssf": [
        'policy.order=["fifo","qssf"]',
        "workload.predictor_sigma=[1]",
        "cluster.nodes=[{count=71,gpus=8}]",
        "measure.warmup_s=86400",
        "measure.window_s=259200",
    ],
    "qssf-pal": ['policy.order=["fifo","qssf"]', "cluster.gpus=64", *FROM_THE_START],
    "rivals": ['policy.system=["pal-las","easy","slurm","gavel"]'],
    "rivals/leases": ['policy.order=["fifo","rho"]'],
    "rivals/gavel": [
        "policy.aware=[true]",
        'policy.order=["las"]',
        'policy.objective=["max-min"]',
        "measure.window_s=86400",
    ],
    "scale": ["cluster.gpus=[64,256]"],
    "supercomputer": ["cluster.gpus=2048", "measure.window_s=86400"],
}

# What is asked of a study in place of its comparison of placements, and why.
ONE_PLACEMENT = (["--metric", "causes"], "it has one placement: its answer is where the time of the jobs went")
ASKED = {
    "bins-needed": (
        ["--against", "cluster.bins=1", "--by", "policy.scheduler"],
        "it has one placement: its answer is what more bins gain",
    ),
    "bins-joint": (
        ["--against", "cluster.bins=1", "--by", "policy.scheduler", "--by", "policy.types"],
        "it has one placement: its answer is what more bins gain",
    ),
    "philly": ONE_PLACEMENT,
    "philly-2490": ONE_PLACEMENT,
    "philly-spread": ONE_PLACEMENT,
    "slurm-passes": (["--against", "slurm.passes=boundary"], "it compares ways of passing"),
    "qssf": (["--against", "policy.order=fifo"], "it has one placement and compares orders"),
    "philly-failures": (["--metric", "outcomes"], "it has one placement: its answer is what became of the jobs"),
}

# Studies that cannot have an interval: exactly this is printed in its place, and why.
ONE_CLUSTER = (
    ": 1 of at least 8 replications",
    "the paper's cluster and traces are fixed, so there is one replication",
)
NO_INTERVAL = {"sia-philly": ONE_CLUSTER, "locality-sweep": ONE_CLUSTER, "paper/figure-12": ONE_CLUSTER}

# Notes that a study may warn of (of the run, or of compare), by id, and why.
EVERYWHERE = {
    "node-size": "Longhorn's nodes have 4 GPUs",
    "unrepeatable": "what was measured of ResNet-50 and BERT does not repeat: README says so of the paper's gains",
    "split-classes": "few of Longhorn's nodes carry all three kernels",
    "few-jobs": "durations of jobs are skewed: docs/concepts/metrics.md",
    "slow-gpu": "a bad session was drawn as if it were a GPU",
    "mixed-signs": "few seeds, and traces that differ",
    "no-job-rows": "a study of many runs keeps no rows of jobs",
    "donors": "clusters are drawn from Longhorn's nodes alone",
    "overloaded": "a study of full queues measures them as they grow",
    "backlog": "a burst before the measured jobs",
    "over-one": "a burst at some seed",
    "unstable": "a burst at some seed",
    "waiting": "queues are long in studies of placement",
    "metrics-disagree": "the mean goes up and the median down, or the other way",
}
NO_QUOTA = {"no-quota": "their quotas are not published: the study's head"}
COPIED = {"copied-jobs": "copies of the trace load the machine: the study's head"}
A_ROUND = {"endless": "a move costs a round at one of the values"}
EXPECTED = {
    "philly": NO_QUOTA,
    "migration": A_ROUND,
    "leases": A_ROUND,
    "qssf": {"resampled": "days of the trace are drawn: the study's head"},
}
for larger in ("philly-2490", "philly-failures", "philly-pal", "philly-spread"):
    EXPECTED[larger] = NO_QUOTA | COPIED
EXPECTED["philly-pal"] |= A_ROUND
for assumed in ("claire-ensemble", "megatron-mix"):
    EXPECTED[assumed] = {"assumed-models": "their communication shares are assumptions: docs/howto/job-models.md"}
for on_repeating_kernels in (
    "energy",
    "energy-placement",
    "sleep-which",
    "trust",
    "two-factors/philly",
    "two-factors/published",
):
    EXPECTED[on_repeating_kernels] = {
        "joint-classes": "that is what the study asks",
        "missing-nodes": "so it was measured",
    }
for over_equal_time in ("energy", "energy-placement", "sleep-which"):
    EXPECTED[over_equal_time] |= {"horizon": "jobs arrive as long as a run lasts"}
EXPECTED["million"] = {"up-to-end": "runs end before all jobs: the study's head"}
EXPECTED["energy"] |= {"unused-key": "the small version has the first two rules alone"}
EXPECTED["trust"] |= {"run-halves": "that is one of the levels of knowledge that it asks about"}


def names():
    """Of all studies: their paths under experiments/ without the ending. experiments/data holds what studies read."""
    paths = (path.relative_to(EXPERIMENTS).with_suffix("") for path in EXPERIMENTS.rglob("*.toml"))
    return sorted(path.as_posix() for path in paths if path.parts[0] != "data")


def main():
    """Each name above is that of a study: a table of studies that are gone would hide what is not tested."""
    unknown = {name for table in (SMALLER, ASKED, NO_INTERVAL, EXPECTED) for name in table} - set(names())
    print(f"{len(names())} studies; named here, but there is no such study: {', '.join(sorted(unknown)) or 'none'}")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
