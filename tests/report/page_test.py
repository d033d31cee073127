# SPDX-License-Identifier: MIT
"""The page holds everything, asks for nothing from elsewhere, and says the numbers of palstudy compare."""
import html
import html.parser
import json
import re
import shlex
import unittest

import h5py
from report_files import FOLDER, HERE, PROGRAM, archive, report, run, small_report


class Reader(html.parser.HTMLParser):
    """Cells of tables, links, ids, and elements that were not closed."""

    VOID = {"meta", "link", "br", "hr", "img"}

    def __init__(self, text):
        super().__init__()
        self.rows, self.links, self.ids, self.open, self.cell = [], [], [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs[name] for name in ("href", "src", "xlink:href") if name in attrs]
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.cell = True

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> where {self.open[-3:]} are open"
        self.open.pop()
        self.cell = self.cell and tag not in ("td", "th")

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_data(self, data):
        if self.cell:
            self.rows[-1][-1] += data


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = small_report()
        cls.text = (cls.folder / "index.html").read_text(encoding="utf-8")
        cls.page = Reader(cls.text)

    def test_nothing_from_elsewhere(self):
        self.assertNotRegex(self.text, r"(?i)https?:|//[a-z]+\.|@import|<script|<iframe|<img")
        for link in self.page.links:
            if link.startswith("#"):
                self.assertIn(link[1:], self.page.ids)
            elif link != "data:,":
                self.assertTrue((self.folder / link).is_file(), link)

    def test_well_formed(self):
        self.assertEqual(self.page.open, [])
        self.assertEqual(len(set(self.page.ids)), len(self.page.ids), "an id stands twice")

    def test_every_figure_in_three_forms_and_with_its_commands(self):
        names = re.findall(r'<figure id="([^"]+)">', self.text)
        self.assertEqual(
            names,
            [
                "gains",
                "gain-per-trace",
                "locality-sweep",
                "locality-sweep-time",
                "gain-by-straggler",
                "jct-distribution",
                "causes",
                "utilization",
                "slowdowns",
                "profile",
                "slow-gpus",
                "gantt",
            ],
        )
        for name in names:
            for kind in ("svg", "pdf", "csv"):
                self.assertGreater((self.folder / "figures" / f"{name}.{kind}").stat().st_size, 100)
            self.assertRegex(self.text, rf"palstudy run .*small\.toml[^<]*palstudy-report [^<]*--only {name}\b")
        self.assertEqual(len(list((self.folder / "figures").iterdir())), 3 * len(names))

    def test_text_stays_text(self):
        svg = (self.folder / "figures/gain-per-trace.svg").read_text(encoding="utf-8")
        self.assertRegex(svg, r"<text[^>]*>against packed, jobs stay</text>")

    def test_changes_are_those_of_compare(self):
        # The study has an axis beside seeds and traces, so nothing is averaged over it: a row a value of it, policy and metric.
        words = ("--by", "network.penalty.cluster", "--metric", "all", "--json")
        told = json.loads(run(PROGRAM, "compare", archive(), *words).stdout)["groups"]
        rows = self.rows_of_metrics()
        self.assertEqual(len(rows), sum(len(group["gains"]) for group in told))
        self.assertEqual(len(told), 2)
        for group in told:
            for gain in group["gains"]:
                key = [group["at"]["network.penalty.cluster"], gain["value"], gain["metric"]]
                [row] = [row for row in rows if [row["network.penalty.cluster"], row["policy"], row["metric"]] == key]
                if not gain["pairs"]:
                    self.assertEqual(row["change"], "no claim")
                    continue
                self.assertEqual(row["better in"], f"{gain['better']} of {gain['pairs']}")
                for name, end in (("least", 0), ("most", 1)):
                    self.same(row[name], gain["pair_ratios"][end])
                if gain["interval"] is None:
                    self.assertEqual((row["95 %, together"], row["alone"]), ("", ""))
                    self.same(row["change"], gain["ratio"])
                    continue
                low, high = gain["interval"]["together"]
                self.assertEqual(row["change"] == "~", low <= 1 <= high)
                if row["change"] != "~":
                    self.same(row["change"], gain["ratio"])
                for name, kind in (("95 %, together", "together"), ("alone", "alone")):
                    for text, ratio in zip(row[name].removesuffix(" %").split(" to "), gain["interval"][kind]):
                        self.same(text + " %", ratio)
                p = row["p (Holm)"]
                self.assertTrue(
                    gain["p_holm"] < 1e-4 if p.startswith("<") else abs(float(p) / gain["p_holm"] - 1) < 0.05
                )

    def same(self, text, ratio):
        """A change as it is written is ratio - 1, rounded to its digits; more than nothing has a plus."""
        number = text.removesuffix(" %")
        places = len(number.partition(".")[2])
        self.assertLessEqual(abs(float(number) - 100 * (ratio - 1)), 0.5000001 * 10**-places, text)
        self.assertEqual(number.startswith("+"), ratio > 1 and float(number) != 0, text)

    def rows_of_metrics(self):
        """A dictionary a row of the table of all metrics, by the heads of the columns."""
        place = next(place for place, row in enumerate(self.page.rows) if "least" in row)
        head = [cell.replace("\u00a0", " ") for cell in self.page.rows[place]]
        return [dict(zip(head, row)) for row in self.page.rows[place + 1 :] if len(row) == len(head)]

    def test_what_is_averaged_over_is_said(self):
        # Traces are shown one by one, over both penalties together; the figure over the penalty has each value for itself.
        captions = dict(re.findall(r'<figure id="([^"]+)">.*?<figcaption><p>(.*?)</p>', self.text, flags=re.S))
        self.assertIn("Averaged over network.penalty.cluster (2 values).", captions["gain-per-trace"])
        self.assertIn("Averaged over network.penalty.cluster (2 values).", captions["gain-by-straggler"])
        for name in ("gains", "locality-sweep", "locality-sweep-time", "causes"):
            self.assertNotIn("veraged over network", captions[name])

    def test_notes_are_those_of_compare_and_lead_to_their_meanings(self):
        # Each id stands in the list, and again at the end of the page with what palstudy explain says.
        told = json.loads(run(PROGRAM, "compare", archive(), "--by", "network.penalty.cluster", "--json").stdout)[
            "notes"
        ]
        ids = [note["id"] for note in told]
        self.assertIn("slow-gpu", ids)
        self.assertEqual({link.removeprefix("#note-") for link in self.page.links if "#note-" in link}, set(ids))
        listed = re.search(r'<ul class="notes">(.*?)</ul>', self.text, flags=re.S).group(1)
        self.assertEqual(listed.count("<li>"), min(5, len(set(ids))))
        for note in told:
            self.assertIn(html.escape(note["text"]).replace(" %", "\u00a0%"), self.text.replace(" %", "\u00a0%"))
            meaning = json.loads(run(PROGRAM, "explain", note["id"], "--json").stdout)
            shown = re.search(rf'<dt id="note-{note["id"]}">.*?</dt><dd>(.*?)</dd>', self.text).group(1)
            shown = html.unescape(re.sub(r"<[^>]*>", "", shown)).replace("\u00a0", " ")
            self.assertEqual(shown, f"{meaning['summary']} {meaning['text']}".replace("`", ""))


