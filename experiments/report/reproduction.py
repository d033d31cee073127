# SPDX-License-Identifier: MIT
"""docs/reproduction.md, made of archives: each number of the paper beside ours, under each definition that could be meant."""
import dataclasses
import itertools
import pathlib
import shlex

from .archive import Archive, command_words
from .errors import LeftOut
from .numbers import gain_interval, gain_percent
from .philly import STUDIES, philly_section
from .program import Compare

WRITTEN_BY = "<!-- Written by palstudy-report --reproduction; do not edit. -->"
STICKY, NONSTICKY = "packed-sticky", "packed-nonsticky"
STRAGGLER = ("cluster.source", "cluster.slowdown_max>2")  # keys that split its study


def waiting(by):
    """How a reader sees the shares of waiting."""
    return f"(`--set output.jobs=true` when it is run, then `palstudy compare FILE --by {by} --metric share_waiting`)"


WAITING = f" {waiting('workload.jobs_per_h')}"


@dataclasses.dataclass(frozen=True)
class Ours:
    """One number of ours: a gain of `palstudy compare` on one archive."""

    what: str  # the definition, in words
    study: str  # the archive is <study>.h5
    metric: str = "jct_mean_s"
    policy: str = "pal"
    baseline: str = STICKY
    by: tuple = ()  # keys, as for --by
    at: tuple = ()  # the values that are meant


@dataclasses.dataclass(frozen=True)
class Claim:
    title: str
    paper: str
    why: str  # why ours differ, where they do
    ours: tuple


def locality(policy, study, value):
    key = "network.penalty.cluster"
    words = "all eight traces" if study == "locality-sweep" else "trace 6 alone, as scripted"
    return Ours(f"{policy}, L = {value}, {words}", study, policy=policy, by=(key,), at=(value,))


def loads(figure, policy="pal"):
    return tuple(
        Ours(
            f"{load} jobs an hour, over `{over}`",
            f"figure-{figure}",
            policy=policy,
            baseline=over,
            by=("workload.jobs_per_h",),
            at=(load,),
        )
        for over in (STICKY, NONSTICKY)
        for load in ("8", "14")
    )


