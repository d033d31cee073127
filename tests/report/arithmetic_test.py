# SPDX-License-Identifier: MIT
"""The little arithmetic that the report does itself, against values from tables and by hand."""
import math
import pathlib
import tempfile
import unittest

import report_files  # noqa: F401  (puts the package on the path)
import numpy as np
from report import style
from report.figures.utilization import allocated, draw
from report.gain_plot import draw_rows, limit_rows, rows_plot
from report.numbers import between, gain_text, percent, short, with_interval
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
        # The thin line of the first gain goes to -300 %, where the figure ends at -100 %; that of the second ends within.
        rows = [
            (
                (),
                {
                    "policy": "pal",
                    "pairs": 8,
                    "improvement": 0.1,
                    "low": 0.05,
                    "high": 0.2,
                    "least": least,
                    "most": 0.4,
                },
            )
            for least in (-3.0, -0.5)
        ]
        _, [axis] = style.panels(1, 1, 2)
        draw_rows(axis, rows, ["a", "b"])
        self.assertTrue(limit_rows([axis], rows))
        arrows = [line for line in axis.get_lines() if line.get_marker() == "<"]
        self.assertEqual([line.get_ydata()[0] for line in arrows], [0])
        self.assertEqual(arrows[0].get_xdata()[0], axis.get_xlim()[0])

    def test_arrows_are_spoken_of_only_where_there_are_some(self):
        rows = [
            ((), {"policy": "pal", "baseline": "b", "pairs": 8, "improvement": 0.1, "least": least, "most": 0.4})
            for least in (-3.0, -0.5)
        ]
        self.assertIn("arrow", rows_plot(rows, lambda *_: "a")[1])
        self.assertNotIn("arrow", rows_plot(rows[1:], lambda *_: "a")[1])


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
    def test_numbers_as_compare_writes_them(self):
        self.assertEqual(percent(0.42936), "42.9 %")
        self.assertEqual(percent(-0.0001), "0.0 %")
        self.assertEqual(between(None, None, percent), "none")
        self.assertEqual(with_interval(0.1, math.nan, math.nan, percent), "10.0 %")
        self.assertEqual(with_interval(0.1, 0.05, 0.15, percent), "10.0 % (5.0 % to 15.0 %)")
        self.assertEqual(gain_text({"pairs": 0}), "no claim")

    def test_values_of_axes(self):
        self.assertEqual(short("../jobs/traces/sia1.csv"), "sia1")
        self.assertEqual(short(1.7), "1.7")
        self.assertEqual(short(300.0), "300")


if __name__ == "__main__":
    unittest.main()
