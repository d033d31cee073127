# SPDX-License-Identifier: MIT
"""The two sentences with which the page begins, and its notes, from answers of `palstudy compare` made up by hand."""
import unittest
import unittest.mock

import report_files  # noqa: F401  (the path comes first)
from report import answer, page
from report.archive import Archive
from report.assumptions import assumptions, origin_of
from report.cli import merged, warnings_and_notes
from report.gain_plot import sureness
from report.program import averaged_text, distinct_scopes, mean_of
from report_files import archive


def gain(**changed):
    """A gain of 20 %, from 15 to 25 %, in 9 of 10 pairs."""
    return {
        "policy": "pal",
        "baseline": "packed-sticky",
        "metric": "jct_mean_s",
        "pairs": 10,
        "pairs_of": 10,
        "wins": 9,
        "improvement": 0.2,
        "low": 0.15,
        "high": 0.25,
        "low_simultaneous": 0.1,
        "high_simultaneous": 0.3,
        "comparisons": 2,
        "no_interval": "",
        "scope": "over 10 clusters under this one trace",
        "coverage": "",
        "averaged_over": [],
        **changed,
    }


def group(*gains, by=(), traces=1, hours=((8.0, 10.0),)):
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
    return {"at": dict(by), "over": {"workloads": {"traces": traces}}, "means": means, "gains": list(gains)}


def told_note(name, text, subject="", severity="care", **values):
    """A note as `palstudy compare --json` has it."""
    return {"id": name, "severity": severity, "subject": subject, "values": values, "text": text}


