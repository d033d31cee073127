# SPDX-License-Identifier: MIT
"""The rules of the house, checked on the text of the sources: check_layers.py REPOSITORY.

Who may include whom, which libraries a room may see, which headers are too heavy for a header, one licence line in each
file, and no file too long to read; that no folder is a warehouse, that the header of a .cpp bears its name, that a class is
implemented in one .cpp, that nothing iterates over a hash table, and that a key of the study file is spelled once. Prints one
line for each breach and exits with 1 if there is any.
"""
import re
import sys
from pathlib import Path

# Top to bottom: a room includes only from those on lines under its own (and from itself).
ROOMS = [
    ["cli"],
    ["campaign", "measure"],
    ["bundle"],
    ["words"],
    ["analysis"],
    ["inputs"],
    ["study"],
    ["archive"],
    ["shard"],
    ["hdf5"],
    ["record"],
    ["parallel"],
    ["sim"],
    ["policy"],
    ["optimize"],
    ["workload", "cluster"],
    ["variability"],
    ["topology"],
    ["stats"],
    ["core"],
]
# The rooms within sim, top to bottom; those of one line do not know each other. The entry, src/sim itself, is over them.
ROOMS_OF_SIM = [["engine"], ["scheduler", "effects", "observers", "output"], ["state"]]
# The values that sim gives out lie beside the entry, and are made by its rooms.
VALUES_OF_SIM = {"result.hpp"}
# Stricter than their place in the list.
ONLY = {"stats": {"core"}, "optimize": {"core"}, "kernels": {"core"}}
# Beside the rooms: those that may run the measuring kernels, or list them.
USERS_OF_KERNELS = {"cli", "measure"}
# Which rooms may see a library at all; no other may, not even through a header of those.
LIBRARY_ROOMS = {
    r"mpi\.h": {"parallel"},
    r"hdf5(_hl)?\.h|H5.*\.h": {"hdf5"},
    r"coin/.*": {"optimize"},
}
# Rooms and files that return values alone: no text is made there, so that they may not even include <fmt/...>.
VALUES_ALONE = {"stats"}
VALUES_ALONE_IN_ANALYSIS = {
    "comparison",
    "earlier_lines",
    "gain_parts",
    "looks_taken",
    "means_of_jobs",
    "offered_load",
    "overload",
    "replications",
    "run_claims",
}
# Rooms that make no text but that of errors: fmt makes arguments of these calls there, and nothing else.
ERRORS_ALONE = {"analysis", "inputs", "sim"}
MAKES_ERROR = re.compile(r"\b(\w+_error|fault|Error|refused?)$")
LITERAL = re.compile(r'//.*|"(?:\\.|[^"\\])*"|\'\\?.\'')
# The engine reads and writes no file; results leave it as values.
FILE_STREAMS = r"fstream|filesystem|iostream|cstdio|stdio\.h|fcntl\.h|unistd\.h"
# These cost seconds in every file that includes them, so they stay in .cpp files.
ARCHIVE = "sim/state/state_archive.hpp"  # brings Boost.Serialization
HEAVY = rf"toml\+\+/.*|nlohmann/.*|CLI/.*|openssl/.*|spdlog/.*|boost/.*|gtest/.*|{re.escape(ARCHIVE)}"

