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
        return [
            (tuple(group["at"].values()), gain)
            for group in answer["groups"]
            for gain in group["gains"]
            if gain["metric"] == answer["metric"]
        ]

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
                self._answers[words] = with_gains(
                    palstudy.ask_program("compare", self.path, *words, program=self._program)
                )
            except palstudy.Error as error:
                self._answers[words] = error
        answer = self._answers[words]
        if isinstance(answer, palstudy.Error):
            raise LeftOut(
                "palstudy compare says: " + "; ".join(line.strip() for line in answer.what.splitlines()) + "."
            )
        return answer

    def gains(self, *by, metrics=()):
        """[(values of `by`, gain)] of the metric compared, or of `metrics`, in the order of the program."""
        answer = self(*by)
        return [
            (tuple(group["at"].values()), gain)
            for group in answer["groups"]
            for gain in group["gains"]
            if gain["metric"] in (metrics or (answer["metric"],))
        ]


def with_gains(answer):
    """Beside each ratio what the page shows of it: gains, which are over 0 where the policy is better, and what its group and the whole
    answer say of it. The metric of the answer is the first one."""
    better = {metric["name"]: metric["better"] for metric in answer["metrics"]}
    answer["metric"] = answer["metrics"][0]["name"]
    for group in answer["groups"]:
        for gain in group["gains"]:
            gain.update(gains_of(gain, better[gain["metric"]] == "more"))
            gain.update({"given": text_of(answer, "donors"), "averaged_over": group["averaged_over"]})
    return answer


def gains_of(gain, more_is_better):
    """A gain and its ends, by the ratios of `palstudy compare`."""

    def ends(ratios):
        if not ratios:
            return None, None
        return tuple(sorted(ratio - 1 if more_is_better else 1 - ratio for ratio in ratios))

    interval, parts, missing = gain["interval"] or {}, gain["parts"] or {}, gain["no_interval"] or {}
    low, high = ends(interval.get("alone"))
    together = ends(interval.get("together"))
    worst, best = ends(gain["pair_ratios"])
    least, most = ends(parts.get("ratios"))
    mean = None if gain["ratio"] is None else gain["ratio"] - 1 if more_is_better else 1 - gain["ratio"]
    return {
        "improvement": mean,
        "low": low,
        "high": high,
        "low_simultaneous": together[0],
        "high_simultaneous": together[1],
        "least": worst,
        "most": best,
        "parts": parts.get("n", 0),
        "parts_least": least,
        "parts_most": most,
        "comparisons": interval.get("comparisons", 1),
        "replications": gain["seeds"].get("replications", 0),
        "policy": gain["value"],
        "wins": gain["better"],
        "overloaded": (gain["overloaded"] or {}).get("text", ""),
        "scope": interval.get("text", ""),
        "coverage": interval.get("coverage_text", ""),
        "tested": interval.get("coverage") == "simulated",
        "idle_seeds": missing.get("why") == "idle-seeds",
        "no_interval": missing.get("text", "")
        + (f" of {gain['metric']}" if missing.get("why") == "idle-seeds" else ""),
    }


def text_of(answer, note):
    """What is said of a note, if the answer has it."""
    return next((one["text"] for one in answer["notes"] if one["id"] == note), "")


def distinct_scopes(gains):
    """What intervals are over, each once."""
    return list(dict.fromkeys(gain["scope"] for gain in gains if gain.get("scope")))


def averaged_text(gains):
    """Which axes, other than seeds and traces, the gains are averaged over: a clause, or ""."""
    pooled = {one["key"]: one["values"] for gain in gains for one in gain.get("averaged_over", [])}
    return f"averaged over {' and '.join(f'{key} ({many} values)' for key, many in pooled.items())}" if pooled else ""


def mean_of(group, metric, policies):
    """({policy: (mean, low, high)}, points): the means of `palstudy compare` over the seeds, averaged over the points (traces) at which
    every one of the policies has one; the interval is that of `palstudy compare`, and there is none over several points.
    """
    points = {}
    for row in group["means"]:
        if row["metric"] == metric and row["mean"] is not None:
            points.setdefault(tuple(row["at"].items()), {})[row["value"]] = row
    rows = [row for row in points.values() if all(name in row for name in policies)]
    means = {}
    for name in policies if rows else ():
        mean = sum(row[name]["mean"] for row in rows) / len(rows)
        half = rows[0][name]["half_width"] if len(rows) == 1 else None
        means[name] = (mean, math.nan, math.nan) if half is None else (mean, mean - half, mean + half)
    return means, len(rows)


def reasons(gains):
    """Why intervals are missing: each sentence once."""
    return list(dict.fromkeys(gain["no_interval"] for gain in gains if gain.get("no_interval")))