CLAIMS = (
    Claim(
        "Mean completion time",
        "PAL 42 % better (abstract); over the traces 43 %, 21 to 59 % (Figure 10, README of the artifact)",
        "The published cluster has a GPU that is 2.83 times slower than the median: one reading of a training session that went "
        "badly, drawn as if it were a GPU; with that GPU as fast as the median the gains are 7.2 % and 6.2 % (the commands: "
        "[gains.md](gains.md#how-much-of-the-gain-is-one-slow-gpu)). Clusters drawn the same way without such a GPU give about a "
        "fifth of the gain, clusters of measured GPUs less than a tenth. Where the measurements repeat, PAL gains nothing by knowing "
        "the GPUs: with all of them known its mean is 1.8 % (0.3 to 3.2 %) longer than with all believed alike (`palstudy compare "
        "results/trust.h5 --against policy.knowledge=flat --by policy.placement --brief`); with all believed alike it gains over "
        "`packed-sticky` what `packed-nonsticky` gains (1.22 and 1.3 %; `palstudy compare results/trust.h5`), which re-packs all jobs "
        "each round too. The jobs of `trust` are "
        "Philly-like and arrive from time 0 on; those already running then are not measured. A few jobs hold much of a mean, so the "
        "geometric mean is shown too. The plotting script of Figure 10 normalises by `packed-nonsticky` under the name of the other, "
        "so both baselines are given. The ranges over the traces are not reproduced with either.",
        (
            Ours("the published cluster, over `packed-sticky`", "sia-philly"),
            Ours("the same, over `packed-nonsticky`", "sia-philly", baseline=NONSTICKY),
            Ours(
                "30 clusters drawn as published, a GPU over 2x among them",
                "straggler",
                by=STRAGGLER,
                at=("bootstrap", "> 2"),
            ),
            Ours("30 clusters drawn as published, no GPU over 2x", "straggler", by=STRAGGLER, at=("bootstrap", "<= 2")),
            Ours("30 clusters of whole measured nodes", "straggler", by=STRAGGLER, at=("measured", "<= 2")),
            Ours(
                "measurements that repeat (SGEMM, PageRank), known exactly",
                "trust",
                by=("policy.knowledge",),
                at=("oracle",),
            ),
            Ours(
                "the same, geometric mean of the completion times",
                "trust",
                "jct_log_mean_s",
                by=("policy.knowledge",),
                at=("oracle",),
            ),
            Ours("the same, known from five measurements", "trust", by=("policy.knowledge",), at=("runs",)),
            Ours(
                "the same, known from the other half of the runs", "trust", by=("policy.knowledge",), at=("other-half",)
            ),
            Ours("the same, all GPUs believed alike", "trust", by=("policy.knowledge",), at=("flat",)),
            Ours(
                "the same, known exactly, over `packed-nonsticky`",
                "trust",
                baseline=NONSTICKY,
                by=("policy.knowledge",),
                at=("oracle",),
            ),
            Ours(
                "the same, `packed-nonsticky` instead of PAL",
                "trust",
                policy=NONSTICKY,
                by=("policy.knowledge",),
                at=("oracle",),
            ),
        ),
    ),
    Claim(
        "Mean completion time, trace by trace",
        "bars of Figure 10, and 21 to 59 % as their range",
        "A bar is one pair of runs on one cluster, with no interval. Most of a completion time is waiting, on trace 5 under "
        f"`packed-sticky` 99 % {waiting('workload.trace')}, so a bar shows how much shorter the queue is.",
        tuple(
            Ours(
                f"trace {number}, over `{over}`",
                "sia-philly",
                baseline=over,
                by=("workload.trace",),
                at=(f"../jobs/traces/sia-philly/continued/sia{number}.csv",),
            )
            for over in (STICKY, NONSTICKY)
            for number in range(1, 9)
        ),
    ),
    Claim(
        "PM-First's mean completion time",
        "40 %, 5 to 59 % over the traces (Figure 10, README of the artifact)",
        "It differs for the reasons that PAL's does, above. PM-First is worse than the baseline on one trace.",
        (
            Ours("the published cluster, over `packed-sticky`", "sia-philly", policy="pm-first"),
            Ours("the same, over `packed-nonsticky`", "sia-philly", policy="pm-first", baseline=NONSTICKY),
        ),
    ),
    Claim(
        "Makespan",
        "47 % better (abstract)",
        "It differs for the reasons that the mean completion time does, above.",
        (
            Ours("last finish of a measured job, over `packed-sticky`", "sia-philly", "makespan_s"),
            Ours("the same, over `packed-nonsticky`", "sia-philly", "makespan_s", baseline=NONSTICKY),
            Ours(
                "30 clusters of whole measured nodes", "straggler", "makespan_s", by=STRAGGLER, at=("measured", "<= 2")
            ),
        ),
    ),
    Claim(
        "Utilization",
        "28 % better (abstract)",
        "No script of the artifact computes a utilization, so the definition decides, and none of these gives 28 % over the traces. "
        "Held GPU-seconds over GPUs and makespan mean little, because a slow GPU makes both longer: the share of all jobs rises by a "
        "third on the second trace and changes by less than 4 % on the others (`palstudy compare results/sia-philly.h5 --metric "
        "alloc_fraction --by workload.trace`), and that of measured jobs (`busy_fraction`) rises on some traces (by 30 % on the "
        "first, by 32 % on the second) and falls on others. Useful work rises over the traces by far more than 28 %.",
        (
            *tuple(
                Ours(f"{words}, over `{over}`", "sia-philly", metric, baseline=over)
                for metric, words in (
                    ("alloc_fraction", "GPU-seconds that all jobs hold (`alloc_fraction`)"),
                    ("busy_fraction", "that measured jobs hold (`busy_fraction`)"),
                    ("effective_fraction", "work at slowdown 1 and penalty 1 (`effective_fraction`)"),
                )
                for over in (STICKY, NONSTICKY)
            ),
            Ours(
                "trace 1 alone, that measured jobs hold, over `packed-sticky`",
                "sia-philly",
                "busy_fraction",
                by=("workload.trace",),
                at=("../jobs/traces/sia-philly/continued/sia1.csv",),
            ),
        ),
    ),
    Claim(
        "Locality penalty",
        "from L = 1 to 3, PAL's gain falls from 30 to 20 %, PM-First's from 30 to 9 % (Figure 12)",
        "On the script's single trace the gain hardly depends on L. Over all eight traces PAL's falls from L = 1 to 3 by half as much as "
        "stated, and from 44 %, not 30; between them it goes up and down, from 39.7 to 43.9 % (`palstudy compare "
        "results/locality-sweep.h5 --by network.penalty.cluster`).",
        tuple(
            locality(policy, study, value)
            for study in ("figure-12", "locality-sweep")
            for policy in ("pal", "pm-first")
            for value in ("1", "3")
        ),
    ),
    Claim(
        "Load, first come, first served",
        "curves of Figure 13",
        "The scripts measure the first eleven jobs, on a cluster that is "
        "empty when they arrive. Later jobs stay behind them, so no measured "
        "job waits longer than to the next boundary, under any policy "
        "(298.8 s at most, of rounds of 300: `--set output.jobs=true`, then "
        "`palstudy export FILE --table jobs`), and "
        "the load hardly matters. The clusters are drawn by seed, 256 GPUs "
        "each, and every run has a GPU over 2x.",
        loads(13),
    ),
    Claim(
        "Load, least attained service",
        "curves of Figure 15",
        "The same eleven jobs, but all later jobs have run less and go before "
        "them: at 14 jobs an hour nine tenths of their completion times is "
        "waiting" + WAITING + ".",
        loads(15),
    ),
    Claim(
        "Load, shortest remaining time",
        "curves of Figure 16",
        "The same eleven jobs. Later, shorter jobs go before the long ones "
        "among them, so that at 14 jobs an hour half to three fifths of "
        "their completion times is waiting" + WAITING + ".",
        loads(16),
    ),
)