LINE_LIMIT = 400
# One module in one file, which notebooks have beside them; a table, which has a row a model.
LINE_LIMITS = {"palstudy.py": 480, "models.toml": 600}
FOLDER_LIMIT = 40
# What is registered bears a name of its own and needs no header.
REGISTERED = {
    "order",
    "placement",
    "scheduler",
    "effects",
    "backfill",
    "routing",
    "rules",
    "forecasts",
    "readers",
    "importers",
    "generators",
    "cluster_sources",
    "beliefs",
    "predictors",
    "predict",
    "commands",
    "sections",
    "notes",
    "main",
    "record/tables",
}
SOURCES = {".cpp", ".hpp", ".cu", ".cuh"}
LICENSED = SOURCES | {".cmake", ".sh", ".py", ".toml"}
LICENSED_NAMES = {"CMakeLists.txt", ".clang-tidy", "run"}
DATA = {("tests", "golden", "runs")}  # recorded, with their provenance in them
SKIPPED = {".git", "build", "results", "LICENSES", ".cache", "__pycache__"}
SPDX = re.compile(r"^(//|#|<!--) SPDX-License-Identifier: MIT\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def level(room):
    """Place of a room from the top, or None if it is not one."""
    return next((i for i, rooms in enumerate(ROOMS) if room in rooms), None)


def may_include(room, other):
    if room == other:
        return True
    if other == "kernels":
        return room in USERS_OF_KERNELS
    if room in ONLY:
        return other in ONLY[room]
    return level(room) is not None and level(other) is not None and level(room) < level(other)


def sim_level(parts):
    """Place of a file of sim among its rooms from the top: -1 for the entry, by its path from src/."""
    return next((i for i, rooms in enumerate(ROOMS_OF_SIM) if parts[1] in rooms), -1)


def check_rooms_of_sim(parts, name):
    """What is wrong with an #include of `name` in a file of sim, if anything; `parts`: its path from src/."""
    other = name.split("/")
    if len(other) < 2 or other[0] != "sim" or other[1] in VALUES_OF_SIM or parts[1] == other[1]:
        return None
    if sim_level(parts) < max(sim_level(other), 0):
        return None
    return f"sim/{parts[1]} may not include sim/{other[1]} ({name})"


def check_include(path, room, quoted, name):
    """What is wrong with one #include of a file of a room, if anything."""
    if quoted and room == "sim":
        inner = path.parts[len(path.parts) - 1 - path.parts[::-1].index("src") + 1 :]
        problem = check_rooms_of_sim(inner, name)
        if problem:
            return problem
    if quoted:
        other = name.split("/")[0] if "/" in name else ""
        if level(other) is None and other != "kernels":
            return f'includes "{name}", which does not begin with a room'
        if not may_include(room, other):
            return f"{room} may not include {other} ({name})"
    for library, rooms in LIBRARY_ROOMS.items():
        if re.fullmatch(library, name) and room not in rooms:
            return f"{room} may not include <{name}>; only {', '.join(sorted(rooms))} may"
    values = room in VALUES_ALONE or (room == "analysis" and path.stem in VALUES_ALONE_IN_ANALYSIS)
    if values and name.startswith("fmt/"):
        return f"{path.name} returns values and notes, so it may not include <{name}>; sentences are made in words/"
    if room == "sim" and re.fullmatch(FILE_STREAMS, name):
        return f"sim reads and writes no file, so it may not include <{name}>"
    if path.suffix == ".hpp" and re.fullmatch(HEAVY, name) and not path.as_posix().endswith(ARCHIVE):
        return f"<{name}> is too heavy for a header; include it in the .cpp"
    return None


def texts_beside_errors(lines):
    """The lines on which fmt makes something else than an argument of an error."""
    calls = []  # for each open parenthesis whether it is in a call that makes an error
    for number, line in enumerate(lines, 1):
        if INCLUDE.match(line):
            continue
        code = LITERAL.sub("", line)
        for match in re.finditer(r"[(){}]|\bfmt::", code):
            if match[0] in "({":
                calls.append(
                    bool(calls and calls[-1]) or (match[0] == "(" and bool(MAKES_ERROR.search(code[: match.start()])))
                )
            elif match[0] in ")}":
                calls.pop()
            elif not (calls and calls[-1]):
                yield number


def check_includes(path, room, lines):
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        problem = check_include(path, room, match[1] == '"', match[2]) if match else None
        if problem:
            yield number, problem
    for number in texts_beside_errors(lines) if room in ERRORS_ALONE else ():
        yield number, f"{room} makes no text but that of errors; join strings of a key, and make sentences in words/"


def libraries_seen(header, texts, seen):
    """The libraries of LIBRARY_ROOMS that a header of ours brings with it, itself or through others."""
    if header in seen or header not in texts:
        return set()
    seen.add(header)
    found = set()
    for match in filter(None, map(INCLUDE.match, texts[header])):
        found |= {library for library in LIBRARY_ROOMS if re.fullmatch(library, match[2])}
        found |= libraries_seen(match[2], texts, seen) if match[1] == '"' else set()
    return found


def check_hidden_libraries(room, lines, texts):
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match and match[1] == '"':
            for library in sorted(libraries_seen(match[2], texts, set())):
                if room not in LIBRARY_ROOMS[library]:
                    yield number, f"{room} sees {library.split('|')[0]} through {match[2]}"


def check_text(path, lines):
    if path.suffix in LICENSED or path.name in LICENSED_NAMES:
        marks = [i for i, line in enumerate(lines, 1) if SPDX.match(line)]
        if len(marks) != 1 or marks[0] > 2:
            yield 1, "has not exactly one line 'SPDX-License-Identifier: MIT', at its top"
        limit = LINE_LIMITS.get(path.name, LINE_LIMIT)
        if len(lines) > limit:
            yield limit, f"has {len(lines)} lines; {limit} are the limit"


def check_folders(files):
    """Rooms of src/: how many files lie flat in each folder."""
    count = {}
    for _, parts, _ in files:
        if parts[0] == "src" and parts[-1].endswith((".cpp", ".hpp")):
            count[parts[:-1]] = count.get(parts[:-1], 0) + 1
    for folder, n in sorted(count.items()):
        if n > FOLDER_LIMIT:
            yield f"{'/'.join(folder)}:1: holds {n} files; {FOLDER_LIMIT} are the limit"


def check_headers(files):
    """Whether each .cpp has a header of its name."""
    names = {"/".join(parts) for _, parts, _ in files}
    for name in sorted(names):
        folders = name.split("/")[:-1]
        registered = REGISTERED.intersection({"/".join(folders[-1:]), "/".join(folders[-2:])})
        if not name.startswith("src/") or not name.endswith(".cpp") or registered:
            continue
        if name.removesuffix("cpp") + "hpp" not in names:
            yield f"{name}:1: has no header of its name"


MEMBER = re.compile(
    r"^(?![ \t/#}]|return\b|throw\b)(?:[^=;{(\"]*?[\s&*>\]])?((?:\w+::)*[A-Z]\w*)(?:<[\w, ]+>)?::~?\w+(?:<[\w, ]+>)?\("
)


def check_classes(files):
    """Whether the functions of a class lie in one .cpp."""
    places = {}
    for _, parts, lines in files:
        if parts[0] == "src" and parts[-1].endswith(".cpp"):
            space = next(
                (f"{m[1]}::" for m in (re.match(r"namespace palstudy::(\w+) \{", line) for line in lines) if m), ""
            )
            for name in {m[1] for m in map(MEMBER.match, lines) if m}:
                places.setdefault(space + name, set()).add("/".join(parts))
    for name, found in sorted(places.items()):
        if len(found) > 1:
            yield f"{min(found)}:1: {name} is implemented in {len(found)} files: {', '.join(sorted(found))}"


KEY = re.compile(r"^\| ([a-z_0-9]+\.[a-z_0-9.]+) \|", re.M)


def check_keys(root, files):
    """Whether the study and what is above it spell each key of the study file once (study/keys, study/keys/key_names.hpp)."""
    table = root / "docs" / "reference" / "keys.md"
    keys = set(KEY.findall(table.read_text(encoding="utf-8"))) if table.is_file() else set()
    first = {}
    for _, parts, lines in files:
        if parts[0] != "src" or parts[1] not in ("study", "inputs", "analysis", "campaign", "measure", "cli"):
            continue
        for number, line in enumerate(lines, 1):
            if line.lstrip().startswith("//"):
                continue
            for key in keys.intersection(re.findall(r'"([a-z_0-9.]+)"', line)):
                place = f"{'/'.join(parts)}:{number}"
                if key in first:
                    yield f"{place}: spells the key {key}, as {first[key]} does; give it a name in study/keys/key_names.hpp"
                first.setdefault(key, place)


UNORDERED = re.compile(r"unordered_(?:multi)?(?:map|set)<.*>\s+(\w+)\s*(?:[;={]|//)")


def check_unordered(files):
    """Results may not depend on the order of a hash table: no file of src iterates over one that it, or the header of its name,
    declares."""
    texts = {parts: lines for _, parts, lines in files if parts[0] == "src" and parts[-1].endswith(tuple(SOURCES))}
    for parts, lines in texts.items():
        header = texts.get((*parts[:-1], parts[-1].rsplit(".", 1)[0] + ".hpp"), [])
        names = {name for line in [*lines, *header] for name in UNORDERED.findall(line)}
        for number, line in enumerate(lines, 1):
            for name in names:
                if re.search(rf"for \(.*:\s*(?:\w+(?:\.|->))*{name}\)|\b{name}\.c?begin\(", line):
                    yield f"{'/'.join(parts)}:{number}: iterates over the unordered container {name}; take std::map, or sort first"


def room_of(parts):
    """The room of a file by its path from the root, or None where the rules on includes do not reach."""
    if parts[0] == "kernels" and len(parts) > 1:
        return "kernels"
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def our_files(root):
    """The files that the rules are about, as (path, its parts from the root, its lines)."""
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if SKIPPED & set(parts) or parts[:3] in DATA or not path.is_file():
            continue
        if path.suffix in LICENSED or path.name in LICENSED_NAMES:
            yield path, parts, path.read_text(encoding="utf-8").splitlines()


def check(root):
    """All breaches under root, as "path:line: what"."""
    files = list(our_files(root))
    # As they are named in an #include.
    texts = {"/".join(parts[parts[0] == "src" :]): lines for _, parts, lines in files if parts[0] in ("src", "kernels")}
    found = []
    for path, parts, lines in files:
        problems = list(check_text(path, lines))
        room = room_of(parts)
        if room and path.suffix in SOURCES:
            problems += check_includes(path, room, lines)
            problems += check_hidden_libraries(room, lines, texts)
        found += [f"{'/'.join(parts)}:{number}: {problem}" for number, problem in problems]
    return (
        found
        + list(check_folders(files))
        + list(check_headers(files))
        + list(check_classes(files))
        + list(check_unordered(files))
        + list(check_keys(root, files))
    )


def main():
    problems = check(Path(sys.argv[1]))
    print("\n".join(problems) if problems else "layers: no breach")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
