# SPDX-License-Identifier: MIT
"""exported_runs.py: the jobs of a run are written as a trace with the study that runs it again (palstudy export --trace),
and that study is run in another folder. It gives the same events and jobs, to the bit, whatever made the jobs, drew the
cluster or learned from what ended. The studies are those of experiments/ on less, and one of tenants that is not there."""
import os
import pathlib
import subprocess
import sys
import tempfile

from small_studies import EXPERIMENTS, SMALLER

PROGRAM = os.environ["PALSTUDY_PROGRAM"]
# Both say of every job what became of it and when.
OUTPUT = ["output.jobs=true", "output.events=true"]
ONE_DAY = ["measure.warmup_s=0", "measure.window_s=86400"]
# What is held: one of a study's runs, as --set has it. Most are there for what makes the jobs or is drawn by a seed.
RUNS = {
    "sia-philly": [
        "policy.placement=pal",
        "workload.trace=../jobs/traces/sia-philly/workload-2.csv",
        "workload.reader=sia",
    ],
    "rivals": ['policy.system=["pal-easy","slurm"]', "cluster.source=bootstrap", "seed=102", *ONE_DAY],
    "rivals/leases": ["policy.order=rho", "cluster.source=measured", "policy.placement=pal", "seed=7", *ONE_DAY],
    "rivals/gavel": [
        "policy.scheduler=gavel",
        "policy.objective=max-min",
        "policy.aware=true",
        "policy.order=fifo",
        "policy.placement=pal",
        "cluster.source=bootstrap",
        "seed=2",
        *ONE_DAY,
    ],
    "qssf-pal": [
        "policy.order=qssf",
        "workload.predictor=ewma",
        "policy.placement=pal",
        "cluster.gpus=64",
        "seed=5",
        *ONE_DAY,
    ],
    "qssf": [
        "policy.order=qssf",
        "workload.predictor_sigma=1",
        "policy.backfill=greedy",
        "cluster.nodes=[{count=71,gpus=8}]",
        "measure.warmup_s=86400",
        "measure.window_s=43200",
        "seed=3",
    ],
    "load-las": ["policy.placement=pal", "measure.jobs={first=50,last=100}", "workload.jobs_per_h=3", "seed=[1,2]"],
    "megatron-mix": ["cluster.gpus=512", "policy.placement=pal", "seed=4", *ONE_DAY],
    "claire-ensemble": ["policy.placement=pal", "network.penalty.cluster=1.3", "seed=2", *ONE_DAY],
    "philly-failures": [
        *SMALLER["philly-failures"][:1],
        "workload.copies=1.5",
        "measure.warmup_s=86400",
        "measure.window_s=259200",
        "seed=4",
    ],
    "energy": [
        "power.off=ces",
        "power.idle_s=600",
        "power.spare=0",
        "power.ces.buffer=3",
        "policy.placement=pal",
        "cluster.gpus=64",
        "seed=6",
        *ONE_DAY,
    ],
    "trust": [
        "policy.knowledge=runs",
        "policy.placement=pal",
        "cluster.seed=4",
        "workload.seed=9",
        "measure.window_s=43200",
    ],
    "partitions": [
        "cluster.gpus=1024",
        "cluster.partitions=8",
        "routing.policy=least-loaded",
        "policy.placement=pal",
        "seed=8",
        *ONE_DAY,
    ],
}
TENANTS = """
[cluster]
gpus = 64
source = "measured"
[workload]
generator = "philly"
rho = 0.9
estimates = "uniform"
[tenants]
gpus = { QUOTAS }
[measure]
window_s = 86400
initial = true
[policy]
backfill = "greedy"
placement = "packed-sticky"
"""
failures = []


def done(*words):
    """Standard output of a command that has to end with 0."""
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"FAILED: {' '.join(map(str, words))} ends with {result.returncode}:\n{result.stderr}")
    return result.stdout


def rows(archive, table, run):
    """Of a run, without its number: what has to be equal."""
    lines = done(PROGRAM, "export", archive, "--table", table, "--run", run).splitlines()
    return [line.split(",", 1)[1] for line in lines]


def last_run(archive):
    return int(done(PROGRAM, "export", archive, "--table", "runs").splitlines()[-1].split(",", 1)[0])


def hold(name, study, settings, folder):
    archive, again = folder / "whole.h5", folder / "again.h5"
    sets = [word for setting in settings + OUTPUT for word in ("--set", setting)]
    done(PROGRAM, "run", study, "-o", archive, "--force", *sets)
    run = last_run(archive)
    jobs = folder / "elsewhere" / "jobs.csv"
    done(PROGRAM, "export", archive, "--trace", run, "-o", jobs, "--force")
    done(PROGRAM, "run", jobs.with_suffix(".toml"), "-o", again, "--force")
    for table in ("events", "jobs"):
        before, after = rows(archive, table, run), rows(again, table, 0)
        if before == after:
            continue
        failures.append(name)
        first = next(
            (i for i, pair in enumerate(zip(before, after)) if pair[0] != pair[1]), min(len(before), len(after))
        )
        print(
            f"FAILED {name}: of run {run}, /{table} differs from row {first} on ({len(before)} and {len(after)} rows):\n"
            f"  {before[first:first + 1]}\n  {after[first:first + 1]}"
        )
    if len(rows(archive, "jobs", run)) < 20:
        failures.append(name)
        print(f"FAILED {name}: so few jobs show nothing")


def main():
    only = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch).resolve()
        for name, settings in RUNS.items():
            if not only or name in only:
                hold(name, EXPERIMENTS / f"{name}.toml", settings, folder)
        if not only or "tenants" in only:
            study = folder / "tenants.toml"
            quotas = ", ".join(f'"vc{number}" = 8' for number in range(40))
            study.write_text(TENANTS.replace("QUOTAS", quotas) + '\n[axes]\n"seed" = [1, 2]\n')
            hold("tenants", study, ['tenants.unlisted="borrow"'], folder)
    print("exported runs:", f"{len(failures)} FAILED" if failures else "all hold")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
