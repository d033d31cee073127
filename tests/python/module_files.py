# SPDX-License-Identifier: MIT
"""What the tests of the module share: the module, the program, and a small archive in a folder of its own."""
import importlib.util
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cases"))
sys.path.insert(0, str(ROOT / "python"))
from case_files import STUDY, run, write  # noqa: E402  (the paths come first)

import palstudy  # noqa: E402, F401

STATED = STUDY.replace('name = "case"\n', 'name = "case"\nlicense = "CC-BY-4.0"\ncreator = "A. Author"\n')
PROGRAM = os.environ["PALSTUDY_PROGRAM"]
HAS_XARRAY = importlib.util.find_spec("xarray") is not None

_folder = tempfile.TemporaryDirectory(prefix="palstudy-python-")
FOLDER = pathlib.Path(_folder.name)
os.chdir(FOLDER)


def make(name="small.h5", study=STATED + "\n[output]\nevents = true\nrounds = true\n", **files):
    """An archive of the small study of tests/cases: two placements, three jobs, four GPUs. Made once for each name."""
    if (FOLDER / name).exists():
        return FOLDER / name
    write(FOLDER, study=study, **files)
    done = run(PROGRAM, FOLDER, "run", "study.toml", "-o", name)
    assert done.returncode == 0, done.stderr
    return FOLDER / name


def export(path, table):
    """The same table by the program, as text of CSV."""
    done = run(PROGRAM, FOLDER, "export", str(path), "--table", table)
    assert done.returncode == 0, done.stderr
    return done.stdout
