# SPDX-License-Identifier: MIT
"""The figure of prediction errors: gains of an order by predicted durations, beside orders that use none."""
import unittest

import numpy as np
import pandas as pd
from report_files import FOLDER, HERE, PROGRAM, report, run


def archive(name, *options):
    path = FOLDER / name
    done = run(PROGRAM, "run", HERE / "prediction-error.toml", "-o", path, *options)
    assert done.returncode == 0, done.stderr
    return path


class PredictionError(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.path = archive("predictions.h5")
        done = report(cls.path, FOLDER / "predictions")
        assert done.returncode == 0, done.stderr
        cls.data = pd.read_csv(FOLDER / "predictions/figures/prediction-error.csv")

    def jct(self, order, sigma, backfill):
        """Mean completion times of the eight runs, by seed."""
        from report.archive import Archive

        with Archive(str(self.path)) as found:
            runs = found.runs
        chosen = (
            (runs["policy.order"] == order)
            & (runs["workload.predictor_sigma"] == sigma)
            & (runs["policy.backfill"] == backfill)
        )
        return runs[chosen].sort_values("seed")["jct_mean_s"].to_numpy()

    def test_every_line_is_there(self):
        # At two errors and two backfills fewest-gpus and qssf over fifo, and qssf over fewest-gpus.
        self.assertEqual(len(self.data), 3 * 2 * 2)
        self.assertEqual(set(self.data["baseline"]), {"fifo", "fewest-gpus"})

    def test_changes_are_geometric_means_of_ratios_less_one(self):
        for _, row in self.data.iterrows():
            at = row["workload.predictor_sigma"], row["policy.backfill"]
            ratios = self.jct(row["policy"], *at) / self.jct(row["baseline"], *at)
            self.assertEqual(len(ratios), 8)
            self.assertAlmostEqual(row["change"], np.exp(np.log(ratios).mean()) - 1, places=9)

    def test_orders_without_predictions_are_level(self):
        for _, line in self.data[self.data["policy"] != "qssf"].groupby(["baseline", "policy", "policy.backfill"]):
            self.assertEqual(line["change"].nunique(), 1)
        ours = self.data[(self.data["policy"] == "qssf") & (self.data["policy.backfill"] == "none")]
        self.assertGreater(ours["change"].nunique(), 2, "errors change nothing in this study: choose another")

    def test_the_command_beside_it_prints_the_same(self):
        page = (FOLDER / "predictions/index.html").read_text(encoding="utf-8")
        self.assertIn("--against policy.order=fewest-gpus --by policy.backfill --by workload.predictor_sigma", page)

    def test_left_out_where_there_is_no_error_to_vary(self):
        done = report(
            archive("one-error.h5", "--set", "workload.predictor_sigma=1", "--set", "seed=1"), FOLDER / "one-error"
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((FOLDER / "one-error/figures/prediction-error.csv").exists())
        self.assertIn("no axis workload.predictor_sigma", (FOLDER / "one-error/index.html").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
