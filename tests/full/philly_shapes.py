# SPDX-License-Identifier: MIT
"""philly_shapes.py PALSTUDY SOURCES: Philly's studies as they are carried, with two seeds, and the shapes of the study's tables as
inequalities with margins; they are calibrated ([ladder] attempts, servers that are alike), not predicted. Fragmentation's part of the delayed jobs grows with their size (the study: 59, 74, 98 %); most jobs of 8 and 16
GPUs get the fewest servers (92 and 90 %); jobs of 16 GPUs are the slower the more servers they are on (2, 4, 8: 43.7, 40.9, 28.6 %)."""
import pathlib
import subprocess
import sys
import tempfile

program, sources = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path[:0] = [str(sources / "experiments"), str(sources / "scripts")]

import philly_tables as philly  # noqa: E402
from report.archive import Archive  # noqa: E402


def runs_of(study, folder):
    output = folder / f"{study}.h5"
    subprocess.run(
        [program, "run", sources / f"experiments/{study}.toml", "-o", output, "--set", "seed={first=1,count=2}"],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    with Archive(output) as archive:
        return [philly.jobs_of(archive, run) for run in archive.runs.index]


def expect(what, true_thing):
    print("ok  " if true_thing else "FAIL", what)
    return bool(true_thing)


def delays(runs, study):
    good = True
    for jobs in runs:
        parts = [100 * philly.fragmented(jobs, least, most) for least, most in philly.SIZES.values()]
        words = f"{study}: by fragmentation {', '.join(f'{part:.1f} %' for part in parts)}"
        good &= expect(words, parts[1] > parts[0] + 10 and parts[2] > parts[1] + 1 and parts[2] > 80)
        for size, fewest in ((8, 1), (16, 2)):
            share = 100 * philly.on_servers(jobs, size, fewest)
            good &= expect(f"{study}: {size} GPUs on {fewest} servers {share:.1f} %", share > 75)
    return good


def spread(runs):
    good = True
    for jobs in runs:
        on_four, on_eight = philly.speed_on(jobs, 4), philly.speed_on(jobs, 8)
        words = (
            f"philly-spread: speed of 16 GPUs over that on 2 servers: {on_four:.3f} on 4 servers, {on_eight:.3f} on 8"
        )
        good &= expect(words, on_four < 0.9 and on_eight < 0.9 * on_four)
    return good


with tempfile.TemporaryDirectory() as name:
    made = pathlib.Path(name)
    fine = [delays(runs_of(study, made), study) for study in ("philly-2490", "philly-failures")]
    fine.append(spread(runs_of("philly-spread", made)))
sys.exit(0 if all(fine) else 1)
