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


def plain(text):
    return html.unescape(re.sub(r"<[^>]*>", " ", text)).replace("\u00a0", " ")


def answer_of(text):
    """What is large, and what stands in grey beside it, as plain text; it has to be the first thing behind title, question and counts."""
    found = re.search(
        r'</h1>\n(?:<p>[^<]*</p>)?<p class="small">.*?</p>\n<div class="answer" id="answer"><p class="large">(.*?)</p>'
        r'<div class="grey">(.*?)</div></div>',
        text,
    )
    return [plain(one) for one in found.groups()] if found else ["", ""]


def made(path, folder, *only):
    done = report(path, folder, *(word for name in only for word in ("--only", name)))
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return text_of(folder)


class WholePages(unittest.TestCase):
    def test_the_answer_is_that_of_compare(self):
        # Two values of the penalty: the change of each, with its interval, as the terminal writes them.
        text = made(archive(), "answer", "gains")
        large, grey = answer_of(text)
        by = ("--by", "network.penalty.cluster")
        told = json.loads(run(PROGRAM, "compare", archive(), *by, "--json").stdout)
        gains = [one for each in told["groups"] for one in each["gains"] if one["metric"] == "jct_mean_s"]
        lines = [line for line in run(PROGRAM, "compare", archive(), *by).stdout.splitlines() if " pal " in line]
        self.assertEqual((len(gains), len(lines)), (2, 2))
        for one, line in zip(gains, lines):
            _, _, mean, change, interval, _ = re.split(r"\s{2,}", line.strip())
            self.assertIn(f"({interval})" if change == "~" else change.lstrip("+-"), large)
            self.assertIn(mean.removesuffix(" h"), grey)
            self.assertIn(one["interval"]["text"], plain(text))

    def test_answer_then_notes_then_what_is_folded_then_figures_then_how_to_reproduce_it(self):
        text = made(archive(), "answer", "gains", "causes")
        places = [
            text.index(words)
            for words in (
                "<h1>",
                'id="answer"',
                "<td>packed, jobs stay</td><td><code>packed-sticky</code></td>",
                '<figure id="gains">',
                "<h2>Notes</h2>",
                "<details><summary>Assumptions</summary>",
                "<details><summary>All metrics",
                "<h2>Figures</h2>",
                '<figure id="causes">',
                'id="reproduce"',
                "<h2>What the notes mean</h2>",
            )
        ]
        self.assertEqual(places, sorted(places))
        for what in ("penalty: node / cabinet / cluster", "backfill", "jobs", "GPUs"):
            self.assertIn(f"<td class=k>{what}</td>", text)
        with Archive(archive()) as file:
            self.assertIn(f'<code>{file.attribute("digest")[:8]}</code></a></p>', text[: places[1]])
        titles = re.findall(r"<h3>(.*?)</h3>", text)
        self.assertTrue(all(one.endswith("?") for one in titles), titles)

    def test_without_a_claim_that_is_the_answer_and_nothing_is_drawn(self):
        # The clock stops before any job can be done. Neither bands nor a Gantt chart of such runs are drawn: a sentence stands there.
        cut = archive("cut.h5", "--set", "measure.end_s=600")
        text = made(cut, "no-claim")
        self.assertEqual(answer_of(text)[0], "We claim nothing: 64 of 64 runs are left out.")
        drawn = re.findall(r'<figure id="([^"]+)">', text)
        self.assertEqual(drawn, ["slowdowns", "profile"])  # they show GPUs, and no run
        for title in (
            "How long do jobs take",
            "How busy are the GPUs",
            "Who got the slow GPUs",
            "What happened on each GPU of one run",
            "Where does the time go",
            "What does each policy change",
        ):
            self.assertRegex(text, rf"<h3>{title}\?</h3><p>Not drawn: [^<]*make[s]? [a]? ?claim")

    def test_a_study_of_one_policy_compares_nothing(self):
        one = archive("one.h5", "--set", 'policy.placement="pal"', "--set", 'compare.baseline="pal"')
        large, grey = answer_of(made(one, "one-policy", "utilization"))
        self.assertIn("there is nothing to compare", grey)
        with Archive(one) as file:
            self.assertIn(f"A job takes {file.runs['jct_mean_s'].mean() / 3600:.3g} hours", large)

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