class Sentences(unittest.TestCase):
    def test_how_much_in_per_cent_and_hours(self):
        one = gain()
        self.assertEqual(
            answer.how_much([(group(one), one)], "packed-sticky"),
            "In mean completion time pal gains over packed-sticky 20.0 % (95 % interval 15.0 % to 25.0 %; 8.0 instead of 10.0 hours a job)",
        )

    def test_hours_show_the_difference(self):
        # 7.397 and 7.448 hours are 7.4 and 7.4 to one place: as many places as the difference needs.
        one = gain()
        self.assertIn("7.397 instead of 7.448 hours", answer.hours(group(one, hours=[(7.3971, 7.4484)]), one))
        self.assertEqual(answer.hours(group(gain(metric="jain")), gain(metric="jain")), "")

    def test_hours_of_several_traces_are_their_mean_and_say_so(self):
        one = gain()
        self.assertEqual(
            answer.hours(group(one, traces=2, hours=[(8, 10), (2, 6)]), one),
            "5.0 instead of 8.0 hours a job, arithmetic means of 2 traces; the gain is that of their geometric means",
        )

    def test_a_study_that_is_split_names_both_ends(self):
        # Nothing is averaged over knowledge: its least and its greatest gain stand with the values at which they are.
        some = [
            (group(one, by={"policy.knowledge": name}), one)
            for name, one in (
                ("oracle", gain()),
                ("runs", gain(improvement=-0.1, low=-0.2, high=0.0)),
                ("flat", gain(improvement=0.3, low=0.2, high=0.4)),
            )
        ]
        words = answer.how_much(some, "packed-sticky")
        self.assertRegex(
            words, r"between -10 % at policy.knowledge = runs \(.*\) and 30 % at policy.knowledge = flat \("
        )

    def test_no_interval_is_said_where_there_is_none(self):
        one = gain(low=None, high=None, no_interval="1 of at least 8 replications", scope="")
        self.assertIn("20.0 % (no interval;", answer.how_much([(group(one), one)], "packed-sticky"))
        self.assertIn(
            "How sure the gain is cannot be said, since there is no interval: 1 of at least 8 replications",
            answer.how_sure([one], [(group(one), one)]),
        )

    def test_copies_of_one_pair_are_no_wins(self):
        one = gain(low=None, high=None, no_interval="the seeds change nothing of jct_mean_s", idle_seeds=True, scope="")
        words = answer.how_sure([one], [(group(one), one)])
        self.assertIn("all pairs are the same pair of runs", words)
        self.assertNotIn("is better in", words)

    def test_over_what_the_interval_is(self):
        one = gain()
        words = answer.how_sure([one], [(group(one), one)])
        self.assertIn("over 10 clusters under this one trace", words)
        self.assertIn("pal is better in 9 of 10 pairs of runs", words)

    def test_what_intervals_are_over_is_said_once(self):
        self.assertEqual(
            answer.scope_words([gain(), gain()]), "the 95 % intervals are over 10 clusters under this one trace"
        )
        self.assertEqual(
            distinct_scopes([gain(scope="over 8 seeds"), gain(scope="over 80 seeds")]),
            ["over 8 seeds", "over 80 seeds"],
        )

    def test_what_is_given_is_said(self):
        self.assertIn("They are given this trace.", sureness([((), gain(given="given this trace"))]))

    def test_coverage_stands_beside_the_interval_of_a_resampled_study(self):
        one = gain(coverage="by users: held the truth in 91 % of simulated trials")
        self.assertIn(
            "to 25.0 %, by users: held the truth in 91 % of simulated trials",
            answer.how_much([(group(one), one)], "packed-sticky"),
        )

    def test_several_intervals_are_judged_together(self):
        # Each alone excludes 0, but of two at once the second holds it.
        sure, unsure = gain(), gain(low=0.01, low_simultaneous=-0.02)
        self.assertIn("exclude 0 at 1 of 2 values (a gain at 1)", answer.verdict([sure, unsure]))
        self.assertIn("none of the 2 intervals over packed-sticky excludes 0", answer.verdict([unsure, unsure]))
        self.assertIn("holds 0", answer.verdict([unsure]))
        self.assertIn("excludes a loss", answer.verdict([sure]))
        self.assertIn("excludes a gain", answer.verdict([gain(low_simultaneous=-0.3, high_simultaneous=-0.1)]))

    def test_which_interval_is_judged_is_said(self):
        # -151 % to -3 % does not hold 0, and stands first on the page: what holds 0 is the interval that holds together with the others.
        both = gain(low=-1.51, high=-0.03, low_simultaneous=-1.97, high_simultaneous=0.13, comparisons=4)
        self.assertEqual(
            answer.verdict([both]),
            "the interval of the gain over packed-sticky that holds together with those of the 3 other gains, -197 % to 13 %, "
            "holds 0, so neither a gain nor a loss can be told",
        )
        # With one comparison there is one interval, and it need not be written again.
        alone = gain(comparisons=1, low_simultaneous=None, high_simultaneous=None)
        self.assertEqual(answer.verdict([alone]), "the interval of the gain over packed-sticky excludes a loss")
        # A gain over another baseline stands just before: which of the two is judged has to be said.
        two = gain(low_simultaneous=-0.5, high_simultaneous=-0.2)
        self.assertEqual(
            answer.verdict([two]),
            "the interval of the gain over packed-sticky that holds together with that of the 1 other gain, -50.0 % to -20.0 %, "
            "excludes a gain",
        )
        self.assertIn(
            "the intervals over packed-sticky exclude 0 at 1 of 2 values (a loss at 1)",
            answer.verdict([two, gain(low_simultaneous=-0.02)]),
        )

    def test_pairs_that_are_left_out_are_counted(self):
        one = gain(pairs=8, pairs_of=20, wins=8)
        self.assertIn("8 of 8 pairs of runs (8 of 20 pairs make a claim)", answer.how_sure([one], [(group(one), one)]))

    def test_an_overloaded_cluster_is_said_before_how_sure_it_is(self):
        one = gain(
            overloaded="overloaded: offered load 1.3, the queue grows by 3.8 jobs an hour; waits depend on when the trace ends"
        )
        words = answer.how_sure([one], [(group(one), one)])
        self.assertTrue(words.startswith("Overloaded: offered load 1.3, the queue grows by 3.8 jobs an hour;"), words)
        # Of several values it is said in how many runs, since at each of them only some may be.
        note = lambda **values: {"id": "overloaded", "values": values, "text": one["overloaded"]}
        several = answer.how_sure([one, one], [(group(one), one), (group(one), gain())], note(runs=3, of=40))
        self.assertTrue(several.startswith("Overloaded in 3 of 40 runs (see Warnings);"), several)
        no_rows = answer.how_sure([one, one], [(group(one), gain())], note(workloads=5, of=60))
        self.assertTrue(no_rows.startswith("Overloaded in 5 of 60 workloads (see Warnings);"), no_rows)
        self.assertNotIn("Warnings", answer.how_sure([gain(), gain()], [(group(gain()), gain())] * 2))
        with Archive(archive()) as file:
            said = [
                ("few-jobs", "care", "few jobs rule it"),
                ("overloaded", "care", one["overloaded"]),
                ("donors", "care", "given these"),
                ("joint-classes", "info", "drawn jointly"),
                ("", "care", "an older program's"),
            ]
            told = {"notes": [told_note(name, text, severity=severity) for name, severity, text in said]}
            self.assertEqual(
                warnings_and_notes(file, told),
                ([one["overloaded"], "few jobs rule it", "an older program's"], ["drawn jointly"]),
            )

    def test_measured_jobs_and_load_are_in_the_words_of_compare(self):
        with Archive(archive()) as file:
            rows = dict(
                assumptions(
                    file,
                    {
                        "measured": {"text": "measured: all 24 jobs of each of 2 traces"},
                        "load": {"text": "offered load: 0.62 to 0.71"},
                    },
                )
            )
            self.assertEqual(rows["measured jobs"], "all 24 jobs of each of 2 traces")
            self.assertEqual(rows["offered load"], "0.62 to 0.71")
            rows = dict(
                assumptions(
                    file, {"measured": {"text": "measured: 9 jobs that arrive from 86400 s to 302400 s, 300 s apart"}}
                )
            )
            self.assertEqual(rows["measured jobs"], "9 jobs that arrive from 1 day to 3.5 days, 300 s apart")
            self.assertEqual(rows["locality penalty"], "1, 1.7 between cabinets")

    def test_what_a_move_costs_and_what_a_baseline_does_are_said(self):
        told = {
            "assumptions_text": [["packed-sticky", "leaves running jobs where they are"]],
            "compared": {"baselines": ["packed-sticky"]},
        }
        with Archive(archive()) as file:
            rows = dict(assumptions(file, told))
            self.assertEqual(rows["a move costs"], "nothing")
            self.assertEqual(rows["baseline"], "packed-sticky leaves running jobs where they are")
            self.assertNotIn("not as by default", rows)
            told["assumptions_text"] += [
                ["true durations are known to", "order sjf"],
                ["not as by default:", "cluster.partitions = 2, engine.round_s = 60.0"],
                ["the slowest GPU has a slowdown of", "1.95"],
            ]
            rows = dict(assumptions(file, told))
            self.assertEqual(rows["true durations are known to"], "order sjf")
            self.assertEqual(rows["not as by default"], "cluster.partitions = 2, engine.round_s = 60.0")
            self.assertEqual(rows["the slowest GPU has a slowdown of"], "1.95")

    def test_a_profile_file_is_not_called_published(self):
        with Archive(archive()) as file:
            with unittest.mock.patch("report.assumptions.values", lambda *_: ["mine.h5"]):
                self.assertEqual(origin_of(file, "imported"), "measurements that were imported")
            with unittest.mock.patch("report.assumptions.values", lambda *_: ["longhorn"]):
                self.assertEqual(origin_of(file, "imported"), "published measurements that come with the program")
                self.assertEqual(origin_of(file, "bundled-kernels"), "measured with palstudy measure")

    def test_what_is_averaged_over_is_said(self):
        pooled = [gain(averaged_over=[{"key": "cluster.gpus", "values": 6}]), gain()]
        self.assertEqual(averaged_text(pooled), "averaged over cluster.gpus (6 values)")
        self.assertIn(
            "averaged over cluster.gpus (6 values)", answer.how_sure(pooled, [(group(one), one) for one in pooled])
        )
        self.assertEqual(averaged_text([gain()]), "")

    def test_what_is_within_an_average_is_said_as_compare_says_it(self):
        # An average of 3 % hides a loss of 5 % on one of three traces; of several averages the ends are those of all.
        one = gain(parts=3, parts_least=-0.0508, parts_most=0.1013)
        self.assertIn("; averaged over 3 traces, from -5.1 % to 10.1 %", answer.how_sure([one], [(group(one), one)]))
        both = [one, gain(parts=2, parts_least=0.01, parts_most=0.2)]
        self.assertEqual(answer.parts_text(both), "each averaged over 2/3 traces, from -5.1 % to 20.0 %")
        points = gain(parts=6, parts_least=0.1, parts_most=0.2, averaged_over=[{"key": "cluster.gpus", "values": 6}])
        self.assertEqual(answer.parts_text([points]), "averaged over 6 points, from 10.0 % to 20.0 %")
        self.assertEqual(answer.parts_text([gain(parts=1), gain()]), "")

    def test_why_no_run_makes_a_claim_is_said_of_these_runs(self):
        # A run that was never stopped does not depend on when it was.
        unstable, cut = "unstable", "unfinished"
        said = lambda *why: answer.no_claim(
            {"left_out": [{"why": one} for one in why], "study": {"runs": len(why)}, "metric": "jct_mean_s"}, gain()
        )
        first, second = said(unstable, unstable)
        self.assertIn("is claimed: 2 of 2 runs were unstable, and", first)
        self.assertIn("the queue grows as long as jobs come", second)
        self.assertNotIn("stopped", second)
        first, second = said(cut)
        self.assertIn("left jobs unfinished, and", first)
        self.assertIn("depend on when they were stopped", second)
        self.assertNotIn("queue", second)
        first, second = said(unstable, cut, "failed")
        self.assertIn("3 of 3 runs failed, were unstable or left jobs unfinished", first)


