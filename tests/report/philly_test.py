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

    def test_what_spread_costs_is_calibrated(self):
        # The servers of philly-spread were made alike with the table in view: no row can agree, 2 servers are set to the study's.
        # On 4 servers half as fast as on 2, weighted by time: one job for 30 s at 0.4, one for 10 s at 0.8.
        made = jobs([(16, 0, 0, 2, 1, 7), (16, 0, 0, 4, 0.4, 30), (16, 0, 0, 3.6, 0.8, 10), (8, 0, 0, 4, 0.1, 5)])
        two, four, eight = philly.spread_rows([made])
        self.assertEqual({one.kind for one in (two, four, eight)}, {philly.CALIBRATED})
        self.assertAlmostEqual(four.ours[0], 43.66 / 2)
        self.assertEqual(philly.cells(two), ("43.7 %", "", ""))
        self.assertEqual(philly.cells(four)[2], "")
        self.assertEqual(philly.cells(eight)[0], "none ran")

    def test_rows_that_hang_on_settings_chosen_by_the_study_are_calibrated(self):
        # Delays and servers depend on [ladder] attempts, chosen with Table 2 in view; sizes on servers made alike.
        made = [jobs([(8, 30, 10, 1, 1, 7), (1, 0, 0, 1, 1, 5)])]
        for rows in (philly.delay_rows, philly.placed_rows, philly.size_rows):
            self.assertEqual({row.kind for row in rows(made)}, {philly.CALIBRATED}, rows.__name__)
        # Eight replications have an interval, calibrated or not; agreeing is for predictions.
        ours = list(range(36, 44))
        self.assertEqual(philly.cells(philly.Row("", 40, ours, philly.CALIBRATED))[1:], philly.cells(
            philly.Row("", 40, ours, philly.PREDICTED))[1:2] + ("",))
        self.assertIn(" to ", philly.cells(philly.Row("", 40, ours, philly.CALIBRATED))[1])

    def test_jobs_killed_are_an_input_and_what_else_became_of_jobs_is_predicted(self):
        made = jobs([(1, 0, 0, 1, 1, 10), (1, 0, 0, 1, 1, 30)])
        made["status"], made["gpu_s"] = ["killed", "passed"], [10, 30]
        rows = {row.what: row for row in philly.status_rows([made])}
        self.assertEqual(rows["jobs killed"].kind, philly.INPUT)
        self.assertEqual(rows["jobs killed"].ours, [50])
        self.assertEqual({row.kind for what, row in rows.items() if what != "jobs killed"}, {philly.PREDICTED})

    def test_counts_and_run_times_of_trials_are_no_predictions(self):
        made = jobs([(1, 0, 0, 1, 1, 10)])
        made.attrs["failures"] = pd.DataFrame({"reason": ["Core dump", "CUDA failure"], "run_s": [30, 10]})
        rows = {row.what: row for row in philly.trial_rows([made])}
        self.assertEqual((rows["trials: Core dump"].kind, rows["trials: Core dump"].ours), (philly.INPUT, [50]))
        self.assertEqual((rows["run time of trials: Core dump"].kind, rows["run time of trials: Core dump"].ours), (philly.CALIBRATED, [75]))
        self.assertNotIn(philly.PREDICTED, {row.kind for row in rows.values()})

    def test_the_published_machine_stands_beside(self):
        calibrated = jobs([(16, 0, 0, 2, 1, 7), (16, 0, 0, 4, 0.5, 30)])
        published = jobs([(16, 0, 0, 2, 1, 7), (16, 0, 0, 4, 0.8, 30)])
        lines = philly.table("Utilization", philly.spread_rows([calibrated]), philly.spread_rows([published]))
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        self.assertEqual(cells[0][-2:], ["published machine", "95 % interval"])
        self.assertEqual({len(line) for line in cells}, {8})
        four = next(line for line in cells if "4 servers" in line[0])
        self.assertEqual((four[2], four[6]), ("21.8 %", "34.9 %"))

    def test_no_predicted_row_is_no_agreement(self):
        self.assertEqual(philly.agreement(0, 0), "No row is predicted.")
        self.assertEqual(philly.agreement(2, 5), "2 of 5 predicted rows agree.")

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
