#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""slurm_validations.py FOLDER STUDY: what `palstudy validate` says of each recorded run of Slurm in a folder.

Prints JSON: for each run with a sacct.psv the answer of validate, of its groups those that differ most. `passes` has what it is
if Slurm's first passes come at other tenths of the second, which no log says. Where there is an accounts.csv or an outages.csv, the
model gets it. docs/findings/validation.md is made of it.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Iterator

KEPT = ("verdict", "jobs", "initial", "wait", "start_error_median_s", "rule")
PHASES = [(0.0, 0.3), (0.2, 0.7), (0.4, 0.1), (0.6, 0.5), (0.8, 0.9)]  # of main and backfill: each comes once a second


def settings(run: pathlib.Path) -> Iterator[tuple[str, dict[str, pathlib.Path]]]:
    """Names of models, and the files that each gets of a run."""
    files = {"workload.trace": run / "sacct.psv", "slurm.conf": run / "slurm.conf"}
    if "priority/multifactor" in files["slurm.conf"].read_text():
        files["slurm.accounts"] = run.parent / "accounts.csv"
    yield "its conf", files
    if (run / "sacct-D.psv").exists():
        files = {**files, "workload.trace": run / "sacct-D.psv"}
        yield "its conf, every attempt", files
    if (run / "outages.csv").exists():
        yield "its conf, every attempt, its outages", {**files, "cluster.outages": run / "outages.csv"}


def validated(study: pathlib.Path, files: dict[str, pathlib.Path], phases: tuple[float, float]) -> dict[str, Any]:
    given = {key: json.dumps(str(path.resolve())) for key, path in files.items()}
    given |= {"slurm.main_phase_s": str(phases[0]), "slurm.bf_phase_s": str(phases[1])}
    words = [word for key, value in given.items() for word in ("--set", f"{key}={value}")]
    result = subprocess.run(
        ["palstudy", "validate", str(study), *words, "--json"], capture_output=True, text=True, check=False
    )
    if result.returncode != 0:
        sys.exit(f"{' '.join(result.args)}: exit code {result.returncode}\n{result.stderr}")
    answer = json.loads(result.stdout)
    groups = {(one["by"], one["group"]): one for one in answer["groups"]}
    largest = [{**groups[one["by"], one["group"]], "causes": one["causes"]} for one in answer["largest"]]
    return {**{key: answer[key] for key in KEPT}, "largest": largest}


def main() -> int:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    rows = []
    with tempfile.TemporaryDirectory() as folder:  # validate writes its verdict beside the study
        study = pathlib.Path(shutil.copy(sys.argv[2], folder))
        for log in sorted(pathlib.Path(sys.argv[1]).glob("*/sacct.psv")):
            for model, files in settings(log.parent):
                answers = [validated(study, files, phases) for phases in PHASES]
                passes = [{key: one[key] for key in ("verdict", "wait")} for one in answers]
                rows.append({"run": log.parent.name, "model": model, **answers[0], "passes": passes})
    print(json.dumps(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
