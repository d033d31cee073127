# SPDX-License-Identifier: MIT
"""The little arithmetic that the report does itself, against values from tables and by hand."""
import math
import pathlib
import tempfile
import unittest

from report_files import gain  # which puts the package on the path
import numpy as np
from report import labels, style
from report.figures.gains import best_first
from report.figures.utilization import allocated, draw
from report.gain_plot import draw_rows, limit_rows, rows_plot
from report.numbers import (
    change_text,
    change_words,
    differs,
    ends,
    interval_text,
    percent,
    range_words,
    short,
    three_digits,
    undecided,
    with_interval,
)
from report.spreadsheet import to_csv
from report.statistics import band_text, cumulative, mean_band, mean_interval, t_quantile
from report.whole_file import write_whole

import pandas as pd


class Pictures(unittest.TestCase):
    def test_the_last_bin_is_filled_to_its_end(self):
        # Three bins of a day, and then one in which no run goes on: the filled area ends with the third day, as its line does.
        shares = [0.5, 0.75, 1.0, np.nan]
        table = pd.DataFrame(
            {
                "policy": "pal",
                "from_s": np.arange(4) * 86400.0,
                "to_s": np.arange(1, 5) * 86400.0,
                "allocated": shares,
                "low": np.nan,
                "high": np.nan,
            }
        )
        [axis] = draw(table, ["pal"]).axes
        fill, line, *_ = axis.patches
        self.assertEqual([one.get_path().get_extents().x1 for one in (fill, line)], [3.0, 3.0])


class Spreadsheets(unittest.TestCase):
    def test_no_name_is_a_formula(self):
        table = pd.DataFrame(
            {
                "tenant": ["=1+1", "+x", "-x", "@x", "a=b", "-5", "", "-"],
                "=sum": range(-4, 4),
                "share": [-0.5, np.nan] * 4,
            }
        )
        self.assertEqual(
            to_csv(table).splitlines(),
            [
                "tenant,'=sum,share",
                "'=1+1,-4,-0.5",
                "'+x,-3,",
                "'-x,-2,-0.5",
                "'@x,-1,",
                "a=b,0,-0.5",
                "-5,1,",
                ",2,-0.5",
                "'-,3,",
            ],
        )


class WholeFiles(unittest.TestCase):
    def test_no_link_is_followed(self):
        # A link in the place of the part is refused and stays, and so does what it leads to; what a kill left is replaced.
        with tempfile.TemporaryDirectory() as name:
            path, part, precious = (pathlib.Path(name) / file for file in ("x.csv", "x.csv.part", "precious.txt"))
            precious.write_text("kept")
            for target in (precious, path.with_name("nothing")):
                part.symlink_to(target)
                self.assertRaises(OSError, write_whole, path, "new")
                self.assertTrue(part.is_symlink())
                self.assertEqual(
                    (precious.read_text(), path.exists(), path.with_name("nothing").exists()), ("kept", False, False)
                )
                part.unlink()
            part.write_text("half")
            write_whole(path, "new")
            self.assertEqual((path.read_text(), part.exists()), ("new", False))


