#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""profiles.py PALSTUDY: profiles from outside: imported, verified, joined, shown, and clusters drawn from them."""
import functools
import json
import os
import pathlib
import sys
import tempfile

import case_files
from case_files import STUDY, TRACE, expect, failures, left_behind, run, write

PROGRAM = os.path.abspath(sys.argv[1])
ok = functools.partial(case_files.ok, PROGRAM)
refused = functools.partial(case_files.refused, PROGRAM)
NCU = '"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n' + "".join(
    f'"0","1","k","{metric}","{unit}","{value}"\n'
    for metric, unit, value in [
        ("gpu__time_duration.sum", "us", "1,000"),
        ("dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", "25"),
        ("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_elapsed", "%", "50"),
    ]
)


def write_measurement(folder, name, nodes, factor=1.0):
    """Two GPUs a node; GPU g took 100 + g ms, three runs of it."""
    gpus, runs = ["gpu_id,host,local_gpu"], ["gpu_id,time_ms"]
    for g in range(2 * nodes):
        gpus.append(f"{name}-{g},n{g // 2},{g % 2}")
        runs += [f"{name}-{g},{factor * (100 + g + noise)}" for noise in (-0.01, 0, 0.01)]
    path = pathlib.Path(folder)
    (path / "runs").mkdir(exist_ok=True)
    (path / f"{name}.csv").write_text("\n".join(gpus) + "\n")
    (path / "runs" / f"{name}.csv").write_text("\n".join(runs) + "\n")


def imported_and_joined(folder):
    write_measurement(folder, "a", 4)
    write_measurement(folder, "b", 4, 2.5)
    (pathlib.Path(folder) / "app.csv").write_text(NCU)
    ok(folder, "profile", "import", "a.csv", "b.csv", "app.csv", "-o", "all.h5")
    for name in "a", "b", "app":
        ok(folder, "profile", "import", f"{name}.csv", "-o", f"{name}.h5")
    ok(folder, "profile", "merge", "app.h5", "b.h5", "a.h5", "-o", "first.h5")
    ok(folder, "profile", "merge", "a.h5", "b.h5", "-o", "ab.h5")
    coverage = json.loads(ok(folder, "profile", "merge", "ab.h5", "app.h5", "ab.h5", "-o", "second.h5", "--json"))
    expect((coverage["gpus"], coverage["kernels"], coverage["applications"]) == (16, 2, 1), "what the merge covers")
    digests = {ok(folder, "digest", f"{name}.h5") for name in ("all", "first", "second")}
    expect(len(digests) == 1 and len(digests.pop()) == 65, "one digest in whatever order")
    expect("hold" in ok(folder, "verify", "all.h5"), "verify says that all holds")
    refused(folder, 2, "exists already", "profile", "merge", "a.h5", "-o", "all.h5")
    for new in True, False:
        done = run(PROGRAM, folder, "profile", "merge", "a.h5", "b.h5", "--force", "-o", "new/deep/p.h5")
        expect(
            done.returncode == 0 and ("its folder is new" in done.stderr) == new,
            "a folder is made, and said once",
            done=done,
        )
    # What was measured, or another program wrote, is not replaced by a slip of the name.
    for output, says in (("a.h5", "is read by this command"), ("a.csv", "is there and no profile")):
        before = (pathlib.Path(folder) / output).read_bytes()
        refused(folder, 2, says, "profile", "merge", "a.h5", "b.h5", "--force", "-o", output)
        refused(folder, 2, "is there and no profile", "profile", "import", "b.csv", "--force", "-o", "a.csv")
        refused(folder, 2, "is there and no profile", "measure", "--backend", "host", "--force", "-o", "a.csv")
        expect((pathlib.Path(folder) / output).read_bytes() == before, f"{output} is kept")
    refused(folder, 2, "is a folder", "measure", "--backend", "host", "-o", "there/")
    for command in ("classify",), ("profile", "links"):
        refused(folder, 2, "is a bundled name", *command, "longhorn")
        refused(folder, 2, "is a bundled name", *command, "longhorn-sgemm")
    refused(folder, 2, "from 1 to 65535", "measure", "--backend", "host", "-o", "p.h5", "--param", "sgemm.n=abc")
    refused(folder, 3, "gone.h5", "profile", "merge", "gone.h5", "-o", "none.h5")
    expect(not left_behind(folder, "none.h5"), "nothing is left of what was refused")


def damage_is_found(folder):
    good = (pathlib.Path(folder) / "all.h5").read_bytes()
    (pathlib.Path(folder) / "bad.h5").write_bytes(good[:3000] + bytes([good[3000] ^ 4]) + good[3001:])
    done = run(PROGRAM, folder, "verify", "bad.h5")
    expect(done.returncode == 5 and done.stdout, "a flipped bit is found", done=done)


def shown(folder):
    figures = json.loads(ok(folder, "profile", "show", "all.h5", "--json"))
    expect([row["measurement"] for row in figures["measurements"]] == ["a", "b"], "the kernels are shown")
    expect(sum(bar["gpus"] for bar in figures["histogram"]) == 16, "every GPU is in the histogram")
    expect(figures["reliability"][0]["split_half"] > 0.99, "GPUs that differ by more than runs are told apart")
    text = ok(folder, "profile", "show", "all.h5", "--wide")
    expect("####" in text and "n3" in text, "bars and nodes for people")
    text = ok(folder, "profile", "show", "all.h5")
    expect(len(text.splitlines()) <= 15 and max(map(len, text.splitlines())) <= 100, "a screen", text)
    text = ok(folder, "profile", "reliability", "all.h5")
    expect(max(map(len, text.splitlines())) <= 100 and "Spearman" not in text, "a screen of reliability", text)
    expect("Spearman Brown" in ok(folder, "profile", "reliability", "all.h5", "--wide"), "all its columns")
    ok(folder, "profile", "bins", "all.h5")


def clusters_are_drawn(folder):
    study = STUDY.replace('table = "cluster.csv"', 'source = "block"\nprofile = "all.h5"\nclasses = "classes.toml"')
    write(folder, study=study, trace=TRACE)
    (pathlib.Path(folder) / "classes.toml").write_text('[classes.mine]\nA = "a"\nB = "b"\n')
    ok(folder, "run", "study.toml", "-o", "out.h5")
    ok(folder, "verify", "out.h5")
    ok(folder, "cluster", "study.toml", "-o", "cluster.h5")
    (pathlib.Path(folder) / "classes.toml").write_text('[classes.mine]\nA = "a"\nB = "c"\n')
    refused(folder, 2, "class B stands on c, which all.h5 does not have", "plan", "study.toml")


with tempfile.TemporaryDirectory() as scratch:
    imported_and_joined(scratch)
    damage_is_found(scratch)
    shown(scratch)
    clusters_are_drawn(scratch)
print("profiles:", f"{len(failures)} FAILED" if failures else "all hold")
sys.exit(bool(failures))
