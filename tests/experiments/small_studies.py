# SPDX-License-Identifier: MIT
"""How each study is made small, what it warns of and what it cannot answer. A study that is not named here is held to the
default: 8 seeds, two values of every other axis, no warning, a comparison with an interval."""
import pathlib
import sys

EXPERIMENTS = pathlib.Path(__file__).resolve().parents[2] / "experiments"
SEEDS = 8  # the fewest replications that give an interval
LOOKS = [20, 40]  # the first look is at 20 seeds or later

# Less of the same, as --set has it, so that a run takes tenths of a second.
SMALLER_PHILLY = ["cluster.nodes=[{count=53,gpus=8},{count=73,gpus=2}]", "workload.copies=1", "measure.warmup_s=86400",
                  "measure.window_s=259200"]
LOW_LOAD = ["measure.jobs={first=200,last=500}", "workload.jobs_per_h=[2,3]"]
FROM_THE_START = ["measure.warmup_s=0", "measure.window_s=43200"]  # so that no run is left out for its queue
SMALLER = {
    "claire-ensemble": FROM_THE_START,
    "load-fifo": LOW_LOAD, "load-las": LOW_LOAD, "load-srtf": LOW_LOAD,
    "megatron-mix": ["cluster.gpus=512", *FROM_THE_START],
    "million": ["cluster.gpus=4096", "cluster.partitions=4"],
    "partitions": ["cluster.gpus=1024", "cluster.partitions=[1,8]", *FROM_THE_START],
    "philly": SMALLER_PHILLY, "philly-2490": SMALLER_PHILLY, "philly-failures": SMALLER_PHILLY,
    "philly-pal": SMALLER_PHILLY, "philly-spread": ["cluster.nodes=[{count=71,gpus=8}]", *SMALLER_PHILLY[1:]],
    "qssf": ["policy.order=[\"fifo\",\"qssf\"]", "workload.predictor_sigma=[1]", "cluster.nodes=[{count=71,gpus=8}]", "measure.warmup_s=86400",
             "measure.window_s=259200"],
    "qssf-pal": ["policy.order=[\"fifo\",\"qssf\"]", "cluster.gpus=64", *FROM_THE_START],
    "rivals": ["policy.system=[\"pal-las\",\"easy\",\"gavel\"]"],
    "rivals/leases": ["policy.order=[\"fifo\",\"rho\"]"],
    "rivals/gavel": ["policy.aware=[true]", "policy.order=[\"las\"]", "policy.objective=[\"max-min\"]", "measure.window_s=86400"],
    "scale": ["cluster.gpus=[64,256]"],
    "supercomputer": ["cluster.gpus=2048", "measure.window_s=86400"],
}

# What is asked of a study in place of its comparison of placements, and why.
ONE_PLACEMENT = (["--metric", "causes"], "it has one placement: its answer is where the time of the jobs went")
ASKED = {"bins-needed": (["--against", "cluster.bins=1", "--by", "policy.scheduler"],
                         "it has one placement: its answer is what more bins gain"),
         "bins-joint": (["--against", "cluster.bins=1", "--by", "policy.scheduler", "--by", "policy.types"],
                        "it has one placement: its answer is what more bins gain"),
         "philly": ONE_PLACEMENT, "philly-2490": ONE_PLACEMENT, "philly-spread": ONE_PLACEMENT,
         "qssf": (["--against", "policy.order=fifo"], "it has one placement and compares orders"),
         "philly-failures": (["--metric", "outcomes"], "it has one placement: its answer is what became of the jobs")}

# Studies that cannot have an interval: exactly this is printed in its place, and why.
ONE_CLUSTER = (": 1 of at least 8 replications", "the paper's cluster and traces are fixed, so there is one replication")
NO_INTERVAL = {"sia-philly": ONE_CLUSTER, "locality-sweep": ONE_CLUSTER, "paper/figure-12": ONE_CLUSTER}

# Warnings, as regular expressions of a whole line, that a study may give (of the run, or of compare), and why.
EVERYWHERE = [
    (r"longhorn-\w+: a node of 8 GPUs is 2 measured nodes of 4, .*", "Longhorn's nodes have 4 GPUs"),
    (r"longhorn-\w+: a node of 2 GPUs takes that many of a measured node of 4, .*", "Longhorn's nodes have 4 GPUs"),
    (r"what was measured is hardly a property of the GPU: .*",
     "what was measured of ResNet-50 and BERT does not repeat: README says so of the paper's gains"),
    (r"classes drawn apart, each kernel from its own nodes: .*", "few of Longhorn's nodes carry all three kernels"),
    (r"few jobs rule \w+: .*", "durations of jobs are skewed: docs/metrics.md"),
    (r"before quoting a gain: in .* the slowest GPU has a slowdown over 2 .*", "a bad session was drawn as if it were a GPU"),
    (r"averages hide opposite signs, and --by KEY splits them: .*", "few seeds, and traces that differ"),
    (r"whether few jobs rule the means is not known: .*", "a study of many runs keeps no rows of jobs"),
]
NO_QUOTA = [(r"18 jobs of 4 tenants without a quota are left out: .*", "their quotas are not published: the study's head")]
EXPECTED = {name: NO_QUOTA for name in ("philly", "philly-2490", "philly-failures", "philly-pal", "philly-spread")}
COPIED = [(r".*philly_82k.csv.gz: (workload.copies = .* of 82,229 jobs; .*|\d+ jobs in place of 82229, workload.copies = \d+)",
           "copies of the trace load the machine: the study's head")]
for larger in ("philly-2490", "philly-failures", "philly-pal", "philly-spread"):
    EXPECTED[larger] = NO_QUOTA + COPIED
A_ROUND = [(r"engine.migration_s is not less than engine.round_s: .*", "a move costs a round at one of the values")]
EXPECTED["migration"] = EXPECTED["leases"] = A_ROUND
EXPECTED["qssf"] = [(r".*philly_82k.csv.gz: \d+ jobs in \d+ days.*; each workload.seed draws as many .*", "days of the trace are drawn: the study's head")]
EXPECTED["claire-ensemble"] = EXPECTED["megatron-mix"] = [(r"uncalibrated: .*", "their communication shares are assumptions: docs/models.md")]
EXPECTED["philly-pal"] += A_ROUND
for on_repeating_kernels in ("energy", "energy-placement", "sleep-which", "trust", "two-factors/philly", "two-factors/published"):
    EXPECTED[on_repeating_kernels] = [
        (r"classes drawn jointly, from the 42 nodes of 4 GPUs that carry all of .*", "that is what the study asks"),
        (r"longhorn-sgemm: 48 of 392 GPUs were left out, their node is not known", "so it was measured")]

for over_equal_time in ("energy", "energy-placement", "sleep-which"):
    EXPECTED[over_equal_time].append((r"\d+ of \d+ runs? end after power.horizon_s, .*", "jobs arrive as long as a run lasts"))
EXPECTED["energy"].append((r"power.ces.buffer is not used: .*", "the small version has the first two rules alone"))
EXPECTED["trust"].append((r'policy.knowledge = "other-half": .*', "that is one of the levels of knowledge that it asks about"))


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