class Statistics(unittest.TestCase):
    def test_quantiles_of_student(self):
        # The 97.5 % column of any printed table of Student's t.
        for freedom, expected in [(1, 12.706), (2, 4.303), (7, 2.365), (9, 2.262), (29, 2.045), (159, 1.975)]:
            self.assertAlmostEqual(t_quantile(freedom), expected, places=3)

    def test_interval_of_eight(self):
        # 1..8: mean 4.5, standard deviation sqrt(6), standard error sqrt(6/8), t(7) = 2.3646.
        mean, low, high = mean_interval(range(1, 9))
        self.assertAlmostEqual(mean, 4.5)
        self.assertAlmostEqual(high - mean, 2.364624 * math.sqrt(6 / 8), places=5)
        self.assertAlmostEqual(mean - low, high - mean)

    def test_no_interval_under_eight(self):
        mean, low, high = mean_interval(range(1, 8))
        self.assertEqual(mean, 4)
        self.assertTrue(math.isnan(low) and math.isnan(high))

    def test_a_band_holds_runs_and_is_no_interval(self):
        # 0..10: the middle eight of ten lie between 1 and 9. A thousand runs alike in spread have as wide a band: more of them do not
        # narrow it, as they would an interval of a mean.
        np.testing.assert_allclose(mean_band(range(11)), (5, 1, 9))
        few, many = (mean_band(np.tile(range(11), times)) for times in (1, 100))
        self.assertAlmostEqual(many[2] - many[1], few[2] - few[1])
        self.assertTrue(math.isnan(mean_band(range(7))[1]))
        self.assertIn("7 of at least 8", band_text(7))
        self.assertIn("not how sure", band_text(8))

    def test_columns_apart(self):
        # Each column of a table of replications has its own interval: a constant one has none to speak of.
        mean, low, high = mean_interval([[n, 3.0] for n in range(8)])
        self.assertEqual(list(mean), [3.5, 3.0])
        self.assertEqual((low[1], high[1]), (3.0, 3.0))
        self.assertLess(low[0], 3.5)

    def test_share_done(self):
        # Of 1, 2, 2, 5: none by 0.5, one by 1, three by 2, all by 5.
        self.assertEqual(list(cumulative([5, 2, 1, 2], [0.5, 1, 2, 5])), [0, 0.25, 0.75, 1])


class Gains(unittest.TestCase):
    def test_arrows_where_lines_go_on(self):
        # The thin line of the first change goes to +300 %, where the figure ends at +100 %; that of the second ends within.
        rows = [({}, gain(0.9, (0.8, 0.95), pairs=(0.6, most))) for most in (4.0, 1.5)]
        _, [axis] = style.panels(1, 1, 2)
        draw_rows(axis, rows, ["a", "b"])
        self.assertTrue(limit_rows([axis], rows))
        arrows = [line for line in axis.get_lines() if line.get_marker() == ">"]
        self.assertEqual([line.get_ydata()[0] for line in arrows], [0])
        self.assertEqual(arrows[0].get_xdata()[0], axis.get_xlim()[1])

    def test_arrows_are_spoken_of_only_where_there_are_some(self):
        rows = [({}, gain(0.9, pairs=(0.6, most))) for most in (4.0, 1.5)]
        self.assertIn("arrow", rows_plot(rows, lambda *_: "a")[1])
        self.assertNotIn("arrow", rows_plot(rows[1:], lambda *_: "a")[1])

    def test_the_best_stands_first_at_every_point(self):
        # b is best at the first point, so it stands first at the second too, where a is better: lines are found again.
        named = [("x", "a", 0.9), ("x", "b", 0.7), ("y", "a", 0.8), ("y", "b", 1.1)]
        rows = [({"key": point}, gain(ratio, value=name)) for point, name, ratio in named]
        order = [(at["key"], one["value"]) for at, one in best_first(rows, more_is_better=False)]
        self.assertEqual(order, [("x", "b"), ("x", "a"), ("y", "b"), ("y", "a")])
        order = [(at["key"], one["value"]) for at, one in best_first(rows, more_is_better=True)]
        self.assertEqual(order, [("x", "a"), ("x", "b"), ("y", "a"), ("y", "b")])


class Ticks(unittest.TestCase):
    def test_labels_do_not_overlap(self):
        # Seven numbers of two digits on a panel of half an inch, and twelve names on one of three: laid out again until they are apart.
        style.setup()
        plot, axes = style.plt.subplots(2, 1, figsize=(3, 3))
        axes[0].set_xlim(-0.21, 0.13)
        axes[0].set_xticks(np.linspace(-0.2, 0.12, 12))
        style.percent_axis(axes[0], "x")
        axes[1].set_xticks(range(12), [f"a name {place}" for place in range(12)])
        plot.canvas.draw()
        self.assertTrue(all(style.overlapping(style.labels_within(axis.xaxis)) for axis in axes))
        style.part_ticks(plot)
        plot.canvas.draw()
        self.assertFalse(style.overlapping(style.labels_within(axes[0].xaxis)))
        self.assertGreaterEqual(len(style.labels_within(axes[0].xaxis)), 3)
        self.assertEqual([one.get_rotation() for one in axes[1].get_xticklabels()], [30.0] * 12)
        self.assertEqual(axes[1].get_xticklabels()[11].get_text(), "a name 11")