TWO_FACTORS = ("cluster.classes", "cluster.source", "cluster.slowdown_max>2")
REPEATING = "../data/repeating-classes.toml"
GPUS = (
    ("a GPU over 2x among measured runs", ("pal", "bootstrap", "> 2")),
    ("measured runs, no GPU over 2x", ("pal", "bootstrap", "<= 2")),
    ("medians of whole nodes", ("pal", "measured", "<= 2")),
    ("medians of SGEMM and PageRank, which repeat", (REPEATING, "measured", "<= 2")),
    ("runs of SGEMM and PageRank", (REPEATING, "bootstrap", "<= 2")),
)
OURS = (
    Claim(
        "A slow GPU and a saturated queue",
        "one cluster with a slow GPU, under traces whose queues are long",
        "The same clusters under two workloads with their engines: in one nine tenths of the completion times are waiting, in the "
        "other one tenth; traces, engine settings, bins and measured jobs differ as well. With the measurements that Sia's traces go "
        "with the gain is larger with a slow GPU, and larger in the first workload: without one of the two less than a fourth of it "
        "is left. A slow GPU and a saturated queue are not all of it: Philly-like jobs at load 3 (`--set workload.rho=3 --set "
        "'workload.seed={first=1, count=10}'`) give 13.3 % with a GPU over 2x, of which re-packing that ignores slowdowns makes the most, "
        "and with greedy backfill (`--set 'policy.backfill=\"greedy\"'`) Sia's traces give -18.1 % in place of 41.9 % "
        "([gains.md](gains.md)). Rows of the table: `palstudy compare FILE --by cluster.classes --by cluster.source --by "
        "'cluster.slowdown_max>2'`, with `--metric share_waiting` for the shares of waiting.",
        tuple(
            Ours(f"{gpus}, {words}", f"two-factors-{study}", by=TWO_FACTORS, at=at)
            for gpus, at in GPUS
            for study, words in (
                ("published", "Sia's traces and the published engine"),
                ("philly", "Philly-like jobs at load 0.6, the default engine"),
            )
        ),
    ),
    Claim(
        "PAL under Philly's rules",
        "nothing of this; its clusters have one queue, and no tenants",
        "Knowing the GPUs does not help. PAL (`pal-sticky`) gains by moving jobs, as it does with all GPUs believed alike, and loses by "
        "choosing by slowdown, which takes GPUs further apart (`--metric share_locality`). By size (`palstudy compare results/philly-pal.h5 --by "
        "policy.knowledge --by size`): jobs of one GPU gain 1 %, jobs of more than 8 "
        "take 22 to 28 % longer (with all believed alike 9 % up to 64 GPUs, and wider ones nothing significant).",
        tuple(
            Ours(words, "philly-pal", policy="pal-sticky", by=("policy.knowledge",), at=(knowledge,))
            for knowledge, words in (
                ("oracle", "GPUs known exactly, over `packed-sticky`"),
                ("flat", "all GPUs believed alike, over `packed-sticky`"),
            )
        ),
    ),
)


