#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""findings_test.py: scripts/findings.py --check finds every way in which a page could differ from its values. It passes on a folder
with a template, its values and its page; then one thing is changed, and it fails and says what."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
TEMPLATE = """{{ made }}
{% set v = values("tiny") %}
# What 1 policy gains

{{ need(v.gain().less) }}
On V100s `pal` is {{ v.gain().words }}, with a 95 % interval, over {{ v.gain().of }} pairs.

{{ v.commands }}

```text
{{ v.all_screen.screen }}
```
"""
PAGE = """# What 1 policy gains


On V100s `pal` is 3.46 % shorter (2.69 to 4.22 %), with a 95 % interval, over 208 of 240 pairs.

    palstudy compare tiny.h5

```text
pal: 3.46 % shorter
```
"""
GAIN = {
    "metric": "jct_mean_s",
    "value": "pal",
    "baseline": "packed-sticky",
    "ratio": 0.9654,
    "interval": {"alone": [0.96, 0.97], "together": [0.9578, 0.9731], "comparisons": 1},
    "better": 208,
    "pairs": 240,
}
LONGER = {"ratio": 1.0358, "interval": {"alone": [1.03, 1.04], "together": [1.0276, 1.0441], "comparisons": 1}}


def document(gain):
    compared = {
        "metrics": [{"name": "jct_mean_s", "unit": "s", "better": "less"}],
        "compared": {"key": "policy.placement", "values": ["pal"], "baselines": ["packed-sticky"]},
        "groups": [{"at": {}, "gains": [gain], "pooled_means": []}],
    }
    values = {"all": compared, "all_screen": ["pal: 3.46 % shorter"]}
    return json.dumps({"program": "palstudy", "commands": ["palstudy compare tiny.h5"], "values": values})


class Findings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "scripts").mkdir()
        for name in ("findings.py", "findings_typed.py", "findings_values.py"):
            shutil.copy(SCRIPTS / name, self.root / "scripts")
        self.write("scripts/findings.d/tiny.toml", '[tiny]\nstudy = "tiny.toml"\n[tiny.reads]\nall = ""\n')
        self.write("docs/templates/findings/tiny.md.j2", TEMPLATE)
        self.write("docs/findings/values/tiny.json", document(GAIN))
        self.assertEqual(self.findings("--render")[0], 0)
        self.assertEqual(self.findings("--check"), (0, "1 pages, 0 faults\n"))

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def change(self, name, old, new):
        text = (self.root / name).read_text()
        self.assertIn(old, text)
        self.write(name, text.replace(old, new))

    def findings(self, what):
        done = subprocess.run(
            [sys.executable, self.root / "scripts/findings.py", what], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    def fails(self, why):
        code, said = self.findings("--check")
        self.assertEqual(code, 1, said)
        self.assertIn(why, said)

    def test_a_page_has_what_its_values_say(self):
        self.assertEqual((self.root / "docs/findings/tiny.md").read_text().split("\n", 1)[1], PAGE)

    def test_a_changed_value_fails(self):
        self.write("docs/findings/values/tiny.json", document({**GAIN, "ratio": 0.9653}))
        self.fails("docs/findings/tiny.md: is not what its template and values give")

    def test_a_changed_screen_fails(self):
        self.change("docs/findings/values/tiny.json", "pal: 3.46", "pal: 3.45")
        self.fails("docs/findings/tiny.md: is not what its template and values give")

    def test_a_number_changed_in_the_page_fails(self):
        self.change("docs/findings/tiny.md", "208 of 240", "209 of 240")
        self.fails("docs/findings/tiny.md: is not what its template and values give")

    def test_a_changed_sign_fails_though_the_page_is_written_anew(self):
        self.write("docs/findings/values/tiny.json", document({**GAIN, **LONGER}))
        self.assertEqual(self.findings("--render")[0], 1)
        self.fails("docs/findings/tiny.md: the page says what no longer holds")

    def test_a_digit_of_the_template_fails_though_the_page_is_written_anew(self):
        for typed, why in (
            ("7 pairs", "a number that is of no value: On"),
            ("{{ 7 }} pairs", "a number that is typed into the template: 7"),
            ("{{ number(7) }} pairs", "a number that is typed into the template: 7"),
            ("{{ percent(digits=1, share=0.07) }} pairs", "a number that is typed into the template: 0.07"),
            ("{{ number(6 + 1) ~ v.gain().of }} pairs", "a number that is typed into the template: 6 and 1"),
            ("{{ short('7') }} pairs", "a number that is typed into the template: 7"),
            (
                "{% macro m(n) %}{{ number(2 * n) }}{% endmacro %}{{ m(7) }} pairs",
                "a number that is typed into the template: 7",
            ),
            ("{{ 7 if v.gain().less else 8 }} pairs", "a number that is typed into the template: 7 and 8"),
            ("3.46 % pairs", "a number that is of no value: On"),
        ):
            self.write("docs/templates/findings/tiny.md.j2", TEMPLATE.replace("pairs", typed))
            self.assertEqual(self.findings("--render")[0], 0)
            self.fails("docs/findings/tiny.md: " + why)

    def test_digits_that_format_a_value_or_select_it_pass(self):
        select = "{% macro m(n) %}{{ number([v.gain().ratio][n], 2) }}{% endmacro %}{{ m(0) }}"
        formats = "{{ number(v.gain().ratio, 2) }} {{ number(1 - v.gain().ratio, digits=2) }} {{ short('%.3g' | format(v.gain().ratio)) }}"
        self.write("docs/templates/findings/tiny.md.j2", TEMPLATE.replace("pairs", f"{select} {formats} pairs"))
        self.assertEqual(self.findings("--render")[0], 0)
        self.assertEqual(self.findings("--check"), (0, "1 pages, 0 faults\n"))

    def test_a_page_without_a_template_fails(self):
        self.write("docs/findings/other.md", "# Other\n")
        self.fails("docs/findings/other.md: has no template")

    def test_values_without_a_recipe_fail(self):
        self.write("docs/findings/values/other.json", "{}")
        self.fails("docs/findings/values/other.json: no recipe")

    def test_a_recipe_that_writes_the_folder_into_its_study_fails(self):
        self.change(
            "scripts/findings.d/tiny.toml",
            "study =",
            """before = ["sed 's|A|$PWD|' a.toml > DIR/tiny.toml"]\nstudy =""",
        )
        self.fails("tiny: its study names the folder of the repository")


if __name__ == "__main__":
    unittest.main()