class Utilization(unittest.TestCase):
    def test_integral_of_steps(self):
        # 4 GPUs: all free until 10, none from 10 to 20, two from 20 on. Bins of 8: 0; 2 s idle and 6 s full; 4 s full and 4 s
        # half; the last bin is over after the run and says nothing.
        state = pd.DataFrame({"time_s": [0.0, 10.0, 20.0, 24.0], "free_gpus": [4, 0, 2, 4]})
        found = allocated(state, 4, np.array([0.0, 8.0, 16.0, 24.0, 32.0]))
        self.assertEqual(list(found[:3]), [0, 0.75, 0.75])
        self.assertTrue(math.isnan(found[3]))


class Words(unittest.TestCase):
    def test_tables_show_the_change_and_sentences_its_size(self):
        # A ratio of 0.686 is a change of -31.4 %, which is 31.4 % shorter; digits are those of the interval.
        one = gain(0.68598, (0.61932, 0.75981))
        self.assertEqual((change_text(one), interval_text(one)), ("-31.4 %", "-38.1 to -24.0 %"))
        self.assertEqual(change_words(one, True), "31.4 % shorter (24.0 to 38.1 %)")
        more = gain(1.14, (1.027, 1.267))
        self.assertEqual((change_text(more), interval_text(more)), ("+14 %", "+3 to +27 %"))
        self.assertEqual(change_words(more, False), "14 % more (3 to 27 %)")

    def test_no_difference_is_found_if_the_interval_includes_0(self):
        one = gain(0.94, (0.899, 1.016))
        self.assertEqual((change_text(one), interval_text(one)), ("~", "-10.1 to +1.6 %"))
        self.assertTrue(undecided(one))
        self.assertEqual(range_words((0.899, 1.016), 1, ("shorter", "longer")), "10.1 % shorter to 1.6 % longer")

    def test_the_interval_that_holds_together_is_shown(self):
        # Alone it excludes 0, together with the others it does not.
        one = gain(0.9, (0.85, 0.96), together=(0.79, 1.02))
        self.assertEqual(ends(one), (0.79, 1.02))
        self.assertFalse(differs(one))
        self.assertTrue(differs(gain(0.9, (0.85, 0.96))))

    def test_without_an_interval_or_a_claim(self):
        self.assertEqual((change_text(gain(0.5706)), interval_text(gain(0.5706))), ("-42.9 %", ""))
        self.assertEqual(change_text(gain(None)), "no claim")
        self.assertFalse(differs(gain(None)) or undecided(gain(None)))

    def test_numbers_as_compare_writes_them(self):
        self.assertEqual(percent(0.42936), "42.9 %")
        self.assertEqual(percent(-0.0001), "0.0 %")
        self.assertEqual(with_interval(0.1, math.nan, math.nan, percent), "10.0 %")
        self.assertEqual(with_interval(0.1, 0.05, 0.15, percent), "10.0 % (5.0 % to 15.0 %)")
        self.assertEqual(
            [three_digits(one) for one in (33.06, 0.3617, 1194.4, 6.0, 0)], ["33.1", "0.362", "1,194", "6.00", "0"]
        )

    def test_values_of_axes(self):
        self.assertEqual(short("../jobs/traces/sia1.csv"), "sia1")
        self.assertEqual(short(1.7), "1.7")
        self.assertEqual(short(300.0), "300")

    def test_well_known_keys_have_words_and_all_else_is_shown_as_it_is(self):
        at = {
            "cluster.source": "bootstrap",
            "cluster.slowdown_max": "> 2",
            "policy.knowledge": "mine",
            "workload.rho": "0.6",
        }
        self.assertEqual(labels.at(at), "drawn GPUs, with a very slow GPU, mine, offered load = 0.6")
        self.assertEqual(
            [labels.policy(one) for one in ("pal", "packed-sticky", "pal-las")], ["PAL", "packed, jobs stay", "pal-las"]
        )
        self.assertEqual(labels.in_sentence("packed-sticky"), "packed-sticky")  # a comma would tear the sentence
        self.assertEqual((labels.key("my.key"), labels.metric("my_metric")), ("my.key", "my_metric"))


if __name__ == "__main__":
    unittest.main()
