# SPDX-License-Identifier: MIT
"""The tables of scripts/philly_tables.py, from jobs that are made up by hand; and the figures of a short run under Philly's rules."""
import json
import math
import sys
import unittest

from report_files import FOLDER, PROGRAM, ROOT, archive, report, run
import h5py
import pandas as pd
from report.archive import Archive
from report.errors import ReportError
from report.figures.slow_gpus import SIZES

sys.path.append(str(ROOT / "scripts"))
import philly_tables  # noqa: E402  (the path comes first)


def jobs(rows):
    """(gpus, fair_share_s, fragmented_s, nodes, speed, exec_s) each."""
    table = pd.DataFrame(rows, columns=["gpus", "fair_share_s", "fragmented_s", "nodes_mean", "speed", "exec_s"])
    table["wait_s"] = table["fair_share_s"] + table["fragmented_s"]
    return table


class Tables(unittest.TestCase):
    def test_a_job_is_delayed_by_its_longer_cause(self):
        # Of four jobs of 2 to 4 GPUs one never waited; of the three others one waited longer for its share.
        made = jobs(
            [(2, 30, 10, 1, 1, 1), (4, 10, 30, 1, 1, 1), (3, 0, 30, 1, 1, 1), (2, 0, 0, 1, 1, 1), (8, 30, 0, 1, 1, 1)]
        )
        self.assertAlmostEqual(philly_tables.fragmented(made, 2, 4), 2 / 3)
        self.assertAlmostEqual(philly_tables.fragmented(made, 5, 8), 0)
        self.assertTrue(math.isnan(philly_tables.fragmented(made, 9, 99)))

    def test_what_spread_costs_is_weighted_by_time(self):
        # On 4 servers half as fast as on 2: one job for 30 s at 0.4, one for 10 s at 0.8. None ran on 8.
        made = jobs([(16, 0, 0, 2, 1, 7), (16, 0, 0, 4, 0.4, 30), (16, 0, 0, 3.6, 0.8, 10), (8, 0, 0, 4, 0.1, 5)])
        self.assertAlmostEqual(philly_tables.speed_on(made, 4), 0.5)
        self.assertEqual(philly_tables.entry([made], philly_tables.speed_on, 8)["mean"], None)

    def test_eight_replications_have_an_interval(self):
        values = iter((*range(36, 44), *range(7)))
        eight = philly_tables.entry([jobs([])] * 8, lambda _: next(values))
        self.assertTrue(eight["low"] < eight["mean"] == 39.5 < eight["high"])
        self.assertEqual(
            philly_tables.entry([jobs([])] * 7, lambda _: next(values)), {"mean": 3, "low": None, "high": None}
        )

    def test_what_became_of_jobs_is_counted_by_jobs_and_by_gpu_time(self):
        made = jobs([(1, 0, 0, 1, 1, 10), (1, 0, 0, 1, 1, 30)])
        made["status"], made["gpu_s"] = ["killed", "passed"], [10, 30]
        self.assertEqual(philly_tables.ended(made, "killed", None), 0.5)
        self.assertEqual(philly_tables.ended(made, "killed", "gpu_s"), 0.25)

    def test_attempts_are_counted_by_reason_and_by_run_time(self):
        made = jobs([(1, 0, 0, 1, 1, 10)])
        made.attrs["failures"] = pd.DataFrame({"reason": ["Core dump", "CUDA failure"], "run_s": [30, 10]})
        self.assertEqual(philly_tables.failed(made, "Core dump", None), 0.5)
        self.assertEqual(philly_tables.failed(made, "Core dump", "run_s"), 0.75)

    def test_where_a_job_was_is_a_power_of_two(self):
        made = jobs([(8, 0, 0, nodes, 1, 1) for nodes in (1, 1.2, 3, 6, 9)])
        self.assertEqual(list(philly_tables.servers(made)), [1, 1, 4, 8, 8])


