# SPDX-License-Identifier: MIT
"""The page of the paper's numbers: ours are those of palstudy compare, what is missing is said, and commands make it again."""
import json
import shutil
import unittest

from report_files import FOLDER, PROGRAM, archive, run

import report.cli as cli
from report import philly, reproduction
from report.archive import ROOT


class Reproduction(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The small study stands for the sweep of the penalty over traces: of the two values that the page asks for it has L = 1.
        cls.results = FOLDER / "results"
        cls.results.mkdir()
        shutil.copy(archive("eight.h5", "--set", "seed={first=1,count=8}"), cls.results / "locality-sweep.h5")
        code = cli.main(["--reproduction", str(cls.results), "-o", str(FOLDER / "page.md"), "--palstudy", PROGRAM])
        assert code == 0
        cls.page = (FOLDER / "page.md").read_text(encoding="utf-8")

    def row(self, words):
        rows = [line for line in self.page.splitlines() if line.startswith(f"| {words}")]
        self.assertEqual(len(rows), 1, words)
        return [cell.strip() for cell in rows[0].strip("|").split("|")]

    def test_a_number_is_that_of_compare(self):
        done = run(
            PROGRAM,
            "compare",
            self.results / "locality-sweep.h5",
            "--by",
            "network.penalty.cluster",
            "--json",
            "--metric",
            "jct_mean_s",
        )
        group = next(one for one in json.loads(done.stdout)["groups"] if one["at"] == {"network.penalty.cluster": "1"})
        gain = next(one for one in group["gains"] if one["metric"] == "jct_mean_s")
        what, mean, interval, least, _, pairs, study = self.row("pal, L = 1, all eight traces")
        self.assertAlmostEqual(float(mean.split()[0]), 100 * (1 - gain["ratio"]), delta=0.5)
        self.assertAlmostEqual(float(interval.split()[0]), 100 * (1 - gain["interval"]["alone"][1]), delta=0.5)
        self.assertAlmostEqual(float(least.split()[0]), 100 * (1 - gain["pair_ratios"][1]), delta=0.5)
        self.assertEqual((pairs, study), (str(gain["pairs"]), "locality-sweep"))

    def test_what_is_missing_is_said(self):
        self.assertEqual(
            self.row("last finish of a measured job, over `packed-sticky`")[1:3], ["-", "no sia-philly.h5"]
        )
        # Nobody ran L = 3 here, which is not the same as runs that make no claim.
        self.assertEqual(self.row("pal, L = 3, all eight traces")[1:3], ["-", "not run"])

    def test_the_command_has_what_was_set(self):
        cells = self.row("locality-sweep | `palstudy run")
        self.assertEqual(
            cells[1],
            "`palstudy run experiments/locality-sweep.toml -o results/locality-sweep.h5 "
            "--set 'seed={first=1,count=8}'`",
        )
        self.assertEqual(cells[2:4], ["64", "8"])

    # A command on the page that names no file would be found by nobody but who types it.
    def test_every_study_has_its_file(self):
        named = [one for claim in (*reproduction.CLAIMS, *reproduction.OURS) for one in claim.ours]
        for one in named:
            path = ROOT / reproduction.study_file(one.study)
            self.assertTrue(path.is_file(), path)
            self.assertIn(f'name = "{one.study}"', path.read_text(encoding="utf-8"))

    # The page that is shipped is made of archives that no test has; its sentences are these here, so that nobody mends the page alone.
    def test_the_shipped_page_has_these_sentences(self):
        page = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8").splitlines()
        claims = (*reproduction.CLAIMS, *reproduction.OURS)
        for line in (
            *(one.why for one in claims),
            *(f"The paper: {one.paper}." for one in claims),
            *(one.why for one in philly.STUDIES.values()),
            *(f"| {what} | {value} |" for what, value in philly.INPUTS),
        ):
            self.assertIn(line, page)


if __name__ == "__main__":
    unittest.main()
