# SPDX-License-Identifier: MIT
"""Reads the results files of palstudy into pandas, and into xarray where it is there.

    >>> import palstudy
    >>> runs = palstudy.frame("small.h5", "runs")
    >>> runs[["policy.placement", "jct_mean_s"]].round(1)
      policy.placement  jct_mean_s
    0              pal      4373.3
    1    packed-sticky      4446.7
    >>> runs.attrs["units"]["jct_mean_s"]
    's'

`open` gives an `Archive`, for several questions to one file; `frame`, `study` and `compare` answer one. A column of codes comes
as a categorical with its names, and units and descriptions stand in the attributes of the frame. Profiles (`palstudy measure`)
are read in the same way. Only what is asked for is ever in memory. hdf5-schemas/archive.md says what is in an archive.

One file, h5py, numpy and pandas: it works from the source tree, installed, or copied beside a notebook. `compare` asks the
program `palstudy`, which has the one implementation of gains and their intervals.
"""
from __future__ import annotations

import contextlib
import functools
import json
import math
import os
import pathlib
import shutil
import subprocess
import typing

# Archives are replaced by a rename, never changed in place; with HDF5's lock an intact one could not be read on a file
# system without locks. HDF5 looks at the variable when it is loaded.
os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")

import h5py  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

__all__ = [
    "Archive",
    "Error",
    "ask_program",
    "compare",
    "find_program",
    "frame",
    "is_seed",
    "open",
    "parse_toml",
    "study",
]
__version__ = "1.0.0"

Path = typing.Union[str, "os.PathLike[str]"]
Names = typing.Union[str, typing.Sequence[str]]  # one, or several
Columns = typing.Optional[typing.Sequence[str]]  # some, or all


class Error(Exception):
    """A file that cannot be read or a question that has no answer: what is wrong, where, and what to do about it."""

    def __init__(self, what: str, where: str = "", advice: str = "") -> None:
        super().__init__((f"{where}: {what}" if where else what) + (f"\n  {advice}" if advice else ""))
        self.what, self.where, self.advice = what, where, advice


def is_seed(key: str) -> bool:
    """Whether an axis only repeats: the combinations of seeds are the replications.

    >>> [key for key in ("seed", "cluster.seed", "cluster.gpus") if palstudy.is_seed(key)]
    ['seed', 'cluster.seed']
    """
    return key == "seed" or key.endswith(".seed")


def _text(value: typing.Any) -> str:
    """A text of HDF5, whichever way h5py gives it; a list as one line an element."""
    if isinstance(value, np.ndarray):
        return "\n".join(_text(one) for one in value)
    return (
        value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    )  # a command line may name files in any bytes


def parse_toml(text: str) -> dict[str, typing.Any]:
    """A text in the language of studies, as nested dictionaries."""
    try:
        import tomllib
    except ImportError:  # Python 3.10 and older
        import tomli as tomllib  # type: ignore
    return tomllib.loads(text)


