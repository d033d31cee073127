# SPDX-License-Identifier: MIT
"""The copy of the sources in which faults are planted, its build, and the tests that are run there."""
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

# No -DNDEBUG, so that assertions and the engine's invariants look on, and those of the standard library, which end what
# reads or writes behind a vector's end. Small batches: little to compile again.
CONFIGURATION = [
    "-DCMAKE_BUILD_TYPE=Debug",
    "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -D_GLIBCXX_ASSERTIONS",
    "-DCMAKE_UNITY_BUILD=ON",
    "-DCMAKE_UNITY_BUILD_BATCH_SIZE=4",
    "-DPALSTUDY_CUDA=OFF",
    "-DPALSTUDY_TESTS=ON",
    "-DPALSTUDY_FULL=ON",
    "-DPALSTUDY_UNIT_TESTS=ON",
]
# Small studies that take seconds each and use unlike parts of the program; their results are recorded.
STUDIES = (
    "bins-joint|claire-ensemble|energy|estimates|leases|load-.*|locality-sweep|machine|megatron-mix|migration|partitions|"
    "qssf-pal|rivals/.*|sia-philly|sleep-which|smallest|straggler|supercomputer|trust"
)
ROOM = re.compile(r"^palstudy_room\((\w+)((?:\s+(?!PRIVATE)\w+)*)", re.M)
FAILED = re.compile(
    r"^\[  FAILED  \] ([\w/.]+)|\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT|ILLEGAL|Subprocess|Child)", re.M
)
BUILD_LIMIT_S = 1800
LARGEST_FILE = 2 << 30  # bytes; a fault may write for ever
PARALLEL = max(1, len(os.sched_getaffinity(0)))


@dataclass(frozen=True)
class Outcome:
    kind: str
    why: str = ""
    KILLED, SURVIVED, SAME, NO_PROGRAM = "killed", "SURVIVED", "changes nothing", "does not compile"

    def __str__(self):
        return f"{self.kind} ({self.why})" if self.why else self.kind


def rooms_above(text, room):
    """The room and those that see it, in the order in which src/CMakeLists.txt lists them."""
    above = {room}
    for found in ROOM.finditer(text):
        if above.intersection(found.group(2).split()):
            above.add(found.group(1))
    return [found.group(1) for found in ROOM.finditer(text) if found.group(1) in above]


def limited():
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Workshop:
    def __init__(self, root, home):
        self.root, self.home = root, home
        self.tree, self.build_dir = home / "tree", home / "build"
        self.usual_s = {}  # by step, without a fault

    def prepare(self):
        """Copies what differs, and configures the build."""
        self.copy()
        subprocess.run(
            ["cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build_dir, *CONFIGURATION],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    def learn(self, name, target, commands):
        """Makes sure that a step passes without a fault, and how long that takes."""
        if not self.build(target):
            sys.exit(f"{target} does not build without a fault: cmake --build {self.build_dir} --target {target}")
        began = time.monotonic()
        failure = self.run(commands, BUILD_LIMIT_S)
        if failure:
            sys.exit(f"{name} fails without a fault: {failure}")
        self.usual_s[name] = time.monotonic() - began
        print(f"without a fault {name} passes in {self.usual_s[name]:.0f} s", flush=True)

    def copy(self):
        listed = (
            subprocess.run(
                ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                cwd=self.root,
                check=True,
                capture_output=True,
            )
            .stdout.decode()
            .split("\0")
        )
        wanted = {name for name in listed if name and (self.root / name).is_file()}
        if self.tree.exists():
            for path in sorted(self.tree.rglob("*")):
                if path.is_file() and path.relative_to(self.tree).as_posix() not in wanted:
                    path.unlink()
        for name in sorted(wanted):
            source, target = self.root / name, self.tree / name
            if target.exists() and target.read_bytes() == source.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)

    def steps_above(self, room):
        """(name, target, commands): the room's own tests, those of the rooms above it, the recorded runs, refusals and
        damaged files, the docs that are made from the program, campaigns of several ranks, whole, stopped and resumed, and
        small studies. The commands of a step run side by side."""
        for one in rooms_above((self.tree / "src" / "CMakeLists.txt").read_text(), room):
            if list((self.tree / "tests" / one).rglob("*.cpp")):
                shards = [
                    [
                        "env",
                        f"GTEST_TOTAL_SHARDS={PARALLEL}",
                        f"GTEST_SHARD_INDEX={shard}",
                        str(self.build_dir / f"test_{one}"),
                        "--gtest_brief=1",
                        "--gtest_fail_fast",
                    ]
                    for shard in range(PARALLEL)
                ]
                yield one, f"test_{one}", shards
        for name, target, chosen in (
            ("golden counts", "test_golden", None),
            ("golden", "palstudy replay", r"^golden\."),
            ("docs", "palstudy", r"^repository\.docs$"),
            ("cases", "palstudy", r"^cases\."),
            ("ranks", "palstudy", r"^mpi\.same_digest$"),
            ("campaigns", "palstudy", r"^mpi\.(stopped|resumed|checkpoints)$"),
            ("studies", "palstudy", rf"^experiments\.({STUDIES})$"),
        ):
            command = (
                [str(self.build_dir / "test_golden"), "--gtest_brief=1", "--gtest_fail_fast"]
                if chosen is None
                else [
                    "ctest",
                    "--test-dir",
                    str(self.build_dir),
                    "-R",
                    chosen,
                    "-j",
                    str(PARALLEL),
                    "--stop-on-failure",
                    "--no-tests=error",
                ]
            )
            yield name, target, [command]

    def outcome(self, mutant):
        path = self.tree / mutant.statement.file
        sound = path.read_text()
        faulty = mutant.applied_to(sound)
        try:
            for name, target, commands in self.steps_above(mutant.statement.file.split("/")[1]):
                if name not in self.usual_s:
                    path.write_text(sound)
                    self.learn(name, target, commands)
                if path.read_text() != faulty:
                    path.write_text(faulty)
                if not self.build(target):
                    return Outcome(Outcome.NO_PROGRAM)
                failure = self.run(commands, 30 + 10 * self.usual_s[name])
                if failure:
                    return Outcome(Outcome.KILLED, f"{name}: {failure}")
            return Outcome(Outcome.SURVIVED)
        finally:
            path.write_text(sound)

    def build(self, target):
        try:
            done = subprocess.run(
                ["cmake", "--build", self.build_dir, "--target", *target.split(), "--", f"-j{PARALLEL}"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=BUILD_LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def run(self, commands, limit_s):
        """Why one of the commands failed, or ""; the others are ended with it."""
        with tempfile.TemporaryDirectory(dir=self.home) as scratch:
            environment = {**os.environ, "TMPDIR": scratch}
            logs = [open(os.path.join(scratch, f"log.{i}"), "w+") for i in range(len(commands))]
            running = [
                subprocess.Popen(
                    command,
                    cwd=scratch,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    preexec_fn=limited,
                )
                for command, log in zip(commands, logs)
            ]
            try:
                return self.wait(running, logs, time.monotonic() + limit_s)
            finally:
                for process in running:
                    try:
                        os.killpg(process.pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
                    process.wait()
                for log in logs:
                    log.close()

    @staticmethod
    def wait(running, logs, end_s):
        while True:
            codes = [process.poll() for process in running]
            for code, log in zip(codes, logs):
                if code:
                    log.seek(0)
                    found = FAILED.search(log.read())
                    return (found.group(1) or found.group(2)) if found else f"exit code {code}"
            if None not in codes:
                return ""
            if time.monotonic() > end_s:
                return "out of time"
            time.sleep(0.05)
