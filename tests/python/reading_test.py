# SPDX-License-Identifier: MIT
"""Every table that the module reads is the one that `palstudy export` writes; profiles, and files that are neither."""
import io
import os
import subprocess
import sys
import unittest

import h5py
import numpy as np
import pandas as pd
from module_files import FOLDER, HAS_XARRAY, PROGRAM, ROOT, STATED, STUDY, export, make, palstudy, run


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.path = make()

    def test_frames_are_what_export_writes(self):
        with palstudy.open(self.path) as archive:
            for table in ("runs", "jobs", "rounds", "nodes"):
                wanted = pd.read_csv(io.StringIO(export(self.path, table)), float_precision="round_trip")
                got = archive.frame(table)
                self.assertEqual(list(got.columns), list(wanted.columns), table)
                for name in wanted:
                    if isinstance(got[name].dtype, pd.CategoricalDtype) or got[name].dtype == object:
                        self.assertEqual(
                            [str(one) for one in got[name]],
                            list(wanted[name].fillna("").astype(str)),
                            f"{table}.{name}",
                        )
                    else:
                        np.testing.assert_array_equal(
                            got[name].to_numpy(float), wanted[name].to_numpy(float), f"{table}.{name}"
                        )

    def test_what_the_study_states(self):
        with palstudy.open(self.path) as archive, h5py.File(self.path) as file:
            self.assertEqual((archive.license, archive.creator), ("CC-BY-4.0", "A. Author"))
            self.assertEqual(archive.study["study"]["creator"], "A. Author")
            self.assertIn("packed-sticky", file["runs/policy.placement"].attrs["flag_meanings"].decode().split())
            self.assertEqual(list(file["runs/policy.placement"].attrs["flag_values"]), [0, 1])
            self.assertIn(os.uname().nodename, archive.column("provenance/jobs", "binding")[0])
            if HAS_XARRAY:
                self.assertEqual(archive.dataset("runs").attrs["creator"], "A. Author")

    def test_notes_on_inputs(self):
        path = make("noted.h5", STATED + "\n[network]\noverlap = 0.5\n")
        with palstudy.open(path) as archive:
            [note] = archive.notes
            self.assertEqual(
                (note["id"], note["severity"], note["values"]), ("unused-key", "info", {"key": "network.overlap"})
            )
            text = note["text"]
        with h5py.File(path, "r+") as file:  # as palstudy 1.0.0 kept it
            del file["notes"]
            file.attrs["notes"] = [text]
        with palstudy.open(path) as archive:
            self.assertEqual(archive.notes, [{"id": "", "severity": "care", "subject": "", "values": {}, "text": text}])
        with palstudy.open(self.path) as archive:
            self.assertEqual(archive.notes, [])

    def test_events_with_their_gpus(self):
        wanted = [line.split(",") for line in export(self.path, "events").splitlines()[1:]]
        with palstudy.open(self.path) as archive:
            events, gpus = archive.frame("events"), archive.frame("events/gpu")["gpu"]
        got = [
            [
                str(row.run),
                row.kind,
                str(row.job),
                " ".join(map(str, gpus[row.gpu_begin : row.gpu_begin + row.gpu_count])),
            ]
            for row in events.itertuples()
        ]
        self.assertGreater(len(got), 4)
        self.assertEqual(got, [[run, kind, job, held] for run, _, kind, job, held in wanted])

    def test_codes_are_categoricals_whose_codes_are_those_of_the_file(self):
        with palstudy.open(self.path) as archive, h5py.File(self.path) as file:
            for table, name in (
                ("runs", "policy.placement"),
                ("jobs", "class"),
                ("jobs", "status"),
                ("events", "kind"),
            ):
                got = archive.column(table, name)
                self.assertIsInstance(got, pd.Categorical)
                np.testing.assert_array_equal(got.codes, file[table][name][:])

    def test_attributes_of_frames(self):
        jobs = palstudy.frame(self.path, "jobs")
        self.assertEqual(jobs.attrs["units"]["gpus"], "{GPU}")
        self.assertEqual(jobs.attrs["units"]["wait_s"], "s")
        self.assertIn("arrived", jobs.attrs["long_name"]["submit_s"])
        self.assertEqual(set(jobs.attrs["units"]), set(jobs.columns))

    def test_a_command_line_in_other_bytes(self):
        """A file may have a name that is not UTF-8, and stands in the command line as it was given."""
        name = os.fsdecode(b"caf\xe9.h5")
        with palstudy.open(make(name)) as archive:
            self.assertIn("caf\ufffd.h5", archive.attribute("command_line"))

    def test_rows_of_one_run(self):
        with palstudy.open(self.path) as archive:
            whole = archive.frame("jobs")
            for number in (0, 1):
                mine = archive.frame("jobs", run=number)
                self.assertEqual(len(mine), 3)
                self.assertTrue(mine.equals(whole[whole["run"] == number].reset_index(drop=True)))
            # A run that the archive lacks is a question without an answer, not one whose answer is empty.
            with self.assertRaisesRegex(palstudy.Error, "no run 7\n  its runs are 0 to 1"):
                archive.frame("jobs", run=7)

    @unittest.skipUnless(HAS_XARRAY, "no xarray")
    def test_datasets(self):
        with palstudy.open(self.path) as archive:
            jobs = archive.dataset("jobs")
            self.assertEqual(dict(jobs.sizes), {"row": 6})
            self.assertEqual(jobs["jct_s"].attrs["units"], "s")
            self.assertEqual(sorted(set(jobs["class"].values)), ["A", "B"])
            runs = archive.dataset("runs", ["run", "jct_mean_s"])
            self.assertEqual(float(runs["jct_mean_s"].sel(run=1)), archive.column("runs", "jct_mean_s")[1])

    def test_axes_and_the_study(self):
        path = make("axes.h5", STUDY + 'seed = { first = 1, count = 2 }\n"cluster.seed" = [1, 2]\n')
        with palstudy.open(path) as archive:
            self.assertEqual(archive.axes["seed"], [1, 2])
            self.assertEqual(sorted(archive.seeds), ["cluster.seed", "seed"])
            self.assertEqual(archive.study["network"]["penalty"], {"node": 1.0, "cabinet": 1.7, "cluster": 1.7})
            self.assertEqual(archive.attribute("study"), h5py.File(path).attrs["study"].decode())

    def test_failed_runs_are_missing(self):
        # Run 1 is marked by hand as one that failed.
        path = make("failed.h5")
        with h5py.File(path, "r+") as file:
            self.assertEqual([name.decode() for name in file["names/runs.status"][:]], ["done"])
            del file["names/runs.status"]
            file["names/runs.status"] = np.array([b"done", b"failed"])
            codes = file["runs/status"][:]
            codes[1] = 1
            file["runs/status"][:] = codes
        with palstudy.open(path) as archive:
            self.assertEqual(archive.missing_runs(), [1])

    def test_compare(self):
        gains = palstudy.compare(self.path, by=["class"], metric="jct_mean_s", program=PROGRAM)
        self.assertTrue(gains.equals(palstudy.compare(self.path, by="class", metric="jct_mean_s", program=PROGRAM)))
        self.assertEqual(set(gains["class"]), {"A", "B"})
        self.assertEqual(set(gains["value"]), {"pal"})
        self.assertEqual(gains.attrs["metrics"][0]["name"], "jct_mean_s")
        with self.assertRaisesRegex(palstudy.Error, "nosuch"):
            palstudy.compare(self.path, metric="nosuch", program=PROGRAM)

    def test_parquet(self):
        try:
            import pyarrow.parquet
        except ImportError:
            self.skipTest("no pyarrow")
        with palstudy.open(self.path) as archive:
            written = archive.to_parquet(FOLDER / "parquet")
            self.assertIn("events.gpu.parquet", [path.name for path in written])
            back = pyarrow.parquet.read_table(FOLDER / "parquet/jobs.parquet")
            self.assertTrue(back.to_pandas().equals(archive.frame("jobs")))
            self.assertEqual(back.schema.field("jct_s").metadata[b"units"], b"s")


