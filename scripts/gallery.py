#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gallery.py --program build/release/palstudy: writes docs/gallery: every figure of palstudy-report with its commands.

It runs small studies, about a minute and a half on one core. The same programs write the same files.
"""
import argparse
import dataclasses
import html
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
GALLERY = ROOT / "docs" / "gallery"
MOST_BYTES, MOST_BYTES_TOGETHER = 150_000, 1_500_000

SEEDS = "seed={first=1,count=8}"  # the fewest that give intervals
PAIR = ('policy.placement=["pal","packed-sticky"]', "compare.baseline=packed-sticky")
PACKED = ("power.spare=[0]", "power.ces.buffer=[1]", 'policy.placement=["packed-sticky"]')
ONE_SEED = "seed={first=1,count=1}"
TABLES = ("output.jobs=true", "output.events=true", "output.rounds=true")
ONE_TRACE = 'workload.trace=["../jobs/traces/sia-philly/continued/sia1.csv"]'
SMALL = ("cluster.gpus=32", "measure.warmup_s=0", "measure.window_s=172800")
STUDIES: dict[str, tuple[str, tuple[str, ...]]] = {  # name of the archive: study, --set
    "traces": ("sia-philly", ('policy.placement=["pal","packed-sticky","packed-nonsticky"]',)),
    "locality": ("locality-sweep", PAIR),
    "load": ("load-fifo", (SEEDS, "workload.jobs_per_h=[2,2.5,3,3.5]", *PAIR)),
    "size": ("scale", (SEEDS, "cluster.gpus=[64,256,1024]", *PAIR)),
    "moves": ("migration", (SEEDS, *PAIR)),
    "predicted": ("qssf", (SEEDS, 'policy.order=["fifo","qssf"]', 'policy.backfill=["greedy"]')),
    "slow-gpu": ("straggler", ("seed={first=1,count=16}", ONE_TRACE)),
    "leases": ("leases", (SEEDS, "policy.lease_s=[300,3600]", "engine.migration_s=[0]")),
    "philly": ("philly", (ONE_SEED,)),
    "one-run": ("smallest", (ONE_SEED, *SMALL, *TABLES)),
    "nodes-off": ("energy", (ONE_SEED, 'power.off=["timer"]', "power.idle_s=[600]", *PACKED, *TABLES)),
    "energy": ("energy", (SEEDS, 'power.off=["none","timer","ces"]', "power.idle_s=[600,3600]", *PACKED)),
    "which-nodes": ("sleep-which", (SEEDS, 'cluster.classes=["pal"]', 'policy.placement=["packed-sticky"]')),
}
FIGURES: dict[str, tuple[str, str]] = {  # word after --only: archive, what the figure shows
    "gains": ("traces", "Each policy has a point for its change against each baseline, the best first."),
    "gain-per-trace": ("traces", "Each trace has a point for every policy; the last row has all traces together."),
    "locality-sweep": ("locality", "The first drawing has the change at each penalty, the second has the hours."),
    "load-sweep": ("load", "Each policy has a line: the mean completion time at each rate of arrivals."),
    "load-gain": ("load", "The change against the baseline is drawn at each rate of arrivals."),
    "size-gain": ("size", "The change against the baseline is drawn at each number of GPUs."),
    "migration-gain": ("moves", "The change against the baseline is drawn at each cost of a move."),
    "prediction-error": (
        "predicted",
        "The change of an order by predicted durations is drawn against the error of the predictions.",
    ),
    "gain-by": ("slow-gpu", "Clusters with a GPU over twice as slow as the median stand apart from the others."),
    "gain-by-policy.lease_s": (
        "leases",
        "Any other axis of a study gets such a figure; this one has the length of a lease.",
    ),
    "jct-distribution": ("traces", "Each policy has a curve: the share of the jobs that are done within a time."),
    "causes": (
        "traces",
        "Each bar divides the completion times of a policy into work, slow GPUs, distance and waiting.",
    ),
    "delays": ("philly", "The time that jobs waited is divided by cause, for small and large jobs."),
    "queue-by-tenant": ("philly", "Each tenant has a point: how long its jobs wait on average."),
    "outcomes": ("philly", "The jobs, and the GPU time that they held, are divided by how the jobs ended."),
    "failures": ("philly", "Each reason has its share of the failed attempts, and of their run time."),
    "utilization": ("one-run", "The share of the GPUs that jobs hold is drawn over the time of a run."),
    "nodes-on": ("nodes-off", "Nodes that are on, and nodes with jobs, are counted over the time of a run."),
    "energy-delay": (
        "energy",
        "Each rule has a point: the energy that it saves, and the completion time that it adds.",
    ),
    "off-order": ("which-nodes", "Powering off the slowest nodes is compared with powering off random ones."),
    "energy": ("energy", "Each bar divides the energy of a rule by class of jobs and state of nodes."),
    "wake-ups": ("energy", "Each rule has a point: how often it powers nodes on, and how long jobs wait for that."),
    "energy-by-slowdown": (
        "nodes-off",
        "The energy of the same work is drawn against the slowdown of the GPUs, by class.",
    ),
    "slowdowns": ("traces", "GPUs of the simulated clusters are counted by their slowdown, for each class."),
    "profile": ("slow-gpu", "Measured GPUs are counted by their slowdown; the dashed line has single runs."),
    "slow-gpus": ("traces", "The slowdown that jobs ran at is drawn by class and by size of the job."),
    "fairness": (
        "leases",
        "Finish-time fairness is drawn by class, beside who has the fast GPUs and what fairness costs.",
    ),
    "gantt": ("one-run", "Each bar is a job on neighbouring GPUs, over time; slow GPUs are marked."),
}
HEAD = """<!-- Made by scripts/gallery.py; edit the script. -->
# What do the figures look like?

