# SPDX-License-Identifier: MIT
"""Reads archives (hdf5-schemas/archive.md), column by column: only what a figure asks for is ever in memory."""
import contextlib
import functools
import os
import re

# Archives are replaced by a rename, never changed in place; with HDF5's lock an intact one could not be read on a file
# system without locks. HDF5 looks at the variable when it is loaded.
os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")

import h5py
import numpy as np
import pandas as pd

from .errors import data_error

SCHEMA = "palstudy-archive 1."
AXES_BETWEEN = ("seed", "job_begin")  # where the axes stand among the columns of /runs
PLACEMENT, TRACE = "policy.placement", "workload.trace"


def is_seed(key):
    """Axes that only repeat: their combinations are the replications."""
    return key == "seed" or key.endswith(".seed")


def text(value):
    """A text of HDF5, whichever way h5py gives it."""
    if isinstance(value, np.ndarray):
        return "\n".join(text(one) for one in value)
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


class Archive:
    def __init__(self, path):
        self.path = str(path)
        if not os.path.isfile(self.path):
            raise data_error("there is no such file", self.path, "give the path of an archive (palstudy run)")
        with self._reading("/"):
            self.file = h5py.File(self.path, "r")
            schema = text(self.file.attrs.get("schema", ""))
        if not schema.startswith(SCHEMA):
            raise data_error(f"is no archive of palstudy that this program reads ({schema or 'no attribute schema'})",
                             self.path, "palstudy run, or palstudy merge, makes one")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    @contextlib.contextmanager
    def _reading(self, what):
        """What h5py raises on a damaged or missing file, in one kind of error that says where."""
        try:
            yield
        except (OSError, RuntimeError, KeyError, ValueError, TypeError, UnicodeDecodeError) as error:
            reason = " ".join(str(error).split())[:160]
            raise data_error(f"cannot be read ({reason})", f"{self.path}:{what}",
                             "palstudy verify says what is damaged") from error

    def attribute(self, name, default=""):
        with self._reading(f"/@{name}"):
            value = self.file.attrs.get(name, default)
            return value if isinstance(value, (int, float)) else text(value)

    def lines(self, name):
        return [line for line in str(self.attribute(name)).split("\n") if line]

    def has(self, table):
        """Whether the table was written and has rows."""
        with self._reading(f"/{table}"):
            return table in self.file and len(self.file[table].get("run", ())) > 0

    def column(self, table, name, rows=slice(None)):
        """One column; texts as a Categorical, which keeps the codes as they are stored."""
        where = f"/{table}/{name}"
        with self._reading(where):
            dataset = self.file[where]
            values = dataset[rows]
            if values.dtype.kind == "S":
                return np.char.decode(values, "utf-8")
            if "names" in dataset.attrs:
                return pd.Categorical.from_codes(values, self._names(text(dataset.attrs["names"])))
            return values

    @functools.lru_cache(maxsize=None)
    def _names(self, path):
        return [text(name) for name in self.file[path][:]]

    def columns(self, table):
        with self._reading(f"/{table}"):
            return [text(name) for name in self.file[table].attrs["columns"]]

    @functools.cached_property
    def runs(self):
        """The table /runs, indexed by run, with the largest slowdown of each run's cluster beside it."""
        names = [name for name in self.columns("runs") if name not in ("id", "digest")]
        runs = pd.DataFrame({name: self.column("runs", name) for name in names}).set_index("run", drop=False)
        with self._reading("/provenance/runs"):
            there = "slowdown_max" in self.file.get("provenance/runs", ())
        runs["slowdown_max"] = self.column("provenance/runs", "slowdown_max") if there else np.nan
        return runs

    @functools.cached_property
    def axes(self):
        """{key: its values, in the order of the study} of every axis that takes several values; seeds included."""
        names = self.columns("runs")
        first, last = (names.index(name) for name in AXES_BETWEEN)
        values = {name: list(pd.unique(self.runs[name])) for name in names[first:last]}
        return {name: some for name, some in values.items() if len(some) > 1}

    @property
    def seeds(self):
        return [key for key in self.axes if is_seed(key)]

    @functools.cached_property
    def claims(self):
        """Which runs may be spoken of: done, nothing left unfinished, stable. The same rule as `palstudy compare`."""
        runs = self.runs
        return (runs["status"] == "done") & (runs["jobs_unfinished"] == 0) & (runs["stable"] != 0)

    @functools.cached_property
    def _bounds(self):
        """{table: (run, first row, one past the last)}; the tables are in run order."""
        return {}

    def rows_of(self, table, run):
        """The rows of one run, as a slice."""
        if table not in self._bounds:
            self._bounds[table] = self.column(table, "run")
        runs = self._bounds[table]
        return slice(int(np.searchsorted(runs, run, "left")), int(np.searchsorted(runs, run, "right")))

    def table(self, table, columns, run=None):
        """Some columns of a table, of one run or of all."""
        rows = slice(None) if run is None else self.rows_of(table, run)
        return pd.DataFrame({name: self.column(table, name, rows) for name in columns})

    def setting(self, key, run):
        """The value of a key of the study in a run, as text: of the axis, else of the resolved study."""
        if key in self.runs:
            return str(self.runs.loc[run, key])
        table, name = key.split(".", 1)
        block = re.search(rf"^\[{table}\]\n((?:(?!\[).*\n)*)", str(self.attribute("study")), flags=re.M)
        line = re.search(rf"^{re.escape(name)} = (.*)$", block.group(1), flags=re.M) if block else None
        return line.group(1).strip('"') if line else ""

    def gpus(self, run):
        """GPUs of the cluster of a run."""
        nodes = re.findall(r"count = (\d+), gpus = (\d+)|gpus = (\d+), count = (\d+)", self.setting("cluster.nodes", run))
        if nodes:
            return sum(int(a or c) * int(b or d) for a, b, c, d in nodes)
        return int(self.setting("cluster.gpus", run))

    @functools.cached_property
    def clusters(self):
        """{key: {class: slowdowns by GPU}} of the clusters whose slowdowns are stored."""
        with self._reading("/cluster"):
            groups = {key: sorted(name for name in group if name.startswith("slowdown_")) for key, group in self.file.get("cluster", {}).items()}
        return {key: {name[len("slowdown_"):]: self.column(f"cluster/{key}", name) for name in names}
                for key, names in groups.items() if names}

    @functools.cached_property
    def profiles(self):
        """{profile: (medians of GPUs over the median of these, times of runs over the median run)}."""
        with self._reading("/profile"):
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
