# SPDX-License-Identifier: MIT
"""The answer with which the page begins, in two sentences: how much, in hours too, over what baseline; and how sure that is, and over
what. Gains, intervals, means and what they are over come from `palstudy compare`."""
import math

from .errors import LeftOut
from .numbers import count, gain_interval, gain_percent, metric_text, missing, percent, short
from .program import averaged_text, distinct_scopes, mean_of

HOUR = 3600.0
# Why a run makes no claim, what that run did, and what it means for its completion times.
NO_CLAIM = (
    ("failed", "failed", ""),
    (
        "unstable",
        "were unstable",
        "Where a run is unstable the queue grows as long as jobs come, so completion times depend on the length of the trace.",
    ),
    (
        "unfinished",
        "left jobs unfinished",
        "Completion times of runs that end before their jobs do depend on when they were stopped.",
    ),
)
NO_HOURS_OF_A_JOB = ("makespan_s",)


def answer(context):
    """The two sentences, of the policy that the study names first, over the first baseline."""
    if context.archive.policy_key not in context.archive.axes:
        return [
            f"No gain is claimed: the study has one placement policy ({policy_of(context)}), so there is nothing to compare it with.",
            described(context),
        ]
    try:
        found = context.compare(*context.split)
    except LeftOut as why:
        return [f"No gain is claimed: {why}", described(context)]
    first = next(gain for group in found["groups"] for gain in group["gains"] if gain["metric"] == found["metric"])
    mine = [
        (group, gain)
        for group in found["groups"]
        for gain in group["gains"]
        if all(gain[name] == first[name] for name in ("metric", "policy", "baseline"))
    ]
    claimed = [(group, gain) for group, gain in mine if gain["pairs"]]
    if not claimed:
        return no_claim(found, first)
    return [
        how_much(claimed, first["baseline"]) + others(found, claimed) + ".",
        how_sure(mine, claimed, load_note(found)),
    ]


def no_claim(found, first):
    why = [one for one in NO_CLAIM if any(run["why"] == one[0] for run in found["left_out"])]
    did = " or ".join(part for part in (", ".join(one[1] for one in why[:-1]), why[-1][1]) if part)
    left_out = f"{len(found['left_out']):,} of {count(found['study']['runs'], 'run')} {did}"
    return [
        f"No gain of {first['policy']} over {first['baseline']} in {metric_text(found['metric'])} is claimed: {left_out}, and no pair of "
        "runs is left.",
        " ".join(dict.fromkeys(means for _, _, means in why if means))
        + " Which run makes no claim for what stands below.",
    ]


def how_much(claimed, baseline):
    _, gain = claimed[0]
    ends = (
        claimed
        if len(claimed) == 1
        else [choose(claimed, key=lambda one: one[1]["improvement"]) for choose in (min, max)]
    )
    words = [quantity(group, gain) for group, gain in ends]
    return f"In {metric_text(gain['metric'])} {gain['policy']} gains over {baseline} " + (
        words[0] if len(words) == 1 else f"between {words[0]} and {words[1]}"
    )


def place(group):
    """ " at policy.knowledge = oracle", of a study that is split."""
    return f" at {', '.join(f'{key} = {short(value)}' for key, value in group['at'].items())}" if group["at"] else ""


def quantity(group, gain):
    """ "42.9 % (no interval; 62.9 instead of 149.1 hours a job)", with where it is, of a study that is split."""
    inside = [one for one in (interval(gain), hours(group, gain)) if one]
    return f"{gain_percent(gain)}{place(group)} ({'; '.join(inside)})"


def interval(gain, said=True):
    """`said`: with the share of simulated trials in which such intervals held the truth, where it is known."""
    if missing(gain.get("low")):
        return "no interval"
    coverage = f", {gain['coverage']}" if gain.get("coverage") else ""
    return f"95 % interval {gain_interval(gain)}" + (coverage if said else "")


