# SPDX-License-Identifier: MIT
"""The answer with which the page begins: one or two short sentences, what stands in grey beside them, and what is said under them. All
of it is made from the values of `palstudy compare --json`."""
import dataclasses

from . import labels
from .errors import LeftOut
from .numbers import (
    count,
    differs,
    ends,
    interval_text,
    less_and_more,
    percent,
    places,
    range_words,
    three_digits,
    undecided,
)
from .program import averaged_text, metric_of

HOUR = 3600.0
MOST_TOLD = 3  # changes that are told one by one; more are counted
MOST_SCOPES = MOST_SENTENCES = 2
WHY = {"failed": "failed", "unstable": "unstable", "unfinished": "left jobs unfinished"}


@dataclasses.dataclass
class Answer:
    sentences: list
    beside: list  # lines in grey
    under: list  # over what the answer speaks, a line each


def answer_of(found):
    """Of the first policy on the axis that is no baseline, as the study's author chose."""
    metric = metric_of(found)
    gains = [(group, gain) for group in found["groups"] for gain in group["gains"] if gain["metric"] == metric["name"]]
    if not any(gain["pairs"] for _, gain in gains):
        return no_claim(found)
    baselines = found["compared"]["baselines"]
    policies = [gain["value"] for _, gain in gains]
    policy = next((name for name in policies if name not in baselines), policies[0])
    mine = [one for name in baselines for one in gains if (one[1]["value"], one[1]["baseline"]) == (policy, name)]
    sentences, lines = (one_by_one(mine), beside(mine)) if len(mine) <= MOST_TOLD else counted(mine)
    return Answer(sentences, lines, under(found, mine))


def no_claim(found):
    why = [run["why"] for run in found["left_out"]]
    sentence = "We claim nothing: no pair of runs can be compared."
    if why:
        sentence = f"We claim nothing: {len(why):,} of {count(found['study']['runs'], 'run')} are left out."
    lines = [f"{why.count(one):,} {words}" for one, words in WHY.items() if one in why]
    growth = [run["growth_per_h"] for run in found["left_out"] if run["why"] == "unstable"]
    lines += [f"queues grow by {min(growth):.3g} to {max(growth):.3g} jobs an hour"] if growth else []
    return Answer([sentence], lines, under(found, []))


def kind(gain):
    """Which way the change points; gains of one kind share a sentence."""
    return "none" if undecided(gain) or gain["ratio"] == 1 else "less" if gain["ratio"] < 1 else "more"


def one_by_one(mine):
    """ "PAL shortens the mean completion time by 42.9 % against packed-sticky, and by 36.2 % against packed-nonsticky." """
    claimed = [one for one in mine if one[1]["pairs"]]
    sentences, metric = [], claimed[0][1]["metric"]
    name, time = labels.in_sentence(claimed[0][1]["value"]), labels.is_time(metric)
    for way in dict.fromkeys(kind(gain) for _, gain in claimed):
        some = [one for one in claimed if kind(one[1]) == way]
        phrase = "it" if sentences and "none" not in (way, kind(claimed[0][1])) else f"the {labels.metric(metric)}"
        verb = {"less": ("lowers", "shortens"), "more": ("raises", "lengthens"), "none": ("", "")}[way][time]
        before, parts = None, []
        for group, gain in some:
            where = "".join(f" with {labels.value(*one)}" for one in group["at"].items())
            baseline = labels.in_sentence(gain["baseline"])
            same = before == gain["baseline"]
            if way == "none":
                parts.append(
                    f"{'' if same else f' between {name} and {baseline}'}{where}{interval_text(gain) and f' ({interval_text(gain)})'}"
                )
            else:
                size = percent(abs(gain["ratio"] - 1), places(ends(gain)))
                parts.append(f" by {size}{'' if same else f' against {baseline}'}{where}")
            before = gain["baseline"]
        start = "We found no difference" if way == "none" else f"{name} {verb} {phrase}"
        sentences.append(start + (", nor" if way == "none" else ", and").join(parts) + ".")
    return sentences