class Files(unittest.TestCase):
    def test_a_profile(self):
        (FOLDER / "runs").mkdir()
        (FOLDER / "kernel.csv").write_text("gpu_id,host,local_gpu\ng0,n0,0\ng1,n0,1\n")
        (FOLDER / "runs/kernel.csv").write_text("gpu_id,time_ms\ng0,1.5\ng0,2\ng1,4\n")
        done = run(PROGRAM, FOLDER, "profile", "import", "kernel.csv", "-o", "imported.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        with palstudy.open(FOLDER / "imported.h5") as profile:
            self.assertEqual(list(profile.frame("kernels")["name"]), ["kernel"])
            self.assertEqual(list(profile.frame("gpus")["host"]), ["n0", "n0"])
            self.assertEqual(list(profile.frame("batches")["time_ms"]), [1.5, 2, 4])
            self.assertEqual(profile.frame("batches").attrs["units"]["time_ms"], "ms")

    def test_what_is_refused(self):
        (FOLDER / "text.h5").write_text("no HDF5\n")
        with h5py.File(FOLDER / "other.h5", "w") as file:
            file.attrs["schema"] = "another 1.0"
        (FOLDER / "folder").mkdir()
        for name, says in (
            ("none.h5", "no such file"),
            ("text.h5", "no HDF5 file"),
            ("folder", "is a folder"),
            ("other.h5", "another 1.0"),
        ):
            with self.assertRaisesRegex(palstudy.Error, says) as raised:
                palstudy.open(FOLDER / name)
            self.assertIn(name, str(raised.exception))
            self.assertNotIn("damaged", str(raised.exception))
        with palstudy.open(make()) as archive:
            with self.assertRaisesRegex(palstudy.Error, "no table delays"):
                archive.frame("delays")
            with self.assertRaisesRegex(palstudy.Error, "no column /jobs/nosuch\n  /jobs has run, job,"):
                archive.frame("jobs", ["nosuch"])
        # A column that the table should have is damage.
        path = make("lost.h5")
        with h5py.File(path, "r+") as file:
            del file["jobs/jct_s"]
        with palstudy.open(path) as archive, self.assertRaisesRegex(palstudy.Error, "/jobs/jct_s: cannot be read"):
            archive.column("jobs", "jct_s")

    def test_alone_beside_a_notebook(self):
        # Copied away from the source tree it finds the program on PATH.
        alone = FOLDER / "alone"
        alone.mkdir()
        (alone / "palstudy.py").write_bytes((ROOT / "python/palstudy.py").read_bytes())
        environment = {name: value for name, value in os.environ.items() if name != "PALSTUDY_PROGRAM"}
        environment["PATH"] = os.path.dirname(PROGRAM) + ":" + environment["PATH"]
        words = f"import palstudy; print(len(palstudy.compare({str(make())!r})))"
        done = subprocess.run(
            [sys.executable, "-c", words], cwd=alone, env=environment, capture_output=True, text=True, check=False
        )
        self.assertGreater(int(done.stdout or 0), 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
