#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""recipes.py SOURCE: the recipes under packaging/ ask for what scripts/packages.txt lists, no more and no less, the version is one,
and each says in its first lines what was tried."""
import pathlib
import re
import sys
import types

SOURCE = pathlib.Path(sys.argv[1])
PACKAGING = SOURCE / "packaging"
ROWS = [
    line.split()
    for line in (SOURCE / "scripts/packages.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def packages(section):
    return {row[0] for row in ROWS if row[1] == section}


def spack_specs(*sections):
    """Specs of the list; any MPI of the site will do, and the compiler is none of the dependencies."""
    specs = {row[3] for row in ROWS if row[1] in sections} - {"-", "gcc@12:"}
    return {"mpi@3.1:" if spec.startswith("openmpi") else spec for spec in specs}


def check_spack():
    depends, variants = set(), set()
    inside = []

    class When:
        def __init__(self, condition):
            self.condition = condition

        def __enter__(self):
            inside.append(self.condition)

        def __exit__(self, *_):
            inside.pop()

    package = types.ModuleType("spack.package")
    package.depends_on = lambda spec, type=None, when="": depends.add((spec, when or "".join(inside)))
    package.variant = lambda name, **_: variants.add(name)
    package.when = When
    package.CMakePackage, package.CudaPackage = type("CMakePackage", (), {}), type("CudaPackage", (), {})
    versions = []
    package.version = versions.append
    for ignored in ("license", "conflicts", "generator"):
        setattr(package, ignored, lambda *_, **__: None)
    sys.modules |= {"spack": types.ModuleType("spack"), "spack.package": package}
    exec((PACKAGING / "spack/packages/palstudy/package.py").read_text(), {})
    always = {spec for spec, when in depends if not when} - {"c", "cxx"}
    assert always == spack_specs("build", "install"), always ^ spack_specs("build", "install")
    report = {spec for spec, when in depends if when == "+report"}
    assert report == spack_specs("report"), report ^ spack_specs("report")
    assert ("cuda@12:", "+cuda") in depends and variants == {"report"}, (depends, variants)
    return versions


def check_debian():
    control = (PACKAGING / "debian/control").read_text()
    field = lambda name: re.search(rf"^{name}:((?:.*\n)(?: .*\n)*)", control, re.MULTILINE).group(1)
    names = lambda text: {word.split()[0] for word in text.replace("\n", " ").split(",")}
    assert names(field("Build-Depends")) == packages("build") - {"g++", "git"} | packages("install") | {
        "debhelper-compat"
    }
    assert names(field("Recommends")) | {"python3"} == packages("report")


def check_lines_of_apt():
    """The containers read the list themselves, with these sections."""
    for recipe, sections in (
        ("apptainer/palstudy.def", "build|report|install"),
        ("docker/Dockerfile", "build|install"),
    ):
        line = f"$(awk '$2 ~ /^({sections})$/ {{ print $1 }}' scripts/packages.txt)"
        text = (PACKAGING / recipe).read_text()
        assert line in text and text.count("--no-install-recommends") == 1, recipe


def check_versions(spack):
    version = re.search(r"project\(palstudy VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text()).group(1)
    said = {
        "packaging/spack": spack,
        "packaging/debian/changelog": re.findall(r"\A\w+ \((\S+)\)", (PACKAGING / "debian/changelog").read_text()),
        "CITATION.cff": re.findall(r"^version: (\S+)", (SOURCE / "CITATION.cff").read_text(), re.MULTILINE),
        "CHANGELOG.md": re.findall(r"^## (\d\S+)", (SOURCE / "CHANGELOG.md").read_text(), re.MULTILINE)[:1],
        "spack.yaml": re.findall(r"spec: palstudy@(\S+)", (PACKAGING / "spack/spack.yaml").read_text()),
    }
    assert all(versions == [version] for versions in said.values()), (version, said)


def check_what_was_tried():
    for recipe in (
        "spack/packages/palstudy/package.py",
        "spack/spack.yaml",
        "apptainer/palstudy.def",
        "docker/Dockerfile",
        "debian/control",
        "modulefiles/palstudy",
    ):
        head = "".join((PACKAGING / recipe).read_text().splitlines(keepends=True)[:5])
        assert re.search(r"Tried:|Not tried:", head), f"{recipe} does not say what was tried"


check_debian()
check_lines_of_apt()
check_versions(check_spack())
check_what_was_tried()
print("recipes: as expected")
