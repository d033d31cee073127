# SPDX-License-Identifier: MIT
"""docs/gallery has a section for every figure of the report, and every image there is shown and small. It is not made again here:
that takes minutes (scripts/gallery.py)."""
import re
import unittest

from report_files import ROOT

from report.figure import entries

GALLERY = ROOT / "docs" / "gallery"


class Gallery(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        _, *cls.sections = re.split(r"^## ", (GALLERY / "index.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
        cls.shown = re.findall(r"!\[[^\]]+\]\(([^)]+\.svg)\)", "".join(cls.sections))

    def test_every_figure_of_the_report_has_a_section(self):
        named = {name for section in self.sections for name in re.findall(r" --only (\S+)$", section, re.MULTILINE)}
        missing = [entry.name for entry in entries() if entry.name not in named]
        self.assertEqual(missing, [], "name a study for them in scripts/gallery.py, and run it")

    def test_a_section_has_an_image_and_the_commands_that_make_it(self):
        for section in self.sections:
            self.assertRegex(section, r"\]\([^)]+\.svg\)")
            study = re.search(r"    palstudy run (\S+\.toml)", section)
            self.assertIsNotNone(study, section)
            self.assertTrue((ROOT / study[1]).exists(), study[1])

    def test_images_and_files_are_the_same_and_small(self):
        sizes = {path.name: path.stat().st_size for path in GALLERY.glob("*.svg")}
        self.assertEqual(sorted(self.shown), sorted(sizes))
        self.assertLessEqual(max(sizes.values()), 150_000)
        self.assertLessEqual(sum(sizes.values()), 1_500_000)


if __name__ == "__main__":
    unittest.main()
