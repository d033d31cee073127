# SPDX-License-Identifier: MIT
"""An archive as the figures ask for it: python/palstudy.py reads it, and what is of the report alone is here."""
import functools
import pathlib
import shlex
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
if str(ROOT / "python") not in sys.path:
    sys.path.append(str(ROOT / "python"))

import numpy as np  # noqa: E402  (the path comes first)
import palstudy  # noqa: E402
import pandas as pd  # noqa: E402
from palstudy import is_seed  # noqa: E402, F401  (the figures take it from here)

from .errors import data_error  # noqa: E402

PLACEMENT, SYSTEM, TRACE = "policy.placement", "policy.system", "workload.trace"
POLICIES = (PLACEMENT, SYSTEM)  # the axes whose values are policies


def command_words(line):
    """The words of a command as an archive stores it. Archives of palstudy 1.0.0 have quotes within words that do not close: of these what stands
    between blanks."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


class Archive(palstudy.Archive):
    SCHEMAS = ("palstudy-archive 1.",)
    error = staticmethod(data_error)

    def lines(self, name):
        return [line for line in str(self.attribute(name)).split("\n") if line]

    @functools.cached_property
    def runs(self):
        """The table /runs, indexed by run, with the largest slowdown of each run's cluster beside it."""
        runs = self.frame("runs", [name for name in self.columns("runs") if name not in ("id", "digest")])
        runs = runs.set_index("run", drop=False)
        there = "provenance/runs" in self.tables and "slowdown_max" in self.columns("provenance/runs")
        runs["slowdown_max"] = self.column("provenance/runs", "slowdown_max") if there else np.nan
        return runs

    @property
    def policy_key(self):
        """The axis that is compared: placements, or where these are no axis systems."""
        return SYSTEM if SYSTEM in self.axes and PLACEMENT not in self.axes else PLACEMENT

    @functools.cached_property
    def claims(self):
        """Which runs may be spoken of: done, nothing left unfinished, stable. The same rule as `palstudy compare`."""
        runs = self.runs
        return (runs["status"] == "done") & (runs["jobs_unfinished"] == 0) & (runs["stable"] != 0)

    def table(self, table, columns, run=None):
        """Some columns of a table, of one run or of all."""
        return self.frame(table, columns, run)

    @property
    def systems(self):
        """{name: keys of [policy]} of the axis of systems."""
        return {one["name"]: one for one in self.study.get("axes", {}).get(SYSTEM, [])}

    def setting(self, key, run):
        """The value of a key of the study in a run, as text: of the axis, else of the resolved study."""
        value = self.value(key, run)
        if value is None or isinstance(value, dict):
            return ""
        return str(value).lower() if isinstance(value, bool) else str(value)

    def value(self, key, run):
        """The same as the study has it; None where it has no such key."""
        if key in self.runs:
            return self.runs.loc[run, key]
        of_system = self.systems.get(self.runs.loc[run, SYSTEM] if SYSTEM in self.runs else None, {})
        if key.startswith("policy.") and key[len("policy.") :] in of_system:
            return of_system[key[len("policy.") :]]
        value = self.study
        for name in key.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def gpus(self, run):
        """GPUs of the cluster of a run."""
        nodes = self.value("cluster.nodes", run)
        if nodes:
            return sum(group["count"] * group["gpus"] for group in nodes)
        return int(self.value("cluster.gpus", run))

    @functools.cached_property
    def clusters(self):
        """{key: {class: slowdowns by GPU}} of the clusters whose slowdowns are stored (at most 65,536 GPUs)."""
        with self.reading("/cluster"):
            groups = {
                key: sorted(name for name in group if name.startswith("slowdown_"))
                for key, group in self.file.get("cluster", {}).items()
            }
        return {
            key: {name[len("slowdown_") :]: self.column(f"cluster/{key}", name) for name in names}
            for key, names in groups.items()
            if names
        }

    @functools.cached_property
    def profiles(self):
        """{profile: (medians of GPUs over the median of these, times of runs over the median run)}."""
        with self.reading("/profile"):
            names = sorted(self.file.get("profile", {}))
        made = {}
        for name in names:
            times = pd.Series(self.column(f"profile/{name}", "run_time"))
            gpus = times.groupby(self.column(f"profile/{name}", "run_gpu")).median()
            made[name] = ((gpus / gpus.median()).to_numpy(), (times / times.median()).to_numpy())
        return made

    def cluster_of(self, run):
        """{class: slowdowns by GPU} of the cluster of one run, or None where it is not stored. Which cluster it was is
        told by the means of its nodes."""
        if len(self.clusters) == 1:
            return next(iter(self.clusters.values()))
        if not self.clusters or not self.has("nodes"):
            return None
        rows = self.rows_of("nodes", run)
        for classes in self.clusters.values():
            if all(self._is_cluster(values, name, rows) for name, values in classes.items()):
                return classes
        return None

    def _is_cluster(self, values, name, rows):
        means = self.column("nodes", f"slowdown_{name}", rows)
        # Nodes are alike in size where they divide the GPUs; other clusters are known by their first node alone.
        if len(means) == 0 or len(values) % len(means) != 0:
            return False
        return bool(np.allclose(values.reshape(len(means), -1).mean(axis=1), means, rtol=1e-9))
