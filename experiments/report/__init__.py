# SPDX-License-Identifier: MIT
"""palstudy-report: turns an archive of `palstudy run` into one page with figures, each also as PDF, SVG and CSV."""
