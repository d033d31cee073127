# SPDX-License-Identifier: MIT
"""why.py PALSTUDY: what palstudy why says of jobs that were worked out by hand, with events in the archive and without, and
what it refuses.

On 2 nodes of 2 GPUs with slowdowns 1.0 to 1.3: job 0 takes GPUs at 0 and job 2 wants all four, so that it waits until both
others are over."""
import json
import os
import pathlib
import sys
import tempfile

from case_files import STUDY, TRACE, check_refusal, expect, failures, ok, run, write

PROGRAM = os.path.abspath(sys.argv[1])
EVENTS = "\n[output]\nevents = true\n"


def told(folder, *arguments):
    """The object that palstudy why prints."""
    return json.loads(ok(PROGRAM, folder, "why", *arguments, "--json"))


def same(case, have, want):
    expect(have == want, case, f"{have!r} in place of {want!r}")


def refused(folder, case, code, says, *arguments):
    check_refusal(case, run(PROGRAM, folder, "why", *arguments), code, says, folder, left=["out.h5"])


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch).resolve()
    write(folder, STUDY + EVENTS)
    ok(PROGRAM, folder, "run", "study.toml", "-o", "out.h5")
    jobs = json.loads(ok(PROGRAM, folder, "export", "out.h5", "--table", "jobs", "--format", "json"))
    of_run = {job["job"]: job for job in jobs if job["run"] == 1}

    story = told(folder, "out.h5", "--run", "1", "--job", "2")
    same("schema", story["schema"], "palstudy.why/1")
    same("not simulated", story["simulated"], False)
    same("start", story["job"]["start_s"], of_run[2]["start_s"])
    same("the wait", sum(story["wait"]["by_cause_s"].values()), of_run[2]["start_s"] - 20)
    same("it is short of GPUs", story["wait"]["main"], "short-of-gpus")
    same("it could not start earlier", story["wait"]["enough_s"], of_run[2]["start_s"])
    same("job 1 started first", story["wait"]["ahead"]["jobs"], 1)
    same("it has all GPUs", story["stays"][0]["gpus"], [0, 1, 2, 3])
    same("on both nodes", (story["stays"][0]["nodes"], story["span"]), ([0, 1], "cabinet"))
    same("slowest GPU", (story["slowest"]["gpu"], story["slowest"]["slowdown"]), (3, 1.3))
    ran = of_run[2]["exec_s"]
    expect(abs(story["slowest"]["as_second_s"] - ran * (1 - 1.2 / 1.3)) < 1e-6, "cost", f"{story['slowest']}")
    expect(abs(story["slowest"]["as_median_s"] - ran * (1 - 1 / 1.3)) < 1e-6, "cost", f"{story['slowest']}")
    text = ok(PROGRAM, folder, "why", "out.h5", "--run", "1", "--job", "2")
    expect(text.startswith("job 2 waited"), "text", "the answer comes first")
    expect(max(map(len, text.splitlines())) <= 100, "text", "a line has at most 100 columns")

    # The archive alone is enough, if it has events.
    os.rename(folder / "trace.csv", folder / "elsewhere.csv")
    os.rename(folder / "cluster.csv", folder / "no-cluster.csv")
    same("without inputs", told(folder, "out.h5", "--run", "1", "--job", "2"), story)
    os.rename(folder / "elsewhere.csv", folder / "trace.csv")
    os.rename(folder / "no-cluster.csv", folder / "cluster.csv")

    difference = told(folder, "out.h5", "--run", "0", "--against", "1")
    same("compared", (difference["against"], difference["compared"], difference["left_out"]), (1, 3, 0))
    for job in difference["jobs"]:
        change = job["other_jct_s"] - job["jct_s"]
        expect(abs(sum(job["by_cause_s"].values()) - change) < 1e-6, "against", f"the causes of {job} do not add up")
    same("itself", told(folder, "out.h5", "--run", "0", "--against", "0")["jobs"], [])
    ok(PROGRAM, folder, "why", "out.h5", "--run", "0", "--against", "1")

    # Without events the run is simulated again, and nothing else is another; the inputs have to be those of the archive.
    ok(PROGRAM, folder, "bundle", "out.h5", "-o", "bundle")
    write(folder)
    ok(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--force")
    again = told(folder, "out.h5", "--run", "1", "--job", "2")
    same("simulated", again.pop("simulated"), True)
    same("the same story", again, {name: value for name, value in story.items() if name != "simulated"})
    (folder / "trace.csv").write_text(TRACE.replace("1000", "1001"))
    refused(folder, "another trace", 3, ("trace.csv", "has changed"), "out.h5", "--run", "1", "--job", "2")
    os.remove(folder / "trace.csv")
    refused(folder, "no trace", 3, ("trace.csv", "not there"), "out.h5", "--run", "1", "--job", "2")
    same("a bundle", told(folder, "bundle", "--run", "1", "--job", "2"), story)
    write(folder)

    # Without jobs they come from the same simulation.
    write(folder, STUDY + "\n[output]\njobs = false\n")
    ok(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--force")
    same("no jobs", told(folder, "out.h5", "--run", "1", "--job", "2")["wait"], story["wait"])

    refused(folder, "no run", 2, ("no run 2", "0 to 1"), "out.h5", "--run", "2", "--job", "2")
    refused(folder, "no job", 2, ('no job "9"', "export"), "out.h5", "--run", "1", "--job", "9")
    refused(folder, "no question", 2, ("--job", "--killed"), "out.h5", "--run", "1")
    refused(folder, "two questions", 2, ("--against",), "out.h5", "--run", "1", "--job", "2", "--against", "0")
    refused(folder, "no limits", 2, ("kills no job", "policy.overrun"), "out.h5", "--run", "1", "--killed")
    refused(folder, "no other run", 2, ("no run 5",), "out.h5", "--run", "1", "--against", "5")

    # A job that is not measured and never starts: its run ends with job 0.
    write(folder, STUDY.replace("last = 2", "last = 0"))
    ok(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--force")
    never = told(folder, "out.h5", "--run", "1", "--job", "2")
    same("never started", (never["job"]["start_s"], never["stays"], never["slowest"]), (None, [], None))
    text = ok(PROGRAM, folder, "why", "out.h5", "--run", "1", "--job", "2")
    expect("never started" in text, "never started", text)

    # Ids of the site, which are no whole numbers.
    table = "id,submit,seconds,gpus,kind\n" + "".join(f"9_{i},{10 * i},{1000 * (i + 1)},2,A\n" for i in range(3))
    columns = 'columns = { job = "id", submit = "submit", duration = "seconds", gpus = "gpus", class = "kind" }'
    write(folder, STUDY.replace('"native"', f'"csv"\n{columns}'), table)
    ok(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--force")
    by_site = told(folder, "out.h5", "--run", "1", "--job", "9_2")
    same("by the site's id", (by_site["job"]["id"], by_site["job"]["site_job"]), (2, "9_2"))
    same("by the number", told(folder, "out.h5", "--run", "1", "--job", "2"), by_site)

    # Killed at limits: job 0 has 1,150 s and needs 1,000 on median GPUs, but 1,300 on GPUs 2 and 3; job 1 asks for too little.
    killing = (
        STUDY.replace('"pal"', '"pal-sticky"')
        + '\n[policy]\noverrun = "kill"\nbackfill = "easy"\n[engine]\nround_s = 10\n'
    )
    header, *rows = TRACE.splitlines()
    limits = {"0": "ann,1150", "1": "bob,500", "2": "bob,9000"}
    trace = "\n".join([header + ",user,estimate_s"] + [f"{row},{limits[row[0]]}" for row in rows]) + "\n"
    slow = "gpu_id,node_id,class,score\n" + "".join(f"{g},{g // 2},{c},1.3\n" for c in "AB" for g in range(4))
    write(folder, killing, trace, slow)
    ok(PROGRAM, folder, "run", "study.toml", "-o", "out.h5", "--force")
    killed = told(folder, "out.h5", "--run", "1", "--killed")
    same("killed", (killed["by"], killed["killed"]["jobs"], killed["slow"]["jobs"]), ("user", 2, 1))
    same("users", [(one["user"], one["slow"]["jobs"]) for one in killed["users"]], [("ann", 1), ("bob", 0)])
    same("the job", [one["job"]["id"] for one in killed["jobs"]], [0])
    expect("ann" in ok(PROGRAM, folder, "why", "out.h5", "--run", "1", "--killed"), "killed", "the user is named")
    story = told(folder, "out.h5", "--run", "1", "--job", "0")
    same("status", story["job"]["status"], "killed")
print("why:", f"{len(failures)} FAILED" if failures else "all hold")
sys.exit(bool(failures))
