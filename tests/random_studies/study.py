# SPDX-License-Identifier: MIT
"""A study as values by key, axes and files, so that parts of it can be taken away or altered; and as a folder of files."""
from __future__ import annotations

import copy
import dataclasses
import json
import math
import pathlib
import typing

try:
    import tomllib
except ImportError:  # Python 3.10 and older
    import tomli as tomllib  # type: ignore

Value = typing.Any  # what TOML has: numbers, texts, lists, tables


@dataclasses.dataclass
class File:
    """A text of rows, which can be left out one by one, between a head and a tail."""

    head: str
    rows: list[str]
    tail: str = ""
    between: str = "\n"

    def text(self) -> str:
        return self.head + self.between.join(self.rows) + self.tail

    def cells(self) -> list[dict[str, str]]:
        """The rows by column, of a CSV with a first line of names and no quotes."""
        names = self.head.strip().split(",")
        return [dict(zip(names, row.split(","))) for row in self.rows]

    def with_cells(self, cells: list[dict[str, str]]) -> File:
        names = self.head.strip().split(",")
        return File(self.head, [",".join(one[name] for name in names) for one in cells], self.tail, self.between)


@dataclasses.dataclass
class Study:
    values: dict[str, Value] = dataclasses.field(default_factory=dict)
    axes: dict[str, Value] = dataclasses.field(default_factory=dict)
    files: dict[str, File] = dataclasses.field(default_factory=dict)

    def copy(self) -> Study:
        return copy.deepcopy(self)

    def lines(self) -> list[tuple[str, str]]:
        """Each line of the study file, with the key that it sets; one key a line, so that a message's line names it."""
        lines = [("", "# SPDX-License-Identifier: MIT")]
        lines += [(key, f"{_dotted(key)} = {_toml(value)}") for key, value in sorted(self.values.items())]
        if self.axes:
            lines += [("", "[axes]")] + [
                (key, f"{json.dumps(key)} = {_toml(value)}") for key, value in self.axes.items()
            ]
        return lines

    def text(self) -> str:
        return "".join(line + "\n" for _, line in self.lines())

    def key_of_line(self, line: int) -> str:
        lines = self.lines()
        return lines[line - 1][0] if 0 < line <= len(lines) else ""

    def write(self, folder: pathlib.Path) -> pathlib.Path:
        folder.mkdir(parents=True, exist_ok=True)
        for name, file in self.files.items():
            (folder / name).write_text(file.text(), encoding="utf-8")
        path = folder / "study.toml"
        path.write_text(self.text(), encoding="utf-8")
        return path

    def used_files(self) -> Study:
        """The same without the files that no key names."""
        named = json.dumps([self.values, self.axes], default=str)
        return Study(self.values, self.axes, {name: file for name, file in self.files.items() if f'"{name}"' in named})

    @staticmethod
    def read(folder: pathlib.Path) -> Study:
        """A kept study."""
        values, axes = flat(tomllib.loads((folder / "study.toml").read_text(encoding="utf-8")))
        others = ("study.toml", "case.json", "README.md", "out.txt", "err.txt")
        files = {
            path.name: _read_file(path)
            for path in sorted(folder.iterdir())
            if path.is_file() and path.name not in others and path.suffix != ".h5"
        }
        return Study(values, axes, files)


def flat(table: dict[str, Value]) -> tuple[dict[str, Value], dict[str, Value]]:
    """The keys of a parsed study by their dotted names, and its axes. Tables whose names the user chooses stay tables."""
    axes = table.pop("axes", {})
    values: dict[str, Value] = {}

    def add(prefix: str, part: dict[str, Value]) -> None:
        for name, value in part.items():
            if isinstance(value, dict) and prefix + name not in (
                "cluster.partitions",
                "tenants.gpus",
                "workload.columns",
            ):
                add(prefix + name + ".", value)
            else:
                values[prefix + name] = value

    add("", table)
    return values, axes


def _read_file(path: pathlib.Path) -> File:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".csv":
        return File(text, [])
    head, _, rest = text.partition("\n")
    return File(head + "\n", rest.splitlines())


def _dotted(key: str) -> str:
    return ".".join(
        part if part.replace("_", "a").replace("-", "a").isalnum() else json.dumps(part) for part in key.split(".")
    )


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
        return repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return (
            "{ "
            + ", ".join(f"{json.dumps(key, ensure_ascii=False)} = {_toml(one)}" for key, one in value.items())
            + " }"
        )
    return "[" + ", ".join(_toml(one) for one in value) + "]"
