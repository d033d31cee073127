#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""altered.py PALSTUDY: an archive that was altered anywhere does not verify. One value of every dataset, every attribute,
every name, an object more or less, bytes behind the end: each is refused with exit code 5 and a line that names the part of
the file, although HDF5's own checksums hold again. What was only packed otherwise (h5repack) verifies."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy

from case_files import STUDY, TRACE, expect, failures, run, write

PROGRAM = os.path.abspath(sys.argv[1])
SCALES = ("CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST")


def part_of(path):
    """The member of the root in which an object lies, as verify names it."""
    return "/" + path.strip("/").split("/")[0]


def other_value(value):
    """Another of the same type and length."""
    if isinstance(value, bytes):
        return (b"y" if value[:1] == b"x" else b"x") + value[1:]
    if isinstance(value, (int, numpy.integer)):
        return value + 1
    return numpy.nextafter(value, type(value)(value + 1)) if value == value else 1.0


def verify(folder, name):
    return run(PROGRAM, folder, "verify", name, "--json")


class Altered:
    """A copy of a whole archive for each alteration."""

    def __init__(self, folder, whole):
        self.folder, self.whole, self.count = pathlib.Path(folder), pathlib.Path(folder) / whole, 0

    def refused(self, case, place, alter):
        copy = self.folder / "altered.h5"
        shutil.copyfile(self.whole, copy)
        alter(copy)
        done = verify(self.folder, copy.name)
        self.count += 1
        expect(done.returncode == 5, case, "exit code 5 is due", done)
        named = done.stdout and any(place in one["where"] + one["what"] for one in json.loads(done.stdout)["findings"])
        expect(named, case, f"no finding names {place}: {done.stdout}", done)

    def within(self, case, place, alter):
        def in_file(path):
            with h5py.File(path, "r+") as file:
                alter(file)

        self.refused(case, place, in_file)


def objects_of(path):
    with h5py.File(path) as file:
        names = ["/"]
        file.visit(lambda name: names.append("/" + name))
        groups = [name for name in names if isinstance(file[name], h5py.Group)]
        filled = [name for name in names if isinstance(file[name], h5py.Dataset) and file[name].shape[0] > 0]
        attributes = [(name, key) for name in names for key in file[name].attrs if key not in SCALES]
    return groups, filled, attributes


def set_value(file, name, row):
    dataset = file[name]
    values = dataset[:]
    values[row] = other_value(values[row])
    dataset[:] = values


def set_attribute(file, name, key):
    attribute = h5py.h5a.open(file[name].id, key.encode())
    values = numpy.empty(attribute.shape, dtype=attribute.dtype)
    attribute.read(values)
    flat = values.reshape(-1)
    flat[-1] = other_value(flat[-1])
    attribute.write(values)


def everywhere(folder, whole):
    """Every value, attribute and name that the file has, one at a time."""
    done = verify(folder, whole)
    expect(done.returncode == 0, "an archive as it was written", "it does not verify", done)
    altered = Altered(folder, whole)
    groups, filled, attributes = objects_of(altered.whole)
    for number, name in enumerate(filled):
        row = 0 if number % 2 == 0 else -1
        altered.within(f"a value of {name}", part_of(name), lambda file, name=name, row=row: set_value(file, name, row))
    several = attributes[::3] + [(name, key) for name, key in attributes if key not in ("units", "long_name")]
    for name, key in sorted(set(several)):
        place = key if name == "/" else part_of(name)
        altered.within(
            f"attribute {key} of {name}",
            "/" if name == "/" else place,
            lambda file, name=name, key=key: set_attribute(file, name, key),
        )
    some = [name for name in filled if name.count("/") > 1]
    for name in some[::5] + groups[1:]:
        altered.within(f"another name of {name}", "/", lambda file, name=name: file.move(name, name + "-x"))
    for name in [name for name in some[::7] if "/row" not in name]:
        altered.within(f"without {name}", "/", lambda file, name=name: file.__delitem__(name))
    for name, key in attributes[::9]:
        if not key.startswith("schema"):
            altered.within(
                f"without attribute {key} of {name}",
                "/",
                lambda file, name=name, key=key: file[name].attrs.__delitem__(key),
            )
    return altered


