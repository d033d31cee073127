# SPDX-License-Identifier: MIT
"""study_answers.py STUDY: what a reader of a study under experiments/ does, on less of it: plan it as it is shipped, run
it with few seeds, compare, make the page. It has to give an answer with an interval, warn of nothing unforeseen, and have
the results and the answer that recorded.txt has of it."""
import hashlib
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib

from small_studies import ASKED, EVERYWHERE, EXPECTED, EXPERIMENTS, LOOKS, NO_INTERVAL, SEEDS, SMALLER

RECORDED = EXPERIMENTS.parent / "tests" / "experiments" / "recorded.txt"
PROGRAM, REPORT = os.environ["PALSTUDY_PROGRAM"], os.environ["PALSTUDY_REPORT"]
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED: " + what)


def done(*words):
    """Standard output and standard error of a command that has to end with 0: nothing can be read after one that did not."""
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"FAILED: {' '.join(map(str, words))} ends with {result.returncode}:\n{result.stderr}")
    return result.stdout, result.stderr


def fewer(study):
    """--set for every axis: 8 seeds, and of other axes the first two values, of placements the baselines as well."""
    baselines = study.get("compare", {}).get("baseline", "packed-sticky")
    for key, values in study.get("axes", {}).items():
        if key == "seed" or key.endswith(".seed"):
            yield f"{key}={{first=1,count={SEEDS}}}"
        elif key == "policy.system":
            yield f"{key}={json.dumps([system['name'] for system in values[:2]])}"
        elif isinstance(values, list):
            kept = values[:2]
            if key == "policy.placement":
                kept = list(dict.fromkeys(values[:1] + [one for one in values if one in baselines]))
            yield f"{key}={json.dumps(kept)}"
    if "stop" in study:
        yield f"stop.looks={LOOKS}"


def intervals(answer):
    """The gains and the means that have one."""
    gains = [gain for group in answer["groups"] for gain in group["gains"] if gain.get("gain_low") is not None]
    rows = [row for group in answer["groups"] for row in group["rows"]]
    return len(gains), sum(width is not None for row in rows for width in row["half_widths"].values())


def check_warnings(name, text, source):
    allowed = [pattern for pattern, _ in EVERYWHERE + EXPECTED.get(name, [])]
    for line in re.findall(r"^(?:\[[\d:]+\] warning: |Warning: )(.*)$", text, re.M):
        check(any(re.fullmatch(pattern, line) for pattern in allowed), f"{source} does not warn: {line}")


def numbers(value):
    """Every number of an answer, by its place, to nine digits: the last ones may hang on the mathematics library."""
    if isinstance(value, dict):
        return [f"{key} {one}" for key in sorted(value) for one in numbers(value[key])]
    if isinstance(value, list):
        return [f"{i} {one}" for i, part in enumerate(value) for one in numbers(part)]
    return [f"{value:.9g}"] if isinstance(value, (int, float)) else []


def check_recorded(name, digest, answer):
    """A change of the program that is not meant to change results changes neither; one that is says so in its commit."""
    fingerprint = hashlib.sha256("\n".join(numbers(answer)).encode()).hexdigest()
    recorded = dict(line.split(" ", 1) for line in RECORDED.read_text().splitlines() if not line.startswith("#"))
    now = f"{digest.strip()[:16]} {fingerprint[:16]}"
    check(recorded.get(name) == now, f"results and answer are those of recorded.txt, where a line is now: {name} {now}")


def main(path):
    file = EXPERIMENTS / path
    name, study = path.removesuffix(".toml"), tomllib.loads(file.read_text())
    _, warned = done(PROGRAM, "plan", "--quick", file)  # as it is shipped
    check_warnings(name, warned, "plan")
    less = [*fewer(study), *SMALLER.get(name, [])]
    less = {one.split("=", 1)[0]: one for one in less}  # the last one of a key holds
    with tempfile.TemporaryDirectory() as folder:
        archive = f"{folder}/{file.stem}.h5"
        _, warned = done(PROGRAM, "run", file, "-o", archive, *(word for one in less.values() for word in ("--set", one)))
        check_warnings(name, warned, "run")
        options = ASKED.get(name, ([], ""))[0]
        text, _ = done(PROGRAM, "compare", archive, *options)
        print(text)
        check_warnings(name, text, "compare")
        answer = json.loads(done(PROGRAM, "compare", archive, *options, "--json")[0])
        check_recorded(name, done(PROGRAM, "digest", archive)[0], answer["groups"])
        gains, means = intervals(answer)
        if name in NO_INTERVAL:
            check(gains == 0 and NO_INTERVAL[name][0] in text, f"compare says: {NO_INTERVAL[name][0]}")
        else:
            check((means if options else gains) > 0, "a comparison has an interval")
        # A burst may fill a small machine for long; but all runs end, and what they measure ends with them.
        others = [why for why in answer["excluded"] if "unstable" not in why]
        check(not others, f"no run fails or leaves jobs unfinished, but {others[:3]}")
        check(4 * len(answer["excluded"]) <= answer["runs"], f"most runs make a claim, but {answer['excluded'][:3]}")
        _, warned = done(REPORT, archive, "-o", f"{folder}/page")
        check_warnings(name, warned, "palstudy-report")
        with open(f"{folder}/page/index.html", encoding="utf-8") as page:
            text = page.read()
        check(len(text) > 10_000, "the report is a page")
        check(html.escape(answer["until_end"]) in text, f"the page says as well: {answer['until_end']}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