class Archive:
    """An open archive (or profile). It is a context manager, and closes with the object otherwise.

    >>> with palstudy.open("small.h5") as archive:
    ...     archive.tables
    ['runs', 'jobs', 'events', 'events/gpu', 'rounds', 'nodes', 'provenance/jobs', 'provenance/runs']
    """

    SCHEMAS: typing.ClassVar[tuple[str, ...]] = ("palstudy-archive 1.", "palstudy-profile 1.")
    _AXES_BETWEEN = ("seed", "job_begin")  # where the axes stand among the columns of /runs

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self._known: dict[str, typing.Any] = {}  # lists of names and columns of runs, by their paths
        if not os.path.isfile(self.path):
            what = "is a folder" if os.path.isdir(self.path) else "there is no such file"
            raise self.error(what, self.path, "give the path of an archive (palstudy run)")
        with self.reading("/"):
            if os.access(self.path, os.R_OK) and not h5py.is_hdf5(self.path):
                raise self.error(
                    "is no HDF5 file, so no archive of palstudy",
                    self.path,
                    "palstudy run, or palstudy merge, makes one",
                )
            self.file = h5py.File(self.path, "r")
            schema = _text(self.file.attrs.get("schema", ""))
        if not schema.startswith(self.SCHEMAS):
            raise self.error(
                f"is no archive of palstudy that this program reads ({schema or 'no attribute schema'})",
                self.path,
                "palstudy run, or palstudy merge, makes one",
            )

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; frames that were read stay."""
        self.file.close()

    def error(self, what: str, where: str, advice: str) -> Exception:
        """The exception of a file that cannot be read; a program with exceptions of its own gives another."""
        return Error(what, where, advice)

    @contextlib.contextmanager
    def reading(self, what: str) -> typing.Iterator[None]:
        """What h5py raises on a damaged or missing object, in one kind of error that says where."""
        try:
            yield
        except (OSError, RuntimeError, KeyError, ValueError, TypeError, UnicodeDecodeError) as error:
            reason = " ".join(str(error).split())[:160]
            raise self.error(
                f"cannot be read ({reason})", f"{self.path}:{what}", "palstudy verify says what is damaged"
            ) from error

    def attribute(self, name: str, default: typing.Any = "") -> typing.Any:
        """An attribute of the root: a number, or a text (a list gives one line an element)."""
        with self.reading(f"/@{name}"):
            value = self.file.attrs.get(name, default)
            return value if isinstance(value, (int, float)) or value is None else _text(value)

    @property
    def attributes(self) -> dict[str, typing.Any]:
        """All attributes of the root: digest, provenance, the resolved study."""
        return {name: self.attribute(name) for name in self.file.attrs}

    @functools.cached_property
    def notes(self) -> list[dict[str, typing.Any]]:
        """What was noted of the inputs: id, severity, subject, values, text. Archives before schema 1.8 have the texts alone."""
        if "notes" in self.tables:
            return [{**note, "values": json.loads(note["values"])} for note in self.frame("notes").to_dict("records")]
        texts = filter(None, str(self.attribute("notes")).split("\n"))
        return [{"id": "", "severity": "care", "subject": "", "values": {}, "text": text} for text in texts]

    license = property(
        lambda self: str(self.attribute("license")), doc='What the study states as `study.license`, or "".'
    )
    creator = property(
        lambda self: str(self.attribute("creator")), doc='What the study states as `study.creator`, or "".'
    )

    @functools.cached_property
    def study(self) -> dict[str, typing.Any]:
        """The resolved study as nested dictionaries, as its TOML has it; every key is there.

        >>> with palstudy.open("small.h5") as archive:
        ...     archive.study["cluster"]["gpus"], archive.study["axes"]["policy.placement"]
        (4, ['pal', 'packed-sticky'])
        """
        with self.reading("/@study"):
            return parse_toml(str(self.attribute("study")))

    @functools.cached_property
    def tables(self) -> list[str]:
        """The tables that the file has, in the order of the schema."""
        with self.reading("/"):
            groups = [name for name in self.file if name not in ("cluster", "names", "profile", "study")]
            groups += [f"provenance/{name}" for name in self.file.get("provenance", ())]
            found = [name for name in groups if "columns" in self.file[name].attrs]
            found += [f"{name}/gpu" for name in groups if "gpu_columns" in self.file[name].attrs]
        first = ["runs", "jobs", "events", "events/gpu", "rounds"]
        return [name for name in first if name in found] + [name for name in found if name not in first]

    def has(self, table: str) -> bool:
        """Whether the table was written and has rows."""
        with self.reading(f"/{table}"):
            columns = self.columns(table) if table in self.tables else []
            return bool(columns) and len(self.file[self._path(table, columns[0])]) > 0

    def columns(self, table: str) -> list[str]:
        """The columns of a table, in the order of the schema."""
        group, _, member = table.rpartition("/") if table.endswith("/gpu") else (table, "", "")
        with self.reading(f"/{table}"):
            return [_text(name) for name in self.file[group].attrs["gpu_columns" if member else "columns"]]

    @staticmethod
    def _path(table: str, column: str) -> str:
        group = table[: -len("/gpu")] if table.endswith("/gpu") else table
        return f"/{group}/" + column.replace("%", "%25").replace("/", "%2F")

    def column(self, table: str, name: str, rows: slice = slice(None)) -> typing.Any:
        """One column, or some of its rows: a numpy array; of a column of codes a pandas Categorical, which keeps the codes.

        >>> with palstudy.open("small.h5") as archive:
        ...     list(archive.column("jobs", "class", slice(0, 3)))
        ['A', 'B', 'A']
        """
        where = self._path(table, name)
        with self.reading(where):
            if where not in self.file and table in self.tables and name not in self.columns(table):
                raise self.error(
                    f"there is no column {where}", self.path, f"/{table} has " + ", ".join(self.columns(table))
                )
            dataset = self.file[where]
            values = dataset[rows]
            if values.dtype.kind == "S":
                return np.char.decode(values, "utf-8")
            if "names" in dataset.attrs:
                return pd.Categorical.from_codes(values, self._names(_text(dataset.attrs["names"])))
            return values

    def _names(self, path: str) -> list[str]:
        names: list[str] = self._known.get(path) or [_text(name) for name in self.file[path][:]]
        self._known[path] = names
        return names

    def rows_of(self, table: str, run: int) -> slice:
        """The rows of one run, as a slice: tables are in the order of the runs."""
        where = self._path(table, "run")
        if where not in self._known:
            self._known[where] = self.column(table, "run")
        runs = self._known[where]
        return slice(int(np.searchsorted(runs, run, "left")), int(np.searchsorted(runs, run, "right")))

    def frame(self, table: str = "runs", columns: Columns = None, run: typing.Optional[int] = None) -> pd.DataFrame:
        """A table as a DataFrame, or some of its columns, or the rows of one run. Its `attrs` have `table`, and by column
        `units` (UCUM) and `long_name`.

        >>> with palstudy.open("small.h5") as archive:
        ...     jobs = archive.frame("jobs", ["job", "class", "jct_s"], run=1)
        >>> jobs
           job class   jct_s
        0    0     A  1100.0
        1    1     B  2750.0
        2    2     A  9490.0
        >>> jobs.attrs["units"]
        {'job': '1', 'class': '1', 'jct_s': 's'}
        """
        if table not in self.tables:
            raise self.error(f"there is no table {table}", self.path, "it has " + ", ".join(self.tables))
        names = self.columns(table) if columns is None else list(columns)
        runs = [] if run is None else list(self.column("runs", "run"))
        if run is not None and run not in runs:
            raise self.error(
                f"there is no run {run}",
                self.path,
                f"its runs are {min(runs)} to {max(runs)}" if runs else "it has none",
            )
        rows = slice(None) if run is None else self.rows_of(table, run)
        made = pd.DataFrame({name: self.column(table, name, rows) for name in names})
        made.attrs = {"table": table, **self._labels(table, names)}
        return made

    def _labels(self, table: str, names: typing.Sequence[str]) -> dict[str, dict[str, str]]:
        labels: dict[str, dict[str, str]] = {"units": {}, "long_name": {}}
        for name in names:
            with self.reading(self._path(table, name)):
                attributes = self.file[self._path(table, name)].attrs
                for label, by_column in labels.items():
                    by_column[name] = _text(attributes.get(label, ""))
        return labels

    def dataset(self, table: str = "runs", columns: Columns = None, run: typing.Optional[int] = None) -> typing.Any:
        """A table as an xarray.Dataset of one dimension, `run` for the table of runs and `row` for others; names in place of
        codes, units and long names on every variable.

        >>> with palstudy.open("small.h5") as archive:
        ...     runs = archive.dataset("runs")
        >>> dict(runs.sizes), runs["jct_mean_s"].attrs["units"], str(runs["policy.placement"].values[0])
        ({'run': 2}, 's', 'pal')
        """
        import xarray

        table_frame = self.frame(table, columns, run)
        by_run = "run" in table_frame and table_frame["run"].is_unique
        made = xarray.Dataset(
            attrs={name: self.attribute(name) for name in ("digest", "Conventions", "license", "creator")}
            | {"table": table}
        )
        for name in table_frame:
            labels = {label: table_frame.attrs[label][name] for label in ("units", "long_name")}
            made[name] = ("run" if by_run else "row", np.asarray(table_frame[name]), labels)
        return made

    def to_parquet(self, folder: Path, tables: typing.Optional[typing.Sequence[str]] = None) -> list[pathlib.Path]:
        """Writes tables as Parquet, TABLE.parquet each (a slash of the name becomes a point): codes as dictionaries; units and
        long names in the metadata of each field. Needs pyarrow, which Debian 12 does not have: untried."""
        import pyarrow
        import pyarrow.parquet

        written = []
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        for table in tables or [name for name in self.tables if self.has(name)]:
            table_frame = self.frame(table)
            made = pyarrow.Table.from_pandas(table_frame, preserve_index=False)
            for at, name in enumerate(table_frame):
                labels = {label: table_frame.attrs[label][name] for label in ("units", "long_name")}
                made = made.set_column(at, made.schema.field(at).with_metadata(labels), made.column(at))
            written.append(pathlib.Path(folder) / f"{table.replace('/', '.')}.parquet")
            pyarrow.parquet.write_table(made, written[-1])
        return written

    @functools.cached_property
    def axes(self) -> dict[str, list[typing.Any]]:
        """{key: its values, in the order of the study} of every axis that takes several values; seeds included.

        >>> palstudy.open("small.h5").axes
        {'policy.placement': ['pal', 'packed-sticky']}
        """
        names = self.columns("runs")
        first, last = (names.index(name) for name in self._AXES_BETWEEN)
        values = {name: list(pd.unique(self.column("runs", name))) for name in names[first:last]}
        return {name: some for name, some in values.items() if len(some) > 1}

    seeds = property(lambda self: [key for key in self.axes if is_seed(key)], doc="The axes that only repeat.")

    def missing_runs(self) -> list[int]:
        """The numbers of the runs of the study that the archive lacks or has as failed; none of a whole campaign.

        >>> palstudy.open("small.h5").missing_runs()
        []
        """
        done = {
            int(run) for run, word in zip(self.column("runs", "run"), self.column("runs", "status")) if word == "done"
        }
        points = math.prod(len(values) for values in self.study.get("axes", {}).values())
        return sorted(set(range(points)) - done)


def open(path: Path) -> Archive:  # pylint: disable=redefined-builtin
    """Opens an archive of `palstudy run`, or a profile of `palstudy measure`. Raises Error where it is neither.

    >>> with palstudy.open("small.h5") as archive:
    ...     archive.attribute("study.name")
    'case'
    """
    return Archive(path)


def frame(path: Path, table: str = "runs", columns: Columns = None, run: typing.Optional[int] = None) -> pd.DataFrame:
    """`Archive.frame` of a file.

    >>> palstudy.frame("small.h5", "nodes", ["run", "node", "busy_s"], run=0)["busy_s"].sum()
    30900.0
    """
    with open(path) as archive:
        return archive.frame(table, columns, run)


def study(path: Path) -> dict[str, typing.Any]:
    """The resolved study of an archive as nested dictionaries.

    >>> palstudy.study("small.h5")["engine"]["round_s"]
    360.0
    """
    with open(path) as archive:
        return archive.study


def find_program(named: typing.Optional[Path] = None) -> str:
    """The program `palstudy`: the one that is named, or that PALSTUDY_PROGRAM names, or one beside this file (installed, or of
    the release build), or the first on PATH. Raises Error where there is none."""
    here = pathlib.Path(__file__).resolve().parent
    beside = [up / place for up in here.parents for place in ("bin/palstudy", "build/release/palstudy")][:8]
    places: list[typing.Optional[Path]] = (
        [named] if named else [os.environ.get("PALSTUDY_PROGRAM"), *beside, shutil.which("palstudy")]
    )
    for place in places:
        if place and os.access(place, os.X_OK) and os.path.isfile(place):
            return str(pathlib.Path(place).resolve())
    raise Error(
        "is no program that can be run" if named else "the program palstudy was not found",
        str(named or ""),
        "build it, or name it in PALSTUDY_PROGRAM",
    )


def ask_program(*words: str, program: typing.Optional[Path] = None) -> dict[str, typing.Any]:
    """The answer of the program to a command with --json. Raises Error with the program's own words where it refuses.

    >>> palstudy.ask_program("verify", "small.h5")["holds"]
    True
    """
    done = subprocess.run([find_program(program), *words, "--json"], capture_output=True, text=True, check=False)
    if not done.stdout.lstrip().startswith("{"):
        raise Error(
            done.stderr.strip().replace("palstudy: ", "", 1) or f"palstudy {words[0]} ended with {done.returncode}"
        )
    return dict(json.loads(done.stdout))


def compare(
    path: Path,
    *,
    by: Names = (),
    baseline: Names = (),
    metric: str = "",
    against: str = "",
    program: typing.Optional[Path] = None,
) -> pd.DataFrame:
    """What `palstudy compare` says, a row for each gain: `baseline`, `value` (the policy), `metric`, `ratio`, `gain` (over 0 where the
    policy is better), the ends of both (`gain_low`; 95 %; NaN where there is no interval, `no_interval` says why), `better` of
    `pairs`, and a column for each key of `by`. `attrs` has the rest of the answer: its notes by id, the load, what is assumed.

    >>> gains = palstudy.compare("small.h5", metric="jct_mean_s")
    >>> gains[["value", "baseline", "metric", "gain", "pairs"]].round(3)
      value       baseline      metric   gain  pairs
    0   pal  packed-sticky  jct_mean_s  0.016      1
    1   pal  packed-sticky  makespan_s  0.000      1
    """
    options: dict[str, Names] = {
        "--by": by,
        "--baseline": baseline,
        "--metric": metric or (),
        "--against": against or (),
    }
    words = [
        word
        for option, value in options.items()
        for one in ([value] if isinstance(value, str) else value)
        for word in (option, one)
    ]
    answer = ask_program("compare", str(path), *words, program=program)
    more = {one["name"] for one in answer["metrics"] if one["better"] == "more"}
    made = pd.DataFrame(
        {**group["at"], **_gain(gain, gain["metric"] in more)} for group in answer["groups"] for gain in group["gains"]
    )
    made.attrs = {name: value for name, value in answer.items() if name != "groups"}
    return made


def _gain(one: dict[str, typing.Any], more_is_better: bool) -> dict[str, typing.Any]:
    sign, (low, high) = 1 if more_is_better else -1, (one["interval"] or {}).get("alone", (math.nan, math.nan))
    (worse, better), ratio = sorted((sign * (low - 1), sign * (high - 1))), one["ratio"] or math.nan
    return {
        **one,
        "gain": ratio - 1 if more_is_better else 1 - ratio,
        "ratio_low": low,
        "ratio_high": high,
        "gain_low": worse,
        "gain_high": better,
        "no_interval": (one["no_interval"] or {}).get("why", ""),
    }
