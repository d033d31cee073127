# SPDX-License-Identifier: MIT
"""A study in which everything takes twice as long. A factor of two changes no digit, so that all times double to the bit."""
from __future__ import annotations

import math
import random
import typing

import numpy as np

from archive import Archive
from comparing import Compare, Inapplicable, same_rows
from registry import Registry
from study import File, Study

FACTORS = {"s": 2.0, "h": 2.0, "min": 2.0, "GPU.s": 2.0, "{GPU}.s": 2.0, "1/h": 0.5, "J": 2.0, "J.s": 4.0}
# Keys in seconds that are no times of the simulated machine.
REAL_TIME = {"engine.checkpoint_s"}
# What has times of its own that no key gives: tables, days of the week, forecasts of hours, a logarithm of seconds.
OWN_TIMES = {
    "workload.generator": None,
    "failures.model": None,
    "workload.resample": None,
    "workload.copies": None,
    "policy.backfill": {"slurm"},  # limits in whole minutes, ends in groups of half a minute
    "policy.placement": {"random-sticky", "random-nonsticky"},  # what they draw depends on the time
    "workload.estimates": {"classes"},
    "power.forecast": {"ewma", "ridge"},
    "network.penalty": None,
    "workload.predictor": {"ewma", "rolling", "helios-error", "lognormal"},
}
# Columns of the trace and of outages that are times.
TIMES_OF_FILES = ("submit_s", "iteration_s", "estimate_s", "predicted_s", "start_s", "end_s", "from_s", "to_s")
SHORTEST_S = 10.0  # bounded slowdowns, predictions and estimates have constants for shorter jobs
METRICS_WITH_CONSTANTS = ("bounded_slowdown_mean",)


def twice_the_time(study: Study, archive: Archive, rng: random.Random, registry: Registry) -> tuple[Study, Compare]:
    """Every key in seconds, minutes or hours is doubled, defaults too, and every rate is halved."""
    _refuse_own_times(archive)
    _refuse_defaults_of_axes(archive, registry)
    if (
        archive.values.get("workload.reader") != "native"
        or np.min(archive.tables.get("jobs", {}).get("ideal_s", []), initial=SHORTEST_S) < SHORTEST_S
    ):
        raise Inapplicable
    altered = Study(dict(archive.values), dict(archive.axes), dict(study.files))
    for key in altered.values:
        altered.values[key] = _scaled(registry, key, altered.values[key])
    for key in altered.axes:
        if key == "policy.system":
            raise Inapplicable
        if isinstance(altered.axes[key], list):
            altered.axes[key] = [_scaled(registry, key, value) for value in altered.axes[key]]
    for name, file in altered.files.items():
        if name in ("jobs.csv", "outages.csv"):
            altered.files[name] = _scaled_file(file)
    axes = [key for key in archive.axes if registry.units.get(key)]  # the columns of these are keys that were scaled
    left_out = (*METRICS_WITH_CONSTANTS, *axes)
    return altered, same_rows(
        ("jobs", "events", "rounds", "delays", "power"),
        left_out,
        lambda dataset: FACTORS.get(registry.units_of_columns.get(dataset, ""), 1.0),
    )


def _refuse_own_times(archive: Archive) -> None:
    for key, words in OWN_TIMES.items():
        axis = archive.axes.get(key, [])
        values = [*(axis if isinstance(axis, list) else []), *([archive.values[key]] if key in archive.values else [])]
        if any(value != "none" and (words is None or value in words) for value in values):
            raise Inapplicable
    everything = {**archive.values, **archive.axes}
    if (
        "event" in (everything.get("engine.start", ""), *everything.get("engine.start", []))
        and "policy.overrun" in everything
    ):
        raise Inapplicable  # a job that outlives its estimate is expected to take 60 s more


def _refuse_defaults_of_axes(archive: Archive, registry: Registry) -> None:
    """Where an axis chooses, the defaults of what it chooses stand in no study."""
    sections = {key.rpartition(".")[0] for key in archive.axes}
    for key in registry.keys.values():
        unsaid = key.name not in archive.values and key.name not in archive.axes
        if key.section in sections and unsaid and registry.units[key.name] in FACTORS:
            raise Inapplicable


def _scaled(registry: Registry, key: str, value: typing.Any) -> typing.Any:
    factor = FACTORS.get(registry.units.get(key, ""), 1.0)
    if factor == 1.0 or key in REAL_TIME:
        return value
    if isinstance(value, str):
        return ", ".join(f"{float(one) * factor:g}" for one in value.split(","))
    scaled = value * factor
    if not math.isinf(scaled) and scaled > registry.keys[key].schema.get("maximum", math.inf):
        raise Inapplicable
    return scaled


def _scaled_file(file: File) -> File:
    cells = file.cells()
    for cell in cells:
        for name in TIMES_OF_FILES:
            if cell.get(name):
                cell[name] = repr(float(cell[name]) * 2)
    return file.with_cells(cells)
