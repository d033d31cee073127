# SPDX-License-Identifier: MIT
"""What the tests of the report share: a small archive, and running the program on it."""
import contextlib
import functools
import io
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "experiments"))

PROGRAM = os.environ.get("PALSTUDY_PROGRAM", str(ROOT / "build/release/palstudy"))
REPORT = os.environ.get("PALSTUDY_REPORT", str(ROOT / "build/release/palstudy-report"))
from report.cli import main  # noqa: E402  (the path comes first)

_folder = tempfile.TemporaryDirectory(prefix="palstudy-report-")
FOLDER = pathlib.Path(_folder.name)
os.chdir(FOLDER)


def run(*words, cwd=FOLDER):
    return subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False)


def archive(name="small.h5", *options):
    """The archive of small.toml, with further options of palstudy run; made once for each name."""
    path = FOLDER / name
    if not path.exists():
        done = run(PROGRAM, "run", HERE / "small.toml", "-o", path, *options)
        assert done.returncode == 0, done.stderr
    return path


def report(path, folder, *options):
    """The program in this process, which saves a second of imports each time. `folder` is under FOLDER."""
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        code = main([str(path), "-o", str(folder), *map(str, options)])
    return subprocess.CompletedProcess([], code, out.getvalue(), error.getvalue())


@functools.lru_cache(maxsize=None)
def small_report():
    """The folder of the report of the small archive."""
    folder = FOLDER / "report"
    done = run(REPORT, archive(), "-o", folder)  # as a user does, through the launcher
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return folder


def gain(ratio, alone=None, together=None, **changed):
    """A gain as `palstudy compare --json` has it: a ratio, and the ends of its intervals. Without a ratio it makes no claim."""
    several = {"comparisons": 2 if together else 1, "text": "over 10 clusters under this one trace"}
    claimed = ratio is not None
    pairs = changed.pop("pairs", (ratio, ratio))
    missing = {"why": "few-seeds", "of": "replications", "have": 1, "need": 8, "text": "1 of at least 8 replications"}
    return {
        "metric": "jct_mean_s",
        "value": "pal",
        "baseline": "packed-sticky",
        "ratio": ratio,
        "interval": {"alone": alone, "together": together, **several} if alone else None,
        "no_interval": None if alone or not claimed else missing,
        "pairs": 10 if claimed else 0,
        "pairs_of": 10,
        "better": 9,
        "pair_ratios": pairs if claimed else None,
        "parts": {"n": 1, "ratios": (ratio, ratio)} if claimed else None,
        "seeds": {},
        "p_holm": None,
        **changed,
    }
