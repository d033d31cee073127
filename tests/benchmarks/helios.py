#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes one input for HeliosArtifact's simulator and for palstudy, to time them side by side: QSSF with exact predictions on the jobs of
Philly's trace that arrive in 61 days, in its 11 virtual clusters of 352 nodes of 8 GPUs.

    git clone https://github.com/S-Lab-System-Group/HeliosArtifact && tests/benchmarks/helios.py "HeliosArtifact/framework/QSSF Service" made
    (cd "HeliosArtifact/framework/QSSF Service" && time TZ=UTC python3 simulator.py -e Philly -t ./data/Philly -s qssf -j 1)
    time palstudy run made/helios.toml -o made/helios.h5

The artifact's simulator ends with an error once its runs are over and written (it tabulates all policies, of which one was run)."""
import csv
import datetime
import gzip
import pathlib
import pickle
import sys

PHILLY = pathlib.Path(__file__).resolve().parents[2] / "jobs/traces/philly"
WINDOW_S = 61 * 86400 - 60  # as the artifact cuts it: October and November 2017
STUDY = """[study]
name = "helios"
[cluster]
nodes = [{{ count = {nodes}, gpus = 8 }}]
source = "table"
table = "cluster.csv"
partitions = {{ {sizes} }}
[network]
penalty = {{ node = 1.0, cabinet = 1.0, cluster = 1.0 }}
[workload]
trace = "jobs.csv"
reader = "native"
predictor = "column"
[engine]
round_s = 1
[policy]
order = "qssf"
placement = "consolidate"
[routing]
policy = "tenant"
[output]
jobs = false
"""


def read():
    """Nodes by virtual cluster, and the jobs in these: (submit_s from the first, duration_s, num_gpus, vc)."""
    nodes = {
        row["vc"]: int(row["node num"]) for row in csv.DictReader(open(PHILLY / "philly_vc.csv", encoding="utf-8"))
    }
    with gzip.open(PHILLY / "philly_82k.csv.gz", "rt") as file:
        jobs = [
            (int(row["submit_s"]), int(row["duration_s"]), int(row["num_gpus"]), row["vc"])
            for row in csv.DictReader(file)
        ]
    jobs = [job for job in jobs if job[2] <= 8 * nodes.get(job[3], 0)]
    first = min(job[0] for job in jobs)
    return nodes, [(submit - first, *rest) for submit, *rest in jobs if submit - first <= WINDOW_S]


def rows(path, head, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head.split(","), *lines])


def for_artifact(folder, nodes, jobs):
    start = datetime.datetime(2017, 10, 1)
    rows(
        folder / "data/Philly/cluster_log.csv",
        "user,vc,jobname,gpu_num,state,submit_time,duration",
        (
            ["u", vc, f"j{i}", gpus, "Pass", start + datetime.timedelta(seconds=submit), duration]
            for i, (submit, duration, gpus, vc) in enumerate(jobs)
        ),
    )
    rows(folder / "estimators/Philly_lgb.csv", "jobname,priority", ([f"j{i}", job[1]] for i, job in enumerate(jobs)))
    (folder / "data/Philly/vc_dict_homo.pkl").write_bytes(pickle.dumps(nodes))


def for_palstudy(folder, nodes, jobs):
    rows(
        folder / "jobs.csv",
        "job_id,submit_s,num_gpus,iterations,iteration_s,class,tenant,predicted_s",
        ([i, submit, gpus, duration, 1, "A", vc, duration] for i, (submit, duration, gpus, vc) in enumerate(jobs)),
    )
    count = sum(nodes.values())
    rows(folder / "cluster.csv", "gpu_id,node_id,class,score", ([gpu, gpu // 8, "A", 1.0] for gpu in range(8 * count)))
    sizes = ", ".join(f'"{vc}" = {8 * of}' for vc, of in sorted(nodes.items()))
    (folder / "helios.toml").write_text(STUDY.format(nodes=count, sizes=sizes), encoding="utf-8")


if __name__ == "__main__":
    artifact, made = map(pathlib.Path, sys.argv[1:3])
    of_vc, all_jobs = read()
    for_artifact(artifact, of_vc, all_jobs)
    for_palstudy(made, of_vc, all_jobs)
    print(f"{len(all_jobs)} jobs")
