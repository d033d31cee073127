# SPDX-License-Identifier: MIT
"""The figures of nodes that are powered off, and of tenants: against the sums of /power and /jobs, and jobs made up by hand."""
import json
import unittest

import numpy as np
import pandas as pd
from report_files import FOLDER, HERE, PROGRAM, archive, report, run
from report.archive import Archive
from report.figures import power
from report.figures.energy_by_slowdown import by_slowdown

ONE = ("--set", "seed=1", "--set", 'policy.order="fifo"', "--set", 'power.off="timer"', "--set", "power.spare=0")
HORIZON, NODES = 60000, 8  # of power.toml; the horizon is before the end of its runs


def power_archive(name, *options):
    path = FOLDER / name
    if not path.exists():
        done = run(PROGRAM, "run", HERE / "power.toml", "-o", path, *options)
        assert done.returncode == 0, done.stderr
    return path


def figures(name, *options):
    """The folder of the figures of an archive of power.toml."""
    done = report(power_archive(f"{name}.h5", *options), FOLDER / name)
    assert done.returncode == 0, done.stderr
    return FOLDER / name / "figures"


def up_to(table, column, end):
    """The integral of a step function from 0 to `end`."""
    at = np.append(np.minimum(table["time_s"], end), end)
    return float((table[column] * np.diff(at)).sum())


class NodesOn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = pd.read_csv(figures("one", *ONE) / "nodes-on.csv")
        with Archive(str(power_archive("one.h5"))) as found:
            cls.power = (
                found.table("power", ["state", "node_s"]).astype({"state": str}).groupby("state")["node_s"].sum()
            )

    def test_what_is_off_is_what_is_accounted(self):
        # Jobs start at once, so rows of /rounds are as exact as the account.
        off = self.power[["stopping", "off", "booting"]].sum()
        self.assertGreater(off, 0.3 * NODES * HORIZON)
        self.assertAlmostEqual(NODES * HORIZON - up_to(self.data, "on", HORIZON), off, places=3)

    def test_nodes_with_jobs_are_the_busy_ones(self):
        self.assertAlmostEqual(up_to(self.data, "in_use", HORIZON), self.power["busy"], places=3)
        self.assertTrue((self.data["in_use"] <= self.data["on"]).all(), "a job on a node that is not on")

    def test_wake_ups_are_the_times_at_which_a_node_comes_on(self):
        # None comes on at the instant at which another stops here.
        steps = self.data[self.data["time_s"] <= HORIZON]["on"].diff().fillna(0)
        made = pd.read_csv(FOLDER / "one/figures/wake-ups.csv")
        self.assertEqual(len(made), 1)
        self.assertAlmostEqual(made["wake_ups"][0], steps[steps > 0].sum() / NODES / (HORIZON / 86400), places=9)


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = figures("power")
        with Archive(str(power_archive("power.h5"))) as found:
            cls.runs, cls.jobs = found.runs, found.table("jobs", ["run", "tenant", "wait_s"]).astype({"tenant": str})

    def test_waits_by_tenant(self):
        made = pd.read_csv(self.folder / "queue-by-tenant.csv").set_index(["tenant", "policy"])
        self.assertEqual(len(made), 3 * 2)
        runs = self.runs[(self.runs["power.off"] == "none") & (self.runs["power.spare"] == 0)]
        for order in ("fifo", "fewest-gpus"):
            jobs = self.jobs[self.jobs["run"].isin(runs.index[runs["policy.order"] == order])]
            for tenant in ("vision", "speech", "search"):
                waits = jobs[jobs["tenant"] == tenant]["wait_s"]  # as many in each run, so the mean is that of all
                self.assertAlmostEqual(made.loc[(tenant, order), "hours"], waits.mean() / 3600, places=12)
                self.assertEqual(made.loc[(tenant, order), "jobs"], len(waits))
        self.assertGreater(made.loc[("search", "fifo"), "hours"], made.loc[("search", "fewest-gpus"), "hours"])

    def test_spare_nodes_are_woken_less_often_and_waited_for_less(self):
        timer = pd.read_csv(self.folder / "wake-ups.csv").query("`power.off` == 'timer'").set_index("power.spare")
        for column in ("wake_ups", "power_wait_s"):
            self.assertLess(timer.loc[2, column], timer.loc[0, column])

    def test_parameters_that_change_nothing_are_told_once(self):
        self.assertEqual(list(pd.read_csv(self.folder / "wake-ups.csv")["power.off"]), ["timer", "timer", "ces"])


