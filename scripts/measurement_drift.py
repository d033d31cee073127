#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""measurement_drift.py: how far the GPUs of Longhorn drifted within June 2020, by the medians of SGEMM in its two halves.

Prints JSON: the days between the halves on average, the rank correlation of the medians, and how far log times moved, as
quantiles over GPUs. The knowledge `stale` is set from it (src/variability/beliefs/stale.cpp).
"""
import json
import pathlib

import numpy as np
import pandas as pd

RUNS = pathlib.Path(__file__).resolve().parents[1] / "kernels/measurements/runs/longhorn-sgemm.csv"
FIRST, HALF = (pd.Timestamp(day).timestamp() for day in ("2020-06-01", "2020-06-15"))


def main() -> None:
    runs = pd.read_csv(RUNS)
    halves = runs[runs.run >= FIRST].assign(late=runs.run >= HALF).groupby(["gpu_id", "late"])
    days = (halves.run.mean() / 86400).unstack().dropna()
    times = np.log(halves.time_ms.median()).unstack().dropna()
    moved = (times[True] - times[False]).abs()
    found = {
        "gpus": len(times),
        "days": (days[True] - days[False]).mean(),
        "rank_correlation": times.corr("spearman").iloc[0, 1],
        "half_moved_under": moved.quantile(0.5),
        "tenth_moved_over": moved.quantile(0.9),
    }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