def added(altered):
    """What is not ours is no part of an archive, whatever it is."""

    def dataset(file, path="/provenance/more"):
        made = file.create_dataset(path, data=[1.0])
        made.attrs["units"], made.attrs["long_name"] = numpy.bytes_("1"), numpy.bytes_("More.")

    altered.within("a dataset more", "/provenance", dataset)
    altered.within("an empty group more", "/more", lambda file: file.create_group("/more"))
    altered.within("an attribute more", "/nodes", lambda file: file["/nodes"].attrs.create("more", numpy.int64(1)))
    altered.within("an attribute of the root more", "/", lambda file: file.attrs.create("more", numpy.int64(1)))
    altered.within("a soft link", "/more", lambda file: file.__setitem__("/more", h5py.SoftLink("/runs")))
    altered.within(
        "an external link", "/more", lambda file: file.__setitem__("/more", h5py.ExternalLink("other.h5", "/x"))
    )
    altered.within("a second name", "/", lambda file: file.__setitem__("/nodes/more", file["/nodes/node"]))
    altered.within("a group in itself", "/nodes", lambda file: file.__setitem__("/nodes/more", file["/nodes"]))
    altered.within("a named type", "/more", lambda file: file.__setitem__("/more", numpy.dtype("f8")))
    altered.within("a comment", "/nodes", lambda file: h5py.h5o.set_comment(file["/nodes"].id, b"trust me"))
    for text in (b"\0", b"a page of text behind the end\n" * 100):
        altered.refused(
            f"{len(text)} bytes behind the end", "follow the end", lambda path, text=text: path.open("ab").write(text)
        )
    altered.refused(
        "a user block", "before the beginning", lambda path: path.write_bytes(bytes(512) + path.read_bytes())
    )


def scales(altered):
    """A column that names another table's rows as its own, in both directions."""

    def swap(file):
        column, scale = file["/nodes/faults"], file["/nodes/row"]
        column.dims[0].detach_scale(scale)
        column.dims[0].attach_scale(file["/runs/run"])

    altered.within("another scale", "/", swap)


def repacked(folder, whole):
    """Other chunks, other compression, none of the checksums of HDF5: the content is the same."""
    for how in (["-f", "NONE"], ["-f", "GZIP=9", "-l", "CHUNK=7"], ["-L"]):
        subprocess.run(["h5repack", *how, whole, "again.h5"], cwd=folder, check=True)
        done = verify(folder, "again.h5")
        expect(done.returncode == 0, f"h5repack {' '.join(how)}", "it does not verify", done)


def without_checksum(altered):
    def strip(file):
        for key in ("checksum", "checksum.parts"):
            del file.attrs[key]

    altered.within("no checksum", "checksum", strip)


