#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""findings.py: the pages of results. Each is a template of docs/templates, filled with values that a command wrote.

  findings.py --make NAME...   runs the study of NAME (scripts/findings.d) and writes docs/findings/values/NAME.json
  findings.py --render         writes every page anew
  findings.py --check          says which page is not what its template and values give, and which number has no value
  findings.py --again [NAME]   runs every small study, or NAME, and says whether its values are those of the repository
"""
import argparse
import csv
import datetime
import json
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from typing import Any, Iterator

import jinja2

from findings_typed import numbers_typed
from findings_values import ROOT, VALUES, Broken, Shown, Values, duration, facts, need, number, percent, short, study

TEMPLATES = ROOT / "docs" / "templates"
RECIPES = ROOT / "scripts" / "findings.d"
# Pages on which no digit may stand that is neither of a value nor free; of README its table of findings alone.
HELD = ("findings/", "evidence/")
WRITTEN = "<!-- Made by scripts/findings.py of docs/templates; edit the template. -->"
HELD_ROWS = re.compile(r"^\|.*$", re.MULTILINE)
FREE = (  # in the order in which they are taken out
    re.compile(r"^( *)```.*?^\1``` *$", re.DOTALL | re.MULTILINE),  # code
    re.compile(r"^(    |\t).*$", re.MULTILINE),
    re.compile(r"`[^`\n]*`"),
    re.compile(r"^#.*$", re.MULTILINE),  # headings
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"!?\[[^\]]*\]\([^)]*\)"),  # links
    re.compile(r"\b95 %(?= (confidence )?intervals?\b)|\b(figures?|tables?) \d+\b", re.IGNORECASE),
    re.compile(r"[A-Za-z][\w.'+-]*\d[\w.]*|\b\d+-?[A-Z][A-Za-z]+\b"),  # names: ResNet-50, SC'24, V100, 2D-LAS, sia1.csv
    re.compile(r"^\d+\. ", re.MULTILINE),  # the items of a list
)


OF_BENCHMARKS = {  # keys of Google Benchmark that no page uses
    *(
        "family_index",
        "per_family_instance_index",
        "run_name",
        "run_type",
        "repetitions",
        "repetition_index",
        "threads",
    ),
    *("iterations", "real_time"),
}


def fail(text: str) -> None:
    print(text, file=sys.stderr)


def rounded(value: Any) -> Any:
    """To nine digits: the last ones may hang on the mathematics library."""
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def kept(answer: Any) -> Any:
    """What pages use of an answer of compare: no sentence of the program, no list of all runs. Of Google Benchmark, times and counters."""
    if isinstance(answer, dict) and "benchmarks" in answer:
        return [{key: value for key, value in one.items() if key not in OF_BENCHMARKS} for one in answer["benchmarks"]]
    if isinstance(answer, dict) and str(answer.get("schema", "")).startswith("palstudy.validation/"):
        return {key: value for key, value in answer.items() if key != "stretches"}
    if not isinstance(answer, dict) or not str(answer.get("schema", "")).startswith("palstudy.compare/"):
        return answer
    gain_keys = ("metric", "value", "baseline", "ratio", "no_claim", "pairs", "pairs_of", "better", "equal")
    groups = []
    for group in answer["groups"]:
        gains = []
        for gain in group["gains"]:
            one = {key: gain[key] for key in gain_keys}
            interval = gain["interval"]
            one["interval"] = interval and {key: interval[key] for key in ("alone", "together", "comparisons")}
            one["replications"] = gain["seeds"].get("replications")
            one["parts"] = gain["parts"] and {key: gain["parts"][key] for key in ("n", "ratios")}
            gains.append(one)
        groups.append({"at": group["at"], "gains": gains, "pooled_means": group["pooled_means"]})
    return {
        "study": answer["study"],
        "metrics": answer["metrics"],
        "compared": answer["compared"],
        "load": answer["load"]["values"],
        "groups": groups,
        "left_out": len(answer["left_out"]),
        "notes": [{key: note[key] for key in ("id", "severity", "values")} for note in answer["notes"]],
    }


def table(text: str) -> list[dict[str, Any]]:
    """The rows of a CSV."""
    number_like = re.compile(r"-?\d+(\.\d*)?(e[-+]?\d+)?")
    lines = csv.DictReader(text.splitlines())
    return [{key: float(cell) if number_like.fullmatch(cell) else cell for key, cell in line.items()} for line in lines]


def summed(rows: list[dict[str, Any]], by: list[str], sums: list[str]) -> list[dict[str, Any]]:
    """The sums of columns over the rows that agree in those of `by`."""
    groups: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        at = tuple(row[key] for key in by)
        group = groups.setdefault(at, {**dict(zip(by, at)), **dict.fromkeys(sums, 0.0)})
        for key in sums:
            group[key] += row[key]
    return list(groups.values())


def machine() -> str:
    """On which something is recorded."""
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return f"{model[1] if model else platform.machine()}, {os.cpu_count()} cores"


class Maker:
    """Runs a recipe in a folder of its own."""

    def __init__(self, program: str, folder: str):
        self.program, self.folder, self.commands = program, folder, []  # type: str, str, list[str]

    def done(self, command: str) -> str:
        """Its standard output. DIR is the folder; palstudy is the program that was given."""
        self.commands.append(command.replace("DIR/", "").removesuffix(" --json"))
        line = command.replace("DIR/", f"{self.folder}/")
        folders = (
            f"{pathlib.Path(self.program).resolve().parent}:{pathlib.Path(sys.executable).parent}"  # this Python too
        )
        environment = {**os.environ, "PATH": f"{folders}:{os.environ['PATH']}", "COLUMNS": "100"}
        result = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", line],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode != 0:
            raise Broken(f"{line}: exit code {result.returncode}\n{result.stderr[-2000:]}")
        return result.stdout

    def sums(self, archive: str, read: dict[str, list[str]]) -> list[dict[str, Any]]:
        """Of an exported table, with the axes of its runs beside each row."""
        rows, runs = (table(self.done(f"palstudy export {archive} --table {name}")) for name in (read["table"], "runs"))
        self.commands.pop()
        axes = {run["run"]: run for run in runs}
        return summed([{**axes[row["run"]], **row} for row in rows], read["by"], read["sum"])

    def values(self, name: str, recipe: dict[str, Any]) -> dict[str, Any]:
        """The document of a recipe: what made it, then what each read printed."""
        for command in recipe.get("before", []):
            self.done(command)
        head: dict[str, Any] = {"program": self.done("palstudy --version").split("\n")[0]}
        self.commands.pop()
        archive = f"DIR/{name}.h5"
        if "study" in recipe:
            options = "".join(f" --set {shlex.quote(one)}" for one in recipe.get("set", []))
            self.done(f"palstudy run {recipe['study']}{options} -o {archive}")
            head["study"] = recipe["study"].replace("DIR/", "")
            head["digest"] = self.done(f"palstudy digest {archive}").strip()
            self.commands.pop()
        if recipe.get("recorded"):
            head |= {"machine": machine(), "recorded": datetime.date.today().isoformat()}
        values = {}
        for key, read in recipe["reads"].items():
            if not isinstance(read, str):
                values[key] = rounded(self.sums(archive, read))
                continue
            words = read.replace("FILE", archive)
            if key.endswith("_screen"):  # what a person sees, for a page that explains it
                values[key] = [line.rstrip() for line in self.done(words).splitlines()]
                self.commands.pop()
                continue
            asked = " --json" if words.startswith("palstudy ") and " --format" not in words else ""
            values[key] = rounded(kept(json.loads(self.done(words + asked))))
        return {**head, "commands": self.commands, "values": values}


def recipes() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(RECIPES.glob("*.toml")):
        for name, recipe in tomllib.loads(path.read_text()).items():
            if name in found:
                raise Broken(f"{path.relative_to(ROOT)}: another file has a recipe {name}")
            found[name] = recipe
    return found


def made(name: str, program: str) -> str:
    found = recipes()
    if name not in found:
        raise Broken(f"{RECIPES.relative_to(ROOT)} has no {name}; it has {', '.join(found)}")
    if "reads" not in found[name]:
        raise Broken(f"{name} was recorded by hand: run `{found[name]['command']}`, and enter what it prints")
    with tempfile.TemporaryDirectory() as folder:
        document = Maker(program, folder).values(name, found[name])
        return json.dumps(document, indent=1).replace(folder + "/", "") + "\n"


def make(names: list[str], program: str) -> int:
    VALUES.mkdir(exist_ok=True)
    for name in names:
        text = made(name, program)
        (VALUES / f"{name}.json").write_text(text)
        print(f"{name}: {len(text):,} bytes", flush=True)
    return 0


def again(names: list[str], program: str) -> int:
    """The commits of programs differ, so the line that names it may."""
    wrong = 0
    for name in names or [name for name, recipe in recipes().items() if recipe.get("small")]:
        now, then = json.loads(made(name, program)), json.loads((VALUES / f"{name}.json").read_text())
        if {**now, "program": ""} != {**then, "program": ""}:
            wrong += 1
            fail(f"{name}: other values are made now: scripts/findings.py --make {name}, and look at what changed")
        else:
            print(f"{name}: the same values", flush=True)
    return 1 if wrong else 0


def environment(mark: bool) -> jinja2.Environment:
    """With `mark`, what comes from values is a letter, so that the digits that are left are those of the template."""

    def shown(value: Any) -> Any:
        if isinstance(value, bool) or value is None or isinstance(value, jinja2.Undefined):
            raise Broken(f"a template shows {value!r}")
        if isinstance(value, (int, float)):
            value = number(value)
        return "x" if mark and isinstance(value, Shown) else value

    built = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        finalize=shown,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    built.globals.update(
        values=Values,
        study=study,
        facts=facts,
        need=need,
        percent=percent,
        number=number,
        duration=duration,
        short=lambda value: Shown(short(value)),
        made=WRITTEN,
    )
    return built


def templates(pages: list[str]) -> Iterator[str]:
    """Of these pages, named as in docs/ or README.md; of all, if none is named."""
    for path in sorted(TEMPLATES.rglob("*.md.j2")):
        name = path.relative_to(TEMPLATES).as_posix()
        if not pages or name.removesuffix(".j2") in pages:
            yield name


def page_of(template: str) -> pathlib.Path:
    name = template.removesuffix(".j2")
    return ROOT / name if name == "README.md" else ROOT / "docs" / name


def rendered(template: str, mark: bool = False) -> str:
    try:
        return environment(mark).get_template(template).render()
    except (jinja2.TemplateError, TypeError, KeyError) as why:
        raise Broken(f"{why}") from why


def digits_of_hand(template: str) -> list[str]:
    """Where digits stand that no value wrote and that are not free."""
    if template != "README.md.j2" and not template.startswith(HELD):
        return []
    text = rendered(template, mark=True)
    if template == "README.md.j2":
        text = "\n".join(HELD_ROWS.findall(text))
    for free in FREE:
        text = free.sub(" ", text)
    return [line.strip()[:160] for line in text.splitlines() if re.search(r"\d", line)]


def faults(template: str) -> Iterator[str]:
    text, page = rendered(template), page_of(template)
    if not page.exists() or page.read_text() != text:
        yield "is not what its template and values give: scripts/findings.py --render"
    for line in digits_of_hand(template):
        yield f"a number that is of no value: {line}"
    for typed in numbers_typed(environment(False), (TEMPLATES / template).read_text()):
        yield f"a number that is typed into the template: {typed}"


def check(pages: list[str]) -> int:
    """Of these pages, or of all with what belongs to none."""
    wrong = 0
    listed = list(templates(pages))
    if not listed:
        raise Broken(f"no templates under {TEMPLATES}")
    for template in listed:
        try:
            said = list(faults(template))
        except Broken as why:
            said = [str(why)]
        wrong += len(said)
        for one in said:
            fail(f"{page_of(template).relative_to(ROOT)}: {one}")
    if pages:
        return finished(len(listed), wrong)
    held = {f"docs/{page}" for page in (t.removesuffix(".j2") for t in listed)}
    for folder in HELD:
        for page in sorted((ROOT / "docs" / folder).glob("*.md")):
            if page.relative_to(ROOT).as_posix() not in held:
                wrong += 1
                fail(f"{page.relative_to(ROOT)}: has no template, so its numbers are typed by hand")
    for name, recipe in recipes().items():
        if "PWD" in str(recipe):
            wrong += 1
            fail(f"{name}: its study names the folder of the repository, so its digest would hang on where that lies")
    for path in sorted((ROOT / "docs").rglob("*.json")):
        if path.parent != VALUES or path.stem not in recipes():
            wrong += 1
            fail(f"{path.relative_to(ROOT)}: no recipe of {RECIPES.relative_to(ROOT)} makes it")
    return finished(len(listed), wrong)


def finished(pages: int, wrong: int) -> int:
    print(f"{pages} pages, {wrong} faults")
    return 1 if wrong else 0


def render(pages: list[str]) -> int:
    for template in templates(pages):
        try:
            text = rendered(template)
        except Broken as why:
            raise Broken(f"{template}: {why}") from why
        page_of(template).parent.mkdir(parents=True, exist_ok=True)
        page_of(template).write_text(text)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--make", nargs="+", metavar="NAME")
    what.add_argument("--again", nargs="*", metavar="NAME")
    what.add_argument("--render", action="store_true")
    what.add_argument("--check", action="store_true")
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "palstudy"), help="palstudy")
    parser.add_argument("--page", action="append", default=[], help="of --render and --check: findings/pal.md")
    given = parser.parse_args()
    try:
        if given.make:
            return make(given.make, given.program)
        if given.again is not None:
            return again(given.again, given.program)
        return render(given.page) if given.render else check(given.page)
    except Broken as why:
        fail(str(why))
        return 1


if __name__ == "__main__":
    sys.exit(main())
