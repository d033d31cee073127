#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""xarray_groups.py PALSTUDY: xarray opens every group of an archive, with named dimensions and units."""
import os
import pathlib
import sys
import tempfile

import h5py
import xarray

from case_files import STUDY, run, write

PROGRAM = os.path.abspath(sys.argv[1])


def groups_of(path):
    groups = []
    with h5py.File(path) as file:
        file.visititems(
            lambda name, item: groups.append(name)
            if isinstance(item, h5py.Group) and any(isinstance(one, h5py.Dataset) for one in item.values())
            else None
        )
    return groups


def check(path):
    """No dimension is without a name: xarray would refuse the group."""
    groups = groups_of(path)
    for group in groups:
        with xarray.open_dataset(path, group=group, engine="h5netcdf") as data:
            assert len(data.variables) > 0, group
            assert not any(name.startswith("phony") for name in data.dims), (group, data.dims)
            for name, variable in data.variables.items():
                assert variable.attrs["units"] and variable.attrs["long_name"], (group, name)
    return groups


with tempfile.TemporaryDirectory() as scratch:
    write(scratch, study=STUDY + "\n[output]\nevents = true\nrounds = true\n")
    for arguments in (("run", "study.toml", "-o", "out.h5"), ("cluster", "study.toml", "-o", "cluster.h5")):
        done = run(PROGRAM, scratch, *arguments)
        assert done.returncode == 0, done.stderr
    archive = pathlib.Path(scratch) / "out.h5"
    found = check(archive)
    for group in ("runs", "jobs", "events", "rounds", "nodes", "provenance/runs", "provenance/jobs", "names", "study"):
        assert group in found, (group, found)
    check(pathlib.Path(scratch) / "cluster.h5")
    with xarray.open_dataset(archive, group="runs", engine="h5netcdf") as runs:
        assert dict(runs.sizes) == {"run": 2}, runs.sizes
        assert runs["jct_mean_s"].dims == ("run",) and runs["jct_mean_s"].attrs["units"] == "s"
        assert float(runs["jct_mean_s"].sel(run=1)) > 0  # by the number of the run: `run` is a coordinate
    with xarray.open_dataset(archive, group="jobs", engine="h5netcdf") as jobs:
        assert dict(jobs.sizes) == {"row": 6}, jobs.sizes
print("xarray: every group opens")
