# SPDX-License-Identifier: MIT
"""Starts the program: alone, on ranks, planned, killed and resumed."""
from __future__ import annotations

import dataclasses
import os
import pathlib
import random
import select
import shlex
import signal
import subprocess
import time

TIMEOUT_S = 60.0
DONE, USAGE, DATA, STOPPED = 0, 2, 3, 4
PROPER = {DONE, USAGE, DATA, STOPPED, 5}


@dataclasses.dataclass
class Ended:
    """How a command ended. `code` is that of the shell: 128 and the signal; 124: it took longer than a minute."""

    command: list[str]
    code: int
    out: str
    err: str
    wall_s: float

    def shown(self) -> str:
        return shlex.join(self.command)


ROOT = pathlib.Path(__file__).resolve().parents[2]


def _mpi_environment() -> dict[str, str]:
    """What mpirun has to be told where ranks share cores, as all tests tell it."""
    script = ". scripts/mpi-env.sh; mpi_share_cores; env -0"
    text = subprocess.run(["bash", "-c", script], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return dict(line.split("=", 1) for line in text.split("\0") if line.startswith("OMPI_"))


class Program:
    def __init__(self, path: str, slow: float = 1.0) -> None:
        self.path = str(pathlib.Path(path).resolve())
        self._timeout_s = TIMEOUT_S * slow
        os.environ.update(_mpi_environment())

    def call(self, *words: str, cwd: pathlib.Path, ranks: int = 0, kill_after_s: float | None = None) -> Ended:
        """`ranks`: 0 is without a launcher. `kill_after_s`: SIGKILL then, if it still runs."""
        command = [*(["mpirun", "-q", "-n", str(ranks)] if ranks else []), self.path, *words]
        began = time.monotonic()
        with open(cwd / "out.txt", "w+", encoding="utf-8", errors="replace") as out, open(
            cwd / "err.txt", "w+", encoding="utf-8", errors="replace"
        ) as err:
            process = subprocess.Popen(
                command, cwd=cwd, stdout=out, stderr=err, stdin=subprocess.DEVNULL, start_new_session=True
            )
            in_time = _ends_within(process.pid, self._timeout_s if kill_after_s is None else kill_after_s)
            if not in_time:
                os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
            if not in_time and kill_after_s is None:
                code = 124
            out.seek(0)
            err.seek(0)
            return Ended(command, 128 - code if code < 0 else code, out.read(), err.read(), time.monotonic() - began)

    def run(
        self, archive: str, *words: str, cwd: pathlib.Path, ranks: int = 0, kill_after_s: float | None = None
    ) -> Ended:
        return self.call("run", "study.toml", "-o", archive, *words, cwd=cwd, ranks=ranks, kill_after_s=kill_after_s)

    def digest(self, archive: str, cwd: pathlib.Path) -> str:
        ended = self.call("digest", archive, cwd=cwd)
        return ended.out.strip() if ended.code == 0 else f"exit code {ended.code}: {ended.err.strip()}"

    def run_killed(self, rng: random.Random, archive: str, usual_s: float, cwd: pathlib.Path) -> tuple[Ended, int]:
        """Runs the study, killed at random instants, each time going on; how the last one ended, and how many were killed."""
        often = ("--set", "engine.checkpoint_s=0.001")  # it changes no result
        killed = 0
        for attempt in range(rng.choice([1, 1, 2, 3])):
            resume = ("--resume",) if attempt else ()
            ended = self.run(archive, *often, *resume, cwd=cwd, kill_after_s=usual_s * rng.uniform(0.1, 0.9))
            if ended.code != 128 + signal.SIGKILL:
                break
            killed += 1
        resume = ("--resume",)
        return self.run(archive, *resume, cwd=cwd, ranks=rng.choice([0, 0, 2])), killed


def _ends_within(pid: int, seconds: float) -> bool:
    """To the millisecond: waiting of `subprocess` looks twenty times a second, which is as long as a run takes."""
    descriptor = os.pidfd_open(pid)
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)
