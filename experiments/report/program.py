# SPDX-License-Identifier: MIT
"""Asks `palstudy` for every change and every interval of one (`compare --json`), and for what notes mean: values and ids alone are read."""
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
        self._metric = ["--metric", metric] if metric else []

    def typed(self, words):
        """What to type for the same numbers."""
        return shlex.join(["palstudy", "compare", str(self.path), *words])

    def words(self, *by):
        return (*self._options, *self._metric, *split(by))

    def words_of_all(self, *by):
        return (*self._options, "--metric", "all", *split(by))

    def words_against(self, point, *by):
        return ("--against", point, *self._metric, *split(by))

    @staticmethod
    def words_of_shares(metrics, *by):
        return ("--metric", metrics, *split(by))

    def __call__(self, *by):
        """The answer. Raises LeftOut with the program's own sentence if there is nothing to compare."""
        answer = self.ask(self.words(*by))
        if not any(group["gains"] for group in answer["groups"]):
            raise LeftOut("the study names no baseline; --baseline POLICY names one.")
        return answer

    def ask(self, words):
        if words not in self._answers:
            try:
                self._answers[words] = palstudy.ask_program("compare", self.path, *words, program=self._program)
            except palstudy.Error as error:
                self._answers[words] = error
        answer = self._answers[words]
        if isinstance(answer, palstudy.Error):
            said = "; ".join(line.strip() for line in answer.what.splitlines())
            raise LeftOut(f"palstudy compare says: {said}.")
        return answer

    def gains(self, *by, metrics=()):
        """[(point of `by`, gain)] of the metric compared, or of `metrics`, in the order of the program."""
        return gains_of(self(*by), metrics)

    def against(self, point, *by):
        """The changes against the runs at `point`, such as policy.order=fifo, that agree in all else."""
        return gains_of(self.ask(self.words_against(point, *by)))

    def shares(self, metrics, *by):
        """The answer on `--metric causes` or `outcomes`, which are shares and have no gains."""
        return self.ask(self.words_of_shares(metrics, *by))

    def explain(self, note):
        """What a note means: id, severity, summary, text. A newer program may have noted what this one does not know."""
        try:
            return palstudy.ask_program("explain", note, program=self._program)
        except palstudy.Error:
            return {
                "id": note,
                "severity": "not known",
                "summary": "The program that was asked does not know this note.",
                "text": "",
            }


def split(by):
    return [word for key in by for word in ("--by", key)]


def metric_of(answer):
    """The metric compared: its name, unit and which way is better."""
    return answer["metrics"][0]


def gains_of(answer, metrics=()):
    wanted = metrics or (metric_of(answer)["name"],)
    return [(group["at"], gain) for group in answer["groups"] for gain in group["gains"] if gain["metric"] in wanted]


def averaged_text(groups):
    """ "Averaged over cluster.gpus (6 values).": the axes, other than seeds and traces, that these groups hold together, or ""."""
    pooled = {one["key"]: one["values"] for group in groups for one in group["averaged_over"]}
    return f"Averaged over {' and '.join(f'{key} ({many} values)' for key, many in pooled.items())}." if pooled else ""


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
