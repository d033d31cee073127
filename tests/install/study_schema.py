#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""study_schema.py PALSTUDY SOURCE: the JSON Schema of studies. Every study that comes with the program is valid, every key has a
place in it, and it refuses what the program refuses: misspellings, wrong types, values out of range, on axes too."""
import copy
import json
import pathlib
import subprocess
import sys
import tomllib

import jsonschema

PALSTUDY, EXPERIMENTS = sys.argv[1], pathlib.Path(sys.argv[2]) / "experiments"
SCHEMA = json.loads(
    subprocess.run([PALSTUDY, "list", "keys", "--schema"], capture_output=True, text=True, check=True).stdout
)
jsonschema.Draft7Validator.check_schema(SCHEMA)
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)


def at(schema, name):
    """What the schema of a table says of one of its keys."""
    for one in schema.get("anyOf", [schema]):
        if name in one.get("properties", {}):
            return one["properties"][name]
    raise AssertionError(f"the schema has no {name}")


def check_every_key():
    keys = json.loads(
        subprocess.run([PALSTUDY, "list", "keys", "--json"], capture_output=True, text=True, check=True).stdout
    )
    assert len(keys) > 50
    for key in keys:
        schema = SCHEMA if key["key"] != "policy.system" else at(SCHEMA, "axes")
        for name in key["key"].split("."):
            schema = at(schema, name)
        described = [one.get("description", "") for one in [schema, *schema.get("anyOf", [])]]
        assert any(text.startswith(key["summary"]) for text in described), (key["key"], described)


def check_studies():
    studies = [path for path in sorted(EXPERIMENTS.rglob("*.toml")) if path.parent.name != "data"]
    assert len(studies) > 10
    for path in studies:
        errors = [error.message for error in VALIDATOR.iter_errors(tomllib.loads(path.read_text()))]
        assert not errors, f"{path.name}: {errors}"
    return len(studies)


WRONG = [
    ("cluster.gpu", 64),
    ("cluster.gpus", "64"),
    ("cluster.gpus", 0),
    ("cluster.gpus_per_node", 33),
    ("cluster.bins", 17),
    ("cluster.nodes", [{"count": 1}]),
    ("cluster.nodes", []),
    ("policy.placement", "pall"),
    ("network.penalty", "guessed"),
    ("network.penalty", {"node": 1.0, "rack": 1.7}),
    ("network.penalty", {"node": 0}),
    ("engine.round_s", 0),
    ("engine.start", True),
    ("output.jobs", 1),
    ("workload.trace", ""),
    ("compare.baseline", []),
    ("compare.baseline", ["pal", "pal"]),
    ("stop.looks", []),
    ("axes.seed", 3),
    ("axes.seed", {"first": 1}),
    ("axes.policy.placement", []),
    ("axes.policy.placement", ["pall"]),
    ("axes.study.name", ["a", "b"]),
    ("nothing.at_all", 1),
    ("policy.system", "a"),
    ("axes.policy.system", ["a"]),
    ("axes.policy.system", [{"order": "las"}]),
]
RIGHT = [
    ("network.penalty", "measured"),
    ("cluster.bins", 16),
    ("cluster.bins", "silhouette"),
    ("engine.starvation_s", float("inf")),
    ("compare.baseline", ["pal", "packed-sticky"]),
    ("axes.seed", [1, 2]),
    ("axes.policy.placement", ["pal"]),
    ("axes.policy.system", [{"name": "a", "order": "las"}]),
]


def changed(study, key, value):
    study = copy.deepcopy(study)
    table = study
    *above, last = key.split(".")
    for name in above:
        table = table.setdefault(name, {})
    table[last] = value
    return study


def check_values():
    study = tomllib.loads((EXPERIMENTS / "smallest.toml").read_text())
    for key, value in RIGHT:
        assert VALIDATOR.is_valid(changed(study, key, value)), f"{key} = {value} is refused"
    for key, value in WRONG:
        assert not VALIDATOR.is_valid(changed(study, key, value)), f"{key} = {value} is not refused"


check_every_key()
count = check_studies()
check_values()
print(f"schema: {count} studies are valid, {len(WRONG)} mistakes are refused")