def for_programs(folder, altered):
    """--json of verify and diff: what the text says, with the same exit codes."""
    whole = altered.whole.name
    done = run(PROGRAM, folder, "verify", "--json", whole)
    told = json.loads(done.stdout)
    expect(
        done.returncode == 0 and told["holds"] is True and told["findings"] == [], "verify --json", "no object", done
    )
    expect(told["file"] == whole and told["kind"] == "archive", "verify --json", "file and kind", done)
    missing = [note["values"]["metrics"] for note in told["notes"] if note["id"] == "not-recomputed"]
    expect(
        len(missing) == 1 and "effective_fraction" in missing[0] and "jct_mean_s" not in missing[0],
        "verify --json",
        "the metrics that rows do not give are named",
        done,
    )
    altered.within("for --json", "/nodes", lambda file: set_value(file, "/nodes/busy_s", 0))
    done = run(PROGRAM, folder, "verify", "--json", "altered.h5")
    told = json.loads(done.stdout)
    expect(
        done.returncode == 5 and told["holds"] is False and "/nodes" in told["findings"][0]["where"],
        "verify --json",
        "findings",
        done,
    )
    done = run(PROGRAM, folder, "diff", "--json", whole, whole)
    expect(
        done.returncode == 0
        and json.loads(done.stdout) == {"a": whole, "b": whole, "agreement": "identical", "detail": ""},
        "diff --json",
        "identical",
        done,
    )
    run(PROGRAM, folder, "run", "study.toml", "-o", "other.h5", "--set", "engine.round_s=100")
    done = run(PROGRAM, folder, "diff", "--json", whole, "other.h5")
    told = json.loads(done.stdout)
    expect(
        done.returncode == 5 and told["agreement"] == "different" and told["detail"], "diff --json", "different", done
    )
    # Ids of runs say nothing to a reader; the key that makes them differ does, of an output too, or an axis that goes on.
    named = "engine.round_s is 360 in the study of the first, 100 in that of the second"
    expect(told["study"] == named, "diff --json of two studies", f"not the key: {told}")
    expect(
        run(PROGRAM, folder, "diff", whole, "other.h5").stdout.splitlines()[1] == named,
        "diff of two studies",
        "not the key",
    )
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [PROGRAM, "diff", whole, "other.h5"],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    expect(
        done.returncode == 5 and "incomplete" in done.stderr,
        "diff on a full disk",
        "exit code 5 and why nothing is printed",
        done,
    )
    for key, value in (("output.rounds", "false"), ("policy.placement", '["pal","packed-sticky","pm-first"]')):
        run(PROGRAM, folder, "run", "study.toml", "-o", "other.h5", "--force", "--set", f"{key}={value}")
        done = run(PROGRAM, folder, "diff", whole, "other.h5")
        expect(
            done.returncode == 5 and key in done.stdout.splitlines()[1],
            f"diff of studies that differ in {key}",
            done.stdout,
            done,
        )


def other_kinds(folder):
    """A file of palstudy cluster is neither archive nor profile, and verify says what it is."""
    run(PROGRAM, folder, "cluster", "study.toml", "-o", "cluster.h5")
    done = verify(folder, "cluster.h5")
    expect(done.returncode == 0, "verify of a cluster", "that it holds", done)
    done = run(PROGRAM, folder, "verify", "--json", "cluster.h5")
    told = json.loads(done.stdout)
    expect(told["kind"] == "cluster" and told["holds"], "verify --json of a cluster", "its kind", done)
    altered = Altered(folder, "cluster.h5")
    with h5py.File(altered.whole) as file:
        key = next(iter(file["cluster"]))
    altered.within("a slowdown of a cluster", "/cluster", lambda file: set_value(file, f"/cluster/{key}/slowdown_A", 0))
    altered.within("an attribute of a cluster's file", "/", lambda file: set_attribute(file, "/", "command_line"))


def simulated_again(folder):
    """An archive without events in which a job starts at another time: its run simulated again is another."""
    write(folder, study=STUDY, trace=TRACE)
    run(PROGRAM, folder, "run", "study.toml", "-o", "bare.h5")
    why = ("why", "bare.h5", "--run", "1", "--job", "2")
    expect(run(PROGRAM, folder, *why).returncode == 0, "why", "the archive as it was gives an answer")
    with h5py.File(pathlib.Path(folder) / "bare.h5", "r+") as file:
        set_value(file, "/jobs/start_s", 4)
    done = run(PROGRAM, folder, *why)
    expect(done.returncode == 5, "why of an altered archive", "exit code 5 is due", done)
    expect(
        "start_s" in done.stderr and "run 1" in done.stderr, "why of an altered archive", "the column is named", done
    )


with tempfile.TemporaryDirectory() as scratch:
    write(scratch, study=STUDY + "[output]\nevents = true\nrounds = true\n", trace=TRACE)
    expect(run(PROGRAM, scratch, "run", "study.toml", "-o", "out.h5").returncode == 0, "the study", "it does not run")
    copies = everywhere(scratch, "out.h5")
    added(copies)
    scales(copies)
    repacked(scratch, "out.h5")
    without_checksum(copies)
    for_programs(scratch, copies)
    other_kinds(scratch)
    simulated_again(scratch)
    expect(copies.count > 200, "alterations", f"only {copies.count} were tried")
    print(f"altered: {copies.count} alterations, {len(failures)} FAILED")
sys.exit(1 if failures else 0)