class Missing(unittest.TestCase):
    def test_tables_that_were_not_kept_give_a_sentence(self):
        bare = archive(
            "bare.h5", "--set", "output.jobs=false", "--set", "output.events=false", "--set", "output.rounds=false"
        )
        wanted = ("gains", "gantt", "utilization", "jct-distribution")
        done = report(bare, "bare", *(word for name in wanted for word in ("--only", name)))
        self.assertEqual((done.returncode, done.stderr.count("\n")), (0, 3))
        text = (FOLDER / "bare/index.html").read_text(encoding="utf-8")
        for table in ("jobs", "events", "rounds"):
            for told in (text, done.stderr):  # figures that are asked for by name are missed in the terminal too
                self.assertIn(f"the archive has no table /{table} (output.{table} = true in the study keeps it)", told)
        self.assertIn('<figure id="gains">', text)
        self.assertNotIn('<figure id="gantt">', text)

    def test_a_study_of_one_policy(self):
        one = archive("one.h5", "--set", 'policy.placement="pal"', "--set", 'compare.baseline="pal"')
        done = report(one, "one", "--only", "gains", "--only", "utilization")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"\A[^\n]*--only: gains: the study has one placement policy only[^\n]*\n\Z")
        text = (FOLDER / "one/index.html").read_text(encoding="utf-8")
        self.assertIn("the study has one placement policy only", text)
        self.assertIn('<figure id="utilization">', text)

    def test_runs_that_make_no_claim(self):
        # The clock stops before any job can be done: nothing may be said of completion times, and that is said.
        cut = archive("cut.h5", "--set", "measure.end_s=600")
        done = report(cut, "cut", "--only", "gains", "--only", "locality-sweep")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = (FOLDER / "cut/index.html").read_text(encoding="utf-8")
        self.assertIn("64 of 64 runs are left out", text)
        self.assertIn("<details><summary>Runs left out (64)</summary>", text)
        self.assertIn("no run makes a claim: they failed, were unstable or left jobs unfinished", text)
        self.assertNotIn("<svg", text)

    def test_an_older_archive_without_the_slowest_gpu(self):
        old = archive("old.h5")
        with h5py.File(old, "r+") as file:
            del file["provenance/runs/slowdown_max"]
            group = file["provenance/runs"]
            group.attrs["columns"] = [
                name for name in group.attrs["columns"] if name != b"slowdown_max" and name != "slowdown_max"
            ]
        self.assertEqual(report(old, "old", "--only", "slowdowns").returncode, 0)