def counted(mine):
    """ "Under PAL the mean completion time is shorter at 3 of 4 points against easy, and longer at 1.", of the first baselines; and in grey
    how many points say nothing, and the range."""
    sentences, lines, first = [], [], mine[0][1]
    words = less_and_more(labels.is_time(first["metric"]))
    for baseline in dict.fromkeys(gain["baseline"] for _, gain in mine):
        some = [gain for _, gain in mine if gain["baseline"] == baseline]
        kinds = [kind(gain) for gain in some if gain["pairs"]]
        told = [f"{word} at {kinds.count(way):,}" for way, word in zip(("less", "more"), words) if way in kinds]
        against, points = f"against {labels.in_sentence(baseline)}", count(len(some), "point")
        start = f"Under {labels.in_sentence(first['value'])} {'it' if sentences else 'the ' + labels.metric(first['metric'])} is "
        if told:
            sentences.append(f"{start}{told[0]} of {points} {against}{''.join(f', and {one}' for one in told[1:])}.")
        elif kinds:
            sentences.append(f"We found no difference {against} at {count(len(kinds), 'point')}.")
        ratios = [gain["ratio"] for gain in some if gain["pairs"]]
        silent = [(kinds.count("none"), "no difference found"), (len(some) - len(kinds), "no claim")]
        line = [against, range_words((min(ratios), max(ratios)), 1, words) + " by point"] if ratios else [against]
        lines.append("; ".join([*line, *(f"{what} at {many:,}" for many, what in silent if many)]))
    return sentences[:MOST_SENTENCES], lines


def beside(mine):
    """How sure each change is, a line each, and why there is no interval."""
    lines = []
    for group, gain in mine:
        head = [labels.at(group["at"])] if group["at"] else []
        head += (
            [f"against {labels.in_sentence(gain['baseline'])}"] if len({one["baseline"] for _, one in mine}) > 1 else []
        )
        lines.append("; ".join(one for one in (*head, *how_sure(group, gain)) if one))
    why = dict.fromkeys(gain["no_interval"]["text"] for _, gain in mine if gain["pairs"] and gain["no_interval"])
    return lines + [f"no interval: {one}" for one in why]


def how_sure(group, gain):
    if not gain["pairs"]:
        return [f"no claim: {count(gain['pairs_of'], 'pair')} left out"]
    words, found, parts = less_and_more(labels.is_time(gain["metric"])), ends(gain), gain["parts"]
    sure = ""
    if differs(gain):
        together = ", together" if gain["interval"]["comparisons"] > 1 else ""
        sure = f"95 % interval{together}: {range_words(found, places(found), words)}"
    elif not found and parts["n"] > 1:
        sure = f"{range_words(parts['ratios'], 1, words)} by {'point' if group['averaged_over'] else 'trace'}"
    better = f"better in {gain['better']:,} of {count(gain['pairs'], 'pair')}" if differs(gain) else ""
    return [sure, means(group, gain), better]


def means(group, gain):
    """ "33.1 instead of 57.9 h", of which the change is the quotient."""
    found = {one["value"]: one["mean"] for one in group["pooled_means"] if one["metric"] == gain["metric"]}
    pair = [found.get(gain[name]) for name in ("value", "baseline")]
    if not labels.is_time(gain["metric"]) or None in pair:
        return ""
    unit, name = (HOUR, "h") if max(pair) >= HOUR else (1, "s")
    return f"{three_digits(pair[0] / unit)} instead of {three_digits(pair[1] / unit)} {name}"


def under(found, mine):
    """What is said of every result: over what intervals are, what is averaged, which jobs are measured, and under what load."""
    scopes = dict.fromkeys(gain["interval"]["text"] for _, gain in mine if gain["interval"])
    lines = [f"intervals: {one}" for one in list(scopes)[:MOST_SCOPES]]
    lines += [averaged_text(found["groups"]), found["stop"], found["measured"]["text"], found["load"]["text"]]
    return [line for line in lines if line]


def without_comparison(context, why, told):
    """Of a study that compares nothing: how long a job takes."""
    runs = context.archive.runs[context.archive.claims]
    if runs.empty:
        return Answer(["We claim nothing: all runs failed, were unstable or left jobs unfinished."], [why], [])
    hours = runs["jct_mean_s"] / HOUR
    lines = [f"{count(len(runs), 'run')}, {hours.min():.3g} to {hours.max():.3g} h by run"] if len(runs) > 1 else []
    for metrics, name, words in (
        ("causes", "share_waiting", "of it is waiting"),
        ("outcomes", "jobs_passed", "of the jobs pass"),
    ):
        share = share_of(context, metrics, name)
        lines += [] if share is None else [f"{percent(share)} {words}"]
    return Answer(
        [f"A job takes {hours.mean():.3g} hours from submission to its end."],
        [*lines, why],
        under(told, []) if told else [],
    )


def share_of(context, metrics, name):
    """A share that `palstudy compare` makes of all runs; None if it has none, or several points."""
    try:
        found = context.compare.shares(metrics)
    except LeftOut:
        return None
    values = [row["mean"] for group in found["groups"] for row in group["means"] if row["metric"] == name]
    return values[0] if len(values) == 1 else None
