# SPDX-License-Identifier: MIT
"""Figures against those stored beside this file: every number of their data within 1e-6, and the small pictures point by point
within half a pixel. `figures_test.py --store` writes them again; look at them before committing."""
import pathlib
import re
import shutil
import sys
import unittest

import matplotlib
import numpy as np
import pandas as pd
from report_files import HERE, small_report

STORED = HERE / "stored"
PICTURES = ["gains", "gain-per-trace", "locality-sweep", "locality-sweep-time", "slow-gpus"]
DRAWN_BY = "3.6"  # pictures are laid out differently by other versions of matplotlib
NUMBER = re.compile(r"(?<![#\w])[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?![\w])")


def shape_and_numbers(svg):
    """The text of a picture without numbers and without ids, and the numbers in it."""
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'"#?\w*[0-9a-f]{10}"|url\(#\w+\)', '"id"', svg)
    return NUMBER.sub("0", svg), np.array([float(number) for number in NUMBER.findall(svg)])


class Stored(unittest.TestCase):
    def test_data(self):
        figures = small_report() / "figures"
        self.assertEqual({path.name for path in STORED.glob("*.csv")}, {path.name for path in figures.glob("*.csv")})
        for path in sorted(STORED.glob("*.csv")):
            with self.subTest(path.name):
                expected, found = pd.read_csv(path), pd.read_csv(figures / path.name)
                pd.testing.assert_frame_equal(found, expected, rtol=1e-6, atol=1e-9)

    @unittest.skipUnless(
        matplotlib.__version__.startswith(DRAWN_BY), f"stored pictures were drawn by matplotlib {DRAWN_BY}"
    )
    def test_pictures(self):
        for name in PICTURES:
            with self.subTest(name):
                expected, found = (
                    shape_and_numbers((folder / f"{name}.svg").read_text(encoding="utf-8"))
                    for folder in (STORED, small_report() / "figures")
                )
                self.assertEqual(found[0], expected[0])
                self.assertLessEqual(float(np.abs(found[1] - expected[1]).max()), 0.5)

    def test_a_point_elsewhere_is_noticed(self):
        # The comparison itself: a marker moved by a pixel, and a word changed, are differences.
        svg = (STORED / "gains.svg").read_text(encoding="utf-8")
        shape, numbers = shape_and_numbers(svg)
        use = re.search(r'<use [^>]*x="([\d.]+)"', svg)
        moved = svg.replace(use.group(1), str(float(use.group(1)) + 1), 1)
        self.assertGreater(float(np.abs(shape_and_numbers(moved)[1] - numbers).max()), 0.5)
        self.assertNotEqual(shape_and_numbers(svg.replace("packed, jobs stay", "packed, jobs stuck"))[0], shape)


def store():
    shutil.rmtree(STORED, ignore_errors=True)
    STORED.mkdir()
    for path in sorted((small_report() / "figures").iterdir()):
        if path.suffix == ".csv" or (path.suffix == ".svg" and path.stem in PICTURES):
            shutil.copy(path, STORED / path.name)


if __name__ == "__main__":
    if sys.argv[1:] == ["--store"]:
        store()
    else:
        unittest.main()
