# SPDX-License-Identifier: MIT
"""The values from which the pages of results are filled: what palstudy printed as JSON, with what a template asks of it.

What a method returns for a page is `Shown`: text that came from a value. findings.py refuses digits of any other origin.
"""
import json
import math
import pathlib
import tomllib
from typing import Any, Iterable, Iterator

ROOT = pathlib.Path(__file__).resolve().parents[1]
VALUES = ROOT / "docs" / "findings" / "values"
HOUR, DAY = 3600.0, 86400.0
TIMES = ("jct_", "wait_", "makespan_")  # metrics that are called shorter and longer, not less and more


class Shown(str):
    """Text for a page that was made of values."""


class Broken(Exception):
    """A template or a file of values that cannot be used; the text says which and why."""


def need(holds: Any, what: str = "") -> str:
    """What the words around rely on: a value that has changed its sign or its order fails the page."""
    if not holds:
        raise Broken(f"the page says what no longer holds{': ' + what if what else ''}")
    return ""


def places(half_width: float | None) -> int:
    """Decimals that a share in percent is worth: two digits of half its interval."""
    if half_width is None or half_width <= 0:
        return 1
    return max(0, min(2, 1 - math.floor(math.log10(half_width))))


def bare(share: float, digits: int) -> str:
    """-0.0346 -> "-3.46", without a sign on zero."""
    text = f"{100 * share:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text


def percent(share: float, digits: int = 1) -> Shown:
    """0.429 -> "42.9 %"."""
    return Shown(bare(share, digits) + " %")


def number(value: float, digits: int | None = None) -> Shown:
    """1234567 -> "1,234,567"; 0.012345 -> "0.0123". With `digits`, so many decimals."""
    if digits is not None:
        return Shown(f"{value:,.{digits}f}")
    if isinstance(value, int) or value == round(value) and abs(value) < 1e15:
        return Shown(f"{value:,.0f}")
    decimals = max(0, 2 - math.floor(math.log10(abs(value))))
    return Shown(f"{value:,.{decimals}f}")


def duration(seconds: float) -> Shown:
    """In the unit that a reader would take: s, min, h or days."""
    for unit, size in (("days", 2 * DAY), ("h", HOUR), ("min", 60.0)):
        if abs(seconds) >= size:
            scale = DAY if unit == "days" else size
            return Shown(f"{seconds / scale:.3g} {unit}")
    return Shown(f"{seconds:.3g} s")


def signed(share: float, digits: int) -> str:
    return ("+" if float(bare(share, digits)) > 0 else "") + bare(share, digits)


