# SPDX-License-Identifier: MIT
"""study_answers.py STUDY: what a reader of a study under experiments/ does, on less of it: plan it as it is shipped, run
it with few seeds, compare, make the page. It has to give an answer with an interval and warn of nothing unforeseen."""
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib

from small_studies import ASKED, EVERYWHERE, EXPECTED, EXPERIMENTS, LOOKS, NO_INTERVAL, SEEDS, SMALLER

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
