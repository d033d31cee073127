# SPDX-License-Identifier: MIT
"""Started by the launcher palstudy-report. The folder above takes this folder's place on the path, so that modules here hide
none of Python's own."""
import pathlib
import sys

sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])

from report.cli import main  # noqa: E402

sys.exit(main())
