# SPDX-License-Identifier: MIT
"""bundle_inputs.py PALSTUDY: the watts of GPUs and the outages of nodes go into a bundle like every other file that a key
names; and a bundle is made of runs that ended before all their jobs had arrived. It repeats its campaign."""
import json
import os
import pathlib
import sys
import tempfile

from case_files import STUDY, TRACE, expect, failures, run, write

PROGRAM = os.path.abspath(sys.argv[1])
WATTS = "name,kind,watts,exponent\nA,capped,300,0\nB,uncapped,200,1\nidle,idle,50,0\n"


def ok(folder, *arguments):
    done = run(PROGRAM, folder, *arguments)
    expect(done.returncode == 0, "inputs", " ".join(map(str, arguments)), done)
    return done.stdout


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch).resolve()
    write(
        folder,
        STUDY.replace("last = 2 }", "last = 2 }\nend_s = 15").replace(
            "bins = 1", 'bins = 1\noutages = "outages.csv"\n\n[power]\nwatts = "watts.csv"'
        ),
        TRACE.replace("2,20,", "2,90000,"),
    )
    (folder / "outages.csv").write_text("node,from_s,to_s,kind\n0,100,200,down\n")
    (folder / "watts.csv").write_text(WATTS)
    ok(folder, "run", "study.toml", "-o", "out.h5")
    expect(
        {"id": "cut-runs", "values": {"runs": 2}}
        in [
            {key: note[key] for key in ("id", "values")}
            for note in json.loads(ok(folder, "verify", "out.h5", "--json"))["notes"]
        ],
        "inputs",
        "verify says what it could not count again",
    )
    digest = ok(folder, "digest", "out.h5")
    ways: list[list[str]] = [[], ["--anonymous"]]
    for how in ways:
        bundle = "-".join(["bundle", *how])
        ok(folder, "bundle", "out.h5", "-o", bundle, *how)
        inputs = json.loads((folder / bundle / "bundle.json").read_text())["inputs"]
        mine = [(folder / bundle / one["file"]).is_file() for one in inputs if not one["own"]]
        expect(mine == [True] * 4, bundle, "cluster, trace, outages and watts are the user's")
    for name in ("outages.csv", "watts.csv", "trace.csv", "cluster.csv"):
        os.remove(folder / name)
    for bundle in ("bundle", "bundle---anonymous"):
        refused = run(PROGRAM, folder, "run", bundle, "-o", f"{bundle}/archive.h5", "--force")
        expect(
            refused.returncode == 2 and "would be lost" in refused.stderr,
            bundle,
            "its own archive is not replaced",
            refused,
        )
        ok(folder, "run", bundle, "-o", f"{bundle}.h5")
        expect(ok(folder, "digest", f"{bundle}.h5") == digest, bundle, "the digest is that of the archive")
print("bundle inputs:", f"{len(failures)} FAILED" if failures else "all hold")
sys.exit(bool(failures))
