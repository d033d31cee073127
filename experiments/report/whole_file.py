# SPDX-License-Identifier: MIT
"""A file that is whole in its place, or not there."""
import os


def write_whole(path, text):
    """`text` (or bytes) as the file at `path`; what stood there stays if it cannot be written. Errors: OSError, also where
    a link has the name under which it is written: nothing is written where a link leads."""
    part = path.with_name(path.name + ".part")
    if part.is_file() and not part.is_symlink():
        part.unlink()  # of a process that was killed
    made = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    try:
        with os.fdopen(made, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode("utf-8", errors="replace"))
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
