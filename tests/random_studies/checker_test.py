# SPDX-License-Identifier: MIT
"""Each rule of the checker fires on an archive in which its kind of fault was planted, and none on the archive as it is."""
from __future__ import annotations

import pathlib
import shutil
import sys
import tempfile
import typing
import unittest

import h5py
import numpy as np

from archive import Archive
from checker import NEED_EVENTS, NEED_JOBS, check
from program import Program
from registry import Registry
import rules_tables
from study import File, Study

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "palstudy"
Fault = typing.Callable[[h5py.File], None]


def busy_study() -> Study:
    """Failures, tenants, energy and an outage, on a machine that is full, so that every table has rows."""
    rows = [f"{i},{60 * (i % 7)},{1 + i % 5},{300 + 70 * i},1.0,A,{'ab'[i % 2]}" for i in range(24)]
    slow = [f"{gpu},{gpu // 4},A,{1 + gpu / 20}" for gpu in range(16)]
    failures = (pathlib.Path(__file__).resolve().parents[2] / "jobs" / "failures" / "philly.csv").read_text(
        encoding="utf-8"
    )
    values = {
        "cluster.gpus": 16,
        "cluster.table": "cluster.csv",
        "workload.trace": "jobs.csv",
        "workload.reader": "native",
        "output.events": True,
        "output.rounds": True,
        "failures.model": "failures.csv",
        "failures.scale": 1.5,
        "policy.placement": "packed-sticky",
        "policy.backfill": "greedy",
        "tenants.gpus": {"a": 4, "b": 12},
        "tenants.preempt_occupancy": 0.1,
        "power.account": True,
        "power.watts": "watts.csv",
        "power.horizon_s": 1e5,
        "seed": 3,
    }
    files = {
        "jobs.csv": File("job_id,submit_s,num_gpus,iterations,iteration_s,class,tenant\n", rows, "\n"),
        "cluster.csv": File("gpu_id,node_id,class,score\n", slow, "\n"),
        "failures.csv": File(failures, []),
        "watts.csv": File("name,kind,watts,exponent\n", ["A,capped,300,", "idle,idle,44,"], "\n"),
    }
    return Study(values, {}, files)


def outage_study() -> Study:
    """Beside the outage a queue of two nodes for the jobs of one GPU, jobs that come after the first, and an array."""
    study = busy_study()
    study.values = {
        key: value for key, value in study.values.items() if not key.startswith(("tenants", "power", "failures"))
    }
    study.values["cluster.outages"] = "outages.csv"
    study.values |= {"policy.backfill": "slurm", "slurm.queues": "queues.csv"}
    study.files["queues.csv"] = File("queue,nodes\n", ["main,", "narrow,2-3"], "\n")
    jobs = study.files["jobs.csv"]
    narrow = [
        row + (",narrow" if row.split(",")[2] == "1" else ",") + (",0,a%2" if number % 4 == 3 else ",,")
        for number, row in enumerate(jobs.rows)
    ]
    study.files["jobs.csv"] = File(jobs.head.replace("tenant\n", "tenant,queue,after,array\n"), narrow, "\n")
    study.files["outages.csv"] = File("node,from_s,to_s,kind\n", ["0,700,4000,down", "1,700,4000,drain"], "\n")
    return study


def set_in(path: str, row: int, value: float) -> Fault:
    def plant(file: h5py.File) -> None:
        file[path][row] = value

    return plant


def first(kind: str, after: int = 0) -> typing.Callable[[h5py.File], int]:
    """The row of the first event of a kind."""

    def find(file: h5py.File) -> int:
        names = [name.decode() for name in file["names/events.kind"][()]]
        return int(np.flatnonzero(file["events/kind"][()] == names.index(kind))[after])

    return find


def other_gpu(file: h5py.File) -> None:
    """A launch takes the GPUs of one that has just been launched."""
    launch = first("launch")(file)
    begin, later = file["events/gpu_begin"][launch], file["events/gpu_begin"][launch + 1]
    file["events/gpu"][later] = file["events/gpu"][begin]


def swapped_events(file: h5py.File) -> None:
    for name in ("time_s", "job", "kind", "gpu_begin", "gpu_count"):
        column = file["events/" + name]
        column[0], column[len(column) - 1] = column[len(column) - 1], column[0]


def second_finish(file: h5py.File) -> None:
    """The second finish is of the job of the first."""
    file["events/job"][first("finish", 1)(file)] = file["events/job"][first("finish")(file)]


def wider(file: h5py.File) -> None:
    file["jobs/gpus"][3] += 1


def elsewhere(file: h5py.File) -> None:
    """The first job is said to be of another partition."""
    file["nodes/partition"][:] = np.arange(len(file["nodes/partition"]))


