# SPDX-License-Identifier: MIT
"""A browser without a window opens the page from disk: it complains of nothing, and draws every figure."""
import html
import json
import os
import re
import unittest

import matplotlib.image
import numpy as np
from report_files import FOLDER, run, small_report

BROWSER = [
    os.environ.get("PALSTUDY_BROWSER", "chromium"),
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--hide-scrollbars",
    "--enable-logging=stderr",
    f"--user-data-dir={FOLDER / 'browser'}",
]

# Shows the page 400 pixels wide, and tells in its own title what sticks out of it, which single words of the tables' first columns
# are torn, and how high the smallest text of a figure is.
FRAME = """<html><head><title></title></head><body><iframe src="PAGE" style="width:400px;height:9000px;border:0"></iframe><script>
onload = () => {
  const page = document.querySelector("iframe").contentDocument;
  const outside = [...page.querySelectorAll("body *")].filter(one => !one.parentElement.closest(".wide") && one.getBoundingClientRect().right > 401);
  const heights = [...page.querySelectorAll("svg text")].map(one => {
    const matrix = one.getScreenCTM();
    return parseFloat(getComputedStyle(one).fontSize) * Math.hypot(matrix.a, matrix.b);
  });
  const torn = [...page.querySelectorAll(".wide:not(.scroll) td:first-child")].filter(cell => {
    const words = page.createRange();
    words.selectNodeContents(cell);
    return !cell.textContent.includes(" ") && words.getClientRects().length > 1;
  });
  document.title = JSON.stringify({torn: torn.map(one => one.textContent), wide: outside.map(one => one.tagName), texts: heights.length, smallest: Math.min(...heights)});
};
</script></body></html>"""


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = (small_report() / "index.html").as_uri()

    def open(self, *options, page=None):
        done = run(*BROWSER, *options, page or self.page)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotRegex(done.stderr, r"CONSOLE|ERR_|net::")  # what a page's own errors look like on standard error
        return done.stdout

    def test_all_figures_stand_in_the_document(self):
        found = self.open("--dump-dom")
        figures = re.findall(r"<figure id=.*?</figure>", found, flags=re.S)
        self.assertEqual(len(figures), len(list((small_report() / "figures").glob("*.svg"))))
        for figure in figures:
            self.assertIn("</svg>", figure)

    def test_readable_on_a_small_screen(self):
        # At 400 pixels nothing but what scrolls by itself is wider than the screen, no name in a table is torn, and no text of a figure is under 9 pixels high.
        frame = FOLDER / "frame.html"
        frame.write_text(FRAME.replace("PAGE", self.page), encoding="utf-8")
        found = self.open(
            "--allow-file-access-from-files", "--virtual-time-budget=5000", "--dump-dom", page=frame.as_uri()
        )
        told = json.loads(html.unescape(re.search(r"<title>(.*?)</title>", found, flags=re.S).group(1)))
        self.assertEqual(told["wide"], [])
        self.assertEqual(told["torn"], [])
        self.assertGreater(told["texts"], 50)
        self.assertGreaterEqual(told["smallest"], 9)

    def test_the_picture_is_not_empty(self):
        # Drawn at 1100 x 6000: every band of 500 rows has ink, and more than one colour is seen.
        shot = FOLDER / "page.png"
        self.open("--window-size=1100,6000", f"--screenshot={shot}")
        pixels = matplotlib.image.imread(shot)[:, :, :3]
        self.assertEqual(pixels.shape[:2], (6000, 1100))
        for band in np.split(pixels[:4000], 8):
            self.assertGreater(float((band < 0.5).any(axis=2).mean()), 0.002)
        self.assertGreater(len(np.unique((pixels * 8).astype(int).reshape(-1, 3), axis=0)), 20)


if __name__ == "__main__":
    unittest.main()