class Archives(unittest.TestCase):
    def test_seeds_that_draw_from_one_trace_are_no_replications(self):
        # Intervals over such seeds, as if each were another workload, would be too narrow: the tables refuse the archive.
        class Of:
            runs, seeds = pd.DataFrame({"run": [0]}), ["seed"]

            def setting(self, key, run):
                return "days" if key == "workload.resample" else ""

        with self.assertRaisesRegex(ReportError, "draws days of one trace"):
            philly_tables.need_independent_seeds(Of(), "a.h5")
        Of.setting, Of.seeds = (lambda *_: "none"), ["cluster.seed", "workload.seed"]
        with self.assertRaisesRegex(ReportError, "crossed seeds"):
            philly_tables.need_independent_seeds(Of(), "a.h5")
        Of.seeds = ["seed"]
        philly_tables.need_independent_seeds(Of(), "a.h5")

    def test_an_archive_that_resamples_is_refused(self):
        path = archive("resampled.h5")
        with h5py.File(path, "r+") as file:
            file.attrs["study"] = file.attrs["study"].replace(b"[workload]\n", b'[workload]\nresample = "days"\n')
        with self.assertRaisesRegex(ReportError, "resampled.h5: draws days of one trace"):
            philly_tables.runs_of(path, {})


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # A seed of experiments/philly.toml, of which two days are measured.
        cls.path = FOLDER / "tenants.h5"
        done = run(
            PROGRAM,
            "run",
            ROOT / "experiments/philly.toml",
            "-o",
            cls.path,
            "--set",
            "seed=1",
            "--set",
            "measure.window_s=172800",
        )
        assert done.returncode == 0, done.stderr
        done = report(
            cls.path,
            "tenants",
            *(word for name in ("delays", "outcomes", "failures", "causes") for word in ("--only", name)),
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr

    def data(self, name):
        return pd.read_csv(FOLDER / f"tenants/figures/{name}.csv")

    def test_why_jobs_waited(self):
        # Hours by cause and size, against the rows of the archive: the hours of all sizes together are the jobs' whole wait.
        with Archive(self.path) as file:
            jobs, delays = file.table("jobs", ["gpus", "measured"]), file.table(
                "delays", ["fair_share_s", "fragmentation_s"]
            )
        measured = jobs["measured"] == 1
        table = self.data("delays")
        for cause in ("fair_share_s", "fragmentation_s"):
            mine = table[table["cause"] == cause]
            self.assertAlmostEqual(
                (mine["hours"] * mine["jobs"]).sum() * 3600 / delays[measured][cause].sum(), 1, places=9
            )
        single = table[(table["size"] == "1 GPU") & (table["cause"] == "fair_share_s")].iloc[0]
        self.assertAlmostEqual(
            single["hours"], delays[measured & (jobs["gpus"] == 1)]["fair_share_s"].mean() / 3600, places=9
        )
        fewest = table.loc[table["jobs"].idxmin()]
        page = (FOLDER / "tenants/index.html").read_text(encoding="utf-8")
        self.assertRegex(
            page, f"the fewest, {fewest['jobs']:,} jobs?, are behind the bar &quot;{fewest['size']}( GPUs)?&quot;"
        )
        self.assertEqual(
            list(dict.fromkeys(table["size"])), [name for _, _, name in SIZES if name in set(table["size"])]
        )

    def test_what_became_of_jobs_is_what_compare_says(self):
        told = json.loads(run(PROGRAM, "compare", self.path, "--metric", "outcomes", "--json").stdout)["groups"][0][
            "means"
        ]
        found = self.data("outcomes").set_index("metric")["share"]
        self.assertEqual({row["metric"] for row in told}, set(found.index))
        for row in told:
            self.assertAlmostEqual(found[row["metric"]], row["mean"], places=9)

    def test_why_attempts_failed(self):
        with Archive(self.path) as file:
            jobs, failures = file.table("jobs", ["job", "measured"]), file.table("failures", ["job", "reason", "run_s"])
        mine = failures[
            failures["job"].isin(jobs["job"][jobs["measured"] == 1]) & (failures["reason"] != "Job preempted")
        ]
        table = self.data("failures").set_index("reason")
        self.assertAlmostEqual(table["attempts"].sum(), 1)
        self.assertAlmostEqual(table["run_time"].sum(), 1)
        self.assertAlmostEqual(table.loc["Core dump", "attempts"], (mine["reason"] == "Core dump").mean(), places=9)
        self.assertTrue(table["attempts"].is_monotonic_decreasing)

    def test_all_four_are_on_the_page(self):
        text = (FOLDER / "tenants/index.html").read_text(encoding="utf-8")
        for name in ("causes", "delays", "outcomes", "failures"):
            self.assertIn(f'<figure id="{name}">', text)
        self.assertNotIn("for each policy", text)  # there is one


if __name__ == "__main__":
    unittest.main()
