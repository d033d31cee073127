# SPDX-License-Identifier: MIT
"""A file that is whole in its place, or not there."""
import os


def write_whole(path, text):
    """`text` (or bytes) as the file at `path`; what stood there stays if it cannot be written. Errors: OSError."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", errors="replace"))
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
