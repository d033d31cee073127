# SPDX-License-Identifier: MIT
"""The answer with which the page begins, its notes and its assumptions, from answers of `palstudy compare` made up by hand."""
import re
import unittest
import unittest.mock

from report_files import archive, gain  # which puts the package on the path
from report import labels, page
from report.answer import answer_of
from report.archive import Archive
from report.assumptions import assumptions, origin
from report.gain_plot import sureness
from report.program import averaged_text, mean_of

LONGEST = 25  # words of a sentence


def group(*gains, hours=((8.0, 10.0),), by=(), averaged=()):
    """`hours`: of pal and packed-sticky, a pair for each trace."""
    means = [
        {
            "metric": "jct_mean_s",
            "at": {"workload.trace": str(place)},
            "value": name,
            "mean": 3600 * mean,
            "half_width": half,
        }
        for place, (mine, other) in enumerate(hours)
        for name, mean, half in (("pal", mine, 360.0), ("packed-sticky", other, 720.0))
    ]
    pooled = [
        {"metric": "jct_mean_s", "value": name, "mean": 3600 * mean}
        for name, mean in zip(("pal", "packed-sticky"), hours[0])
    ]
    axes = [{"key": key, "values": many} for key, many in averaged]
    return {"at": dict(by), "averaged_over": axes, "means": means, "pooled_means": pooled, "gains": list(gains)}


def told(*groups, left_out=(), baselines=("packed-sticky",), metric="jct_mean_s"):
    return {
        "metrics": [{"name": metric, "unit": "s", "better": "less"}],
        "study": {"runs": 40},
        "compared": {"baselines": list(baselines)},
        "measured": {"text": "measured: 9 jobs"},
        "load": {"text": "offered load: 0.6"},
        "stop": "",
        "left_out": [{"why": why, "growth_per_h": growth} for why, growth in left_out],
        "groups": list(groups),
    }


def note(name, severity="care", subject=""):
    """A note as `palstudy compare --json` has it."""
    return {"id": name, "severity": severity, "subject": subject, "values": {}, "text": f"{subject}{name} is said"}


