#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bundle.py PALSTUDY: a bundle is whole, repeats its campaign from wherever it lies, and when it is anonymous no byte of
it, nor of what HDF5 decompresses, holds a planted name."""
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy

import case_files
from case_files import STUDY, TRACE, expect, failures, left_behind, run, write

PROGRAM = os.path.abspath(sys.argv[1])
ok = functools.partial(case_files.ok, PROGRAM)
refused = functools.partial(case_files.refused, PROGRAM)
USER, ACCOUNT, HOST = "mallory-q", "proj4711", "gpu-node-abc"
UUID = "GPU-8f0c1e2d-0123-4567-89ab-{:012d}"


def same_again(folder, bundle, archive, what):
    """The bundle, moved and read-only, gives the same digest without anything beside it."""
    away = pathlib.Path(tempfile.mkdtemp(dir=folder))
    shutil.move(folder / bundle, away / "moved")
    for path in (away / "moved").rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    (away / "moved").chmod(0o555)
    done = run(PROGRAM, away, "run", "moved", "-o", "again.h5")
    expect(
        done.returncode == 0 and "is not used" not in done.stderr,
        f"{what}: runs, and warns of no key that nobody gave",
        done=done,
    )
    expect(ok(away, "diff", "moved/archive.h5", "again.h5").startswith("identical"), f"{what}: diff says identical")
    expect(
        ok(away, "digest", "again.h5") == ok(folder, "digest", archive), f"{what}: the digest is that of the archive"
    )
    expect(ok(away, "verify", "again.h5") != "", f"{what}: the repeated archive is sound")
    ok(away, "bundle", "again.h5", "-o", "third")  # of an archive that came from a bundle
    for path in (away / "moved").rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    (away / "moved").chmod(0o755)
    return away / "moved"


def crate_holds(bundle, what):
    """RO-Crate 1.1: a metadata file that is about the root, the root's parts, each file there as the entity says."""
    crate = json.loads((bundle / "ro-crate-metadata.json").read_text())
    graph = {entity["@id"]: entity for entity in crate["@graph"]}
    expect(len(graph) == len(crate["@graph"]), f"{what}: no entity twice")
    expect("https://w3id.org/ro/crate/1.1/context" in crate["@context"], f"{what}: the context")
    expect(graph["ro-crate-metadata.json"]["about"] == {"@id": "./"}, f"{what}: the descriptor")
    expect(
        graph["ro-crate-metadata.json"]["conformsTo"]["@id"] == "https://w3id.org/ro/crate/1.1", f"{what}: the version"
    )
    files = {str(path.relative_to(bundle)) for path in bundle.rglob("*") if path.is_file()} - {"ro-crate-metadata.json"}
    parts = {part["@id"] for part in graph["./"]["hasPart"]}
    expect(parts == files, f"{what}: parts are the files: {parts ^ files}")
    for name in parts:
        content, entity = (bundle / name).read_bytes(), graph[name]
        expect(entity["sha256"] == hashlib.sha256(content).hexdigest(), f"{what}: SHA-256 of {name}")
        expect(entity["contentSize"] == str(len(content)) and entity["encodingFormat"], f"{what}: size of {name}")
    action = graph["#campaign"]
    expect(action["startTime"] <= action["endTime"] and action["result"]["@id"] == "archive.h5", f"{what}: the action")
    expect(graph[action["instrument"]["@id"]]["version"], f"{what}: the instrument")


