# SPDX-License-Identifier: MIT
"""study_answers.py STUDY: what a reader of a study under experiments/ does, on less of it: plan it as it is shipped, run
it with few seeds, compare, make the page. It has to give an answer with an interval, warn of nothing unforeseen, and have
the results and the answer that recorded.txt has of it."""
import hashlib
import html
import json
import os
import subprocess
import sys
import tempfile
import tomllib

from small_studies import ASKED, EVERYWHERE, EXPECTED, EXPERIMENTS, LOOKS, NO_INTERVAL, SEEDS, SMALLER

RECORDED = EXPERIMENTS.parent / "tests" / "experiments" / "recorded.txt"
PROGRAM, REPORT = os.environ["PALSTUDY_PROGRAM"], os.environ["PALSTUDY_REPORT"]
COLUMNS = 100
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED: " + what)


def done(*words, folder=None):
    """Standard output and standard error of a command that has to end with 0: nothing can be read after one that did not."""
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, cwd=folder)
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
    gains = [gain for group in answer["groups"] for gain in group["gains"] if gain["interval"]]
    return len(gains), sum(row["half_width"] is not None for group in answer["groups"] for row in group["means"])


def check_notes(name, source, notes):
    """Each note has an id that the study may give."""
    for note in notes:
        allowed = note["id"] in {**EVERYWHERE, **EXPECTED.get(name, {})}
        check(allowed, f"{source} does not note {note['id']}: {note['text']}")


def check_screen(what, text, most):
    """So many lines of 100 columns, standard output and error together."""
    lines = [line for line in text.splitlines() if " runs done" not in line]  # as many as a slow machine needs
    wide = [line for line in lines if len(line) > COLUMNS]
    check(
        len(lines) <= most and not wide,
        f"{what} has at most {most} lines of {COLUMNS} columns: {len(lines)}, {wide[:2]}",
    )


def numbers(value):
    """Every number of an answer, by its place, to nine digits: the last ones may hang on the mathematics library."""
    if isinstance(value, dict):
        return [f"{key} {one}" for key in sorted(value) for one in numbers(value[key])]
    if isinstance(value, list):
        return [f"{i} {one}" for i, part in enumerate(value) for one in numbers(part)]
    return [f"{value:.9g}"] if isinstance(value, (int, float)) else []


def recorded_gain(gain, larger):
    """The numbers of a gain in the form of palstudy.compare/1, of which recorded.txt has the fingerprint."""
    old = {name: gain[name] for name in ("pairs", "pairs_of", "left_out", "no_ratio")}
    if gain["ratio"] is None:
        return old

    def gain_of(ratio):
        return ratio - 1 if larger else 1 - ratio

    def between(ratios):
        return sorted(map(gain_of, ratios)) if ratios else (None, None)

    interval, ratio, parts = gain["interval"] or {}, gain["ratio"], gain["parts"]
    low, high = interval.get("alone") or (None, None)
    both_low, both_high = interval.get("together") or (None, None)
    worst, best = between(gain["pair_ratios"])
    more = gain_of(ratio) == ratio - 1
    less = lambda one: None if one is None else 1 - one
    old.update(
        {
            "ratio": ratio,
            "ratio_low": low,
            "ratio_high": high,
            "improvement": 1 - ratio,
            "low": less(high),
            "high": less(low),
            "gain": gain_of(ratio),
            "worst": worst,
            "best": best,
            "wins": gain["better"],
            "ties": gain["equal"],
            "least": -best if more else worst,
            "most": -worst if more else best,
            "p_holm": gain["p_holm"],
            "replications": gain["seeds"]["replications"],
            "cluster_seeds": gain["seeds"]["clusters"],
            "workload_seeds": gain["seeds"]["workloads"],
            "comparisons": interval.get("comparisons", 1),
            "low_simultaneous": less(both_high),
            "high_simultaneous": less(both_low),
            "parts": parts["n"],
            "opposite_signs": parts["opposite"],
        }
    )
    old["gain_low"], old["gain_high"] = between(interval.get("alone"))
    old["gain_low_simultaneous"], old["gain_high_simultaneous"] = between(interval.get("together"))
    old["parts_least"], old["parts_most"] = between(parts["ratios"])
    return old


