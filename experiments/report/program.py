# SPDX-License-Identifier: MIT
"""Asks `palstudy compare --json` for every gain and every interval of one: there is one implementation of them."""
import math
import shlex

from .archive import palstudy
from .errors import LeftOut, usage_error


def find_program(named):
    """The program: what --palstudy or the launcher says, that of the release build, or the one on PATH."""
    try:
        return palstudy.find_program(named)
    except palstudy.Error as error:
        advice = "--palstudy names the program palstudy" if named else "build it, or name it with --palstudy"
        raise usage_error(error.what, error.where, advice) from error


class Compare:
    """`palstudy compare` of one archive; answers are kept."""

    def __init__(self, program, path, baselines=(), metric=None):
        self._options = [word for name in baselines for word in ("--baseline", name)]
        self._program, self.path, self._answers = program, path, {}
        self.metric = metric

    def command(self, by=()):
        """What to type for the same numbers."""
        return self._typed(*self._arguments(by))

    def _typed(self, *words):
        return shlex.join(["palstudy", "compare", str(self.path), *words])

    def _arguments(self, by):
        metric = ["--metric", self.metric] if self.metric else []
        return [*self._options, *metric, *(word for key in by for word in ("--by", key))]

    def __call__(self, *by):
        """The answer as a dictionary. Raises LeftOut with the program's own sentence where it has nothing to compare."""
        answer = self._ask(tuple(self._arguments(by)))
        if not any(group["gains"] for group in answer["groups"]):
            raise LeftOut("the study names no baseline, so there is nothing to gain over; --baseline POLICY names one.")
        return answer

    def against(self, point, *by):
        """The gains over the runs at `point`, such as policy.order=fifo, that agree in all else."""
        answer = self._ask(self._against(point, by))
        return [(tuple(value_of(label) for label in group["by"]), gain) for group in answer["groups"]
                for gain in group["gains"] if gain["metric"] == answer["metric"]]

    def against_command(self, point, *by):
        return self._typed(*self._against(point, by))

    def _against(self, point, by):
        metric = ["--metric", self.metric] if self.metric else []
        return ("--against", point, *metric, *(word for key in by for word in ("--by", key)))

    def shares(self, metrics, *by):
        """The answer on `--metric causes` or `outcomes`, which are shares and no gains."""
        return self._ask(self._shares(metrics, by))

    @staticmethod
    def _shares(metrics, by):
        return ("--metric", metrics, *(word for key in by for word in ("--by", key)))

    def shares_command(self, metrics, *by):
        return self._typed(*self._shares(metrics, by))

    def _ask(self, words):
        if words not in self._answers:
            try:
                self._answers[words] = with_gains(palstudy.ask_program("compare", self.path, *words, program=self._program))
            except palstudy.Error as error:
                self._answers[words] = error
        answer = self._answers[words]
        if isinstance(answer, palstudy.Error):
            raise LeftOut("palstudy compare says: " + "; ".join(line.strip() for line in answer.what.splitlines()) + ".")
        return answer

    def gains(self, *by, metrics=()):
        """[(values of `by`, gain)] of the metric compared, or of `metrics`, in the order of the program."""
        answer = self(*by)
        return [(tuple(value_of(label) for label in group["by"]), gain) for group in answer["groups"]
                for gain in group["gains"] if gain["metric"] in (metrics or (answer["metric"],))]


def with_gains(answer):
    """Of the two forms in which a comparison is told, the one that is over 0 where the policy is better; and beside each gain what its
    group and the whole answer say of it."""
    names = {"improvement": "gain", "low": "gain_low", "high": "gain_high", "least": "worst", "most": "best",
             "low_simultaneous": "gain_low_simultaneous", "high_simultaneous": "gain_high_simultaneous"}
    for group in answer["groups"]:
        for gain in group["gains"]:
            gain.update({ours: gain[theirs] for ours, theirs in names.items() if theirs in gain})
            gain.update({"given": answer.get("given", ""), "averaged_over": group.get("averaged_over", [])})
    return answer


def distinct_scopes(gains):
    """What intervals are over, each once; one that says of some gains what others say and more is told with that."""
    scopes = list(dict.fromkeys(gain["scope"] for gain in gains if gain.get("scope")))
    more = {long: short for short in scopes for long in scopes if long.startswith(short + ", ")}
    said = {short: f"{short} (at some values {long[len(short) + 2:]} too)" for long, short in more.items()}
    return [said.get(one, one) for one in scopes if one not in more]


def averaged_text(gains):
    """Which axes, other than seeds and traces, the gains are averaged over: a clause, or ""."""
    pooled = {one["key"]: one["values"] for gain in gains for one in gain.get("averaged_over", [])}
    return f"averaged over {' and '.join(f'{key} ({many} values)' for key, many in pooled.items())}" if pooled else ""


def mean_of(group, metric, policies):
    """({policy: (mean, low, high)}, points): the means of `palstudy compare` over the seeds, averaged over the points (traces) at which
    every one of the policies has one; the interval is that of `palstudy compare`, and there is none over several points."""
    rows = [row for row in group["rows"] if row["metric"] == metric and not any(row["means"].get(name) is None for name in policies)]
    means = {}
    for name in policies if rows else ():
        mean = sum(row["means"][name] for row in rows) / len(rows)
        half = rows[0]["half_widths"][name] if len(rows) == 1 else None
        means[name] = (mean, math.nan, math.nan) if half is None else (mean, mean - half, mean + half)
    return means, len(rows)


def value_of(label):
    """'policy.order = las' -> 'las'; 'cluster.slowdown_max > 2' -> '> 2'."""
    key, sign, value = label.split(" ", 2)
    return value if sign == "=" else f"{sign} {value}"


def reasons(gains):
    """Why intervals are missing: each sentence once."""
    return list(dict.fromkeys(gain["no_interval"] for gain in gains if gain.get("no_interval")))
