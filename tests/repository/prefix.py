#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""prefix.py SOURCE CMAKE: header-only libraries under a prefix of their own. Copies of them are put under a prefix that is
named to CMake; every file of src/ that includes one must then be compiled with the copy, so that it would build as well on
a machine that has none under /usr. Where there is no copy CMake says which header is missing and how to name its place."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SOURCE, CMAKE = pathlib.Path(sys.argv[1]), sys.argv[2]
HEADERS = {"Random123": "Random123/philox.h", "xxHash": "xxhash.h"}


def configure(folder, *settings):
    """As the build at hand, without its tests and GPUs; no target is built."""
    return subprocess.run(
        [
            CMAKE,
            "-S",
            SOURCE,
            "-B",
            folder,
            "-G",
            "Ninja",
            "-D",
            "PALSTUDY_TESTS=OFF",
            "-D",
            "PALSTUDY_CUDA=OFF",
            *settings,
        ],
        capture_output=True,
        text=True,
    )


def folder_of(header):
    """Where the compiler finds it on this machine: the folder that an #include is relative to."""
    done = subprocess.run(
        [os.environ.get("CXX", "c++"), "-x", "c++", "-M", "-"],
        input=f"#include <{header}>\n",
        text=True,
        capture_output=True,
        check=True,
    )
    place = next(word for word in done.stdout.split() if word.endswith("/" + header))
    return pathlib.Path(place.removesuffix(header))


def copy_headers(include):
    include.mkdir(parents=True)
    for header in HEADERS.values():
        top = pathlib.Path(header).parts[0]
        root = folder_of(header)
        if (root / top).is_dir():
            shutil.copytree(root / top, include / top)
        else:
            for file in root.glob(pathlib.Path(top).stem + "*.h"):
                shutil.copy(file, include)


def included_from(command):
    """The files that one compilation reads."""
    words = shlex.split(command["command"])
    at = words.index("-o")
    words[at : at + 2] = []
    done = subprocess.run(
        [*words, "-M", "-MF", "-"], cwd=command["directory"], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def check_copies_are_used(folder):
    prefix = folder / "prefix"
    copy_headers(prefix / "include")
    done = configure(folder / "build", "-D", f"CMAKE_PREFIX_PATH={prefix}")
    assert done.returncode == 0, done.stderr
    commands = json.loads((folder / "build/compile_commands.json").read_text())
    for header in HEADERS.values():
        users = [
            command
            for command in commands
            if re.search(rf"^#include <{re.escape(header)}>", pathlib.Path(command["file"]).read_text(), re.MULTILINE)
        ]
        assert users, f"no file includes {header}: has the test anything to see?"
        for command in users:
            used = [file for file in included_from(command) if file.endswith("/" + header)]
            assert used == [str(prefix / "include" / header)], f"{command['file']} is compiled with {used}"


def check_missing(folder):
    for name, header in HEADERS.items():
        others = [
            word
            for other in HEADERS
            if other != name
            for word in ("-D", f"{other}_INCLUDE_DIR={folder}/prefix/include")
        ]
        done = configure(folder / name, "-D", f"CMAKE_IGNORE_PATH={folder_of(header)}", *others)
        assert done.returncode != 0, f"configured without {header}"
        for word in (header, "CMAKE_PREFIX_PATH", "-dev"):
            assert word in done.stderr, f"without {header} CMake does not say {word}:\n{done.stderr}"


with tempfile.TemporaryDirectory() as scratch:
    check_copies_are_used(pathlib.Path(scratch))
    check_missing(pathlib.Path(scratch))
