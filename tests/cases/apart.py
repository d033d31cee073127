#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""apart.py PALSTUDY: processes of one launcher that MPI does not join, each of which would take itself for the whole. Every
one of them says so and ends with exit code 2, and nothing is left behind."""
import os
import pathlib
import subprocess
import sys
import tempfile

from case_files import expect, failures, left_behind, write

PROGRAM = os.path.abspath(sys.argv[1])


def started_apart(folder, command, variables):
    """Four processes as a launcher of another MPI starts them, side by side: exit codes and standard errors."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI", "PMIX", "SLURM"))}
    environment.update({"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    processes = [
        subprocess.Popen(
            [PROGRAM, *command],
            cwd=folder,
            text=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**environment, "PMI_RANK": str(rank), **variables},
        )
        for rank in range(4)
    ]
    errors = [process.communicate(timeout=120)[1] for process in processes]
    return [process.returncode for process in processes], errors


with tempfile.TemporaryDirectory() as name:
    write(name)
    by_srun = {"PMI_SIZE": "4", "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "4"}
    for case, variables, said in (
        ("srun --mpi=pmi2 without PMI", by_srun, "srun started 4 tasks without MPI"),
        ("mpiexec of another MPI", {"PMI_SIZE": "4"}, "a launcher started 4 processes without this MPI"),
    ):
        codes, errors = started_apart(name, ("run", "study.toml", "-o", "out.h5"), variables)
        expect(codes == [2, 2, 2, 2], case, f"exit codes {codes}: {errors}")
        expect(all(said in error and "mpirun" in error for error in errors), case, f"not said by all: {errors}")
        expect(left_behind(name, "out.h5") == [], case, "something is left")
    # One of one: the launcher and MPI agree.
    codes, errors = started_apart(pathlib.Path(name), ("run", "study.toml", "-o", "out.h5", "--dry-run"), by_srun)
    expect(codes == [0, 0, 0, 0], "a plan starts no MPI", f"exit codes {codes}: {errors}")

print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
