#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""foreign.py PALSTUDY: archives from elsewhere. What they name in other files is not read, one that another program has open
is called so, and no name in them reaches a terminal or a spreadsheet as something to obey."""
import json
import os
import pathlib
import shutil
import sys
import tempfile

import h5py
import numpy

from case_files import STUDY, expect, failures, run, write

PROGRAM = os.path.abspath(sys.argv[1])
SECRET = numpy.arange(3, dtype="<i8")
TRACE = """job_id,submit_s,num_gpus,iterations,iteration_s,class,user
0,0,2,1000,1,A,ann
1,10,1,2000,1,B,bob
2,20,4,3000,1,A,cleo
"""


def altered(folder, name, alter):
    shutil.copyfile(folder / "whole.h5", folder / name)
    with h5py.File(folder / name, "r+") as file:
        alter(file)


def in_place_of(path, make):
    """Alters a column to what `make` puts there, with the attributes that it had."""

    def alter(file):
        old = file[path]
        attributes, rows = dict(old.attrs.items()), old.shape[0]
        for scale in ("DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME"):
            attributes.pop(scale, None)
        del file[path]
        made = make(file, path, rows)
        if made is not None:
            made.attrs.update(attributes)

    return alter


def external_storage(file, path, rows):
    space = h5py.h5s.create_simple((rows,))
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_external(b"/etc/passwd", 0, rows * 8)
    return h5py.Dataset(h5py.h5d.create(file.id, path.encode(), h5py.h5t.STD_I64LE, space, plist))


def virtual(file, path, rows):
    layout = h5py.VirtualLayout(shape=(rows,), dtype="<i8")
    layout[:] = h5py.VirtualSource("secret.h5", "values", shape=(rows,))
    return file.create_virtual_dataset(path, layout)


def link_to(target):
    def make(file, path, _rows):
        file[path] = target

    return make


def other_files(folder):
    with h5py.File(folder / "secret.h5", "w") as file:
        file["values"] = SECRET
    moved = {}

    def move_group(file):
        moved["jobs"] = True
        file.move("jobs", "elsewhere")
        file["jobs"] = h5py.SoftLink("/elsewhere")

    cases = {
        "external storage": (in_place_of("/jobs/job", external_storage), "lie in another file"),
        "a virtual dataset": (in_place_of("/jobs/job", virtual), "lie in another file"),
        "an external link": (
            in_place_of("/jobs/job", link_to(h5py.ExternalLink("secret.h5", "/values"))),
            "is a link to elsewhere",
        ),
        "a soft link": (in_place_of("/jobs/job", link_to(h5py.SoftLink("/jobs/gpus"))), "is a link to elsewhere"),
        "a linked table": (move_group, "is a link to elsewhere"),
        "a column that is compared": (in_place_of("/runs/jct_mean_s", external_storage), "lie in another file"),
    }
    for case, (alter, says) in cases.items():
        altered(folder, "foreign.h5", alter)
        command = ("compare", "foreign.h5") if "compared" in case else ("export", "foreign.h5", "--table", "jobs")
        done = run(PROGRAM, folder, *command)
        expect(done.returncode == 3 and says in done.stderr and done.stdout == "", case, "it is not refused", done)
        done = run(PROGRAM, folder, "verify", "foreign.h5")
        expect(done.returncode == 5, f"verify of {case}", "exit code 5 is due", done)


def held_open(folder):
    shutil.copyfile(folder / "whole.h5", folder / "held.h5")
    with h5py.File(folder / "held.h5", "r+"):
        for command in (
            ("compare", "held.h5"),
            ("verify", "held.h5"),
            ("export", "held.h5", "--table", "jobs"),
            ("digest", "held.h5"),
        ):
            done = run(PROGRAM, folder, *command)
            expect(
                done.returncode == 3 and "another program has the file open for writing" in done.stderr,
                f"{command[0]} of a file that is written",
                "it is not called so",
                done,
            )
            expect(
                "h5clear -s" in done.stderr and "damaged" not in done.stderr,
                f"{command[0]} of a file that is written",
                "what to do",
                done,
            )
        done = run(PROGRAM, folder, "run", "study.toml", "-o", "held.h5", "--force")
        expect(
            done.returncode == 2 and "open for writing" in done.stderr,
            "run --force over a file that is written",
            "it is not refused",
            done,
        )
    done = run(PROGRAM, folder, "verify", "held.h5")
    expect(done.returncode == 0, "verify of a file that was open", "it does not hold", done)


def names(folder):
    bad = [b"\x1b]0;owned\x07", b"two\nlines", "\u202e=1+1".encode()]
    sheet = [b"=HYPERLINK(1)", b"-5", b"@x"]

    def give(values):
        def alter(file):
            path = file["/jobs/user"].attrs["names"]
            path = path.decode() if isinstance(path, bytes) else path
            old = file[path]
            attributes = {key: old.attrs[key] for key in ("units", "long_name")}
            del file[path]
            file.create_dataset(path, data=numpy.array(values, dtype="S32")).attrs.update(attributes)

        return alter

    altered(folder, "names.h5", give(bad))
    done = run(PROGRAM, folder, "compare", "names.h5", "--by", "user", "--metric", "jct_mean_s")
    said = done.stdout + done.stderr
    expect(
        done.returncode == 0 and not any(bad_one in said for bad_one in ("\x1b", "\x07", "\u202e")),
        "names of a comparison",
        "a terminal would obey",
        done,
    )
    expect(
        all(shown in said for shown in ("\\u{1b}]0;owned\\u{7}", "two\\u{a}lines", "\\u{202e}=1+1")),
        "names of a comparison",
        "they are not shown",
        done,
    )
    done = run(PROGRAM, folder, "export", "names.h5", "--table", "jobs", "--run", "0")
    expect("\x1b]0;owned\x07" in done.stdout, "names of an export", "bytes have changed", done)
    altered(folder, "sheet.h5", give(sheet))
    done = run(PROGRAM, folder, "export", "sheet.h5", "--table", "jobs", "--run", "0")
    expect(
        all(f",{cell}," in done.stdout for cell in ("'=HYPERLINK(1)", "-5", "'@x")),
        "names of an export",
        "formulas",
        done,
    )
    # A schema that is a sequence of a terminal: the message shows it.
    with h5py.File(folder / "other.h5", "w") as file:
        file.attrs["schema"] = numpy.bytes_(b"\x1b[2J 1")
    done = run(PROGRAM, folder, "compare", "other.h5")
    expect(
        done.returncode == 3 and "\x1b" not in done.stderr and "\\u{1b}[2J" in done.stderr,
        "a schema with a sequence",
        "it is not shown",
        done,
    )


def earlier(folder):
    """An archive of palstudy 1.0.0 has sentences where later ones have values: they are compared, and told as they are."""
    told = {
        "measured": "measured: the jobs of then",
        "offered_load": "offered load: that of then",
        "stop": "[stop] looked then",
        "offered_load.workloads": "1",
        "offered_load.overloaded": "0",
        "offered_load.over_one": "0",
        "offered_load.load_least": "0.5",
        "offered_load.load_most": "0.7",
    }

    def as_then(file):
        del file.attrs["measured_sets"]
        version = "1.7.0"
        told.update({"schema": f"palstudy-archive {version}", "schema_version": version})
        for name, text in told.items():
            file.attrs[name] = numpy.bytes_(text.encode())

    altered(folder, "earlier.h5", as_then)
    done = run(PROGRAM, folder, "compare", "earlier.h5")
    expect(
        done.returncode == 0 and all(told[name] in done.stdout for name in ("measured", "offered_load", "stop")),
        "compare of an earlier archive",
        f"its sentences are not told: {done.stdout}",
        done,
    )
    done = run(PROGRAM, folder, "compare", "earlier.h5", "--json")
    values = json.loads(done.stdout)["load"]["values"]
    expect(
        values == {"workloads": 1, "overloaded": 0, "over_one": 0, "load": [0.5, 0.7]},
        "compare --json of an earlier archive",
        f"other loads: {values}",
        done,
    )
    done = run(PROGRAM, folder, "status", "earlier.h5", "--json")
    expect(json.loads(done.stdout)["look"] == told["stop"], "status of an earlier archive", "the looks", done)
    # What another program put in place of the values is damage.
    altered(folder, "odd.h5", lambda file: file.attrs.__setitem__("measured_sets", numpy.bytes_(b"[1")))
    done = run(PROGRAM, folder, "compare", "odd.h5")
    expect(
        done.returncode == 3 and "measured_sets" in done.stderr, "values that are none", "they are not refused", done
    )


with tempfile.TemporaryDirectory() as place:
    write(place, study=STUDY.replace("[measure]", "[output]\nevents = true\n\n[measure]"), trace=TRACE)
    done = run(PROGRAM, place, "run", "study.toml", "-o", "whole.h5")
    expect(done.returncode == 0, "the archive", "it does not run", done)
    for part in (other_files, held_open, names, earlier):
        part(pathlib.Path(place))
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