def hours(group, gain):
    """ "62.9 instead of 149.1 hours a job": the means of both policies over the runs that they have in common; "" of no time."""
    if not gain["metric"].endswith("_s"):
        return ""
    means, points = mean_of(group, gain["metric"], [gain["policy"], gain["baseline"]])
    if not means:
        return ""
    mine, other = (means[name][0] / HOUR for name in (gain["policy"], gain["baseline"]))
    digits = hour_digits(mine, other)
    job = "" if gain["metric"] in NO_HOURS_OF_A_JOB else " a job"
    over = (
        f", arithmetic means of {count(points, 'trace')}; the gain is that of their geometric means"
        if points > 1 and group["over"]["workloads"]["traces"] == points
        else ""
    )
    return f"{mine:,.{digits}f} instead of {other:,.{digits}f} hours{job}{over}"


def hour_digits(mine, other):
    """So many that the difference shows, within reason."""
    least = min([one for one in (abs(mine - other), mine, other) if one > 0], default=1)
    return max(1, min(3, 1 - math.floor(math.log10(least))))


def others(found, claimed):
    """ ", and 36.2 % over packed-nonsticky", where there is one group."""
    group, first = claimed[0]
    if len(found["groups"]) > 1:
        return ""
    more = [
        gain
        for gain in group["gains"]
        if gain["metric"] == first["metric"]
        and gain["policy"] == first["policy"]
        and gain["baseline"] != first["baseline"]
        and gain["pairs"]
    ]
    return "".join(f"; over {gain['baseline']} {gain_percent(gain)} ({interval(gain, said=False)})" for gain in more)


def load_note(found):
    """What `palstudy compare` notes of the queues of all runs together, if anything."""
    return next((note for note in found["notes"] if note["id"] in ("overloaded", "backlog")), None)


def how_sure(mine, claimed, overloaded=None):
    """`overloaded` is what `palstudy compare` notes of all runs together."""
    gains = [gain for _, gain in claimed]
    words = [
        overload(gains, overloaded),
        scope_words(gains),
        verdict(gains),
        wins(gains, len(mine)),
        averaged_text(gains),
        parts_text(gains),
    ]
    text = "; ".join(word for word in words if word)
    return text[0].upper() + text[1:] + "."


def overload(gains, of_all):
    """What `palstudy compare` says of an overloaded cluster; of several gains in how many runs it is, as the warning says the rest."""
    said = [gain["overloaded"] for gain in gains if gain.get("overloaded")]
    if said and len(gains) == 1:
        return said[0]
    if of_all is None:
        return "overloaded at some values (see Warnings)" if said else ""
    values = of_all["values"]
    what = "run" if "runs" in values else "workload"
    some = values[what + "s"]
    where = "" if some == values["of"] else f" in {some:,} of {count(values['of'], what)}"
    return f"{of_all['id']}{where} (see Warnings)"


def scope_words(gains):
    scopes = distinct_scopes(gains)
    if scopes:
        one = len(gains) == 1
        return f"the 95 % interval{'' if one else 's'} {'is' if one else 'are'} {' or '.join(scopes[:3])}"
    why = list(dict.fromkeys(gain["no_interval"] for gain in gains if gain.get("no_interval")))
    return (
        f"how sure the gain is cannot be said, since there is no interval: {', '.join(why)}"
        if why
        else "how sure the gain is cannot be said"
    )


def verdict(gains):
    """What the intervals exclude, of which baseline; of several gains, those that hold together."""
    known = [judged_ends(gain) for gain in gains if not missing(gain.get("low"))]
    if not known:
        return ""
    over = f"over {gains[0]['baseline']}"
    better, worse = sum(low > 0 for low, _ in known), sum(high < 0 for _, high in known)
    if len(gains) == 1:
        says = (
            "excludes a loss"
            if better
            else "excludes a gain"
            if worse
            else "holds 0, so neither a gain nor a loss can be told"
        )
        return f"{judged(gains[0])} {says}"
    if not better + worse:
        return f"held together, none of the {len(known)} intervals {over} excludes 0, so neither a gain nor a loss can be told"
    told = [f"{what} at {many}" for many, what in ((better, "a gain"), (worse, "a loss")) if many]
    return f"held together, the intervals {over} exclude 0 at {better + worse} of {count(len(known), 'value')} ({', '.join(told)})"


