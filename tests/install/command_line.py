#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""command_line.py PALSTUDY REPORT SOURCE: the man pages and the completion of bash and zsh against --help. Every sub-command has a
page, every option of every sub-command stands in its page and is completed, every key stands in palstudy-study(5); names of
policies, readers, keys, studies are completed as `palstudy list` has them."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

PALSTUDY, REPORT, SOURCE = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
FOLDER = PALSTUDY.parent


def text_of(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def kinds():
    """What `palstudy list` takes, which it names when it is given something else."""
    refused = subprocess.run([PALSTUDY, "list", "nothing"], capture_output=True, text=True, check=False).stderr
    return set(re.search(r"known: (.*)", refused).group(1).split(", "))


def section(text, title):
    found = re.search(rf"^{title}:\n(.*?)(?:\n\n|\Z)", text, re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""


def commands(*above):
    """{(command, ...): its options}, as --help has them."""
    text = text_of(PALSTUDY, *above, "--help")
    heads = re.findall(r"^  (?:-\w,)?(--[\w-]+(?:,--[\w-]+)*)", section(text, "Options"), re.MULTILINE)
    all_of_them = {above: {name for head in heads for name in head.split(",")}}
    for name in re.findall(r"^  ([\w-]+) ", section(text, "Subcommands"), re.MULTILINE):
        all_of_them |= commands(*above, name)
    return all_of_them


def names(kind):
    return {next(iter(row.values())) for row in json.loads(text_of(PALSTUDY, "list", kind, "--json"))}


def exported_tables():
    """What export itself says that it knows."""
    done = subprocess.run(
        [PALSTUDY, "export", "none.h5", "--table", "none"], capture_output=True, text=True, check=False
    )
    return set(re.search(r"known: (.*)", done.stderr).group(1).split(", "))


def completed_by_bash(lines):
    script = f"""source {SOURCE}/packaging/completion/palstudy.bash
while IFS= read -r COMP_LINE; do COMP_POINT=${{#COMP_LINE}}; _palstudy; echo "${{COMPREPLY[*]}}"; done"""
    return run_shell(["bash", "-c", script], lines)


def completed_by_zsh(lines):
    script = f"""_files() {{ answer=() }}
compadd() {{ while [[ $1 != -- ]]; do shift; done; shift; answer=("$@") }}
while IFS= read -r line; do
  answer=(); words=("${{(@s: :)line}}"); CURRENT=${{#words}}; PREFIX=${{words[-1]}}
  () {{ source {SOURCE}/packaging/completion/_palstudy }}
  print -r -- "${{answer[*]}}"
done"""
    return run_shell(["zsh", "-f", "-c", script], lines)


def run_shell(command, lines):
    done = subprocess.run(
        command,
        input="".join(line + "\n" for line in lines),
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": f"{FOLDER}:/usr/bin:/bin", "HOME": "/nonexistent"},
    )
    answers = [set(line.split()) for line in done.stdout.splitlines()]
    assert len(answers) == len(lines), done.stderr
    return answers


def expected_completions(all_commands):
    """{line up to the cursor: the words that follow}."""
    lines = {" ".join(("palstudy", *command, "--")): options for command, options in all_commands.items()}
    for command in all_commands:
        below = {other[-1] for other in all_commands if other and other[:-1] == command}
        if below:
            lines[" ".join(("palstudy", *command, ""))] = below
    studies = {
        path.relative_to(SOURCE / "experiments").with_suffix("").as_posix()
        for path in (SOURCE / "experiments").rglob("*.toml")
    } - {f"data/{path.stem}" for path in (SOURCE / "experiments/data").glob("*.toml")}
    lines |= {
        "palstudy list ": kinds(),
        "palstudy init ": studies,
        "palstudy run mine.toml --set ": {key + "=" for key in names("keys")},
        "palstudy plan --set output.j": {"output.jobs="},
        "palstudy measure --kernel ": names("kernels"),
        "palstudy compare mine.h5 --baseline ": names("placements"),
        "palstudy compare mine.h5 --metric jct_mean": {"jct_mean_s"},
        "palstudy compare mine.h5 --against output.j": {"output.jobs="},
        "palstudy export mine.h5 --table ": exported_tables(),
        "palstudy export mine.h5 --format ": {"csv", "json"},
        "palstudy run ": set(),  # a file
        "palstudy run -o ": set(),
    }
    return lines


def check_completion(all_commands):
    lines = expected_completions(all_commands)
    values = {
        "policy.placement": "placements",
        "policy.order": "orders",
        "workload.reader": "readers",
        "workload.generator": "generators",
        "routing.policy": "routings",
        "cluster.source": "sources",
        "policy.knowledge": "knowledge",
        "policy.scheduler": "schedulers",
    }
    for shell, complete in (("bash", completed_by_bash), ("zsh", completed_by_zsh)):
        if not shutil.which(shell):
            print(f"no {shell} here: its completion is not tested")
            continue
        for line, answer in zip(lines, complete(lines)):
            assert answer == lines[line], f"{shell} completes {line!r} with {sorted(answer ^ lines[line])} more or less"
        asked = {f"palstudy run mine.toml --set {key}=": (key, names(kind)) for key, kind in values.items()}
        for line, answer in zip(asked, complete(asked)):
            key, known = asked[line]
            # Bash takes what stands behind the '=' for a word of its own.
            assert answer == (known if shell == "bash" else {f"{key}={name}" for name in known}), (shell, line, answer)


def check_pages(all_commands, folder):
    subprocess.run([SOURCE / "scripts/man-pages.sh", PALSTUDY, folder, REPORT], check=True)
    pages = {path.name for path in (folder / "man1").iterdir()}
    wanted = {"-".join(("palstudy", *command)) + ".1" for command in all_commands} | {"palstudy-report.1"}
    assert pages == wanted, f"pages of section 1: {sorted(pages ^ wanted)} too many or missing"
    for command, options in all_commands.items():
        page = (folder / "man1" / ("-".join(("palstudy", *command)) + ".1")).read_text()
        page = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "")
        for option in options:
            assert re.search(
                rf"^(?:-?-[\w-]+,\s*)*{option}\b", page, re.MULTILINE
            ), f"{option} is not in the page of {' '.join(command)}"
    main_page = (folder / "man1/palstudy.1").read_text()
    for title in ("ENVIRONMENT", "FILES", "EXAMPLES"):
        assert re.search(rf"^\.SH {title}$", main_page, re.MULTILINE), f"palstudy(1) has no section {title}"
    check_traces((folder / "man5/palstudy-study.5").read_text().split(".SH TRACES")[1].split(".SH KEYS")[0], folder)
    keys = set(
        re.findall(
            r"^\.B ([\w\\.-]+)$", (folder / "man5/palstudy-study.5").read_text().split(".SH KEYS")[1], re.MULTILINE
        )
    )
    assert {key.replace("\\-", "-") for key in keys} == names("keys")
    groff = shutil.which("groff")
    for page in [*folder.glob("man?/*")] if groff else []:
        said = subprocess.run(
            [groff, "-man", "-Tutf8", "-ww", "-z", page], capture_output=True, text=True, check=True
        ).stderr
        assert not said, f"{page.name}: {said}"


def check_traces(text, folder):
    """palstudy-study(5) has every reader, and of `native` an example that is read, and columns that are all known to it."""
    text = text.replace("\\-", "-")
    told = set(re.findall(r"^\.B ([\w-]+)$", text, re.MULTILINE))
    assert names("readers") <= told, f"readers that palstudy-study(5) lacks: {names('readers') - told}"
    readers = json.loads(text_of(PALSTUDY, "list", "readers", "--json"))
    summary = next(row["summary"] for row in readers if row["name"] == "native")
    for column in re.findall(
        r"\b(?:job_id|class|model|tenant|user|name|\w+_s|num_gpus|iterations)\b", summary.split("carried")[0]
    ):
        assert re.search(rf"^\.BR? .*\b{column}\b", text, re.MULTILINE), f"palstudy-study(5) lacks the column {column}"
    example = re.search(r"^\.nf\n(.*?)^\.fi", text.split("native")[-1], re.MULTILINE | re.DOTALL).group(1)
    (folder / "example.csv").write_text("".join(line.strip() + "\n" for line in example.splitlines()))
    (folder / "example.toml").write_text(
        'cluster = { gpus = 64, source = "bootstrap" }\nworkload = { trace = "example.csv", reader = "native" }\n'
    )
    done = subprocess.run(
        [PALSTUDY, "plan", folder / "example.toml", "--quick"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"the trace in palstudy-study(5) is not read: {done.stderr}"


def same_but_for_paths(mine, theirs, folder):
    """Whether a study of `init` says what the study that it was made of says, with files by absolute paths."""
    if isinstance(mine, dict):
        return mine.keys() == theirs.keys() and all(same_but_for_paths(mine[key], theirs[key], folder) for key in mine)
    if isinstance(mine, list):
        return len(mine) == len(theirs) and all(same_but_for_paths(*pair, folder) for pair in zip(mine, theirs))
    if isinstance(theirs, str) and (folder / theirs).is_file():
        return pathlib.Path(mine).is_absolute() and pathlib.Path(mine).samefile(folder / theirs)
    return mine == theirs


def check_init(folder):
    """Every study that `init` prints is the one that it is made of, from any folder; one that is there already is not replaced."""
    for name in sorted(expected_completions(commands())["palstudy init "]):
        file, source = folder / "deep" / (name.replace("/", "-") + ".toml"), SOURCE / "experiments" / (name + ".toml")
        subprocess.run([PALSTUDY, "init", name, "-o", file], check=True, capture_output=True)
        assert same_but_for_paths(
            tomllib.loads(file.read_text()), tomllib.loads(source.read_text()), source.parent
        ), name
    for name in ("sia-philly", "smallest"):
        subprocess.run(
            [PALSTUDY, "plan", folder / "deep" / (name + ".toml"), "--quick"], check=True, capture_output=True
        )
    again = subprocess.run([PALSTUDY, "init", "-o", file], capture_output=True, text=True)
    assert again.returncode == 2 and len(again.stderr.splitlines()) <= 6, again
    smallest = text_of(PALSTUDY, "init")
    schema = pathlib.Path(re.match(r"#:schema file://(.*)\n", smallest).group(1))
    assert schema.samefile(SOURCE / "experiments/study.schema.json"), schema
    assert "experiments/" not in smallest.split("\n", 1)[1], "the study of init speaks of the folder that it comes from"
    unknown = subprocess.run([PALSTUDY, "init", "smalest"], capture_output=True, text=True)
    assert unknown.returncode == 2 and "smallest" in unknown.stderr, unknown


def main():
    all_commands = commands()
    assert len(all_commands) > 15, all_commands
    with tempfile.TemporaryDirectory() as scratch:
        check_completion(all_commands)
        check_init(pathlib.Path(scratch))
        if shutil.which("help2man"):
            check_pages(all_commands, pathlib.Path(scratch) / "man")
        else:
            print("no help2man here: man pages are not tested")
    print(f"command line: {len(all_commands)} commands, {sum(map(len, all_commands.values()))} options")


main()