class Answers(unittest.TestCase):
    def answer(self, *groups, **changed):
        answer = answer_of(told(*groups, **changed))
        for one in answer.sentences:
            self.assertLessEqual(len(one.split()), LONGEST, one)
        self.assertLessEqual(len(answer.sentences), 2)
        return answer

    def test_a_change_its_interval_and_the_means_of_which_it_is_the_quotient(self):
        answer = self.answer(group(gain(0.8, (0.75, 0.85), better=10)))
        self.assertEqual(answer.sentences, ["PAL shortens the mean completion time by 20.0 % against packed-sticky."])
        self.assertEqual(
            answer.beside, ["95 % interval: 15.0 to 25.0 %; 8.00 instead of 10.0 h; better in 10 of 10 pairs"]
        )
        self.assertEqual(
            answer.under,
            ["intervals: over 10 clusters under this one trace", "measured: 9 jobs", "offered load: 0.6"],
        )

    def test_changes_of_one_direction_share_a_sentence(self):
        two = [gain(0.5706), gain(0.638, baseline="packed-nonsticky")]
        answer = self.answer(group(*two), baselines=("packed-sticky", "packed-nonsticky"))
        self.assertEqual(
            answer.sentences,
            [
                "PAL shortens the mean completion time by 42.9 % against packed-sticky, and by 36.2 % against "
                "packed-nonsticky."
            ],
        )

    def test_no_difference_is_said_with_its_interval(self):
        answer = self.answer(group(gain(1.005, (0.99, 1.02))))
        self.assertEqual(answer.sentences, ["We found no difference between PAL and packed-sticky (-1.0 to +2.0 %)."])
        self.assertNotIn("2.0", " ".join(answer.beside))  # nothing is said twice

        same = self.answer(group(gain(1.0)))  # without an interval
        self.assertEqual(same.sentences, ["We found no difference between PAL and packed-sticky."])

    def test_several_intervals_are_judged_together(self):
        # Alone it excludes 0. Held together with the other it includes 0, so no difference is claimed.
        sure = gain(0.9, (0.85, 0.95), (0.83, 0.97))
        unsure = gain(0.9, (0.82, 0.98), (0.8, 1.01), baseline="easy")
        answer = self.answer(group(sure, unsure), baselines=("packed-sticky", "easy"))
        self.assertEqual(
            answer.sentences,
            [
                "PAL shortens the mean completion time by 10.0 % against packed-sticky.",
                "We found no difference between PAL and easy (-20 to +1 %).",
            ],
        )
        self.assertIn("95 % interval, together: 3.0 to 17.0 %", answer.beside[0])

    def test_more_is_not_called_less(self):
        answer = self.answer(group(gain(1.2, (1.1, 1.3))))
        self.assertEqual(answer.sentences, ["PAL lengthens the mean completion time by 20.0 % against packed-sticky."])
        jain = gain(1.2, (1.1, 1.3), metric="jain")
        self.assertIn("PAL raises the jain by 20.0 %", self.answer(group(jain), metric="jain").sentences[0])

    def test_a_study_that_is_split_names_where(self):
        # Nothing is averaged over the source: both values stand in the answer.
        answer = self.answer(
            group(gain(0.686, (0.62, 0.76)), by={"cluster.source": "bootstrap"}.items()),
            group(gain(0.9654, (0.9583, 0.9726)), by={"cluster.source": "measured"}.items()),
        )
        self.assertRegex(
            answer.sentences[0],
            r"by 31\.4 % against packed-sticky with drawn GPUs, and by 3\.46 % with whole measured nodes",
        )
        self.assertTrue(answer.beside[0].startswith("drawn GPUs; 95 % interval: 24.0 to 38.0 %"), answer.beside)

    def test_many_points_are_counted(self):
        # Of five points two are shorter, one is longer, of one no difference is found, and one makes no claim.
        gains = [gain(0.8, (0.7, 0.9)), gain(0.9, (0.85, 0.95)), gain(1.2, (1.1, 1.3)), gain(1, (0.9, 1.1)), gain(None)]
        answer = self.answer(*(group(one, by={"workload.rho": str(place)}.items()) for place, one in enumerate(gains)))
        self.assertEqual(
            answer.sentences,
            ["Under PAL the mean completion time is shorter at 2 of 5 points against packed-sticky, and longer at 1."],
        )
        self.assertEqual(
            answer.beside,
            [
                "against packed-sticky; 20.0 % shorter to 20.0 % longer by point; no difference found at 1; no claim at 1"
            ],
        )

    def test_the_policy_is_the_first_that_is_no_baseline(self):
        # Not the best one: choosing the winner afterwards would make its gain too large.
        some = [gain(1.1, value="packed-sticky", baseline="b"), gain(0.9), gain(0.5, value="best")]
        self.assertIn("PAL", self.answer(group(*some)).sentences[0])

    def test_without_an_interval_the_range_and_why(self):
        one = gain(0.8, parts={"n": 8, "ratios": (0.4, 0.95)})
        answer = self.answer(group(one))
        self.assertEqual(
            answer.beside,
            ["5.0 to 60.0 % by trace; 8.00 instead of 10.0 h", "no interval: 1 of at least 8 replications"],
        )
        pooled = self.answer(group(one, averaged=[("cluster.gpus", 6)]))
        self.assertIn("by point", pooled.beside[0])
        self.assertIn("Averaged over cluster.gpus (6 values).", pooled.under)

    def test_pairs_that_are_left_out_are_counted(self):
        two = [gain(0.8, (0.7, 0.9)), gain(None, baseline="easy")]
        answer = self.answer(group(*two), baselines=("packed-sticky", "easy"))
        self.assertIn("against easy; no claim: 10 pairs left out", answer.beside)

    def test_why_no_run_makes_a_claim_is_said_of_these_runs(self):
        runs = [("unstable", 2.3), ("unstable", 8.7), ("unfinished", 0)]
        answer = self.answer(group(gain(None)), left_out=runs)
        self.assertEqual(answer.sentences, ["We claim nothing: 3 of 40 runs are left out."])
        self.assertEqual(
            answer.beside, ["2 unstable", "1 left jobs unfinished", "queues grow by 2.3 to 8.7 jobs an hour"]
        )
        self.assertEqual(self.answer(group(gain(None)), left_out=[("failed", None)]).beside, ["1 failed"])


