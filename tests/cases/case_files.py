# SPDX-License-Identifier: MIT
"""A small study that runs, the ways to spoil it, and what a refusal must look like."""
import os
import pathlib
import subprocess

failures = []  # the cases that did not hold

STUDY = """[study]
name = "case"

[cluster]
gpus = 4
gpus_per_node = 2
table = "cluster.csv"
bins = 1

[workload]
trace = "trace.csv"
reader = "native"

[measure]
jobs = { first = 0, last = 2 }

[axes]
"policy.placement" = ["pal", "packed-sticky"]
"""
TRACE = """job_id,submit_s,num_gpus,iterations,iteration_s,class
0,0,2,1000,1,A
1,10,1,2000,1,B
2,20,4,3000,1,A
"""
CLUSTER = "gpu_id,node_id,class,score\n" + "".join(
    f"{gpu},{gpu // 2},{cls},{1 + gpu / 10}\n" for cls in "AB" for gpu in range(4)
)


def write(folder, study=STUDY, trace=TRACE, cluster=CLUSTER):
    """Writes the three files; bytes are written as they are."""
    for name, content in (("study.toml", study), ("trace.csv", trace), ("cluster.csv", cluster)):
        data = content if isinstance(content, bytes) else content.encode()
        (pathlib.Path(folder) / name).write_bytes(data)


def run(program, folder, *arguments, prefix=(), **keywords):
    """Runs palstudy in the folder without a launcher."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_COMM", "PMI", "PMIX", "SLURM"))}
    return subprocess.run(
        [*prefix, program, *arguments],
        cwd=folder,
        env=environment,
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
        **keywords,
    )


def left_behind(folder, output):
    """What begins with the output's name."""
    return sorted(name for name in os.listdir(folder) if name.startswith(output))


def expect(holds, case, what="", done=None):
    """Notes and prints a case that does not hold, with what the program `done` said."""
    if holds:
        return
    failures.append(case)
    print(f"FAILED {case}{': ' if what else ''}{what}")
    if done is not None:
        print(f"  exit code {done.returncode}\n  {done.stdout}\n  " + done.stderr.replace("\n", "\n  "))


def ok(program, folder, *arguments, **keywords):
    """Standard output of a command that has to end with 0."""
    done = run(program, folder, *arguments, **keywords)
    expect(done.returncode == 0, " ".join(map(str, arguments)), done=done)
    return done.stdout


def refused(program, folder, code, word, *arguments):
    """A command that has to end with this code, and to say this word in six lines at most."""
    done, case = run(program, folder, *arguments), " ".join(map(str, arguments))
    expect(done.returncode == code and word in done.stderr, case, f'{code} and "{word}" are due', done)
    expect(done.stderr.count("\n") <= 6, case, "more than six lines", done)


def check_refusal(case, done, code, says, folder, left=()):
    """`says`: words that the message must hold, the place among them."""
    expect(done.returncode == code, case, f"exit code {code} is due", done)
    expect(done.stderr.startswith("palstudy: "), case, "the message does not begin with the program's name", done)
    expect(done.stderr.count("\n") <= 6, case, "more than six lines", done)
    expect(done.stdout == "", case, "something on standard output", done)
    for word in says:
        expect(word in done.stderr, case, f"the message does not say {word}", done)
    expect(left_behind(folder, "out.h5") == sorted(left), case, f"left behind: {left_behind(folder, 'out.h5')}", done)
