# SPDX-License-Identifier: MIT
"""Whether the archive holds what it says, of `palstudy verify`, which reads all of it while the figures are made."""
import json
import shlex
import subprocess


class Verification:
    """Begins at once; to be used in a `with`, so that it ends with the report."""

    def __init__(self, program, path):
        self._path = str(path)
        self._asked = subprocess.Popen(
            [program, "verify", self._path, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._said = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._said is None:
            self._asked.kill()
            self._asked.communicate()

    def wrong(self):
        """A sentence, or "" of an archive that holds what it says."""
        if self._said is None:
            self._said = self._asked.communicate()[0]
        again = shlex.join(["palstudy", "verify", self._path])
        try:
            told = json.loads(self._said)
        except ValueError:
            return f"Whether this archive holds what it says is not known: {again} ended without an answer."
        if told["holds"]:
            return ""
        found = told["findings"]
        return (
            f"This archive does not hold what it says, so neither may this page: it was altered or damaged after it was written. {again} finds "
            f"{len(found):,} thing{'' if len(found) == 1 else 's'}, first: {found[0]['where']}: {found[0]['what']}"
        )
