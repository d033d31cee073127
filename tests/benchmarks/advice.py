#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is what `palstudy advise` says right? Draws clusters with slow nodes that it has to find, and flat ones with nothing to find.

    tests/benchmarks/advice.py build/release/palstudy --seed 1 --planted 200 --flat 100

Cluster C of seed S is always the same: `--only planted:C --keep DIR` writes it to be looked at. Half of the clusters are tables of
slowdowns. The other half are machines that were benchmarked: `profile import` reads some noisy runs of each GPU, and `advise` believes
these. Each piece of advice is tried on 100 further seeds of the jobs, with the slowdowns that were planted: there, in the odd runs of
the profile stands what was measured, in the even ones what is true, and policies believe the odd ones (knowledge "other-half").

Advice is good if its gain there is at most one percentage point below the best action's. It is needless if it is more than to do
nothing, and gains nothing there. Without --seeds `advise` itself chooses how many it draws. Takes some 25 minutes of two processors.
Ends with 1 if fewer than 95 % are good, or if over 5 % of those on flat clusters are needless.
"""
import argparse
import concurrent.futures
import csv
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

MODELS = "".join(
    f'[models.{name}]\nclass = "{cls}"\niteration_s = {seconds}\nsource = "made up"\n'
    for name, cls, seconds in (("compute", "A", 0.2), ("memory", "B", 0.3))
)
FURTHER = "workload.seed={ first = 1001, count = 100 }"
GOOD, POINT = 0.95, 0.01
NEEDLESS = 0.05
NOTHING = ("nothing", 0)


def drawn_slowdowns(draw, kind, gpus, per_node):
    """By class, the slowdown of each GPU; and the nodes with a planted one."""
    usual = draw.uniform(0.01, 0.05) if kind == "planted" else draw.choice([0, 0.005])
    true = {cls: [math.exp(draw.gauss(0, usual)) for _ in range(gpus)] for cls in "AB"}
    count = draw.randint(0, 4) if kind == "planted" else 0
    nodes = draw.sample(range(gpus // per_node), count)
    for node in nodes:
        factor, whole = draw.uniform(1.1, 3), draw.random() < 0.5
        slow = range(per_node) if whole else [draw.randrange(per_node)]
        felt = draw.choice(["AB", "A", "B"])  # a slow memory is felt by few
        for cls in felt:
            for gpu in slow:
                true[cls][node * per_node + gpu] *= factor
    return true, nodes


def drawn_jobs(draw):
    """The sections of the study that are the same however the cluster is known."""
    penalty, rho = draw.uniform(1.1, 1.7), draw.uniform(0.4, 0.9)
    generator = draw.choice(["philly", "helios", "mix"])
    more = 'mix = "compute:1 2, compute:4 1, memory:2 1, memory:8 1"' if generator == "mix" else "weekdays = false"
    placement = draw.choice(["slurm", "packed-sticky"])
    backfill = draw.choice(["none", "easy"])
    return (
        {
            "penalty": round(penalty, 2),
            "rho": round(rho, 2),
            "generator": generator,
            "placement": placement,
            "backfill": backfill,
        },
        f"""[network]
penalty = {{ node = 1.0, cluster = {penalty:.2f} }}
[workload]
generator = "{generator}"
rho = {rho:.2f}
models = "models.toml"
{more}
[policy]
placement = "{placement}"
backfill = "{backfill}"
""",
    )


def write_table(path, true, per_node):
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["gpu_id", "node_id", "class", "score"])
        for cls, values in true.items():
            rows.writerows([gpu, gpu // per_node, cls, f"{value:.6f}"] for gpu, value in enumerate(values))


def write_times(path, per_node, runs):
    """A benchmark's times; `runs` are slowdowns by class and GPU, one such table a session."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["session", "host", "gpu", "kernel", "time_ms"])
        for session, of_class in enumerate(runs):
            for cls, values in of_class.items():
                for gpu, value in enumerate(values):
                    rows.writerow(
                        [f"{session:03}", f"host{gpu // per_node:03}", gpu % per_node, cls, f"{100 * value:.5f}"]
                    )


def measured(draw, true, noise):
    return {cls: [value * math.exp(draw.gauss(0, noise)) for value in values] for cls, values in true.items()}


