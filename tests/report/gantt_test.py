# SPDX-License-Identifier: MIT
"""From events to bars, by hand and as a property of a whole run: what jobs held on GPUs is what the archive says they held."""
import unittest

import numpy as np
import pandas as pd
import report_files
from report.archive import Archive
from report.gantt_bars import bars, segments


def events(*rows):
    """(time, kind, job, GPUs) -> the tables of the archive."""
    gpus = np.array([gpu for row in rows for gpu in row[3]], dtype=int)
    counts = [len(row[3]) for row in rows]
    return (
        pd.DataFrame(
            {
                "time_s": [float(row[0]) for row in rows],
                "kind": [row[1] for row in rows],
                "job": [row[2] for row in rows],
                "gpu_begin": np.cumsum([0, *counts[:-1]]),
                "gpu_count": counts,
            }
        ),
        gpus,
    )


class Bars(unittest.TestCase):
    def test_a_move_keeps_what_both_sets_have(self):
        # Job 7 holds 0, 1, 2 from 0 on and moves at 10 to 1, 2, 5: GPUs 1 and 2 are one stay until it ends at 30.
        found = bars(
            segments(*events((0, "launch", 7, [0, 1, 2]), (10, "launch", 7, [1, 2, 5]), (30, "finish", 7, [1, 2, 5])))
        )
        self.assertEqual(
            [tuple(row) for row in found.to_numpy()], [(7, 0, 1, 0, 10), (7, 1, 2, 0, 30), (7, 5, 1, 10, 30)]
        )

    def test_a_stop_ends_the_stay(self):
        found = bars(
            segments(*events((0, "launch", 1, [3]), (5, "stop", 1, [3]), (9, "launch", 1, [3]), (12, "finish", 1, [3])))
        )
        self.assertEqual([tuple(row) for row in found.to_numpy()], [(1, 3, 1, 0, 5), (1, 3, 1, 9, 12)])

    def test_who_has_not_finished_stays_to_the_end(self):
        found = bars(segments(*events((0, "launch", 1, [0]), (4, "launch", 2, [1]), (8, "finish", 2, [1]))))
        self.assertEqual([tuple(row) for row in found.to_numpy()], [(1, 0, 1, 0, 8), (2, 1, 1, 4, 8)])

    def test_gpu_seconds_and_no_overlap(self):
        # In a whole run: the GPU-seconds of a job's bars are gpus x exec_s, and no GPU is in two bars at a time.
        archive = Archive(report_files.archive())
        table = archive.table("events", ["time_s", "kind", "job", "gpu_begin", "gpu_count"], 1)
        table["gpu_begin"] -= table["gpu_begin"].iloc[0]
        first = int(archive.table("events", ["gpu_begin"], 1).iloc[0, 0])
        stays = segments(table, archive.column("events", "gpu", slice(first, first + int(table["gpu_count"].sum()))))
        held = (stays["to_s"] - stays["from_s"]).groupby(stays["job"]).sum()
        jobs = archive.table("jobs", ["job", "gpus", "exec_s"], 1).set_index("job")
        np.testing.assert_allclose(held.sort_index(), (jobs["gpus"] * jobs["exec_s"]).loc[held.sort_index().index])
        for _, mine in stays[stays["to_s"] > stays["from_s"]].sort_values("from_s").groupby("gpu"):
            self.assertTrue((mine["from_s"].to_numpy()[1:] >= mine["to_s"].to_numpy()[:-1]).all())


if __name__ == "__main__":
    unittest.main()