class Gain:
    """A comparison of two policies, or of two values of a key, on one metric."""

    def __init__(self, row: dict[str, Any], more_is_better: bool):
        self.row, self.more_is_better = row, more_is_better
        self.ratio = row["ratio"]

    @property
    def claimed(self) -> bool:
        return self.ratio is not None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Of the interval as changes; the one that holds together with those of the other gains, as the screen shows it."""
        interval = self.row["interval"]
        if not interval:
            return None
        low, high = interval["together"] or interval["alone"]
        return low - 1, high - 1

    @property
    def value(self) -> float:
        """The change, ratio - 1."""
        if self.ratio is None:
            raise Broken(f"no claim: {self.row['value']} against {self.row['baseline']}")
        return self.ratio - 1

    @property
    def digits(self) -> int:
        return places(50 * (self.ends[1] - self.ends[0]) if self.ends else None)

    @property
    def less(self) -> bool:
        """Less is shown: by the interval, or, if there is none, by the change."""
        return (self.ends[1] if self.ends else self.value) < 0

    @property
    def more(self) -> bool:
        return (self.ends[0] if self.ends else self.value) > 0

    @property
    def undecided(self) -> bool:
        return self.claimed and not self.less and not self.more

    @property
    def better(self) -> bool:
        return self.more if self.more_is_better else self.less

    @property
    def change(self) -> Shown:
        """ "-42.9 %"; "no claim" """
        return Shown(signed(self.value, self.digits) + " %") if self.claimed else Shown("no claim")

    @property
    def size(self) -> Shown:
        """The change without its sign, for prose that has a word for it."""
        return Shown(bare(abs(self.value), self.digits) + " %")

    @property
    def interval(self) -> Shown:
        """ "-44.6 to -39.1 %"; "none" """
        if not self.ends:
            return Shown("none")
        low, high = self.ends
        return Shown(f"{signed(low, self.digits)} to {signed(high, self.digits)} %")

    @property
    def of(self) -> Shown:
        """How many pairs were better."""
        return Shown(f"{self.row['better']:,} of {self.row['pairs']:,}")

    @property
    def parts(self) -> Shown:
        """From the least to the most change of what is averaged over, mostly traces."""
        low, high = sorted(ratio - 1 for ratio in self.row["parts"]["ratios"])
        return Shown(f"{signed(low, 1)} to {signed(high, 1)} %")

    @property
    def spread(self) -> Shown:
        """The same as the screen has it, beside a word for the sign: "5.4 to 62.4 %"."""
        ratios = self.row["parts"]["ratios"]
        if min(ratios) < 1 < max(ratios):
            return self.parts
        low, high = sorted(abs(ratio - 1) for ratio in ratios)
        return Shown(f"{bare(low, 1)} to {bare(high, 1)} %")

    @property
    def words(self) -> Shown:
        """ "3.46 % shorter (2.69 to 4.22 %)", "no difference found (-1.2 to +0.5 %)", by the values."""
        if not self.claimed:
            return Shown("no claim")
        if self.undecided:
            return Shown(f"no difference found ({self.interval})")
        times = self.row["metric"].startswith(TIMES)
        word = ("shorter" if times else "less") if self.value < 0 else ("longer" if times else "more")
        if not self.ends:
            return Shown(f"{self.size} {word}")
        low, high = sorted(abs(end) for end in self.ends)
        return Shown(f"{self.size} {word} ({bare(low, self.digits)} to {bare(high, self.digits)} %)")


class Read:
    """What one command printed."""

    def __init__(self, name: str, answer: dict[str, Any]):
        self.name, self.answer = name, answer

    def __getitem__(self, key: str) -> Any:
        return self.answer[key]

    def more_is_better(self, metric: str) -> bool:
        return next(one["better"] for one in self.answer["metrics"] if one["name"] == metric) == "more"

    @property
    def metric(self) -> str:
        return self.answer["metrics"][0]["name"]

    @property
    def screen(self) -> Shown:
        """What a person saw, of a read whose name ends with _screen."""
        if not isinstance(self.answer, list):
            raise Broken(f"{self.name} is no screen: the name of such a read ends with _screen")
        return Shown("\n".join(self.answer))

    def groups(self, at: dict[str, Any]) -> list[dict[str, Any]]:
        return [
            group
            for group in self.answer["groups"]
            if all(str(group["at"].get(key)) == str(value) for key, value in at.items())
        ]

    def group(self, at: dict[str, Any]) -> dict[str, Any]:
        found = self.groups(at)
        if len(found) != 1:
            there = [group["at"] for group in self.answer["groups"]]
            raise Broken(f"{self.name}: {len(found)} groups at {at}; there are {there}")
        return found[0]

    def gain(
        self, value: str = "pal", over: str | None = None, metric: str | None = None, at: dict[str, Any] | None = None
    ) -> Gain:
        """`at`: the values of --by, as compare --json names them. `over`: the first baseline if not given."""
        metric, over = metric or self.metric, over or self.answer["compared"]["baselines"][0]
        rows = self.group(at or {})["gains"]
        for row in rows:
            if (row["metric"], row["value"], row["baseline"]) == (metric, value, over):
                return Gain(row, self.more_is_better(metric))
        there = sorted({(row["metric"], row["value"], row["baseline"]) for row in rows})
        raise Broken(f"{self.name}: no gain of {value} over {over} in {metric}; there are {there}")

    def gains(self, at: dict[str, Any] | None = None, value: str | None = None) -> list[Gain]:
        """Those of all groups that lie at `at`."""
        return [
            Gain(row, self.more_is_better(row["metric"]))
            for group in self.groups(at or {})
            for row in group["gains"]
            if value in (None, row["value"])
        ]

    def mean(
        self, value: str = "pal", metric: str | None = None, at: dict[str, Any] | None = None, geometric: bool = False
    ) -> float:
        """Over the runs of a group."""
        for one in self.group(at or {})["pooled_means"]:
            if (one["metric"], one["value"]) == (metric or self.metric, value):
                return one["geometric" if geometric or one["mean"] is None else "mean"]
        raise Broken(f"{self.name}: no mean of {metric or self.metric} under {value} at {at}")

    def total(self, column: str, at: dict[str, Any]) -> float:
        """Of a table: the sum over the rows that lie at `at`."""
        rows: Any = self.answer
        found = [row[column] for row in rows if all(str(row[key]) == str(value) for key, value in at.items())]
        if not found:
            raise Broken(f"{self.name}: no rows at {at}")
        return sum(found)

    def note(self, identity: str) -> dict[str, Any]:
        for one in self.answer["notes"]:
            if one["id"] == identity:
                return one["values"]
        raise Broken(f"{self.name}: no note {identity}; there are {[one['id'] for one in self.answer['notes']]}")

    def rows(
        self, values: Iterable[str] | None, over: str | None, metric: str | None
    ) -> Iterator[tuple[dict[str, Any], Gain]]:
        for group in self.answer["groups"]:
            for row in group["gains"]:
                if row["metric"] != (metric or self.metric) or over not in (None, row["baseline"]):
                    continue
                if values is None or row["value"] in values:
                    yield group["at"], Gain(row, self.more_is_better(row["metric"]))

    def table(
        self,
        values: Iterable[str] | None = None,
        over: str | None = None,
        metric: str | None = None,
        names: dict[str, str] | None = None,
    ) -> Shown:
        """The gains as a table: what --by splits, who is compared, the change, its interval, in how many pairs it is better.
        `names`: what a key or a value is called on the page."""
        called = names or {}
        rows = list(self.rows(list(values) if values else None, over, metric))
        if not rows:
            raise Broken(f"{self.name}: a table without rows")
        keys = list(dict.fromkeys(key for at, _ in rows for key in at))
        several = len({gain.row["baseline"] for _, gain in rows}) > 1
        head = [called.get(key, f"`{key}`") for key in keys] + [called.get("value", "policy")]
        head += (["against"] if several else []) + ["change", "95 % interval", "better in"]
        lines = ["| " + " | ".join(head) + " |", "|" + "---|" * (len(head) - 3) + "---:|---:|---:|"]
        for at, gain in rows:
            cells = [called.get(short(at.get(key, "")), short(at.get(key, ""))) for key in keys]
            cells += [called.get(gain.row["value"], f"`{short(gain.row['value'])}`")]
            cells += [f"`{short(gain.row['baseline'])}`"] if several else []
            cells += [gain.change, gain.interval, gain.of if gain.claimed else "-"]
            lines.append("| " + " | ".join(cells) + " |")
        return Shown("\n".join(lines))


def short(value: Any) -> str:
    """A value of an axis: paths by their name alone."""
    text = str(value)
    name = text.rsplit("/", 1)[-1]
    return name.rsplit(".", 1)[0] if name.endswith((".csv", ".toml")) else text


class Values:
    """A file of values: `read` is its first, the others by name. Gains and means of the first are asked of it directly."""

    def __init__(self, name: str):
        path = VALUES / f"{name}.json"
        if not path.exists():
            raise Broken(f"{path.relative_to(ROOT)} is missing: scripts/findings.py --make {name}")
        self.name, self.document = name, json.loads(path.read_text())
        self.reads = {key: Read(f"{name}, {key}", answer) for key, answer in self.document["values"].items()}

    def __getattr__(self, name: str) -> Any:
        """`v.gain(...)` of the first read, or `v.traces.gain(...)` of the read `traces`."""
        reads = self.__dict__["reads"]
        return reads[name] if name in reads else getattr(next(iter(reads.values())), name)

    @property
    def commands(self) -> Shown:
        """What made these values, as an indented block."""
        return Shown("\n".join("    " + command for command in self.document["commands"]))

    @property
    def digest(self) -> Shown:
        return Shown(self.document["digest"])

    @property
    def recorded(self) -> Shown:
        """Of what cannot be made again everywhere: the machine, the program and the day."""
        return Shown(f"{self.document['machine']}; {self.document['program']}, {self.document['recorded']}")

    @property
    def runs(self) -> Shown:
        return number(next(iter(self.reads.values()))["study"]["runs"])


class Setting(dict):
    """A section of a study, or the study: `s.cluster.gpus`."""

    def __getattr__(self, name: str) -> Any:
        if name not in self:
            raise Broken(f"the study has no {name}; it has {sorted(self)}")
        value = self[name]
        return Setting(value) if isinstance(value, dict) else value


def study(path: str) -> Setting:
    """The settings of a study file, under experiments/."""
    return Setting(tomllib.loads((ROOT / "experiments" / path).read_text()))


def facts(name: str) -> Setting:
    """What others published, each with its source: docs/templates/NAME.toml."""
    return Setting(tomllib.loads((ROOT / "docs" / "templates" / f"{name}.toml").read_text()))