class Cluster:
    """One cluster, written into a folder as the study of its site."""

    def __init__(self, options, kind, number, folder):
        self.options, self.folder = options, folder
        draw = random.Random(f"{options.seed} {kind} {number}")
        self.per_node = draw.choice([4, 8])
        gpus = draw.choice([64, 96, 128, 192, 256])
        self.true, self.planted = drawn_slowdowns(draw, kind, gpus, self.per_node)
        self.what, jobs = drawn_jobs(draw)
        self.what |= {"gpus": gpus, "per_node": self.per_node, "planted": len(self.planted)}
        self.half = False  # the site keeps half of its measurements as what is believed
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "models.toml").write_text(MODELS, encoding="utf-8")
        source = self.as_site(draw) if number % 2 else self.as_table()
        seeds = f'[axes]\n"workload.seed" = {{ first = 1, count = {options.seeds} }}\n' if options.seeds else ""
        (folder / "study.toml").write_text(
            f"[cluster]\ngpus = {gpus}\ngpus_per_node = {self.per_node}\n{source}{jobs}"
            f"[measure]\njobs = {{ first = 0, last = {options.jobs - 1} }}\n{seeds}",
            encoding="utf-8",
        )

    def as_table(self):
        self.what["source"] = "table"
        write_table(self.folder / "cluster.csv", self.true, self.per_node)
        return 'source = "table"\ntable = "cluster.csv"\n'

    def as_site(self, draw):
        runs, noise, self.half = draw.choice([3, 5]), draw.uniform(0.002, 0.02), draw.random() < 0.3
        self.what |= {"source": "site, half" if self.half else "site", "runs": runs, "noise": round(noise, 4)}
        first, second = ([measured(draw, self.true, noise) for _ in range(runs)] for _ in range(2))
        known = first if not self.half else [run for pair in zip(second, first) for run in pair]
        self.import_runs("measured", known)
        self.import_runs("true", [run for one in first for run in (self.true, one)])
        classes = "".join(f'{cls} = "{cls}"\n' for cls in self.true)
        (self.folder / "classes.toml").write_text(f"[classes.known]\n{classes}", encoding="utf-8")
        return 'source = "site"\nprofile = "measured.h5"\nclasses = "classes.toml"\n'

    def import_runs(self, name, runs):
        write_times(self.folder / f"{name}.csv", self.per_node, runs)
        self.program("profile", "import", f"{name}.csv", "-o", f"{name}.h5", "--force")

    def program(self, *arguments):
        done = subprocess.run(
            [self.options.palstudy, *arguments], cwd=self.folder, text=True, capture_output=True, check=False
        )
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(arguments)} in {self.folder}: {done.stderr}")
        return done.stdout

    def advice(self, *overrides):
        sets = [word for one in overrides for word in ("--set", one)]
        return json.loads(self.program("advise", "study.toml", "--json", *sets))

    def advised(self):
        return self.advice("policy.knowledge=other-half") if self.half else self.advice()

    def truth(self):
        if self.what["source"] == "table":
            return self.advice(FURTHER)
        return self.advice(FURTHER, "cluster.profile=true.h5", "policy.knowledge=other-half")


def gains(advice):
    """The gain of each action; none where jobs were left unfinished."""
    return {
        (one["action"], one["drained"]): one["gain"]["value"] for one in advice["actions"] if one["gain"] is not None
    }


def nodes_drained(advice, action):
    return sorted(next(one["nodes"] for one in advice["actions"] if (one["action"], one["drained"]) == action))


def judged(options, kind, number, folder):
    cluster = Cluster(options, kind, number, folder)
    said, further = cluster.advised(), cluster.truth()
    action, after = (said["action"], said["drained"]), gains(further)
    best = max(after, key=after.get)
    said_of = {(one["action"], one["drained"]): one["gain"] for one in said["actions"]}
    tried = action in after  # with other nodes believed slow, another drain may be the one tried with pal-sticky
    return {
        "cluster": f"{kind}:{number}",
        "action": action,
        "said": said["gain"] if action != NOTHING else 0,
        "best": best,
        "best_gain": after[best],
        "gain": after.get(action),
        "missed": not tried or after[action] < after[best] - POINT,
        "needless": action != NOTHING and (not tried or after[action] <= 0),
        "all": [[*one, said_of.get(one), value] for one, value in after.items()],
        "same_nodes": tried and nodes_drained(said, action) == nodes_drained(further, action),
        **cluster.what,
    }


def every(options):
    """All results, in order."""
    if options.only:
        kind, number = options.only.split(":")
        wanted = [(kind, int(number))]
    else:
        wanted = [("planted", i) for i in range(options.planted)] + [("flat", i) for i in range(options.flat)]
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.processes) as pool:
        root = pathlib.Path(options.keep or scratch).resolve()
        yield from pool.map(lambda one: judged(options, *one, root / f"{one[0]}-{one[1]}"), wanted)


def told(result):
    """A failure, in a line."""
    action, best = (" ".join(map(str, result[key])) for key in ("action", "best"))
    gain = "not tried" if result["gain"] is None else f"{100 * result['gain']:+.2f} %"
    names = ("gpus", "per_node", "planted", "source", "generator", "rho", "penalty", "placement", "backfill")
    return f"  {result['cluster']}: {action} ({gain}), best {best} ({100 * result['best_gain']:+.2f} %); " + ", ".join(
        f"{name} {result[name]}" for name in names
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("palstudy", type=lambda path: str(pathlib.Path(path).resolve()))
    for name, value in (("seed", 1), ("planted", 200), ("flat", 100), ("jobs", 300), ("seeds", 0), ("processes", 2)):
        parser.add_argument(f"--{name}", type=int, default=value, help=f"{value} if not given")
    parser.add_argument("--only", metavar="KIND:NUMBER", help="one cluster")
    parser.add_argument("--keep", metavar="DIR", help="where studies are written and stay")
    parser.add_argument("--results", metavar="FILE", help="a line of JSON for each cluster")
    options = parser.parse_args()
    results = []
    with open(options.results or os.devnull, "w", encoding="utf-8") as file:
        for result in every(options):
            results.append(result)
            file.write(json.dumps(result) + "\n")
            file.flush()
            if result["needless" if result["cluster"].startswith("flat") else "missed"]:
                print(told(result), flush=True)
    return summary(results)


def summary(results):
    """Prints the shares; 1 if they are missed."""
    failed = False
    for kind in ("planted", "flat"):
        some = [one for one in results if one["cluster"].startswith(kind)]
        if not some:
            continue
        missed, needless = (sum(one[key] for one in some) for key in ("missed", "needless"))
        good = len(some) - missed
        advised = sum(one["action"] != NOTHING for one in some)
        print(
            f"{kind}: {len(some)} clusters; something is advised on {advised}; at most one point below the best "
            f"{good} ({100 * good / len(some):.1f} %); needless {needless} ({100 * needless / len(some):.1f} %); "
            f"other nodes drained {sum(not one['same_nodes'] for one in some)}"
        )
        failed = failed or (good < GOOD * len(some) if kind == "planted" else needless > NEEDLESS * len(some))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
