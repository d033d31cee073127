# SPDX-License-Identifier: MIT
"""The drawing of studies: the same on every machine, of all that the program declares, and seldom refused."""
from __future__ import annotations

import collections
import pathlib
import random
import sys
import tempfile
import unittest

import hints
import random_studies
import traces
from acceptance import accept
from draw import WHOLE, draw
from program import Program
from registry import Registry
from shrink import smallest
from study import File, Study
from values import draw_value

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "palstudy"
STUDIES = 400
NEED_A_PROFILE = {
    "network.penalty",
    "policy.locality",
    "network.profile",
    "cluster.hosts",
}  # one with measured transfers, or with the hosts of a slurm.conf, which no file here is


class Drawing(unittest.TestCase):
    registry: Registry

    @classmethod
    def setUpClass(cls) -> None:
        cls.registry = Registry(PROGRAM)

    def test_a_seed_and_an_index_make_one_study(self) -> None:
        one, again = draw(self.registry, "seed", 3).study, draw(self.registry, "seed", 3).study
        self.assertEqual(one, again)
        self.assertNotEqual(one.text(), draw(self.registry, "seed", 4).study.text())

    def test_every_key_and_every_choice_is_drawn(self) -> None:
        keys: collections.Counter[str] = collections.Counter()
        things: set[tuple[str, str]] = set()
        for index in range(STUDIES):
            study = draw(self.registry, "coverage", index).study
            keys.update([*study.values, *study.axes])
            for key, value in study.values.items():
                things.add((key, str(value)))
            for key, values in study.axes.items():
                things |= {(key, str(value)) for value in (values if isinstance(values, list) else [])}
        rare = {"study", "stop", "compare"}
        wanted = [
            key for key in self.registry.keys.values() if key.section not in rare and key.name not in NEED_A_PROFILE
        ]
        self.assertEqual(
            [key.name for key in wanted if not keys[key.name] and key.name not in ("engine.checkpoint_s",)], []
        )
        missing = [
            (key.name, choice)
            for key in wanted
            if key.name not in self.registry.conditional
            for choice in key.choices
            if (key.name, choice) not in things
        ]
        self.assertEqual([one for one in missing if len(self.registry.keys[one[0]].choices) > 2], [])

    def test_values_are_in_their_range(self) -> None:
        for key in self.registry.keys.values():
            for index in range(30):
                value = draw_value(random.Random(index), key)
                if isinstance(value, (int, float)) and not isinstance(value, bool) and "anyOf" not in key.schema:
                    self.assertGreaterEqual(value, key.schema.get("minimum", value), key.name)
                    self.assertLessEqual(value, key.schema.get("maximum", value), key.name)

    def test_most_studies_are_accepted(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = Program(PROGRAM)
            accepted = [
                accept(program, draw(self.registry, "accepted", index), pathlib.Path(folder) / str(index)).last.code
                == 0
                for index in range(20)
            ]
        self.assertGreater(sum(accepted), 14)

    def test_every_reader_has_a_format(self) -> None:
        """A reader that is new needs files in its format to be drawn."""
        known = {*traces.FORMATS, "native"}
        self.assertEqual(set(self.registry.keys["workload.reader"].choices) - known, set())

    def test_hints_are_of_keys(self) -> None:
        self.assertEqual(set(hints.HINTS) - set(self.registry.keys) - {"policy.system"}, set())
        self.assertEqual(WHOLE - set(self.registry.keys), set())


class Shrinking(unittest.TestCase):
    def test_only_what_the_finding_needs_is_left(self) -> None:
        """One key and one row of a trace are to blame."""
        study = Study(
            {"a.x": 1, "a.y": 2, "workload.trace": "t.csv"},
            {"b.z": [5, 6]},
            {"t.csv": File("job\n", [str(row) for row in range(50)], "\n"), "unused.csv": File("", ["x"])},
        )

        class Found:
            def __call__(self, one: Study) -> bool:
                return one.values.get("a.y") == 2 and "33" in one.files["t.csv"].rows

            def out_of_time(self) -> bool:
                return False

        small = smallest(study, Found())  # type: ignore[arg-type]
        self.assertEqual(small.values, {"a.y": 2, "workload.trace": "t.csv"})
        self.assertEqual(small.axes, {})
        self.assertEqual({name: file.rows for name, file in small.files.items()}, {"t.csv": ["33"]})

    def test_a_kept_study_is_read_as_it_was_written(self) -> None:
        study = Study(
            {"cluster.partitions": {"a": 4, "ü b": 4}, "tenants.gpus": {"=c": 1}, "engine.round_s": 360.5},
            {"policy.order": ["fifo", "las"]},
            {"jobs.csv": File("job_id,x\n", ["1,2", "3,4"], "\n")},
        )
        with tempfile.TemporaryDirectory() as folder:
            study.write(pathlib.Path(folder))
            again = Study.read(pathlib.Path(folder))
        self.assertEqual((again.values, again.axes), (study.values, study.axes))
        self.assertEqual(again.files["jobs.csv"].rows, ["1,2", "3,4"])


class CommandLine(unittest.TestCase):
    def test_pairs_go_round(self) -> None:
        options = random_studies.parse(["pairs", "--program", PROGRAM])
        self.assertEqual((options.seed, options.count), ("pairs", 0))


if __name__ == "__main__":
    unittest.main()