def judged_ends(gain):
    """Of the interval that is judged: the one that holds together with those of the other gains, where there are others."""
    together = "low_simultaneous" if not missing(gain.get("low_simultaneous")) else "low"
    return gain[together], gain[together.replace("low", "high")]


def judged(gain):
    """Which interval that is. One that stands nowhere else in the answer is written out."""
    mine = f"the interval of the gain over {gain['baseline']}"
    others_of = gain.get("comparisons", 1) - 1
    if others_of < 1 or missing(gain.get("low_simultaneous")):
        return mine
    return (
        f"{mine} that holds together with {'that' if others_of == 1 else 'those'} of the {count(others_of, 'other gain')}, "
        f"{gain_interval(gain, '_simultaneous')},"
    )


def wins(gains, groups):
    """Pairs that are one pair again and again are no evidence."""
    if all(gain.get("idle_seeds") for gain in gains):
        return "its seeds change nothing: all pairs are the same pair of runs"
    pairs, of = (sum(gain.get(name, 0) for gain in gains) for name in ("pairs", "pairs_of"))
    left = f" ({pairs:,} of {of:,} pairs make a claim)" if of > pairs else ""
    silent = f", and {groups - len(gains)} of {groups} values of the axes make no claim" if groups > len(gains) else ""
    return f"{gains[0]['policy']} is better in {sum(gain['wins'] for gain in gains):,} of {count(pairs, 'pair')} of runs{left}{silent}"


def parts_text(gains):
    """ "averaged over 3 traces, from -5.1 % to 10.1 %": what is within an average, as `palstudy compare` says it of one gain; of
    several, from the least of all to the most."""
    averages = [gain for gain in gains if gain.get("parts", 0) > 1]
    if not averages:
        return ""
    many = "/".join(f"{parts:,}" for parts in sorted({gain["parts"] for gain in averages}))
    what = "points" if any(gain.get("averaged_over") for gain in averages) else "traces"
    ends = [
        percent(choose(gain[end] for gain in averages)) for choose, end in ((min, "parts_least"), (max, "parts_most"))
    ]
    return f"{'averaged' if len(gains) == 1 else 'each averaged'} over {many} {what}, from {ends[0]} to {ends[1]}"


def policy_of(context):
    return context.archive.setting("policy.placement", context.archive.runs.index[0]) or "the default"


def described(context):
    """What a study without a comparison shows: the time of a job, and what became of it."""
    runs = context.archive.runs[context.archive.claims]
    if runs.empty:
        return "Nor do its runs claim anything else: they failed, were unstable or left jobs unfinished."
    each = runs["jct_mean_s"] / HOUR
    spread = f" ({each.min():.3g} to {each.max():.3g} by run)" if len(runs) > 1 else ""
    words = [
        f"In {count(len(runs), 'run')} that {'makes a claim' if len(runs) == 1 else 'make claims'} a job takes {each.mean():.3g} hours "
        f"from submission to its end{spread}"
    ]
    words += [
        f"{percent(share)} {what}"
        for share, what in (
            (share_of(context, "causes", "share_waiting"), "of that is waiting"),
            (share_of(context, "outcomes", "jobs_passed"), "of the jobs pass"),
        )
        if share is not None
    ]
    return ", ".join(words) + "."


def share_of(context, metrics, name):
    """A share that `palstudy compare` makes of all runs; None where it has none, or several points."""
    try:
        answer_of = context.compare.shares(metrics)
    except LeftOut:
        return None
    values = [row["mean"] for group in answer_of["groups"] for row in group["means"] if row["metric"] == name]
    return values[0] if len(values) == 1 else None