def recorded_rows(means):
    rows = []
    for one in means:
        if (
            not rows
            or (rows[-1]["metric"], rows[-1]["point"]) != (one["metric"], one["at"])
            or one["value"] in rows[-1]["means"]
        ):
            rows.append(
                {
                    "metric": one["metric"],
                    "point": one["at"],
                    "n": one["runs"],
                    "n_of": one["runs_of"],
                    "means": {},
                    "half_widths": {},
                }
            )
        rows[-1]["means"][one["value"]], rows[-1]["half_widths"][one["value"]] = one["mean"], one["half_width"]
    return rows


def recorded_groups(answer):
    """The groups in the form of palstudy.compare/1."""
    better = {metric["name"]: metric["better"] for metric in answer["metrics"]}
    return [
        {
            "averaged_over": group["averaged_over"],
            "traces": max(1, group["over"]["workloads"]["traces"]),
            "rows": recorded_rows(group["means"]),
            "gains": [recorded_gain(gain, better[gain["metric"]] == "more") for gain in group["gains"]],
        }
        for group in answer["groups"]
    ]


def check_recorded(name, digest, answer):
    """A change of the program that is not meant to change results changes neither; one that is says so in its commit."""
    fingerprint = hashlib.sha256("\n".join(numbers(answer)).encode()).hexdigest()
    recorded = dict(line.split(" ", 1) for line in RECORDED.read_text().splitlines() if not line.startswith("#"))
    now = f"{digest.strip()[:16]} {fingerprint[:16]}"
    check(recorded.get(name) == now, f"results and answer are those of recorded.txt, where a line is now: {name} {now}")


def main(path):
    file = EXPERIMENTS / path
    name, study = path.removesuffix(".toml"), tomllib.loads(file.read_text())
    planned = json.loads(done(PROGRAM, "plan", "--quick", "--json", file)[0])  # as it is shipped
    check_notes(name, "plan", planned["notes"])
    # The next command names the study as it was given, so it is given as a reader types it: wherever the repository lies.
    screen = done(PROGRAM, "plan", "--quick", f"experiments/{path}", folder=EXPERIMENTS.parent)
    check_screen("plan", "".join(screen), 25)
    less = [*fewer(study), *SMALLER.get(name, [])]
    less = {one.split("=", 1)[0]: one for one in less}  # the last one of a key holds
    with tempfile.TemporaryDirectory() as folder:
        archive = f"{folder}/{file.stem}.h5"
        ran = done(PROGRAM, "run", file, "-o", archive, *(word for one in less.values() for word in ("--set", one)))
        check_screen("run", "".join(ran), 12)
        options = ASKED.get(name, ([], ""))[0]
        text, _ = done(PROGRAM, "compare", archive, *options)
        print(text)
        answer = json.loads(done(PROGRAM, "compare", archive, *options, "--json")[0])
        check_notes(name, "compare", answer["notes"])
        rows = sum(len(answer["compared"]["values"]) for group in answer["groups"] if group["at"])
        check_screen("compare", text, 30 + rows * len(answer["compared"]["baselines"]))
        check_recorded(name, done(PROGRAM, "digest", archive)[0], recorded_groups(answer))
        gains, means = intervals(answer)
        if name in NO_INTERVAL:
            check(gains == 0 and NO_INTERVAL[name][0] in text, f"compare says: {NO_INTERVAL[name][0]}")
        else:
            check((means if options else gains) > 0, "a comparison has an interval")
        # A burst may fill a small machine for long; but all runs end, and what they measure ends with them.
        others = [run for run in answer["left_out"] if run["why"] != "unstable"]
        check(not others, f"no run fails or leaves jobs unfinished, but {others[:3]}")
        check(
            4 * len(answer["left_out"]) <= answer["study"]["runs"],
            f"most runs make a claim, but {answer['left_out'][:3]}",
        )
        done(REPORT, archive, "-o", f"{folder}/page")
        with open(f"{folder}/page/index.html", encoding="utf-8") as page:
            text = page.read()
        check(len(text) > 10_000, "the report is a page")
        for note in answer["notes"]:
            check(
                note["id"] != "up-to-end" or html.escape(note["text"]) in text, f"the page says as well: {note['text']}"
            )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
