# SPDX-License-Identifier: MIT
"""exports.py PALSTUDY: the jobs of a run are taken elsewhere (palstudy export --trace). tests/random_studies holds
that they give the same results; here is what is written, what is refused, and that nothing is left then."""
import os
import pathlib
import shutil
import sys
import tempfile

from case_files import STUDY, TRACE, check_refusal, expect, failures, run, write

PROGRAM = os.path.abspath(sys.argv[1])
JOBS = """job_id,submit_s,num_gpus,iterations,iteration_s,class,tenant,user,name,estimate_s,predicted_s,start_s,end_s
7,0,2,1000,1,A,b,=1+1,"a,b",,-5,0,0.30000000000000004
3,10,1,0.1,0.30000000000000004,B,a,u,,120.5,,,
5,10,4,3000,1,A,b,u," x",,,12.5,3012.5
"""


def ok(folder, *arguments):
    done = run(PROGRAM, folder, *arguments)
    expect(done.returncode == 0, " ".join(map(str, arguments)), "it ends with 0", done)
    return done.stdout


def rows(folder, archive, run_number):
    text = ok(folder, "export", archive, "--table", "jobs", "--run", str(run_number))
    return [line.split(",", 1)[1] for line in text.splitlines()]


def refused(folder, case, code, says, *arguments):
    before = sorted(os.listdir(folder))
    done = run(PROGRAM, folder, "export", *arguments)
    check_refusal(case, done, code, says, folder, left=["out.h5"])
    expect(sorted(os.listdir(folder)) == before, case, "nothing is new")


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch).resolve()
    write(folder, STUDY.replace("last = 2", "last = 7"), JOBS)
    ok(folder, "run", "study.toml", "-o", "out.h5")

    # A trace is carried over as it is: every digit, names that look like formulas, fields that are empty.
    ok(folder, "export", "out.h5", "--trace", "1", "-o", "far/away/jobs.csv")
    expect((folder / "far/away/jobs.csv").read_text() == JOBS, "trace", "the trace is the one that was given")
    study = (folder / "far/away/jobs.toml").read_text()
    for line in ('trace = "jobs.csv"', 'table = "../../cluster.csv"', 'placement = "packed-sticky"'):
        expect(f"\n{line}\n" in study, "study", f"jobs.toml says {line}")
    expect("[axes]" not in study, "study", "its one run has no axes")
    again = run(PROGRAM, folder, "run", "far/away/jobs.toml", "-o", "again.h5")
    expect(again.returncode == 0 and "not used" not in again.stderr, "again", "no key of it is without effect", again)
    expect(rows(folder, "again.h5", 0) == rows(folder, "out.h5", 1), "again", "the rows are the same")

    refused(folder, "there", 2, ("exists already", "jobs.csv"), "out.h5", "--trace", "0", "-o", "far/away/jobs.csv")
    os.remove(folder / "far/away/jobs.csv")
    refused(
        folder, "study there", 2, ("exists already", "jobs.toml"), "out.h5", "--trace", "0", "-o", "far/away/jobs.csv"
    )
    ok(folder, "export", "out.h5", "--trace", "0", "-o", "far/away/jobs.csv", "--force")
    refused(folder, "no run", 2, ("no run 2", "0 to 1"), "out.h5", "--trace", "2", "-o", "jobs.csv")
    refused(folder, "no output", 2, ("no output is named",), "out.h5", "--trace", "1")
    refused(folder, "a study", 2, ("name of a study",), "out.h5", "--trace", "1", "-o", "jobs.toml")
    refused(
        folder, "its trace", 2, ("would be lost", "trace.csv"), "out.h5", "--trace", "1", "-o", "trace.csv", "--force"
    )
    refused(folder, "nothing", 2, ("--table",), "out.h5")
    refused(folder, "both", 2, ("--table",), "out.h5", "--table", "jobs", "--trace", "1", "-o", "jobs.csv")
    refused(folder, "force alone", 2, ("--force",), "out.h5", "--table", "jobs", "--force")

    # The jobs are made again from the inputs, which have to be those of the archive; a bundle has them with it.
    ok(folder, "bundle", "out.h5", "-o", "bundle")
    (folder / "trace.csv").write_text(JOBS.replace("1000", "1001"))
    refused(
        folder, "another trace", 3, ("trace.csv", "has changed", "SHA-256"), "out.h5", "--trace", "1", "-o", "jobs.csv"
    )
    os.remove(folder / "trace.csv")
    refused(folder, "no trace", 3, ("trace.csv", "not there", "SHA-256"), "out.h5", "--trace", "1", "-o", "jobs.csv")
    for given in ("bundle", "bundle/archive.h5"):
        shutil.rmtree(folder / "far")
        ok(folder, "export", given, "--trace", "1", "-o", "far/jobs.csv")
        expect((folder / "far/jobs.csv").read_text() == JOBS, given, "the trace is the one that was given")
        ok(folder, "run", "far/jobs.toml", "-o", "again.h5", "--force")
        expect(rows(folder, "again.h5", 0) == rows(folder, "out.h5", 1), given, "the rows are the same")

    # Jobs that run at time 0 cannot be drawn again like arrivals.
    write(
        folder,
        STUDY.replace("[measure]\njobs = { first = 0, last = 2 }\n", "").replace(
            '"native"', '"native"\nresample = "days"'
        ),
        TRACE.replace("\n0,0,", "\n-1,0,"),
    )
    check_refusal(
        "resampled",
        run(PROGRAM, folder, "plan", "study.toml"),
        3,
        ("1 job runs at time 0", "workload.resample"),
        folder,
        left=["out.h5"],
    )
print("exports:", f"{len(failures)} FAILED" if failures else "all hold")
sys.exit(bool(failures))
