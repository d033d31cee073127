# SPDX-License-Identifier: MIT
"""The page of whole archives: it begins with the answer of `palstudy compare`, then says what that assumes and warns."""
import html
import json
import re
import unittest

import h5py
import report_files  # noqa: F401  (the path comes first)
from report.archive import Archive
from report_files import FOLDER, PROGRAM, archive, report, run


def text_of(folder):
    return (FOLDER / folder / "index.html").read_text(encoding="utf-8")


def answer_of(text):
    """The first paragraph, as plain text; it has to be the first thing behind the title."""
    found = re.search(r'</h1>\n<p class="answer" id="answer">(.*?)</p>', text, flags=re.S)
    return html.unescape(re.sub(r"<[^>]*>", "", found.group(1))).replace("\u00a0", " ") if found else ""


def made(path, folder, *only):
    done = report(path, folder, *(word for name in only for word in ("--only", name)))
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return text_of(folder)


class WholePages(unittest.TestCase):
    def test_the_answer_is_that_of_compare(self):
        # Two values of the penalty: the least and the greatest gain of `palstudy compare --by`, each with its interval, as the
        # terminal writes them.
        words = answer_of(made(archive(), "answer", "gains"))
        told = json.loads(run(PROGRAM, "compare", archive(), "--by", "network.penalty.cluster", "--json").stdout)
        gains = [one for each in told["groups"] for one in each["gains"] if one["metric"] == "jct_mean_s"]
        lines = [
            line
            for line in run(PROGRAM, "compare", archive(), "--by", "network.penalty.cluster").stdout.splitlines()
            if line.split()[:2] == ["pal", "jct_mean_s"]
        ]
        self.assertEqual(len(gains), 2)
        for line in lines:
            _, _, _, mean, interval, *_ = re.split(r"\s{2,}", line.strip())
            self.assertIn(mean, words)
            self.assertIn(f"95 % interval {interval}", words)
        for one in gains:
            self.assertIn(one["interval"]["text"], words)
        self.assertRegex(words, r"[\d.]+ instead of [\d.]+ hours a job, arithmetic means of 2 traces")
        self.assertIn(f"{sum(one['better'] for one in gains)} of {sum(one['pairs'] for one in gains)} pairs", words)

    def test_what_it_assumes_then_warnings_then_figures(self):
        text = made(archive(), "answer", "gains")
        places = [
            text.index(words)
            for words in (
                'id="answer"',
                "What this assumes",
                "<h2>Warnings</h2>",
                "Gains, with their intervals",
                "<figure",
            )
        ]
        self.assertEqual(places, sorted(places))
        for what in ("locality penalty", "backfill", "measured jobs", "GPUs"):
            self.assertIn(f"<td class=k>{what}</td>", text)

    def test_without_a_claim_that_is_the_answer_and_nothing_is_drawn(self):
        # The clock stops before any job can be done. Neither bands nor a Gantt chart of such runs are drawn: a sentence stands there.
        cut = archive("cut.h5", "--set", "measure.end_s=600")
        text = made(cut, "no-claim")
        self.assertRegex(
            answer_of(text), r"^No gain of pal over packed-sticky in mean completion time is claimed: 64 of 64 runs"
        )
        drawn = re.findall(r'<figure id="([^"]+)">', text)
        self.assertEqual(drawn, ["slowdowns", "profile"])  # they show GPUs, and no run
        for title in (
            "Distribution of completion times",
            "Utilization over time",
            "Who got the slow GPUs",
            "One run, GPU by GPU",
            "Where the time of the jobs went",
            "Gain over the baselines",
        ):
            self.assertRegex(text, rf"<h3>{title}</h3><p>Not drawn: [^<]*make[s]? [a]? ?claim")

    def test_a_study_of_one_policy_compares_nothing(self):
        one = archive("one.h5", "--set", 'policy.placement="pal"', "--set", 'compare.baseline="pal"')
        words = answer_of(made(one, "one-policy", "utilization"))
        self.assertRegex(words, r"^No gain is claimed: the study has one placement policy \(pal\)")
        with Archive(one) as file:
            self.assertIn(f"a job takes {file.runs['jct_mean_s'].mean() / 3600:.3g} hours", words)

    def test_policies_are_shown_on_the_same_seeds(self):
        # Two seeds of one policy are unstable: the other policy's runs at these are left out of the picture too, and counted.
        path = archive("unequal.h5")
        with h5py.File(path, "r+") as file:
            column = file["runs/policy.placement"]
            seeds, names = file["runs/seed"][:], [one.decode() for one in file[column.attrs["names"]][:]]
            sticky = column[:] == names.index("packed-sticky")
            stable = file["runs/stable"][:]
            stable[sticky & (seeds <= 2)] = 0
            file["runs/stable"][:] = stable
        text = made(path, "unequal", "jct-distribution", "slow-gpus", "utilization")
        captions = re.findall(r"<figcaption><p>(.*?)</p>", text, flags=re.S)
        self.assertEqual(len(captions), 3)
        for caption in captions:
            self.assertIn("without partners under every policy are left out", caption)
        self.assertIn("6 combinations of seeds and 2 traces for each policy", captions[0])


if __name__ == "__main__":
    unittest.main()