class Captions(unittest.TestCase):
    def test_what_is_averaged_over_is_said(self):
        pooled = [group(averaged=[("cluster.gpus", 6)]), group()]
        self.assertEqual(averaged_text(pooled), "Averaged over cluster.gpus (6 values).")
        self.assertEqual(averaged_text([group()]), "")
        self.assertIn("Averaged over cluster.gpus (6 values).", sureness([({}, gain(0.9))], pooled))

    def test_which_intervals_they_are_and_why_some_are_missing(self):
        words = sureness([({}, gain(0.9, (0.8, 0.95), (0.7, 0.99))), ({}, gain(0.9)), ({}, gain(None))], [])
        self.assertIn("which hold together", words)
        self.assertIn("no interval: 1 of at least 8 replications", words)
        self.assertIn("1 of 3 comparisons make no claim", words)
        self.assertNotIn("together", sureness([({}, gain(0.9, (0.8, 0.95)))], []))


class Means(unittest.TestCase):
    def test_intervals_of_means_are_those_of_compare(self):
        # At a single point mean and half width are as given; of two points there is a mean, and no interval of it.
        means, points = mean_of(group(gain(0.8)), "jct_mean_s", ["pal", "packed-sticky"])
        self.assertEqual((means["pal"], points), ((8 * 3600, 8 * 3600 - 360, 8 * 3600 + 360), 1))
        means, points = mean_of(group(gain(0.8), hours=[(8, 10), (2, 6)]), "jct_mean_s", ["pal", "packed-sticky"])
        self.assertEqual((means["pal"][0], points), (5 * 3600, 2))
        self.assertNotEqual(means["pal"][1], means["pal"][1])

    def test_points_without_one_of_the_policies_are_left_out(self):
        half = group(gain(0.8), hours=[(8, 10), (2, 6)])
        half["means"][3]["mean"] = None
        means, points = mean_of(half, "jct_mean_s", ["pal", "packed-sticky"])
        self.assertEqual((means["pal"][0], points), (8 * 3600, 1))


class Assumptions(unittest.TestCase):
    def test_settings_are_values_and_what_else_is_assumed_follows(self):
        known = {
            "policy.order": ["fifo", "las"],
            "engine.migration_s": [0.0],
            "network.penalty": [[1.0, 1.7, 1.7]],
            "cluster.bins": [{"bins": 2, "outliers": "single"}],
            "power.off": ["timer"],
        }
        said = [
            ["packed-sticky", "leaves running jobs where they are"],
            ["not as by default:", "engine.round_s = 60.0"],
        ]
        with Archive(archive()) as file:
            rows = assumptions(file, {"assumptions": known, "assumptions_text": said})
        table = {what: (value, key) for what, value, key in rows}
        self.assertEqual(
            table["order of jobs"], ("first come, first served (fifo), least attained service (las)", "policy.order")
        )
        self.assertEqual(table["seconds lost by a move"], ("0", "engine.migration_s"))
        self.assertEqual(table["penalty: node / cabinet / cluster"], ("1 / 1.7 / 1.7", "network.penalty"))
        self.assertEqual(table["bins of GPUs"], ("2, outliers single", "cluster.bins"))
        self.assertEqual(table["jobs"][0], "of 2 traces: even, burst")
        self.assertTrue(table["GPUs"][0].startswith("16; drawn GPUs; "), table["GPUs"])
        self.assertEqual(table["packed-sticky"][0], "leaves running jobs where they are")
        self.assertEqual(table["not as by default"][0], "engine.round_s = 60.0")

    def test_a_profile_file_is_not_called_published(self):
        with Archive(archive()) as file:
            for how, profile, words in (
                ("imported", "mine.h5", "measurements that were imported: mine.h5"),
                ("imported", "longhorn", "published measurements that come with the program: longhorn"),
                ("bundled-kernels", "mine.h5", "measured with palstudy measure: mine.h5"),
            ):
                with unittest.mock.patch("report.assumptions.values", lambda *_, profile=profile: [profile]):
                    with unittest.mock.patch.object(file, "attribute", lambda _, how=how: how):
                        self.assertEqual(origin(file), words)


class Names(unittest.TestCase):
    def test_what_is_called_otherwise_in_the_study_is_told_once(self):
        # "PAL" differs from "pal" in capitals alone, and "of-mine" is a name of the study: neither is listed.
        points = [{"cluster.source": "bootstrap"}, {"cluster.source": "bootstrap", "workload.rho": 0.6}]
        points.append({"cluster.slowdown_max": "<= 2"})
        self.assertEqual(
            labels.renamed(["pal", "packed-sticky", "of-mine", "packed-sticky"], points),
            [
                ("packed, jobs stay", "packed-sticky"),
                ("drawn GPUs", "cluster.source = bootstrap"),
                ("without one", "cluster.slowdown_max <= 2"),
            ],
        )

    def test_the_table_has_the_names_as_code_and_is_left_out_if_empty(self):
        text = page.names_section([("packed, jobs stay", "packed-sticky")])
        self.assertIn("<td>packed, jobs stay</td><td><code>packed-sticky</code></td>", text)
        self.assertEqual(page.names_section([]), "")


