# SPDX-License-Identifier: MIT
"""check_includes.py finds a type, a function and fmt that a file uses on the strength of its neighbours alone, and nothing else."""
import tempfile
import unittest
from pathlib import Path

from check_includes import breaches_in

JOB = "struct Job {\n  int gpus;\n};\nint width_of(const Job& job);\n"


def breaches(**files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in ({"job.hpp": JOB} | {name.replace("_", "."): text for name, text in files.items()}).items():
            path = Path(folder, "src", "core", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return breaches_in(Path(folder))


class Includes(unittest.TestCase):
    def test_what_is_not_included_is_found(self):
        self.assertEqual(breaches(a_cpp="Job job;\n"), ["src/core/a.cpp uses Job and does not include core/job.hpp"])
        self.assertEqual(
            breaches(a_cpp="int b = width_of(c);\n"), ["src/core/a.cpp uses width_of and does not include core/job.hpp"]
        )
        self.assertEqual(len(breaches(a_cpp="auto text = fmt::format(x);\n")), 1)

    def test_through_others_forward_and_in_texts_is_allowed(self):
        self.assertEqual(
            breaches(
                b_hpp='#include "core/job.hpp"\n', a_cpp='#include "core/b.hpp"\nJob job;\nint b = width_of(job);\n'
            ),
            [],
        )
        self.assertEqual(breaches(a_cpp="class Job;\nvoid f(Job& job);\n"), [])
        self.assertEqual(
            breaches(
                a_cpp='// Job\nauto text = "width_of(Job)";\nauto w = other.width_of(job) + other::width_of(x);\n'
            ),
            [],
        )


if __name__ == "__main__":
    unittest.main()
