# SPDX-License-Identifier: MIT
"""Draws a study: a machine, a workload, and keys of all sections."""
from __future__ import annotations

import random
import typing

import hints
import machines
import traces
from pairs import WIDE_JOBS
from registry import Key, Registry
from study import Study
from values import draw_value

# What is drawn as a whole, with the files that belong to it.
WHOLE = {
    "cluster.gpus",
    "cluster.gpus_per_node",
    "cluster.nodes",
    "cluster.source",
    "cluster.table",
    "cluster.classes",
    "workload.trace",
    "workload.reader",
    "workload.columns",
    "workload.generator",
    "output.jobs",
    "output.events",
    "output.rounds",
    "engine.checkpoint_s",
    "seed",
}
# What a study cannot be without, as it was drawn.
KEPT = {
    "cluster.gpus",
    "cluster.gpus_per_node",
    "cluster.nodes",
    "cluster.source",
    "cluster.table",
    "workload.trace",
    "workload.reader",
    "workload.columns",
    "workload.generator",
}
OWN_FORMAT = "native"
DAY_S = 86400.0


class Drawing:
    """One study while it is drawn. `forced`: values of keys that it must have (None: any); `kept`: keys that no refusal
    alters."""

    def __init__(self, registry: Registry, rng: random.Random, forced: dict[str, typing.Any] | None = None) -> None:
        self.registry, self.rng, self.study = registry, rng, Study()
        self.forced = dict(forced or {})
        self._wide = bool(self.forced.pop(WIDE_JOBS, False))
        self._share = 0.5 if self.forced else 1.0  # of other sections: what is forced is to be seen
        self.kept = KEPT | set(self.forced)
        self.world = self._draw_world()
        for key, value in self.forced.items():
            self.set(key, value)
        self._draw_sections()
        self._draw_params()
        self._draw_outputs()
        self._draw_axes()
        self._keep_it_short()

    def set(self, name: str, value: typing.Any = None) -> bool:
        """Gives the key this value, or one that is drawn; false where it has none to draw."""
        if name not in self.registry.keys:
            return False
        if value is None:
            hint = hints.HINTS.get(name)
            key = self.registry.keys[name]
            value = hint(self.rng, self.study, self.world) if hint else draw_value(self.rng, key)
        if value is None:
            return False
        self.study.values[name] = value
        return True

    def led_by(self, key: str) -> list[str]:
        """Keys that mean nothing without this one: the parameters of what it chooses, or those of the sections that it leads."""
        value, values = self.study.values.get(key), self.study.values
        params = [param.key for param in self.registry.params.get((key, str(value)), [])]
        sections = [name for name, (leads, _) in hints.LEADS.items() if key in leads]
        return [
            one
            for one in values
            if one in params or one != key and one.rpartition(".")[0] in sections and one not in self.forced
        ]

    def _draw_world(self) -> hints.World:
        rng = self.rng
        reader, generator = self._draw_workload()
        own = reader == OWN_FORMAT
        sources = self.registry.keys["cluster.source"].choices
        machine = machines.draw_machine(rng, self.study, sources, bundled_models=not own)
        while self._wide and len(machine.nodes) < 2:
            machine = machines.draw_machine(rng, self.study, sources, bundled_models=not own)
        tenants = rng.sample(traces.TENANTS, rng.randint(1, 4))
        world = hints.World(machine, tenants, bool(generator), rng.choice([1, 3, 10, 25, 40, 60]))
        if generator:
            self.study.values["workload.generator"] = generator
            self._measure_a_part(world)
            return world
        jobs = traces.draw_jobs(rng, world.job_count, machine.gpus, tenants)
        if self._wide:
            jobs[0].gpus = machine.gpus
        if own:
            file = traces.native(rng, jobs, machine.classes, rng.random() < 0.6, rng.random() < 0.4)
        else:
            file = traces.FORMATS[reader](jobs)
        name = "jobs.json" if reader.endswith("json") else "jobs.csv"
        self.study.files[name] = file
        self.study.values["workload.trace"] = name
        self.study.values["workload.reader"] = reader
        if reader == "csv":
            without = [] if rng.random() < 0.5 else ["model"]
            self.study.values["workload.columns"] = {
                role: name for role, name in traces.CSV_COLUMNS.items() if role not in without
            }
        return world

    def _draw_workload(self) -> tuple[str, str]:
        """A reader or a generator, and "" for the other; traces of the program's own format in most studies."""
        generator, reader = self.forced.get("workload.generator"), self.forced.get("workload.reader")
        if generator or reader:
            return reader or "", generator or ""
        if self.rng.random() < 0.6:
            return OWN_FORMAT, ""
        if self.rng.random() < 0.45:
            return "", self.rng.choice(self.registry.keys["workload.generator"].choices)
        known = [name for name in self.registry.keys["workload.reader"].choices if name in traces.FORMATS]
        return self.rng.choice(known), ""

    def _measure_a_part(self, world: hints.World) -> None:
        """Generators make jobs without end."""
        if self.rng.random() < 0.3:
            kept, value = "measure.jobs.last", typing.cast(float, world.job_count)
        else:
            kept, value = "measure.window_s", self.rng.choice([0.25, 0.5, 1.0, 2.0]) * DAY_S
        self.study.values[kept] = value
        self.kept |= {kept}

    def _draw_sections(self) -> None:
        sections: dict[str, list[Key]] = {}
        for key in self.registry.keys.values():
            sections.setdefault(key.section, []).append(key)
        for name, keys in sections.items():
            free = [key for key in keys if key.name not in WHOLE | self.registry.conditional | set(self.forced)]
            if self.rng.random() < self._share * hints.SECTION_SHARE.get(name, 0.3) and self._lead(name):
                self._draw_keys(free)

    def _lead(self, section: str) -> bool:
        """Draws the key without which the section means nothing."""
        if section not in hints.LEADS:
            return True
        keys, choices = hints.LEADS[section]
        given = [key for key in keys if key in self.study.values]
        if given:
            return not choices or self.study.values[given[0]] in choices
        if choices and self.rng.random() < 0.7:
            return False
        return self.set(self.rng.choice(keys), self.rng.choice(choices) if choices else None)

    def _draw_keys(self, keys: list[Key]) -> None:
        share = self.rng.uniform(0.1, 0.6)
        for key in keys:
            named = len(key.choices) > 2  # what is registered, most of all
            if self._excluded(key.name):
                continue
            if key.name not in self.study.values and self.rng.random() < (max(share, 0.5) if named else share):
                self.set(key.name)

    def _excluded(self, name: str) -> bool:
        """Jobs are measured by their numbers or by a window."""
        other = {"measure.jobs": "measure.window_s", "measure.window_s": "measure.jobs"}
        return any(
            name.startswith(one) and any(key.startswith(two) for key in self.study.values) for one, two in other.items()
        )

    def _draw_params(self) -> None:
        """Parameters of what was chosen."""
        for (key, choice), params in self.registry.params.items():
            if self.study.values.get(key) != choice:
                continue
            for param in params:
                if param.key not in self.study.values and (param.required or self.rng.random() < 0.6):
                    self.set(param.key)

    def _draw_outputs(self) -> None:
        for key, share in (("output.events", 0.95), ("output.rounds", 0.8)):
            if self.rng.random() < share:
                self.study.values[key] = True
        if self.rng.random() < 0.03:
            self.study.values["output.jobs"] = False
        if self.rng.random() < 0.7:
            self.study.values["seed"] = self.rng.randint(0, 10**6)

    def _keep_it_short(self) -> None:
        """A move that costs a round may never end under placements that move jobs at each; the program says so."""
        values, axes = self.study.values, self.study.axes
        rounds = [float(value) for value in [values.get("engine.round_s", 360), *axes.get("engine.round_s", [])]]
        most_s = 0.3 * min(rounds)
        if values.get("engine.migration_s", 0) > most_s:
            values["engine.migration_s"] = self.rng.choice([1.0, 5.0])
        if any(value > most_s for value in axes.get("engine.migration_s", [])):
            axes["engine.migration_s"] = [0.0, 2.5]
        if "workload.rho" in values:
            values["workload.rho"] = self.rng.choice([0.2, 0.5, 0.8, 1.2])
        if values.get("workload.median_h", 1.0) < 0.05:  # hundreds of thousands of jobs
            values["workload.median_h"] = 0.05
        if values.get("workload.generator") == "synergy":
            values.setdefault("workload.behind_h", 20.0)
        if (
            isinstance(values.get("cluster.partitions"), dict)
            and "routing.policy" not in self.forced
            and self.rng.random() < 0.6
        ):
            values["routing.policy"] = "tenant"  # the one that asks for partitions of tenants
        if "measure.jobs.last" in values:  # a generator that ends may make fewer jobs
            values.pop("workload.end_s", None)
        if self.world.generated and values.get("measure.warmup_s", 0) > DAY_S:
            values["measure.warmup_s"] = DAY_S

    def _draw_axes(self) -> None:
        """Up to three runs: no axis, seeds, or two or three values of one key."""
        kind, study, rng = self.rng.random(), self.study, self.rng
        if kind < 0.3 or "stop.looks" in study.values:
            return
        if kind < 0.5:
            study.values.pop("seed", None)
            study.axes["seed"] = {"first": rng.randint(0, 1000), "count": rng.randint(2, 3)}
            return
        free = [
            key
            for key in self.registry.keys.values()
            if key.name in self.registry.may_be_axis
            and key.name not in WHOLE | self.registry.conditional | set(self.forced)
        ]
        key = rng.choice([one for one in free if one.choices] if kind < 0.8 else free)
        values: list[typing.Any] = []
        for _ in range(rng.randint(2, 3)):
            hint = hints.HINTS.get(key.name)
            value = hint(rng, study, self.world) if hint else draw_value(rng, key)
            if value is not None and value not in values and not isinstance(value, dict):
                values.append(value)
        if len(values) > 1:
            study.values.pop(key.name, None)
            study.axes[key.name] = values


def draw(registry: Registry, seed: int | str, index: int, forced: dict[str, typing.Any] | None = None) -> Drawing:
    """The study of this seed and index; the same on every machine."""
    return Drawing(registry, random.Random(f"{seed}/{index}"), forced)