Here is every figure of `palstudy-report`, with the commands that make it.
The studies are cut down to a few seeds, so the figures show what can be drawn and are no evidence.
[The findings](../findings/index.md) are made from whole studies.

Run the commands from the root of the repository.
[Make a page and figures of an archive](../howto/report.md) says what each figure needs.
"""


@dataclasses.dataclass
class Section:
    title: str
    images: dict[str, str]  # names of SVG files, without the suffix, and their titles


def done(words: list[str]) -> str:
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"{shlex.join(words)} ended with {ran.returncode}:\n{ran.stderr}")
    return ran.stdout


def run_words(archive: str) -> list[str]:
    """Of the run of an archive, after the name of the program and before -o."""
    study, settings = STUDIES[archive]
    return ["run", f"experiments/{study}.toml", *(word for one in settings for word in ("--set", one))]


def members(only: str, made: list[str]) -> list[str]:
    """The files that `--only` writes: a figure, and figures of its family that have no section of their own."""
    return [name for name in made if name == only or (name.startswith(only + "-") and name not in FIGURES)]


def sections_of(archive: str, program: pathlib.Path, folder: pathlib.Path) -> dict[str, Section]:
    """Runs the study, makes its figures and copies them."""
    file, pages, report = folder / f"{archive}.h5", folder / archive, program.with_name("palstudy-report")
    done([str(program), *run_words(archive), "-o", str(file)])
    wanted = [only for only, (made_from, _) in FIGURES.items() if made_from == archive]
    done([str(report), str(file), "-o", str(pages), *(word for only in wanted for word in ("--only", only))])
    page = (pages / "index.html").read_text(encoding="utf-8")
    titles = dict(re.findall(r'<figure id="([^"]+)"><h3>(.*?)</h3>', page))
    sections = {}
    for only in wanted:
        images = {name: html.unescape(titles[name]) for name in members(only, list(titles))}
        if not images:
            sys.exit(f"{archive}: palstudy-report made no figure {only}")
        for image in images:
            shutil.copyfile(pages / "figures" / f"{image}.svg", GALLERY / f"{image}.svg")
        sections[only] = Section(next(iter(images.values())), images)
    return sections


def text_of(only: str, section: Section) -> str:
    archive, sentence = FIGURES[only]
    shown = "\n\n".join(f"![{title}]({image}.svg)" for image, title in section.images.items())
    words = [shlex.quote(word) for word in run_words(archive)]
    lines = [" ".join(["palstudy", *words[:2]]), *(f"--set {word}" for word in words[3::2]), f"-o {archive}.h5"]
    run, report = " \\\n      ".join(lines), f"palstudy-report {archive}.h5 -o report/ --only {only}"
    return f"\n## {section.title}\n\n{shown}\n\n{sentence}\n\n    {run}\n    {report}\n"


def check_sizes() -> None:
    sizes = {path.name: path.stat().st_size for path in GALLERY.glob("*.svg")}
    large = [f"{name} has {size:,} bytes" for name, size in sizes.items() if size > MOST_BYTES]
    if large or sum(sizes.values()) > MOST_BYTES_TOGETHER:
        sys.exit(
            "\n".join(large or [f"the figures have {sum(sizes.values()):,} bytes together"]) + "\ngive a smaller study"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="palstudy, with palstudy-report beside it")
    program = parser.parse_args().program.resolve()
    listed = [line.split()[0] for line in done([str(program.with_name("palstudy-report")), "--list"]).splitlines()]
    unknown = sorted(set(listed) - set(FIGURES))
    if unknown:
        sys.exit(f"scripts/gallery.py names no archive for {', '.join(unknown)}")
    GALLERY.mkdir(parents=True, exist_ok=True)
    for path in GALLERY.glob("*.svg"):
        path.unlink()
    sections: dict[str, Section] = {}
    with tempfile.TemporaryDirectory(prefix="palstudy-gallery-") as folder:
        for archive in STUDIES:
            sections |= sections_of(archive, program, pathlib.Path(folder))
    (GALLERY / "index.md").write_text(
        HEAD + "".join(text_of(only, sections[only]) for only in FIGURES), encoding="utf-8"
    )
    check_sizes()


if __name__ == "__main__":
    main()