def on_node_0(file: h5py.File) -> None:
    """All launches are said to be on it, also after it went down."""
    begins = file["events/gpu_begin"][()]
    names = [name.decode() for name in file["names/events.kind"][()]]
    for row in np.flatnonzero(file["events/kind"][()] == names.index("launch")):
        file["events/gpu"][begins[row]] = 0


def first_finishes_last(file: h5py.File) -> None:
    """Job 0 is said to have gone on to the end."""
    names = [name.decode() for name in file["names/events.kind"][()]]
    finish = (file["events/kind"][()] == names.index("finish")) & (file["events/job"][()] == 0)
    file["events/time_s"][int(np.flatnonzero(finish)[0])] = 1e9


def of_array(file: h5py.File) -> None:
    """The first four launches are said to be of tasks of the array."""
    names = [name.decode() for name in file["names/events.kind"][()]]
    launches = np.flatnonzero(file["events/kind"][()] == names.index("launch"))
    for row, job in zip(launches, (3, 7, 11, 15)):
        file["events/job"][int(row)] = job


def add(path: str, row: int, amount: float) -> Fault:
    def plant(file: h5py.File) -> None:
        file[path][row] += amount

    return plant


def wrong_status(file: h5py.File) -> None:
    names = [name.decode() for name in file["names/jobs.status"][()]]
    file["jobs/finish_s"][5] = np.nan
    assert names


def lost_more(file: h5py.File) -> None:
    """Every failure lost a second more."""
    file["failures/lost_s"][:] = file["failures/lost_s"][()] + 1


# For each rule a fault that it sees, and whether it is planted in the archive with the outage.
FAULTS: dict[str, tuple[Fault, bool]] = {
    "events_in_order": (swapped_events, False),
    "gpus_held_once": (other_gpu, False),
    "life_of_jobs": (second_finish, False),
    "widths": (wider, False),
    "inside_partitions": (elsewhere, False),
    "nodes_are_up": (on_node_0, True),
    "nodes_of_queues": (on_node_0, True),
    "jobs_before_are_over": (first_finishes_last, True),
    "few_tasks_at_once": (of_array, True),
    "times_add_up": (add("jobs/wait_s", 2, 1.0), False),
    "status_fits": (wrong_status, False),
    "rows_tell_events": (add("jobs/start_s", 2, 1.0), False),
    "counts_tell_events": (add("jobs/migrations", 1, 1), False),
    "conserved": (add("runs/jobs_unfinished", 0, 1), False),
    "means_of_rows": (add("runs/jct_mean_s", 0, 0.001), False),
    "counts_of_rows": (add("runs/preemptions", 0, 1), False),
    "fractions": (set_in("runs/busy_fraction", 0, 1.2), False),
    "node_seconds": (add("nodes/busy_s", 0, 1.0), False),
    "rounds_tell_events": (add("rounds/queued", 2, 1), False),
    "delays_within_waits": (add("delays/fair_share_s", 4, 1e6), False),
    "failures_add_up": (lost_more, False),
    "energies_add_up": (add("power/energy_j", 0, 10.0), False),
    "numbers_are_numbers": (set_in("jobs/ideal_s", 1, np.nan), False),
    "work_is_done": (add("jobs/ideal_s", 1, 0.1), True),
    "energy_of_run": (add("runs/energy_j", 0, 10.0), False),
}


class EachRule(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]
    known: Registry

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.known = Registry(PROGRAM)
        for name, study in (("busy", busy_study()), ("outage", outage_study())):
            folder = pathlib.Path(cls.folder.name) / name
            study.write(folder)
            ended = Program(PROGRAM).run("a.h5", cwd=folder)
            assert ended.code == 0, ended.err

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def archive(self, outage: bool) -> pathlib.Path:
        return pathlib.Path(self.folder.name) / ("outage" if outage else "busy") / "a.h5"

    def test_sound_archives_pass(self) -> None:
        for outage in (False, True):
            self.assertEqual(check(self.archive(outage), self.known), [])

    def test_the_archive_has_what_rules_look_at(self) -> None:
        archive = Archive(self.archive(False))
        self.assertGreater(int(archive.runs["preemptions"][0]), 0)
        for table in ("events", "rounds", "delays", "failures", "power"):
            self.assertIn(table, archive.tables)

    def test_every_rule_has_a_fault(self) -> None:
        self.assertEqual({rule.__name__ for rule in (*NEED_EVENTS, *NEED_JOBS, *rules_tables.RULES)}, set(FAULTS))

    def test_every_fault_is_found_by_its_rule(self) -> None:
        for rule, (plant, outage) in FAULTS.items():
            with self.subTest(rule=rule):
                sound = self.archive(outage)
                copy = sound.with_name("faulty.h5")
                shutil.copy(sound, copy)
                with h5py.File(copy, "r+") as file:
                    plant(file)
                self.assertIn(rule, {finding.rule for finding in check(copy, self.known)})


if __name__ == "__main__":
    unittest.main()
