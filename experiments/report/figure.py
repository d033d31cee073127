# SPDX-License-Identifier: MIT
"""What a figure is, and the list of them. A module in figures/ decorates one function with @figure; nothing else is touched."""
import dataclasses
import importlib
import pathlib
import pkgutil
import typing

import pandas as pd

from .archive import TRACE, is_seed
from .errors import LeftOut, NoClaim
from .numbers import count, short


@dataclasses.dataclass
class Figure:
    """One picture of the page."""

    plot: typing.Any  # a matplotlib figure
    data: pd.DataFrame  # what is drawn, number by number
    caption: str  # in plain words: what is seen, and how sure it is
    compare: str = ""  # the command that prints the same numbers, where there is one
    name: str = ""  # of its files, and
    title: str = ""  # a question: both those of its entry, unless it makes several figures
    place: int = 0  # on the page, ascending: that of its entry


@dataclasses.dataclass
class Entry:
    name: str
    title: str
    place: int  # on the page, ascending
    make: typing.Callable  # Context -> Figure or a list of them; raises LeftOut


_entries = []


def figure(name, title, place):
    """Registers `make(context)`; what it needs and misses it says by LeftOut."""

    def register(make):
        _entries.append(Entry(name, title, place, make))
        return make

    return register


def entries():
    """All figures, in the order of the page."""
    folder = pathlib.Path(__file__).parent / "figures"
    for module in sorted(module.name for module in pkgutil.iter_modules([str(folder)])):
        importlib.import_module(f"{__package__}.figures.{module}")
    return sorted(_entries, key=lambda entry: (entry.place, entry.name))


class Context:
    """What a figure is made from."""

    def __init__(self, archive, compare, at=None, run=None):
        self.archive, self.compare, self.run = archive, compare, run
        self.at = dict(at or {})  # axis -> value to look at, where a figure shows one value only

    @property
    def policies(self):
        return [str(name) for name in self.archive.axes.get(self.archive.policy_key, [])]

    def need_placements(self):
        if self.archive.policy_key not in self.archive.axes:
            raise LeftOut("the study has one placement policy only, so there is nothing to compare.")

    def need_table(self, table, key=None):
        if not self.archive.has(table):
            advice = f" (output.{key or table} = true in the study keeps it)" if table != "nodes" else ""
            raise LeftOut(f"the archive has no table /{table}{advice}.")

    @property
    def split(self):
        """The axes that a gain is never averaged over without a word: all but the policy, seeds and traces."""
        return list(self.other_axes(TRACE))

    def other_axes(self, *but):
        """The axes that are neither the policy, nor seeds, nor named."""
        return {
            key: values
            for key, values in self.archive.axes.items()
            if key != self.archive.policy_key and not is_seed(key) and key not in but
        }

    def slice_of_runs(self, keep=()):
        """The runs that make a claim, at one value of every axis that is neither kept, nor the policy, nor seeds; and a sentence
        that says which. The value is that of --at, else the study's first. Of several policies only the points (seeds, traces) that
        all have, so that they are shown on the same work."""
        runs, fixed = self.archive.runs, []
        chosen = self.archive.claims.copy()
        for key, values in self.other_axes(*keep).items():
            value = self.value_at(key, values)
            chosen &= runs[key] == value
            fixed.append(f"{key} = {short(value)}")
        claimed = runs[chosen]
        if claimed.empty:
            raise NoClaim(
                "no run of this part of the study makes a claim: they failed, were unstable or left jobs unfinished."
            )
        common = self.common(claimed)
        if common.empty:
            raise NoClaim("at no point of this part of the study do the runs of all policies make a claim.")
        where = [f"At {', '.join(fixed)} (--at KEY=VALUE shows another)."] if fixed else []
        if len(common) < len(claimed):
            where.append(
                f"{count(len(claimed) - len(common), 'run')} without partners under every policy "
                f"{'is' if len(claimed) - len(common) == 1 else 'are'} left out."
            )
        return common, " ".join(where)

    def common(self, runs):
        """Of these runs those at points at which every policy has one."""
        points = [key for key in self.archive.axes if key != self.archive.policy_key]
        if self.archive.policy_key not in self.archive.axes:
            return runs
        if not points:
            return runs if len(runs) == len(self.policies) else runs.iloc[:0]
        return runs[
            runs.groupby(points, observed=True)[self.archive.policy_key].transform("size") == len(self.policies)
        ]

    def value_at(self, key, values):
        if key not in self.at:
            return values[0]
        wanted = self.at[key]
        for value in values:
            if wanted in (str(value), short(value)):
                return value
        raise LeftOut(f"--at {key}={wanted}: the study has {', '.join(short(value) for value in values)}.")

    def what_repeats(self, runs):
        """ "30 combinations of seeds and 8 traces for each policy", for captions; of runs that all policies have in common."""
        words = [count(self.replications(runs), "combination of seeds", "combinations of seeds")]
        if TRACE in self.archive.axes and runs[TRACE].nunique() > 1:
            words.append(count(runs[TRACE].nunique(), "trace"))
        return " and ".join(words) + (" for each policy" if len(self.policies) > 1 else "")

    def replications(self, runs):
        return len(runs[self.archive.seeds].drop_duplicates()) if self.archive.seeds else 1
