#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""philly_tables.py FILE.h5 [--at KEY=VALUE]...: what the tables of Jeon et al. (ATC'19) count, of an archive of palstudy.

Prints JSON: for each entry of a table its mean over the runs, and the ends of its 95 % interval if there are at least 8 runs.
Shares are fractions. --at takes only the runs that have this value of an axis. docs/evidence/reproduction.md is made of it.
"""
import argparse
import json
import math
import pathlib
import sys
from typing import Any, Callable

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "experiments"))

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from report.archive import Archive  # noqa: E402
from report.errors import ReportError, data_error  # noqa: E402
from report.statistics import mean_interval  # noqa: E402

SIZES = {"2-4": (2, 4), "5-8": (5, 8), "9+": (9, 1 << 24)}  # GPUs of a job, as Table 2 has them
SERVERS = {8: (1, 2, 4, 8), 16: (2, 4, 8)}  # that jobs of so many GPUs ran on
STATUSES = ("passed", "killed", "unsuccessful")


def jobs_of(archive: Any, run: int) -> pd.DataFrame:
    """The measured jobs of a run with the delays beside them."""
    jobs = archive.table("jobs", ["gpus", "measured", "status", "exec_s", "slowdown_mean", "penalty_mean"], run)
    delays = archive.table("delays", ["fair_share_s", "fragmentation_s", "gang_s", "locality_s", "nodes_mean"], run)
    table = pd.concat([jobs, delays], axis=1)
    table = table[table["measured"] != 0]
    table["wait_s"] = table[["fair_share_s", "fragmentation_s", "gang_s", "locality_s"]].sum(axis=1)
    table["fragmented_s"] = table["wait_s"] - table["fair_share_s"]
    table["speed"] = 1 / (table["slowdown_mean"] * table["penalty_mean"])
    table["gpu_s"] = table["gpus"] * table["exec_s"]
    if archive.has("failures"):
        failures = archive.table("failures", ["reason", "run_s"], run)
        table.attrs["failures"] = failures[failures["reason"] != "Job preempted"]
    return table


def fragmented(jobs: pd.DataFrame, least: int, most: int) -> float:
    """Of the delayed jobs of a size, those that waited for most of the time for other reasons than their share."""
    delayed = jobs[(jobs["gpus"] >= least) & (jobs["gpus"] <= most) & (jobs["wait_s"] > 0)]
    return float((delayed["fair_share_s"] <= delayed["fragmented_s"]).mean())


def fragmented_time(jobs: pd.DataFrame) -> float:
    several = jobs[jobs["gpus"] > 1]
    return float(several["fragmented_s"].sum() / several["wait_s"].sum()) if several["wait_s"].sum() > 0 else math.nan


def ran(jobs: pd.DataFrame, gpus: int) -> pd.DataFrame:
    return jobs[(jobs["gpus"] == gpus) & (jobs["exec_s"] > 0) & jobs["nodes_mean"].notna()]


def servers(jobs: pd.DataFrame) -> pd.Series:
    """How many servers a job was on: the nearest power of two of the mean over its time."""
    return 2.0 ** np.round(np.log2(jobs["nodes_mean"]))


def on_servers(jobs: pd.DataFrame, gpus: int, number: int) -> float:
    of_size = ran(jobs, gpus)
    return float((servers(of_size) == number).mean()) if len(of_size) else math.nan


def speed(jobs: pd.DataFrame) -> float:
    """Mean over the time for which GPUs were held."""
    held = jobs["exec_s"].sum()
    return float(np.average(jobs["speed"], weights=jobs["exec_s"])) if held > 0 else math.nan


def speed_on(jobs: pd.DataFrame, number: int) -> float:
    """Of jobs of 16 GPUs on so many servers, over that on 2: utilization is taken to be in proportion to speed."""
    wide = ran(jobs, 16)
    on = servers(wide)
    return speed(wide[on == number]) / speed(wide[on == 2])


def speed_of(jobs: pd.DataFrame, gpus: int) -> float:
    """Of jobs of so many GPUs, over that of one GPU."""
    return speed(ran(jobs, gpus)) / speed(ran(jobs, 1))


def ended(jobs: pd.DataFrame, status: str, weight: str | None) -> float:
    those = jobs["status"] == status
    return float(jobs.loc[those, weight].sum() / jobs[weight].sum()) if weight else float(those.mean())


def failed(jobs: pd.DataFrame, reason: str, weight: str | None) -> float:
    attempts = jobs.attrs["failures"]
    those = attempts["reason"] == reason
    return float(attempts.loc[those, weight].sum() / attempts[weight].sum()) if weight else float(those.mean())


def entry(runs: list[pd.DataFrame], of: Callable[..., float], *which: Any) -> dict[str, float | None]:
    """Over the runs that have such jobs."""
    values = [value for value in (of(jobs, *which) for jobs in runs) if not math.isnan(value)]
    if not values:
        return {"mean": None, "low": None, "high": None}
    mean, low, high = (float(one) for one in mean_interval(values))
    return {"mean": mean, "low": None if math.isnan(low) else low, "high": None if math.isnan(high) else high}


def tables(runs: list[pd.DataFrame]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "runs": len(runs),
        "fragmented": {name: entry(runs, fragmented, *ends) for name, ends in SIZES.items()},
        "fragmented_time": entry(runs, fragmented_time),
        "servers": {
            gpus: {number: entry(runs, on_servers, gpus, number) for number in numbers}
            for gpus, numbers in SERVERS.items()
        },
        "speed_on": {number: entry(runs, speed_on, number) for number in (4, 8)},
        "speed_of": {gpus: entry(runs, speed_of, gpus) for gpus in (4, 8, 16)},
        "ended": {
            status: {"jobs": entry(runs, ended, status, None), "gpu_time": entry(runs, ended, status, "gpu_s")}
            for status in STATUSES
        },
    }
    if runs and "failures" in runs[0].attrs:
        reasons = sorted({str(one) for jobs in runs for one in jobs.attrs["failures"]["reason"].unique()})
        made["reasons"] = {
            one: {"attempts": entry(runs, failed, one, None), "run_time": entry(runs, failed, one, "run_s")}
            for one in reasons
        }
    return made


def need_independent_seeds(archive: Any, path: str) -> None:
    """The intervals take every seed as new draws of clusters and jobs; if seeds are crossed, or draw from one trace, they would
    be too narrow."""
    drawn = archive.setting("workload.resample", archive.runs.index[0])
    if drawn not in ("", "none"):
        raise data_error(
            f"draws {drawn} of one trace by seed (workload.resample), which these tables take as other workloads",
            path,
            "run the study without workload.resample",
        )
    if len(archive.seeds) > 1:
        raise data_error(
            f"has crossed seeds ({', '.join(archive.seeds)}), which these tables take as independent",
            path,
            "give the study the axis seed alone",
        )


def runs_of(path: str, at: dict[str, str]) -> list[pd.DataFrame]:
    """The jobs of each finished run that has these values of the axes."""
    with Archive(path) as archive:
        need_independent_seeds(archive, path)
        runs = archive.runs[archive.runs["status"] == "done"]
        for key, value in at.items():
            runs = runs[runs[key].astype(str) == value]
        return [jobs_of(archive, run) for run in runs.index]


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE.h5")
    parser.add_argument("--at", action="append", default=[], metavar="KEY=VALUE")
    given = parser.parse_args(words)
    try:
        runs = runs_of(given.file, dict(one.split("=", 1) for one in given.at))
    except ReportError as error:
        print(f"philly_tables.py: {error}", file=sys.stderr)
        return error.code
    json.dump(tables(runs), sys.stdout, indent=1)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
