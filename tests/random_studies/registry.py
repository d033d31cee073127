# SPDX-License-Identifier: MIT
"""What the program says of itself: its keys with types, ranges and units, and the parameters of what is registered.

Nothing is listed here by hand, so that a new key, or a new choice of one, is drawn without a line in these tests."""
from __future__ import annotations

import dataclasses
import functools
import json
import re
import subprocess
import typing


@dataclasses.dataclass(frozen=True)
class Key:
    name: str
    unit: str
    schema: dict[str, typing.Any]  # JSON Schema of its value

    @functools.cached_property
    def choices(self) -> list[str]:
        return list(self.schema.get("enum", []))

    @property
    def section(self) -> str:
        return self.name.rpartition(".")[0]


@dataclasses.dataclass(frozen=True)
class Param:
    key: str
    required: bool


class Registry:
    """`keys` by name; `params` by the key that chooses and the name that is chosen; `conditional`: keys of `params`;
    `pages`: what is written about each column, by its dataset; `grouped_models`: whose GPUs are not alike in a job."""

    def __init__(self, program: str) -> None:
        self._program = program
        self.units = {row["key"]: row["unit"] for row in self._list("keys")}
        schema = json.loads(self._ask("keys", "--schema"))
        self.keys = {
            key.name: key for key in self._keys_in("", schema["properties"]) if not key.name.startswith("axes")
        }
        axes = schema["properties"].get("axes", {}).get("properties", {})
        self.may_be_axis = {name for name in axes if name in self.keys}
        self.params: dict[tuple[str, str], list[Param]] = {}
        for kind in self._kinds():
            self._read_params(kind)
        columns = self._list("columns")
        self.pages = {row["dataset"]: row["long_name"] for row in columns}
        self.grouped_models = {row["name"] for row in self._list("models") if row["kind"] != "plain"}
        self.units_of_columns = {row["dataset"]: row["units"] for row in columns}
        self.conditional = {param.key for params in self.params.values() for param in params}

    @functools.cached_property
    def _rows_of_together(self) -> list[dict[str, str]]:
        return self._list("together")

    def together(self) -> list[dict[str, str]]:
        """The rows of the table of what goes together."""
        return self._rows_of_together

    def features(self) -> list[dict[str, str]]:
        """The features that the table is about, with the key that asks for each."""
        return self._list("features")

    def _ask(self, *words: str) -> str:
        command = [self._program, "list", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout

    def _list(self, kind: str) -> list[dict[str, str]]:
        return typing.cast("list[dict[str, str]]", json.loads(self._ask(kind, "--json")))

    def _kinds(self) -> list[str]:
        """The kinds of `palstudy list` that have parameters."""
        text = subprocess.run([self._program, "list", "--help"], check=True, capture_output=True, text=True).stdout
        listed = re.search(r"KIND TEXT REQUIRED\s+(.*)", text)
        words = listed[1].split(", ") if listed else []
        return [word for word in words if "parameters" in (self._list(word) or [{}])[0] and word != "kernels"]

    def _keys_in(self, prefix: str, properties: dict[str, typing.Any]) -> typing.Iterator[Key]:
        for name, schema in properties.items():
            full = prefix + name
            tables = [one for one in [schema, *schema.get("anyOf", [])] if "properties" in one]
            if full in self.units:
                yield Key(full, self.units[full], schema)
            for table in tables:
                yield from self._keys_in(full + ".", table["properties"])

    def _read_params(self, kind: str) -> None:
        rows = self._list(kind)
        names = {row["name"] for row in rows}
        chosen_by = [
            key for key in self.keys.values() if names == set(key.choices) - {"none"} or names == set(key.choices)
        ]
        for key in chosen_by:
            for row in rows:
                params = [words.split() for words in row["parameters"].split(";") if words.strip()]
                found = [Param(f"{key.section}.{words[0]}", words[1] == "required") for words in params]
                self.params[key.name, row["name"]] = [param for param in found if param.key in self.keys]
