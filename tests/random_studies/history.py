# SPDX-License-Identifier: MIT
"""One run of an archive, and what its events say of who held which GPUs when."""
from __future__ import annotations

import dataclasses
import functools
import math
import typing

import numpy as np

from archive import Archive, Table


@dataclasses.dataclass
class Held:
    """GPUs that a job holds from `begin_s` to `end_s`, which is NaN while nothing ended it."""

    begin_s: float
    end_s: float
    gpus: tuple[int, ...]
    ended_by: str = ""


class Run:
    """`end_s`: when the run ended: at the instant at which the last measured job was seen to be done, or at the first
    one from measure.end_s on. Instants are multiples of the round; with `engine.start = "event"` others too, so that the
    first one from measure.end_s on is not known, and NaN."""

    def __init__(self, archive: Archive, number: int) -> None:
        self.archive, self.number = archive, number
        self.metrics = archive.metrics(number)
        self.jobs, self.events = archive.rows("jobs", number), archive.rows("events", number)
        self.row_of = {int(job): row for row, job in enumerate(self.jobs.get("job", []))}

    def value(self, key: str, otherwise: typing.Any = None) -> typing.Any:
        return self.archive.value(self.number, key, otherwise)

    def table(self, name: str) -> Table:
        return self.archive.rows(name, self.number)

    def column(self, job: int, name: str) -> typing.Any:
        return self.jobs[name][self.row_of[job]]

    @functools.cached_property
    def node_sizes(self) -> list[int]:
        groups = self.value("cluster.nodes")
        if groups is not None:
            return [group["gpus"] for group in groups for _ in range(group["count"])]
        each = int(self.value("cluster.gpus_per_node", 4))
        return [each] * (int(self.value("cluster.gpus", 64)) // each)

    @functools.cached_property
    def node_of(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.node_sizes)), self.node_sizes)

    @property
    def gpus(self) -> int:
        return sum(self.node_sizes)

    @functools.cached_property
    def measured(self) -> np.ndarray:
        return np.asarray(self.jobs["measured"] == 1)

    @functools.cached_property
    def limit_s(self) -> float:
        """No instant of the run is later."""
        return self._boundary(float(self.value("measure.end_s", math.inf)))

    @functools.cached_property
    def end_s(self) -> float:
        between = self.value("engine.start") == "event"
        if self.metrics["jobs_unfinished"] or not self.measured.any():
            return math.nan if between else self.limit_s
        last = float(np.max(self.jobs["finish_s"][self.measured]))
        return min(self.limit_s, last if between else self._boundary(last))

    @functools.cached_property
    def goes_on_to_s(self) -> float:
        """Until when the run is known to have gone on: to its end, or to its last event."""
        if not math.isnan(self.end_s):
            return self.end_s
        return float(np.max(self.events["time_s"], initial=0.0))

    def _boundary(self, time_s: float) -> float:
        """The first one from then on."""
        round_s = float(self.value("engine.round_s", 360))
        if not math.isfinite(time_s):
            return time_s
        before = round_s * math.floor(time_s / round_s)
        return before if before == time_s else round_s * math.ceil(time_s / round_s)

    @functools.cached_property
    def held(self) -> dict[int, list[Held]]:
        """What each job held, in the order of time."""
        held: dict[int, list[Held]] = {}
        events = self.events
        for time, kind, job, gpus in zip(events["time_s"], events["kind"], events["job"], events["gpus"]):
            mine = held.setdefault(int(job), [])
            if mine and math.isnan(mine[-1].end_s):
                mine[-1].end_s, mine[-1].ended_by = float(time), str(kind)
            if kind == "launch":
                mine.append(Held(float(time), math.nan, tuple(int(gpu) for gpu in gpus)))
        return held
