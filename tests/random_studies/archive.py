# SPDX-License-Identifier: MIT
"""Reads an archive by h5py alone: columns by table, texts decoded, and the rows of one run."""
from __future__ import annotations

import csv
import os
import pathlib
import re
import typing

os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")
import h5py  # noqa: E402
import numpy as np  # noqa: E402

from registry import Registry  # noqa: E402
from study import flat, tomllib  # noqa: E402

Table = dict[str, np.ndarray]
TABLES = ("jobs", "events", "rounds", "nodes", "delays", "failures", "power", "solves")


class Archive:
    """`known`: what the program says of its columns and models; nothing where nobody asks for it."""

    def __init__(self, path: pathlib.Path, known: Registry | None = None) -> None:
        self._folder, self.known = path.parent, known
        with h5py.File(path, "r") as file:
            self.runs = _columns(file, file["runs"])
            self.reasons = _columns(file, file["provenance/runs"])["reason"]
            self.tables = {name: _columns(file, file[name]) for name in TABLES if name in file}
            self.clusters = [_columns(file, one) for one in file["cluster"].values()] if "cluster" in file else []
            text = file["study/resolved"][0].decode()
            self.resolved = text
            self.values, self.axes = flat(tomllib.loads(text))

    def run_numbers(self) -> list[int]:
        return [int(run) for run in self.runs["run"]]

    def metrics(self, run: int) -> dict[str, typing.Any]:
        row = int(np.flatnonzero(self.runs["run"] == run)[0])
        return {name: column[row] for name, column in self.runs.items()}

    def done(self, run: int) -> bool:
        return bool(self.metrics(run)["status"] == "done")

    def rows(self, table: str, run: int) -> Table:
        """The rows of a run; no columns where there is no such table."""
        columns = self.tables.get(table)
        if columns is None:
            return {}
        mine = columns["run"] == run
        rows = {name: column[mine] for name, column in columns.items() if len(column) == len(mine) and name != "gpu"}
        if table == "events":
            rows["gpus"] = np.array(
                [columns["gpu"][begin : begin + count] for begin, count in zip(rows["gpu_begin"], rows["gpu_count"])]
                + [None],
                dtype=object,
            )[:-1]
        elif "gpu" in columns and len(columns["gpu"]) == len(mine):
            rows["gpu"] = columns["gpu"][mine]
        return rows

    def value(self, run: int, key: str, otherwise: typing.Any = None) -> typing.Any:
        """The value of a key in a run: of its axis, or of the study."""
        if key in self.axes and key in self.runs:
            value = self.runs[key][int(np.flatnonzero(self.runs["run"] == run)[0])]
            return value.item() if isinstance(value, np.generic) else value
        return self.values.get(key, otherwise)

    def beside(self, name: str) -> pathlib.Path:
        """A file that the study names, relative to itself."""
        return self._folder / name

    def outages(self, run: int) -> list[tuple[int, float, float, str]]:
        """Node, from, to, kind, from the file that the study names beside the archive."""
        name = self.value(run, "cluster.outages")
        if name is None:
            return []
        rows = self.beside(name).read_text(encoding="utf-8").split("\n")[1:]
        cells = [row.split(",") for row in rows if row]
        return [(int(one[0]), float(one[1]), float(one[2]), one[3]) for one in cells]

    def queues(self, run: int) -> dict[str, set[int]]:
        """The nodes of each queue, in the order of the study's file; an empty set is all nodes."""
        name = self.value(run, "slurm.queues")
        if name is None:
            return {}
        text = self.beside(name).read_text(encoding="utf-8")
        if str(name).endswith(".conf"):  # as hints.py writes it
            found = re.findall(r"^PartitionName=(\S+) Nodes=(?:ALL|n\[(\d+)-(\d+)\])", text, re.M)
            return {queue: set(range(int(begin), int(end) + 1)) if begin else set() for queue, begin, end in found}
        rows = [row.split(",") for row in text.split("\n")[1:] if row]
        nodes = {}
        for queue, ranges, *_ in rows:
            ends = [part.split("-") for part in ranges.split()]
            nodes[queue] = {node for end in ends for node in range(int(end[0]), int(end[-1]) + 1)}
        return nodes

    def trace_column(self, run: int, column: str) -> dict[int, str]:
        """What the trace has in a column, by job; nothing where the trace has no such column."""
        name = self.value(run, "workload.trace")
        if name is None or not str(name).endswith(".csv"):
            return {}
        with self.beside(name).open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            if not {column, "job_id"} <= set(rows.fieldnames or ()):
                return {}
            return {int(row["job_id"]): row[column] for row in rows}

    def may_be_nan(self, table: str, column: str) -> bool:
        return self.known is not None and "NaN" in self.known.pages.get(f"/{table}/{column}", "")


def _columns(file: h5py.File, group: h5py.Group) -> Table:
    return {
        name: _decoded(file, data) for name, data in group.items() if isinstance(data, h5py.Dataset) and data.ndim == 1
    }


def _decoded(file: h5py.File, data: h5py.Dataset) -> np.ndarray:
    values = data[()]
    if "names" in data.attrs:
        path = data.attrs["names"]
        names = file[path.decode() if isinstance(path, bytes) else str(path)][()]
        return (
            np.array([name.decode() for name in names], dtype=object)[values]
            if len(values)
            else np.array([], dtype=object)
        )
    if values.dtype.kind == "S":
        return np.array([one.decode() for one in values], dtype=object)
    return values
