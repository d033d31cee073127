#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reduce the public per-run GPU measurements in hal-uw/blox-pal to per-GPU profiles.

usage: derive_profiles.py SRC_AGGREGATED_DATA_DIR OUT_DIR

Writes one <cluster>-<application>.csv per data set (one row per physical GPU) and
runs/<cluster>-<application>.csv (one row per run, compact). All times in milliseconds.
"""
import os
import sys
import numpy as np
import pandas as pd

SETS = [
    # cluster, app, file, factor to ms of the `perf` column, run key
    ("longhorn", "sgemm", "sim/sgemm-longhorn-agg.csv", 1.0, "ts"),
    ("longhorn", "resnet50", "sim/resnet-longhorn-agg.csv", 1.0, "ts"),
    ("longhorn", "bert", "sim/bert-longhorn-agg.csv", 1.0, "ts"),
    ("longhorn", "pagerank", "sim/pagerank-longhorn-agg.csv", 1.0, "ts"),
    ("frontera", "resnet50", "frontera/frontera-resnet-agg.csv", 1e3, "reps"),
    ("frontera", "bert", "frontera/frontera-bert-agg.csv", 1e3, "reps"),
    ("frontera", "pagerank", "frontera/frontera-pagerank-agg.csv", 1e-6, "run"),
    ("lonestar6", "resnet50", "ls6/resnet-ls6-agg.csv", 1e3, None),
]


def q(p):
    def f(x):
        return np.percentile(x, p)

    f.__name__ = "p%02d" % p
    return f


def host_number(s):
    return pd.to_numeric(s, errors="coerce").astype("Int64")


def load(src, cluster, app, rel, k, runkey):
    d = pd.read_csv(os.path.join(src, rel), low_memory=False)
    n_raw = len(d)
    if app == "sgemm":
        # the file repeats whole blocks of rows; a run is identified by GPU + first/last kernel time
        d = d.drop_duplicates(["uuid", "perf", "kern_min_start", "kern_max_start"])
        d.loc[d.cabinet.astype(str) == "-1", ["cabinet", "node"]] = np.nan
        known = d.dropna(subset=["cabinet"]).groupby("uuid")[["cabinet", "node"]].first()
        for c in ("cabinet", "node"):
            d[c] = d[c].where(d[c].notna(), d.uuid.map(known[c]))
        d["device"] = np.nan
    d = d.assign(time_ms=d.perf * k, node=host_number(d.node), device=host_number(d.device))
    real_uuid = d.uuid.astype(str).str.startswith("GPU-")
    d["gpu_uuid"] = d.uuid.where(real_uuid, "")
    slot = cluster + "-" + d.cabinet.astype(str) + "-" + d.node.astype(str) + "-" + d.device.astype(str)
    d["gpu_id"] = np.where(d.device.notna(), slot, cluster + "-" + d.uuid.astype(str))
    d["run"] = d[runkey] if runkey else 0
    return d, n_raw


def main(src, out):
    os.makedirs(os.path.join(out, "runs"), exist_ok=True)
    frames = {}
    for cluster, app, rel, k, rk in SETS:
        frames[cluster, app], n = load(src, cluster, app, rel, k, rk)
        print("%-10s %-9s raw %5d kept %5d" % (cluster, app, n, len(frames[cluster, app])))
    # SGEMM rows carry a UUID but no local index; the PageRank file has both
    pr = frames["longhorn", "pagerank"].groupby("gpu_uuid")[["cabinet", "node", "device"]].first()
    sg = frames["longhorn", "sgemm"]
    for c in ("cabinet", "node", "device"):
        sg[c] = sg[c].where(sg[c].notna(), sg.gpu_uuid.map(pr[c]))
    for (cluster, app), d in frames.items():
        for c in ("pwr", "temp", "freq"):
            if c not in d:
                d[c] = np.nan
        g = d.groupby("gpu_id", sort=True)
        t = g.time_ms.agg(["count", "median", "mean", "std", q(5), q(95), "min", "max"])
        p = g[["gpu_uuid", "cabinet", "node", "device"]].first().join(t)
        p = p.join(g[["pwr", "temp", "freq"]].median())
        p = p.rename(
            columns={
                "device": "local_gpu",
                "count": "runs",
                "median": "median_ms",
                "mean": "mean_ms",
                "std": "stddev_ms",
                "p05": "p05_ms",
                "p95": "p95_ms",
                "min": "min_ms",
                "max": "max_ms",
                "pwr": "power_w",
                "temp": "temp_c",
                "freq": "sm_mhz",
            }
        )
        p["slowdown"] = p.median_ms / p.median_ms.median()
        p["host"] = np.where(p.cabinet.notna(), p.cabinet.astype(str) + "-" + p.node.astype(str), "")
        p = p[
            [
                "gpu_uuid",
                "cabinet",
                "host",
                "local_gpu",
                "runs",
                "median_ms",
                "mean_ms",
                "stddev_ms",
                "p05_ms",
                "p95_ms",
                "min_ms",
                "max_ms",
                "power_w",
                "temp_c",
                "sm_mhz",
                "slowdown",
            ]
        ]
        name = "%s-%s.csv" % (cluster, app)
        p.to_csv(os.path.join(out, name), float_format="%.6g")
        r = d[["gpu_id", "run", "time_ms"] + (["pwr", "temp", "freq"] if d.pwr.notna().any() else [])]
        r = r.sort_values(["gpu_id", "run"]).rename(columns={"pwr": "power_w", "temp": "temp_c", "freq": "sm_mhz"})
        r.to_csv(os.path.join(out, "runs", name), index=False, float_format="%.6g")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