class ByHand(unittest.TestCase):
    def test_under_a_cap_energy_is_in_proportion_to_the_slowdown(self):
        # Ten jobs of equal work at 300 W a GPU: two in each of five parts, at the mean slowdown of both.
        slowdown = np.array([1.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8])
        jobs = pd.DataFrame({"gpus": 2, "ideal_s": 100.0, "penalty_mean": 1.5, "slowdown_mean": slowdown})
        jobs["energy_j"] = 300 * jobs["gpus"] * jobs["ideal_s"] * jobs["penalty_mean"] * slowdown
        made = by_slowdown("A", jobs)
        self.assertEqual(list(made["jobs"]), [2] * 5)
        np.testing.assert_allclose(made["slowdown"], [1.05, 1.25, 1.45, 1.65, 1.85])
        np.testing.assert_allclose(made["wh"], 300 * made["slowdown"])

    def test_stretches_in_which_a_node_has_jobs(self):
        # Two jobs overlap on node 0 and a third begins as they end; node 1 has two with a pause between them.
        stays = pd.DataFrame(
            [[0, 0, 10], [0, 5, 20], [0, 20, 30], [1, 0, 4], [1, 6, 8]], columns=["node", "from_s", "to_s"]
        )
        made = power.busy_times(stays)
        self.assertEqual(made.to_numpy().tolist(), [[0, 0, 30], [1, 0, 4], [1, 6, 8]])
        at = np.array([0, 4, 6, 8, 29, 30])
        self.assertEqual(list(power.present(made["from_s"], made["to_s"], at)), [2, 1, 2, 1, 1, 0])


class Missing(unittest.TestCase):
    def test_each_says_what_it_needs(self):
        self.left_out(
            archive(),
            "plain",
            {
                "nodes-on": "no run powers nodes off",
                "wake-ups": "energy was not accounted",
                "energy-by-slowdown": "energy was not accounted",
                "queue-by-tenant": "not of several tenants",
            },
        )
        at_once = power_archive("at-once.h5", *ONE, "--set", "power.boot_s=0")
        self.left_out(at_once, "at-once", {"nodes-on": "power.boot_s = 0", "wake-ups": "power.boot_s = 0"})
        bare = power_archive("bare.h5", *ONE, "--set", "output.jobs=false", "--set", "output.events=false")
        self.left_out(
            bare,
            "bare",
            {
                "nodes-on": "no table /events",
                "energy-by-slowdown": "no table /jobs",
                "queue-by-tenant": "no table /jobs",
            },
        )

    def test_utilization_where_nodes_are_off(self):
        # The GPUs of nodes that are off are not free; they must not be drawn as if jobs held them.
        self.left_out(
            power_archive("one.h5", *ONE), "one-utilization", {"utilization": "nodes are off or down in these runs"}
        )
        self.assertTrue((figures("power") / "utilization.csv").exists(), "its first runs power nothing off")

    def left_out(self, path, folder, expected):
        done = report(path, folder, *(word for name in expected for word in ("--only", name)))
        self.assertNotEqual(done.stderr, "")
        for name, why in expected.items():
            self.assertRegex(done.stderr, rf"{name}: [^\n]*{why}")
            self.assertFalse((FOLDER / folder / "figures" / f"{name}.csv").exists())

    def test_the_usual_time_to_boot_is_the_default_of_the_key(self):
        keys = {row["key"]: row["default"] for row in json.loads(run(PROGRAM, "list", "keys", "--json").stdout)}
        self.assertEqual(keys["power.boot_s"], f"{power.USUAL_BOOT_S:g}, where power.off is given")


if __name__ == "__main__":
    unittest.main()
