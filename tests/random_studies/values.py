# SPDX-License-Identifier: MIT
"""Draws a value of a key from its type, range and unit alone."""
from __future__ import annotations

import math
import random
import typing

from registry import Key

# What numbers of a unit are usual in a small study of a few days; a range of the key comes first. A unit that is not here
# is drawn around the default of the key.
USUAL = {
    "s": (10.0, 2e5),
    "h": (0.05, 30.0),
    "d": (0.1, 90.0),
    "1/h": (0.2, 20.0),
    "W": (1.0, 900.0),
    "GPU": (1.0, 64.0),
    "GPUs": (1.0, 32.0),
    "node": (1.0, 8.0),
    "job": (1.0, 40.0),
    "round": (1.0, 20.0),
    "tick": (1.0, 20.0),
}
AT_LEAST = {
    "slurm.PriorityCalcPeriod": 0.5,
    "power.tick_s": 60.0,
    "engine.round_s": 20.0,
}  # what a run's cost grows with
NO_MORE = {"engine.round_s": 3600.0, "slurm.bf_interval": 3600.0}


def draw_value(rng: random.Random, key: Key) -> typing.Any:
    """A value of the key, or None: a free text, which only a hint knows."""
    return _draw(rng, key, key.schema)


def _draw(rng: random.Random, key: Key, schema: dict[str, typing.Any]) -> typing.Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "anyOf" in schema:
        parts = [one for one in schema["anyOf"] if one.get("type") != "object"]
        return _draw(rng, key, rng.choice(parts)) if parts else None
    kind = schema.get("type")
    if kind == "boolean":
        return rng.random() < 0.5
    if kind == "integer":
        return round(_number(rng, key, schema, whole=True))
    if kind == "number":
        return _number(rng, key, schema, whole=False)
    return schema.get("default")


def _number(rng: random.Random, key: Key, schema: dict[str, typing.Any], whole: bool) -> float:
    """Now and then an end of the range; else log-uniform within what is usual, in few digits."""
    least = float(schema.get("minimum", schema.get("exclusiveMinimum", -math.inf)))
    most = float(schema.get("maximum", math.inf))
    edge = rng.random()
    if edge < 0.15 and "minimum" in schema and key.name not in AT_LEAST:
        return least
    if edge > 0.95 and "maximum" not in schema and not whole:
        return math.inf
    if edge > 0.9 and most <= 1:
        return most
    low, high = _usual(key, schema, least, most)
    value = low + (high - low) * rng.random() if low <= 0 else math.exp(rng.uniform(math.log(low), math.log(high)))
    if whole:
        return float(round(value))
    return float(f"{value:.3g}")


def _usual(key: Key, schema: dict[str, typing.Any], least: float, most: float) -> tuple[float, float]:
    default = schema.get("default")
    if most <= 1.0 and least >= 0:
        return least, most
    if key.unit in USUAL:
        low, high = USUAL[key.unit]
    elif isinstance(default, (int, float)) and not isinstance(default, bool) and default > 0:
        low, high = default / 4, default * 4
    else:
        low, high = max(least, 0.0), max(least, 0.0) + 4
    low, high = max(low, AT_LEAST.get(key.name, low)), min(high, NO_MORE.get(key.name, high))
    low, high = max(low, least), min(high, most)
    return (low, high) if low <= high else (least, least)
