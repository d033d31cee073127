# SPDX-License-Identifier: MIT
"""Philly's tables, from jobs whose delays and speeds are made up by hand."""
import math
import unittest

import report_files  # noqa: F401  (puts the package on the path)
import pandas as pd
from report import philly


def jobs(rows):
    """(gpus, fair_share_s, fragmented_s, nodes, speed, exec_s) each."""
    table = pd.DataFrame(rows, columns=["gpus", "fair_share_s", "fragmented_s", "nodes_mean", "speed", "exec_s"])
    table["wait_s"] = table["fair_share_s"] + table["fragmented_s"]
    return table


class Philly(unittest.TestCase):
    def test_a_job_is_delayed_by_its_longer_cause(self):
        # Of four jobs of 2 to 4 GPUs one never waited; of the three others one waited longer for its share.
        made = jobs([(2, 30, 10, 1, 1, 1), (4, 10, 30, 1, 1, 1), (3, 0, 30, 1, 1, 1), (2, 0, 0, 1, 1, 1), (8, 30, 0, 1, 1, 1)])
        self.assertAlmostEqual(philly.fair_percent(made, 2, 4), 100 / 3)
        self.assertAlmostEqual(philly.fair_percent(made, 5, 8), 100)
        self.assertTrue(math.isnan(philly.fair_percent(made, 9, 99)))

    def test_two_servers_are_calibrated_and_others_predicted(self):
        # On 4 servers half as fast as on 2, weighted by time: one job for 30 s at 0.4, one for 10 s at 0.8.
        made = jobs([(16, 0, 0, 2, 1, 7), (16, 0, 0, 4, 0.4, 30), (16, 0, 0, 3.6, 0.8, 10), (8, 0, 0, 4, 0.1, 5)])
        two, four, eight = philly.spread_rows([made])
        self.assertEqual((two.kind, four.kind), (philly.CALIBRATED, philly.PREDICTED))
        self.assertAlmostEqual(four.ours[0], 43.66 / 2)
        self.assertEqual(philly.cells(two)[2], "")
        self.assertEqual(philly.cells(four)[2], "no")
        self.assertEqual(philly.cells(eight)[0], "none ran")

    def test_shares_agree_within_points_and_all_else_within_a_part(self):
        row = philly.Row("", 40, [49, 50], philly.PREDICTED)
        self.assertEqual(philly.cells(row)[2], "yes")
        self.assertEqual(philly.cells(philly.Row("", 40, [49, 50], philly.PREDICTED, False))[2], "no")
        # 1.5 % is 0.9 points from 0.6 %, and not the same: it is more than twice as much.
        self.assertEqual(philly.cells(philly.Row("", 0.6, [1.5, 1.5], philly.PREDICTED))[2], "no")

    def test_where_a_job_was_is_a_power_of_two(self):
        made = jobs([(8, 0, 0, nodes, 1, 1) for nodes in (1, 1.2, 3, 6, 9)])
        self.assertEqual(list(philly.servers(made)), [1, 1, 4, 8, 8])


if __name__ == "__main__":
    unittest.main()