class Notes(unittest.TestCase):
    def ids(self, notes):
        return [one["id"] for one in notes]

    def test_the_heaviest_stand_first_and_no_more_than_five(self):
        notes = [
            note("a", "info"),
            note("b"),
            note("c", "stop"),
            note("d"),
            note("e"),
            note("f", "info"),
            note("g", "info"),
        ]
        first, others = page.by_weight(notes, True)
        self.assertEqual(self.ids(first), ["c", "b", "d", "e", "a"])
        self.assertEqual(self.ids(others), ["f", "g"])

    def test_notes_of_one_id_count_once(self):
        notes = [note("size", subject="x: "), note("size", subject="y: "), note("quota"), note(""), note("", "info")]
        first, others = page.by_weight(notes, True)
        self.assertEqual([one["text"] for one in first], ["x: size is said", "quota is said", " is said"])
        self.assertEqual([one["subject"] for one in others], ["y: ", ""])

    def test_what_is_the_answer_is_not_said_again(self):
        notes = [note("unstable", "stop"), note("over-one")]
        self.assertEqual(self.ids(page.by_weight(notes, False)[0]), ["over-one"])
        self.assertEqual(self.ids(page.by_weight(notes, True)[0]), ["unstable", "over-one"])

    def test_severity_is_a_word_and_an_id_leads_to_its_meaning(self):
        text = page.notes_section([note("few-jobs")], [note("donors", "info"), note("")])
        lines = re.findall(r"<li>(.*?)</li>", text)
        self.assertEqual(
            lines[0], '<span class=care>care</span> <a href="#note-few-jobs">few-jobs</a>: few-jobs is said'
        )
        self.assertIn("<details><summary>2 more</summary>", text)
        self.assertEqual(lines[2], "<span class=care>care</span>  is said")  # of a program of before
        explained = {"id": "few-jobs", "severity": "care", "summary": "Few jobs.", "text": "Use `--metric all`."}
        self.assertIn(
            '<dt id="note-few-jobs">few-jobs (care)</dt><dd>Few jobs. Use <code>--metric all</code>.</dd>',
            page.meanings_section([explained]),
        )
        self.assertEqual((page.notes_section([], []), page.meanings_section([])), ("", ""))

    def test_numbers_in_words_keep_their_percent_signs(self):
        self.assertIn("5 to 21\u00a0%", page.table([], [["measured jobs", "5 to 21 %"]]))
        self.assertIn("<td class=n>21 %</td>", page.table([], [["21 %"]], numeric=(0,)))


class Metrics(unittest.TestCase):
    def heads(self, *gains):
        found = {**told(group(*gains)), "metrics": [{"name": "jct_mean_s", "unit": "s", "better": "less"}]}
        text = page.metrics_section(found)
        self.assertTrue(text.startswith("<details><summary>All metrics ("), text)
        return re.findall(r"<th[^>]*>(.*?)</th>", text), re.findall(r"<td[^>]*>(.*?)</td>", text)

    def test_columns_that_would_say_nothing_are_left_out(self):
        heads, _ = self.heads(gain(0.9))
        for name in ("95 % interval", "95 %, together", "alone", "pairs left out", "p (Holm)"):
            self.assertNotIn(name, " ".join(heads).replace("\u00a0", " "))
        heads, cells = self.heads(gain(0.9, (0.85, 0.95), (0.8, 1.01), p_holm=0.2, pairs=(0.7, 1.2), pairs_of=12))
        row = dict(zip((one.replace("\u00a0", " ") for one in heads), cells))
        self.assertEqual(
            {name: row[name] for name in list(row)[4:]},
            {
                "change": "~",
                "95 %, together": "-20 to +1 %",
                "alone": "-15 to -5 %",
                "least": "-30 %",
                "most": "+20 %",
                "better in": "9 of 10",
                "pairs left out": "2",
                "p (Holm)": "0.2",
            },
        )


if __name__ == "__main__":
    unittest.main()