class Again(unittest.TestCase):
    def test_the_same_bytes(self):
        # Page, figures and data are a function of the archive: no dates, no random names.
        once = {path: path.read_bytes() for path in small_report().rglob("*.*")}
        done = report(archive(), small_report())
        self.assertEqual(done.returncode, 0, done.stderr)
        for path, content in once.items():
            self.assertEqual(path.read_bytes(), content, path)


class Altered(unittest.TestCase):
    """A page of an archive that was changed after it was written looks like any other, and its digest is the one stored: so it is said."""

    def test_an_archive_that_holds(self):
        text = (small_report() / "index.html").read_text(encoding="utf-8")
        self.assertNotIn('id="altered"', text)
        self.assertRegex(
            text, r"Digest as stored: <code>[0-9a-f]{64}</code> \(palstudy verify: its rows give the same\)"
        )

    def test_a_metric_was_halved(self):
        path = archive("halved.h5")
        with h5py.File(path, "r+") as file:
            file["runs/jct_mean_s"][1::2] /= 2
        done = report(path, "halved", "--only", "gains")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("the archive does not hold what it says", done.stdout)
        text = (FOLDER / "halved/index.html").read_text(encoding="utf-8")
        self.assertRegex(
            text,
            r'<body>\n<p class="warning" id="altered">This archive does not hold what it says.*palstudy verify .*halved.h5 finds \d+ things',
        )
        self.assertNotIn("its rows give the same", text)


class Commands(unittest.TestCase):
    """A command on the page is there to be typed again, so a shell has to read of it the names that were given."""

    def shown(self, text):
        """The words of every command on the page, as a shell reads them."""
        blocks = [
            block.replace("\\\n", " ")
            for block in map(html.unescape, re.findall(r"<pre>(.*?)</pre>", text, flags=re.S))
        ]
        return [
            shlex.split(line, comments=True)
            for block in blocks
            for part in block.split("\n")
            for line in part.split(" && ")
        ]

    def test_names_with_quotes_and_blanks(self):
        study = FOLDER / 'o\'brien "x".toml'
        study.write_bytes((HERE / "small.toml").read_bytes())
        for name in ("even.csv", "burst.csv"):
            (FOLDER / name).write_bytes((HERE / name).read_bytes())
        made = FOLDER / "o'brien 1.h5"
        done = run(PROGRAM, "run", study.name, "-o", made.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = report(made.name, "the page's", "--only", "gains", "--only", "causes")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        commands = self.shown((FOLDER / "the page's/index.html").read_text(encoding="utf-8"))
        self.assertIn(["palstudy", "run", study.name, "-o", made.name], commands)
        self.assertIn(["palstudy-report", made.name, "-o", "the page's", "--only", "gains"], commands)
        compared = [words for words in commands if words[:2] == ["palstudy", "compare"]]
        self.assertEqual([words[2] for words in compared], [made.name] * 2)
        for words in compared:
            self.assertEqual(run(PROGRAM, *words[1:]).returncode, 0, words)

    def test_an_archive_of_before_whose_quotes_do_not_close(self):
        # palstudy 1.0.0 put quotes around a word and left those within it.
        path = archive("unclosed.h5")
        with h5py.File(path, "r+") as file:
            file.attrs.modify("command_line", "palstudy run 'o'brien.toml' -o a.h5")
        done = report(path, "unclosed", "--only", "gains")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_several_commands_are_not_run_into_one(self):
        # An archive that was resumed has a line for each start.
        path = archive("resumed.h5")
        with h5py.File(path, "r+") as file:
            file.attrs.modify(
                "command_line", "palstudy run s.toml -o a.h5\n/opt/bin/palstudy run s.toml -o a.h5 --resume"
            )
        report(path, "resumed", "--only", "gains")
        commands = self.shown((FOLDER / "resumed/index.html").read_text(encoding="utf-8"))
        self.assertIn(["palstudy", "run", "s.toml", "-o", "a.h5"], commands)
        self.assertIn(["palstudy", "run", "s.toml", "-o", "a.h5", "--resume"], commands)


if __name__ == "__main__":
    unittest.main()
