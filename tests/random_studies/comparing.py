# SPDX-License-Identifier: MIT
"""Compares the rows of two archives of which one follows from the other, to the bit."""
from __future__ import annotations

import typing

import numpy as np

from archive import Archive, Table

Compare = typing.Callable[[Archive, Archive], typing.Iterator[str]]
Factor = typing.Callable[[str], float]  # of a dataset, as /jobs/exec_s
# Columns that say where a row stands, not what happened.
PLACES = {"run", "row", "gpu_row", "gpu_begin"}


class Inapplicable(Exception):
    """The study has something of which the rule says nothing."""


def _once(dataset: str) -> float:
    return 1.0


def differences(
    one: Table, other: Table, table: str, factor_of: Factor, left_out: typing.Collection[str]
) -> typing.Iterator[str]:
    """Columns of `other` that are not those of `one`, to the bit, times their factors."""
    for name in sorted(set(one) & set(other) - PLACES - set(left_out)):
        a, b, factor = one[name], other[name], factor_of(f"/{table}/{name}")
        if len(a) != len(b):
            yield f"/{table}/{name} has {len(b)} rows, not {len(a)}"
            return
        if name == "gpus" and a.dtype == object:
            same = np.array([np.array_equal(x, y) for x, y in zip(a, b)])
        elif a.dtype.kind == "f":
            wanted = a * factor
            same = (wanted == b) | (np.isnan(wanted) & np.isnan(b))
        else:
            same = a == b
        if not np.all(same):
            row = int(np.flatnonzero(~same)[0])
            yield f"/{table}/{name} of row {row} is {b[row]!r}, not {a[row]!r}" + (
                f" x {factor}" if factor != 1 else ""
            )


TABLES = ("jobs", "events", "rounds", "delays", "failures", "power")


def same_run(one: Archive, run: int, other: Archive) -> typing.Iterator[str]:
    """The only run of `other` is this one: its rows and its metrics."""
    for table in TABLES:
        yield from differences(one.rows(table, run), other.rows(table, 0), table, _once, ())
    yield from differences(
        _metrics(one, run), _metrics(other, 0), "runs", _once, {"id", "digest", "seed", "job_begin", *one.axes}
    )


def _metrics(archive: Archive, run: int) -> Table:
    return {name: np.array([value]) for name, value in archive.metrics(run).items() if not isinstance(value, str)}


def same_rows(
    tables: typing.Collection[str], left_out: typing.Collection[str] = (), factor_of: Factor = _once
) -> Compare:
    """Every run has the same rows in these tables, and the same metrics, but for factors."""

    def compare(one: Archive, other: Archive) -> typing.Iterator[str]:
        for run in one.run_numbers():
            if one.metrics(run)["status"] != other.metrics(run)["status"]:
                yield f"run {run} is {other.metrics(run)['status']}, not {one.metrics(run)['status']}"
                continue
            for table in tables:
                yield from differences(one.rows(table, run), other.rows(table, run), table, factor_of, left_out)
            yield from differences(
                _metrics(one, run), _metrics(other, run), "runs", factor_of, {*left_out, "id", "digest"}
            )

    return compare