class Means(unittest.TestCase):
    def test_intervals_of_means_are_those_of_compare(self):
        # At a single point mean and half width are as given; of two points there is a mean, and no interval of it.
        means, points = mean_of(group(gain()), "jct_mean_s", ["pal", "packed-sticky"])
        self.assertEqual((means["pal"], points), ((8 * 3600, 8 * 3600 - 360, 8 * 3600 + 360), 1))
        means, points = mean_of(group(gain(), hours=[(8, 10), (2, 6)]), "jct_mean_s", ["pal", "packed-sticky"])
        self.assertEqual((means["pal"][0], points), (5 * 3600, 2))
        self.assertNotEqual(means["pal"][1], means["pal"][1])

    def test_points_without_one_of_the_policies_are_left_out(self):
        half = group(gain(), hours=[(8, 10), (2, 6)])
        half["means"][3]["mean"] = None
        means, points = mean_of(half, "jct_mean_s", ["pal", "packed-sticky"])
        self.assertEqual((means["pal"][0], points), (8 * 3600, 1))


class Notes(unittest.TestCase):
    def test_the_same_of_several_things_is_one_note(self):
        notes = [
            told_note("node-size", "a: a node is two", "a", size=8),
            told_note("node-size", "b: a node is two", "b", size=8),
            told_note("no-quota", "jobs are left out"),
            told_note("node-size", "a: a node is one", "a", size=4),
            told_note("", "one"),
            told_note("", "two"),
        ]
        self.assertEqual(
            merged(notes), ["a: a node is two (so of b)", "jobs are left out", "a: a node is one", "one", "two"]
        )

    def test_columns_are_explained_where_they_stand(self):
        self.assertEqual(page.columns_explained([gain(low=None, comparisons=2)], "jct_mean_s"), "")
        self.assertIn("All at once", page.columns_explained([gain()], "jct_mean_s"))
        self.assertNotIn(
            "All at once", page.columns_explained([gain()], "makespan_s")
        )  # tables of other metrics have no such column
        self.assertIn("p: how probable", page.columns_explained([gain(p_holm=0.2)], "makespan_s"))

    def test_numbers_in_words_keep_their_percent_signs(self):
        self.assertIn("5 to 21\u00a0%", page.table([], [["measured jobs", "5 to 21 %"]]))
        self.assertIn("<td class=n>21 %</td>", page.table([], [["21 %"]], numeric=(0,)))

    def test_warnings_come_first(self):
        text = page.notes_section(["few jobs rule it"], ["classes drawn apart"])
        self.assertLess(text.index("Few jobs rule it"), text.index("Classes drawn apart"))
        self.assertIn('class="warning"', text)
        self.assertNotIn("Warnings", page.notes_section([], ["one"]))


if __name__ == "__main__":
    unittest.main()