def whole_and_repeated(folder):
    """Inputs above the study, by an absolute path and on an axis: the three ways to name one."""
    (folder / "deep").mkdir()
    (folder / "elsewhere").mkdir()
    write(folder / "deep")
    shutil.move(folder / "deep/trace.csv", folder / "trace.csv")
    shutil.move(folder / "deep/cluster.csv", folder / "elsewhere/cluster.csv")
    (folder / "trace-2.csv").write_text(TRACE.replace("2000", "2500"))
    study = STUDY.replace('"cluster.csv"', f'"{folder}/elsewhere/cluster.csv"').replace('trace = "trace.csv"\n', "")
    (folder / "deep/study.toml").write_text(study + '"workload.trace" = ["../trace.csv", "../trace-2.csv"]\n')
    ok(folder, "run", "deep/study.toml", "-o", "out.h5")
    said = ok(folder, "bundle", "out.h5", "-o", "bundle")
    bundle = folder / "bundle"
    files = sum(path.is_file() for path in bundle.rglob("*"))
    expect(said == f"bundle: {files} files   next: palstudy verify bundle\n", f"what was made, and what next: {said}")
    expect((bundle / "archive.h5").read_bytes() == (folder / "out.h5").read_bytes(), "the archive is copied")
    expect(str(folder) not in (bundle / "study.toml").read_text(), "the study in the bundle has relative paths")
    text = (bundle / "artifact-description.md").read_text()
    for word in ("commit", "core-hours", "HDF5", "ranks", "palstudy run . -o", ok(folder, "digest", "out.h5").strip()):
        expect(word in text, f"the artifact description says {word}")
    expect(
        (bundle / "data/jobs/models.toml").exists() and (bundle / "data/LICENSE").exists(),
        "data of the program with its licence",
    )
    crate_holds(bundle, "bundle")
    refused(folder, 2, "exists already", "bundle", "out.h5", "-o", "bundle")
    (folder / "trace-2.csv").write_text(TRACE.replace("2000", "2501"))
    refused(folder, 3, "has changed since", "bundle", "out.h5", "-o", "none")
    damaged = bytearray((folder / "out.h5").read_bytes())
    damaged[len(damaged) // 2] ^= 4
    (folder / "damaged.h5").write_bytes(damaged)
    refused(folder, 5, "damaged.h5", "bundle", "damaged.h5", "-o", "none")
    expect(not left_behind(folder, "none"), "nothing is left of what was refused")
    shutil.rmtree(folder / "elsewhere")
    os.remove(folder / "trace.csv")
    moved = same_again(folder, "bundle", "out.h5", "bundle")
    (moved / "inputs/trace.csv").write_text(TRACE)  # another file, the same content: still the one that was bundled
    ok(moved.parent, "plan", "moved")
    (moved / "inputs/trace.csv").write_text(TRACE + "3,50,1,10,1,A\n")
    refused(moved.parent, 3, "not what was bundled", "run", "moved", "-o", "other.h5")


def write_measurement(folder, nodes):
    """Planted hosts in an order that hashes would not keep, and UUIDs."""
    hosts = [f"{HOST}{chr(ord('z') - n)}" for n in range(nodes)]
    gpus, runs = ["gpu_id,host,local_gpu"], ["gpu_id,time_ms"]
    for g in range(2 * nodes):
        gpus.append(f"{UUID.format(g)},{hosts[g // 2]},{g % 2}")
        runs += [f"{UUID.format(g)},{100 + 3 * g * g % 17 + noise}" for noise in (-0.01, 0, 0.01)]
    (folder / "runs").mkdir()
    (folder / "kernel.csv").write_text("\n".join(gpus) + "\n")
    (folder / "runs/kernel.csv").write_text("\n".join(runs) + "\n")


def all_content(bundle):
    """Every byte of every file, and everything that HDF5 gives of those that it knows."""
    for path in bundle.rglob("*"):
        yield f"the name of {path.name}", str(path.relative_to(bundle)).encode()
        if not path.is_file():
            continue
        yield str(path), path.read_bytes()
        if path.suffix != ".h5":
            continue
        dump = subprocess.run(["h5dump", path.name], cwd=path.parent, capture_output=True, check=False)
        expect(dump.returncode == 0, f"h5dump {path}")
        yield f"h5dump {path}", dump.stdout
        with h5py.File(path) as file:
            texts = [str(dict(file.attrs))]
            file.visititems(
                lambda name, item: texts.append(
                    name
                    + str(dict(item.attrs))
                    + ("\n".join(map(str, item[:])) if isinstance(item, h5py.Dataset) else "")
                )
            )
        yield f"h5py {path}", "\n".join(texts).encode()


def anonymous(folder):
    work = folder / "home" / USER / "secret-place"
    work.mkdir(parents=True)
    write_measurement(work, 6)
    ok(work, "profile", "import", f"{work}/kernel.csv", "-o", f"{USER}-profile.h5")
    with h5py.File(work / f"{USER}-profile.h5") as file:
        expect(
            str(work) in str(file.attrs["input_sha256"]) and b"import-kernel-" in file["sessions/id"][0],
            "the test is worth something: the profile has paths, and a session named after a file",
        )
    table = "gpu_id,node_id,class,score,host,uuid\n" + "".join(
        f"{gpu},{gpu // 2},{cls},{1 + gpu / 10},{HOST}z,{UUID.format(gpu)}\n" for cls in "AB" for gpu in range(4)
    )
    trace = "".join(line + ("," + (f"{USER}-{i}" if i else "user")) + "\n" for i, line in enumerate(TRACE.splitlines()))
    write(work, cluster=table, trace=trace)
    (work / "classes.toml").write_text(f'# by {USER}\n[classes.mine]\nA = "kernel"\nB = "kernel"\n')
    study = STUDY.replace(
        'table = "cluster.csv"',
        f'table = "{work}/cluster.csv"\nprofile = "{USER}-profile.h5"\nclasses = "classes.toml"',
    )
    (work / "study.toml").write_text(
        study.replace('trace = "trace.csv"\n', "") + '"cluster.source" = ["table", "measured"]\n'
        '"workload.trace" = ["trace.csv"]\n'
    )
    planted = {"USER": USER, "LOGNAME": USER, "PALSTUDY_ACCOUNT": ACCOUNT, "HOME": f"/home/{USER}"}
    os.environ.update(planted)
    ok(
        work,
        "run",
        f"{work}/study.toml",
        "-o",
        f"{work}/out.h5",
        "--set",
        f"study.title=by {USER} of {ACCOUNT}",
        "--set",
        f"study.creator={USER}",
        "--set",
        "study.license=CC-BY-4.0",
    )
    digest = ok(work, "digest", "out.h5")
    ok(work, "bundle", "out.h5", "-o", "open")
    content = b"".join(content for _, content in all_content(work / "open"))
    for secret in (USER, ACCOUNT, "secret-place", UUID.format(3), HOST, os.uname().nodename):
        expect(
            secret.encode() in content, f"the test is worth something: {secret} is in a bundle that is not anonymous"
        )
    graph = {
        entity["@id"]: entity for entity in json.loads((work / "open/ro-crate-metadata.json").read_text())["@graph"]
    }
    expect(graph[graph["./"]["creator"]["@id"]]["name"] == USER, "the creator is the one whom the study states")
    expect(
        graph["./"]["license"] == graph["archive.h5"]["license"] == {"@id": "https://spdx.org/licenses/CC-BY-4.0"},
        "and the licence",
    )
    said = ok(work, "bundle", "out.h5", "-o", "blind", "--anonymous")
    for word in (
        "workload.trace",
        "trace.csv",
        "kept: inputs/input",
        "kept: the kernel kernel in inputs/input",
        "kept: the section [classes.mine] in inputs/input",
        "kept: the classes A, B of the jobs",
    ):
        expect(word in said, f"what is kept is said: {word} in {said}")
    for where, content in all_content(work / "blind"):
        for secret in (USER, ACCOUNT, "secret-place", UUID[:20], "-89ab-", HOST, str(folder)):
            expect(secret.encode() not in content, f"{secret} is in {where}")
        if not where.endswith(".h5") or where.startswith("h5"):  # it may be so short that it is among any bytes
            here = re.search(rb"\b" + re.escape(os.uname().nodename.encode()) + rb"\b", content)
            expect(not here, f"the name of this host is in {where}")
    expect(ok(work, "digest", "blind/archive.h5") == digest, "the digest stays")
    expect("hold" in ok(work, "verify", "blind/archive.h5"), "the anonymous archive is sound")
    profile = next((work / "blind/inputs").glob("*.h5"))
    expect("hold" in ok(work, "verify", profile), "the anonymous profile is sound")
    with h5py.File(work / "blind/archive.h5") as archive, h5py.File(profile) as file, h5py.File(work / "out.h5") as out:
        hosts = archive["profile/kernel/host"][:]
        expect(
            list(file["sessions/id"][:]) == [b"session-1"],
            "the session of an import, which is named after a file, has a number",
        )
        expect(
            archive.attrs["license"] == b"CC-BY-4.0" and "creator" not in archive.attrs,
            "the licence stays, the creator does not",
        )
        expect(list(archive["provenance/jobs/binding"][:]) == [b""], "bindings name hosts")
        expect(
            set(hosts) == {b"host-%d" % n for n in range(1, 7)} == set(file["names/gpus.host"][:]),
            "equal hosts have equal numbers, in the archive and in the profile",
        )
        names = out["profile/kernel/host"][:]
        expect(
            list(numpy.argsort(hosts, kind="stable")) == list(numpy.argsort(names, kind="stable")), "their order stays"
        )
    crate_holds(work / "blind", "anonymous bundle")
    for name in ("cluster.csv", f"{USER}-profile.h5", "trace.csv", "classes.toml"):
        os.rename(work / name, work / f"gone-{name}")
    same_again(work, "blind", "out.h5", "anonymous bundle")
    for name in ("cluster.csv", f"{USER}-profile.h5", "trace.csv", "classes.toml"):
        os.rename(work / f"gone-{name}", work / name)
    # What the digest covers cannot be replaced: it is told, or refused where it is a whole path.
    (work / "told.csv").write_text(
        TRACE.replace("class\n", "class,tenant\n").replace(",A\n", ",A,physics\n").replace(",B\n", ",B,x\n")
    )
    ok(work, "run", "study.toml", "-o", "told.h5", "--set", "workload.trace=told.csv")
    expect(
        "kept: the tenants physics, x of the jobs" in ok(work, "bundle", "told.h5", "-o", "told", "--anonymous"),
        "tenants are told",
    )
    ok(work, "run", "study.toml", "-o", "axis.h5", "--set", f'workload.trace=["{work}/trace.csv"]')
    refused(work, 2, "workload.trace", "bundle", "axis.h5", "-o", "named", "--anonymous")
    expect(not left_behind(work, "named-") and not (work / "named").exists(), "nothing is left of what was refused")


def bundled_machine(folder):
    """Data of the program goes along as it is, with its source; in the archive of an anonymous bundle its names are replaced."""
    write(
        folder,
        study=STUDY.replace("gpus = 4", "gpus = 16").replace(
            'gpus_per_node = 2\ntable = "cluster.csv"', 'source = "measured"'
        ),
    )
    ok(folder, "run", "study.toml", "-o", "out.h5")
    ok(folder, "bundle", "out.h5", "-o", "bundle")
    text = (folder / "bundle/ro-crate-metadata.json").read_text()
    expect(
        "https://github.com/hal-uw/blox-pal" in text and "licenses/MIT" in text, "source and licence of measurements"
    )
    expect((folder / "bundle/data/kernels/measurements/README.md").exists(), "the README goes along")
    ok(folder, "bundle", "out.h5", "-o", "blind", "--anonymous")
    with h5py.File(folder / "out.h5") as file:
        group = next(iter(file["profile"].values()))
        planted = set(group["host"][:]) | set(group["gpu"][:])
    for where, content in all_content(folder / "blind"):
        for name in planted if "blind/data/" not in where else ():
            expect(not name or name not in content, f"{name} of the bundled data is in {where}")
    same_again(folder, "bundle", "out.h5", "bundle of the program's data")
    same_again(folder, "blind", "out.h5", "anonymous bundle of the program's data")


def crafted_manifests(folder):
    """bundle.json is none, names a file outside the folder, or a digest that is not that of the archive or of the result.
    Which paths lie outside is held by tests/study."""
    write(folder)
    ok(folder, "run", "study.toml", "-o", "out.h5")
    ok(folder, "bundle", "out.h5", "-o", "bundle")
    bundle, manifest = folder / "bundle", (folder / "bundle/bundle.json").read_text()
    study = (bundle / "study.toml").read_text()
    whole = json.loads(manifest)
    place = next(i for i, one in enumerate(whole["inputs"]) if one["file"] == "inputs/trace.csv")
    (bundle / "bundle.json").write_text("{}")  # nothing says that the inputs are those of the bundle
    refused(folder, 3, "bundle.json", "run", "bundle", "-o", "again.h5")
    shutil.copyfile(bundle / "inputs/trace.csv", folder / "outside.csv")
    whole["inputs"][place]["file"] = "../outside.csv"
    (bundle / "bundle.json").write_text(json.dumps(whole))
    for command in (
        ("run", "bundle", "-o", "again.h5"),
        ("run", "bundle/study.toml", "-o", "again.h5"),
        ("plan", "bundle"),
    ):
        refused(folder, 3, "outside the bundle", *command)
    (bundle / "inputs/link.csv").symlink_to("trace.csv")  # it stays within the folder: a file like any other
    whole["inputs"][place]["file"] = "inputs/link.csv"
    (bundle / "bundle.json").write_text(json.dumps(whole))
    (bundle / "study.toml").write_text(study.replace("inputs/trace.csv", "inputs/link.csv"))
    ok(folder, "run", "bundle", "-o", "linked.h5")
    (bundle / "study.toml").write_text(study)
    other = "0" * 64
    (bundle / "bundle.json").write_text(manifest.replace(whole["digest"], other))
    refused(folder, 5, other, "run", "bundle", "-o", "again.h5")
    expect(not left_behind(folder, "again"), "an altered digest is seen before anything is run")
    os.rename(bundle / "archive.h5", folder / "kept.h5")
    refused(folder, 5, other, "run", "bundle", "-o", "again.h5")
    expect(ok(folder, "diff", "again.h5", "out.h5").startswith("identical"), "the result is there all the same")
    (bundle / "bundle.json").write_text(manifest)
    ok(folder, "run", "bundle", "-o", "again.h5", "--force")
    # Another study than the one that was bundled; and the same with --set, which is nobody's claim.
    os.rename(folder / "kept.h5", bundle / "archive.h5")
    ok(folder, "run", "bundle", "-o", "set.h5", "--set", "engine.round_s=100")
    altered = re.sub(r"(\[engine\]\n(?:.*\n)*?round_s = )\d+", r"\g<1>100", study)
    (bundle / "study.toml").write_text(altered)
    refused(folder, 5, "not repeated", "run", "bundle", "-o", "changed.h5")


def verified(folder):
    """verify takes a bundle: whatever is altered in it is a finding; run refuses, before it runs, what it would use."""
    write(folder)
    ok(folder, "run", "study.toml", "-o", "out.h5")
    ok(folder, "bundle", "out.h5", "-o", "bundle")
    ok(folder, "bundle", "out.h5", "-o", "blind", "--anonymous")
    for name in ("bundle", "blind"):
        expect("hold" in ok(folder, "verify", name), f"{name} holds")
    manifest = json.loads((folder / "bundle/bundle.json").read_text())
    expect(json.loads(ok(folder, "verify", "--json", "bundle"))["kind"] == "bundle", "its kind")

    def text(old, new):
        return lambda path: path.write_text(path.read_text().replace(old, new, 1))

    def append(path):
        path.write_bytes(path.read_bytes() + b"\0")

    def pipe(path):
        path.unlink()
        os.mkfifo(path)

    trace = next(one["sha256"] for one in manifest["inputs"] if one["file"] == "inputs/trace.csv")
    for file, alter, word, code in (
        ("archive.h5", append, "follow the end", 5),
        ("inputs/trace.csv", append, "not what was bundled", 3),
        ("inputs/trace.csv", os.remove, "missing from the bundle", 3),
        ("inputs/trace.csv", pipe, "is no file", 3),
        ("study.toml", pipe, "is no file", 3),
        ("bundle.json", text(manifest["digest"], "0" * 64), "names the digest", 5),
        ("bundle.json", text(trace, "0" * 64), "lists other inputs", 3),
        ("data/LICENSE", os.remove, "data/LICENSE", 0),
        ("data/jobs/models.toml", append, "models.toml", 0),
        ("study.toml", text("round_s = 360", "round_s = 361"), "gives run", None),
        ("ro-crate-metadata.json", text("licenses/MIT", "licenses/GPL-2.0-only"), "names other licences", 0),
        ("ro-crate-metadata.json", os.remove, "cannot be read", 0),
        ("archive.h5", os.remove, "no such file", 0),
    ):
        case = f"{file}, {word}"
        shutil.rmtree(folder / "altered", ignore_errors=True)
        shutil.copytree(folder / "bundle", folder / "altered")
        alter(folder / "altered" / file)
        found = run(PROGRAM, folder, "verify", "altered", "--json")
        lines = [f"{one['where']}: {one['what']}" for one in json.loads(found.stdout)["findings"]]
        said = [line for line in lines if word in line]
        expect(
            found.returncode == 5 and said and len(set(said)) == len(said),
            f"{case}: verify finds it and says so once",
            done=found,
        )
        if code is None:
            continue
        done = run(PROGRAM, folder, "run", "altered", "-o", "again.h5")
        expect(done.returncode == code, f"{case}: run ends with {code}", done=done)
        expect(bool(left_behind(folder, "again")) == (code == 0), f"{case}: run refuses before it runs")
        for left in left_behind(folder, "again"):
            os.remove(folder / left)


for case in (whole_and_repeated, anonymous, bundled_machine, crafted_manifests, verified):
    with tempfile.TemporaryDirectory() as scratch:
        case(pathlib.Path(scratch).resolve())
print("bundle:", f"{len(failures)} FAILED" if failures else "all hold")
sys.exit(bool(failures))
