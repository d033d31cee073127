# SPDX-License-Identifier: MIT
"""What the report refuses, with which exit code, in at most six lines that say where; and it leaves nothing behind."""
import os
import unittest

import h5py
from report_files import FOLDER, REPORT, archive, report, run


class Refusals(unittest.TestCase):
    def refused(self, code, path, *says, options=()):
        done = report(path, "refused", *options)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertTrue(done.stderr.startswith("palstudy-report: "), done.stderr)
        self.assertLessEqual(done.stderr.count("\n"), 6)
        self.assertNotIn("Traceback", done.stderr)
        for words in says:
            self.assertIn(words, done.stderr)
        self.assertFalse((FOLDER / "refused").exists())

    def changed(self, name, change):
        path = FOLDER / name
        path.write_bytes(change(bytearray(archive().read_bytes())))
        return path

    def test_no_such_file(self):
        self.refused(3, FOLDER / "none.h5", "none.h5: there is no such file")

    def test_what_the_archive_has_not(self):
        self.refused(2, archive(), "nosuch", "jct_mean_s", options=("--metric", "nosuch"))
        self.refused(2, archive(), "nonsense", "policy.placement", options=("--at", "nonsense=1"))
        self.refused(2, archive(), "99999", "--run", options=("--run", "99999"))
        # A page without the gains that were asked for would look like one of a study that has none.
        self.refused(
            2, archive(), '--baseline: the archive has no placement "x"', "it has pal", options=("--baseline", "x")
        )

    def test_standard_output_that_is_full_or_closed(self):
        # A full disk is said; a reader that has seen enough is no error.
        done = run("bash", "-c", '"$0" --list >/dev/full; echo $?; "$0" --list | true; echo ${PIPESTATUS[0]}', REPORT)
        self.assertEqual(done.stdout.split(), ["3", "0"])
        self.assertRegex(done.stderr, r"\Apalstudy-report: standard output: .*\n  make room.*\n\Z")

    def test_a_figure_that_was_asked_for_and_is_not_there(self):
        # The terminal says why, as the page does; without any figure there is no page.
        bare = archive("bare.h5", "--set", "output.events=false")
        self.refused(3, bare, "--only: gantt: ", "/events", "output.events = true", options=("--only", "gantt"))
        done = report(bare, "some", "--only", "gantt", "--only", "gains")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--only: gantt: the archive has no table /events", done.stderr)
        self.assertNotIn("gains", done.stderr)
        self.assertIn("1 left out; the page says why", done.stdout)

    def test_a_full_disk_leaves_no_torn_file(self):
        # A file-size limit stands for it. What is there is whole: an SVG and a PDF end as such files do.
        for kib in (8, 24):
            done = run("bash", "-c", f'ulimit -f {kib}; exec "$@"', "bash", REPORT, archive(), "-o", f"full-{kib}")
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("cannot be written (File too large)", done.stderr)
            self.assertNotIn("Traceback", done.stderr)
            for path in (FOLDER / f"full-{kib}").rglob("*.*"):
                end = {".svg": b"</svg>", ".pdf": b"%%EOF", ".csv": b""}[path.suffix]
                self.assertTrue(path.read_bytes().rstrip().endswith(end), path)

    def test_files_of_others_are_kept(self):
        # A folder that holds a page of something else.
        (FOLDER / "site").mkdir()
        (FOLDER / "site/index.html").write_text("precious", encoding="utf-8")
        told = report(archive(), "site", "--only", "gains")
        self.assertEqual(told.returncode, 2, told.stderr)
        self.assertRegex(
            told.stderr,
            "site/index.html: is there and no page of palstudy-report, so it is not replaced\n  name another with -o",
        )
        self.assertEqual((FOLDER / "site/index.html").read_text(encoding="utf-8"), "precious")
        self.assertEqual(os.listdir(FOLDER / "site"), ["index.html"])
        # One of its own is replaced.
        for _ in range(2):
            self.assertEqual(report(archive(), "twice", "--only", "gains").returncode, 0)

    def test_no_hdf5(self):
        self.refused(3, self.changed("text.h5", lambda _: b"run,id,status\n"), "text.h5")

    def test_cut_short(self):
        self.refused(3, self.changed("short.h5", lambda data: data[: len(data) // 2]), "short.h5", "palstudy verify")

    def test_damaged_anywhere(self):
        # A byte in each of 12 places is flipped: the report is refused with 3, or what was hit is not read by it.
        data = archive().read_bytes()
        for place in range(0, len(data), len(data) // 12):
            path = FOLDER / "flipped.h5"
            path.write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
            done = report(path, f"flipped-{place}", "--only", "jct-distribution")
            self.assertIn(done.returncode, (0, 3), f"byte {place}: {done.stderr}")
            self.assertNotIn("Traceback", done.stderr)
            if done.returncode == 3:
                self.assertIn("flipped.h5", done.stderr)

    def test_a_damaged_column(self):
        # The checksum of a chunk of /jobs/jct_s no longer holds; that column is named.
        with h5py.File(archive(), "r") as file:
            chunk = file["jobs/jct_s"].id.get_chunk_info(0)

        def flip(data):
            data[chunk.byte_offset + chunk.size // 2] ^= 0xFF
            return data

        self.refused(3, self.changed("column.h5", flip), "/jobs/jct_s")

    def test_another_schema(self):
        path = self.changed("other.h5", lambda data: data)
        with h5py.File(path, "r+") as file:
            file.attrs["schema"] = "palstudy-profile 1.0.0"
        self.refused(3, path, "palstudy-profile")

    def test_usage(self):
        self.refused(2, archive(), "gantt", options=["--only", "gant"])
        self.refused(2, archive(), "--at", options=["--at", "seed"])
        self.refused(2, archive(), "--help", options=["--wrong"])
        self.refused(2, archive(), "no-program", options=["--palstudy", "no-program"])

    def test_an_output_that_is_a_file(self):
        (FOLDER / "taken").write_text("mine\n", encoding="utf-8")
        done = report(archive(), "taken")
        self.assertEqual(done.returncode, 2)
        self.assertEqual((FOLDER / "taken").read_text(encoding="utf-8"), "mine\n")

    def test_an_output_that_cannot_be_written(self):
        if os.geteuid() == 0:
            target = "/proc/report"
        else:
            (FOLDER / "locked").mkdir(mode=0o500)
            target = "locked/report"
        done = report(archive(), target, "--only", "gains")
        self.assertEqual(done.returncode, 3, done.stderr)


if __name__ == "__main__":
    unittest.main()