def reproduction(folder, program):
    """The page, from <study>.h5 in `folder`."""
    folder = pathlib.Path(folder)
    studies = list(dict.fromkeys(one.study for claim in CLAIMS for one in claim.ours))
    answers = {}
    parts = [
        WRITTEN_BY,
        "# The paper's numbers, and ours",
        "",
        "PAL: Jain, Tran, Chen, Sinclair, Venkataraman, SC'24. A gain is 1 - the geometric mean of the ratios of paired runs, or "
        "ratio - 1 where more is better; least and most are single pairs. Every number of ours is from `palstudy compare`, those of "
        "Philly's tables from the rows of their archives, with its 95 % interval where there are at least 8 replications; a single "
        "published cluster has none. Where the last table has "
        "--set, fewer seeds or points were run than the study names. An archive that is there already needs --force to be made "
        "again.",
        "",
    ]
    for claim in CLAIMS:
        parts += section(claim, folder, program, answers)
    parts += philly_section(folder)
    parts += [
        line
        for claim in OURS
        if (folder / f"{claim.ours[0].study}.h5").exists()
        for line in section(claim, folder, program, answers)
    ]
    parts += ["## From which archives", "", "| study | command | runs | seeds | digest |", "|---|---|---:|---:|---|"]
    for study in (*studies, *STUDIES, *dict.fromkeys(one.study for claim in OURS for one in claim.ours)):
        path = folder / f"{study}.h5"
        if path.exists():
            with Archive(path) as archive:
                parts.append(
                    f"| {study} | `{command_of(study, archive)}` | {len(archive.runs):,} | {seeds_of(archive)} | "
                    f"`{archive.attribute('digest')[:16]}` |"
                )
    parts += ["", "This page is made of them by `palstudy-report --reproduction results -o docs/reproduction.md`.", ""]
    return "\n".join(parts)


def section(claim, folder, program, answers):
    """A claim, our numbers, and why they differ."""
    return [
        f"## {claim.title}",
        "",
        f"The paper: {claim.paper}.",
        "",
        "| ours | gain | 95 % interval | least | most | pairs | study |",
        "|---|---:|---:|---:|---:|---:|---|",
        *(row(one, folder, program, answers) for one in claim.ours),
        "",
        claim.why,
        "",
    ]


def study_file(study):
    """Where the study stands, from the root of the repository."""
    path = f"paper/{study}" if study.startswith("figure-") else study.replace("two-factors-", "two-factors/")
    return f"experiments/{path}.toml"


def command_of(study, archive):
    """The line that makes the archive again, with what --set replaced."""
    words = command_words(str(archive.attribute("command_line")).split("\n", maxsplit=1)[0])
    replaced = [f"--set {quoted(value)}" for option, value in itertools.pairwise(words) if option == "--set"]
    return " ".join(["palstudy run", study_file(study), "-o", f"results/{study}.h5", *replaced])


def quoted(value):
    return shlex.quote(value) if "'" in value else f"'{value}'"


def seeds_of(archive):
    """30, or 30 x 30 of crossed axes."""
    return " x ".join(str(len(archive.axes[key])) for key in archive.seeds) or "1"


def row(one, folder, program, answers):
    gain = gain_of(one, folder, program, answers)
    if isinstance(gain, str):
        return f"| {one.what} | - | {gain} | | | | {one.study} |"
    ends = " | ".join(gain_percent(gain, name) for name in ("least", "most"))
    return f"| {one.what} | {gain_percent(gain)} | {gain_interval(gain)} | {ends} | {gain['pairs']} | {one.study} |"


def gain_of(one, folder, program, answers):
    """The gain as `palstudy compare` gives it, or why there is none."""
    path = folder / f"{one.study}.h5"
    if not path.exists():
        return f"no {path.name}"
    key = (one.study, one.metric)
    if key not in answers:
        answers[key] = Compare(program, str(path), metric=one.metric)
    try:
        found = [
            gain
            for values, gain in answers[key].gains(*one.by)
            if values == one.at and gain["policy"] == one.policy and gain["baseline"] == one.baseline
        ]
    except LeftOut as why:
        return str(why)
    if not found:
        return "not run"
    return found[0] if found[0].get("pairs") else "no claim: unstable, or unfinished"
