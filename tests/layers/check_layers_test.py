# SPDX-License-Identifier: MIT
"""Each rule of check_layers.py can fail: small trees with exactly one breach give exactly one finding."""
import tempfile
import unittest
from pathlib import Path

from check_layers import check

MARK = "// SPDX-" "License-Identifier: MIT\n"  # in two, so that reuse does not read it


def findings(files, headers=True):
    """What check says of a tree with these files (path -> text), each .cpp with an empty header beside it."""
    if headers:
        files = {name.removesuffix("cpp") + "hpp": MARK for name in files if name.endswith(".cpp")} | files
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check(Path(folder))


class Layers(unittest.TestCase):
    def breach(self, name, text, expected):
        """One file, one finding, which says `expected`."""
        found = findings({name: text})
        self.assertEqual(len(found), 1, found)
        self.assertIn(expected, found[0])

    def clean(self, name, text):
        self.assertEqual(findings({name: text}), [])

    def test_downwards_is_allowed(self):
        self.clean("src/cli/a.cpp", MARK + '#include "core/ids.hpp"\n#include "cli/b.hpp"\n#include <vector>\n')
        self.clean("src/policy/order/a.cpp", MARK + '#include "cluster/a.hpp"\n#include "workload/a.hpp"\n')
        self.clean("src/study/a.cpp", MARK + "#include <toml++/toml.h>\n#include <filesystem>\n")

    def test_upwards_is_not(self):
        self.breach("src/core/a.hpp", MARK + '#include "topology/b.hpp"\n', "core may not include topology")
        self.breach(
            "src/sim/a.cpp", MARK + '\n#include "archive/b.hpp"\n', "src/sim/a.cpp:3: sim may not include archive"
        )

    def test_neighbours_do_not_know_each_other(self):
        self.breach("src/workload/a.cpp", MARK + '#include "cluster/b.hpp"\n', "workload may not include cluster")
        self.breach("src/study/a.cpp", MARK + '#include "measure/b.hpp"\n', "study may not include measure")

    def test_stats_takes_arrays(self):
        self.breach("src/stats/a.cpp", MARK + '#include "archive/b.hpp"\n', "stats may not include archive")

    def test_kernels_stand_alone(self):
        self.clean("kernels/a.cpp", MARK + '#include "kernels/b.hpp"\n')
        self.clean("kernels/suite/a.cu", MARK + '#include "kernels/b.hpp"\n#include "core/b.hpp"\n')
        self.breach("kernels/a.cpp", MARK + '#include "topology/b.hpp"\n', "kernels may not include topology")
        self.breach("kernels/suite/a.cu", MARK + "#include <hdf5.h>\n", "kernels may not include <hdf5.h>")
        self.breach("kernels/a.cpp", MARK + "#include <mpi.h>\n", "kernels may not include <mpi.h>")

    def test_kernels_are_run_and_listed_by_few(self):
        self.clean("src/cli/a.cpp", MARK + '#include "kernels/b.hpp"\n')
        self.clean("src/measure/a.cpp", MARK + '#include "kernels/b.hpp"\n')
        self.breach("src/sim/a.cpp", MARK + '#include "kernels/b.hpp"\n', "sim may not include kernels")
        self.breach("src/core/a.cpp", MARK + '#include "kernels/b.hpp"\n', "core may not include kernels")

    def test_an_include_names_its_room(self):
        self.breach("src/core/a.cpp", MARK + '#include "ids.hpp"\n', "does not begin with a room")

    def test_mpi_and_hdf5_have_one_room_each(self):
        self.clean("src/parallel/a.cpp", MARK + "#include <mpi.h>\n")
        self.clean("src/hdf5/a.cpp", MARK + "#include <hdf5.h>\n")
        for room in ["sim", "policy", "cluster", "workload", "variability", "topology", "core", "study"]:
            self.breach(f"src/{room}/a.cpp", MARK + "#include <mpi.h>\n", f"{room} may not include <mpi.h>")
            self.breach(f"src/{room}/a.cpp", MARK + "# include <H5Fpublic.h>\n", f"{room} may not include <H5F")

    def test_the_rooms_of_sim(self):
        self.clean("src/sim/engine/a.hpp", MARK + '#include "sim/effects/b.hpp"\n#include "sim/state/b.hpp"\n')
        self.clean(
            "src/sim/scheduler/list/a.hpp", MARK + '#include "sim/scheduler/list/b.hpp"\n#include "sim/result.hpp"\n'
        )
        self.breach(
            "src/sim/state/a.hpp", MARK + '#include "sim/effects/b.hpp"\n', "sim/state may not include sim/effects"
        )
        self.breach(
            "src/sim/effects/a.hpp",
            MARK + '#include "sim/observers/b.hpp"\n',
            "sim/effects may not include sim/observers",
        )
        self.breach(
            "src/sim/engine/a.hpp",
            MARK + '#include "sim/simulation.hpp"\n',
            "sim/engine may not include sim/simulation.hpp",
        )

    def test_the_engine_touches_no_file(self):
        self.breach("src/sim/a.cpp", MARK + "#include <fstream>\n", "sim reads and writes no file")

    def test_results_are_values(self):
        self.breach("src/stats/a.cpp", MARK + "#include <fmt/format.h>\n", "returns values and notes")
        self.breach("src/analysis/overload.cpp", MARK + "#include <fmt/format.h>\n", "returns values and notes")
        self.clean("src/words/a.cpp", MARK + "#include <fmt/format.h>\n")

    def test_texts_are_those_of_errors(self):
        error = 'void f() {\n  throw data_error(g(")", a ? "" :\n                   fmt::format("{}", 1)), "b");\n}\n'
        key = 'void f() { if (a) { throw fault("b"); } g(fmt::format("{}", 1)); }\n'
        for room in ("analysis", "inputs", "sim"):
            self.clean(f"src/{room}/a.cpp", MARK + "#include <fmt/format.h>\n" + error)
            self.breach(f"src/{room}/a.cpp", MARK + error + key, f"a.cpp:6: {room} makes no text but that of errors")
        self.clean("src/words/a.cpp", MARK + key)

    def test_heavy_headers_stay_out_of_headers(self):
        self.breach("src/study/a.hpp", MARK + "#include <toml++/toml.h>\n", "too heavy")
        self.breach("src/cli/a.hpp", MARK + "#include <CLI/CLI.hpp>\n", "too heavy")
        self.clean("src/sim/state/state_archive.hpp", MARK + "#include <boost/serialization/vector.hpp>\n")
        self.breach("src/sim/engine/a.hpp", MARK + '#include "sim/state/state_archive.hpp"\n', "too heavy")

    def test_a_library_does_not_leak_through_headers(self):
        files = {
            "src/hdf5/handle.hpp": MARK + "#include <hdf5.h>\n",
            "src/hdf5/private.hpp": MARK + '#include "hdf5/handle.hpp"\n',
            "src/hdf5/a.cpp": MARK + '#include "hdf5/private.hpp"\n',
        }
        self.assertEqual(findings(files), [])
        files["src/study/a.cpp"] = MARK + '#include "hdf5/private.hpp"\n'
        found = findings(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn("src/study/a.cpp:2: study sees hdf5", found[0])

    def test_licence_line(self):
        self.breach("src/core/a.cpp", "int a;\n", "SPDX")
        self.breach("src/core/a.cpp", MARK + MARK, "SPDX")
        self.breach("src/core/a.cpp", "\n\n\n" + MARK, "SPDX")
        self.breach("experiments/a.toml", "a = 1\n", "SPDX")
        self.clean("scripts/a.sh", "#!/bin/sh\n" + MARK.replace("//", "#"))

    def test_length(self):
        self.clean("src/core/a.cpp", MARK + "\n" * 399)
        self.breach("src/core/a.cpp", MARK + "\n" * 400, "has 401 lines")
        self.breach("tests/core/a.py", MARK.replace("//", "#") + "\n" * 400, "has 401 lines")

    def test_a_folder_is_no_warehouse(self):
        files = {f"src/core/a{i}.hpp": MARK for i in range(40)}
        self.assertEqual(findings(files), [])
        found = findings(files | {"src/core/b.hpp": MARK})
        self.assertEqual(found, ["src/core:1: holds 41 files; 40 are the limit"])
        self.assertEqual(findings(files | {"src/core/part/b.hpp": MARK}), [])

    def test_a_source_has_a_header_of_its_name(self):
        found = findings({"src/core/a.cpp": MARK}, headers=False)
        self.assertEqual(found, ["src/core/a.cpp:1: has no header of its name"])
        self.assertEqual(findings({"src/policy/order/a.cpp": MARK}, headers=False), [])

    def test_a_class_lies_in_one_source(self):
        files = {
            "src/core/a.cpp": MARK + "int A::f() {\n  B::g();\n}\nB::B(int x) : x_(x) {}\n",
            "src/core/b.cpp": MARK + "int h() { return B::g(); }\nstd::vector<int> C::of(int x) {\n",
        }
        self.assertEqual(findings(files), [])
        files["src/core/b.cpp"] += "B::~B() {}\n"
        found = findings(files)
        self.assertEqual(found, ["src/core/a.cpp:1: B is implemented in 2 files: src/core/a.cpp, src/core/b.cpp"])

    def test_a_key_is_spelled_once(self):
        files = {
            "docs/reference/keys.md": "| key | unit |\n| --- | --- |\n| a.b_s | s |\n",
            "src/study/a.cpp": MARK + 'f("a.b_s");\nf("give a.b_s");\n// "a.b_s"\n',
        }
        self.assertEqual(findings(files), [])
        found = findings(files | {"src/cli/b.hpp": MARK + 'f("a.b_s");\n'})
        self.assertEqual(len(found), 1, found)
        self.assertIn("spells the key a.b_s", found[0])

    def test_hash_tables_are_not_iterated_over(self):
        member = MARK + "std::unordered_map<int, std::vector<int>> seen_;\n"
        self.clean("src/sim/a.hpp", member + "auto found = seen_.find(3);\n")
        self.breach(
            "src/sim/a.hpp",
            member + "for (const auto& [key, value] : seen_) use(key);\n",
            "src/sim/a.hpp:3: iterates over the unordered container seen_",
        )
        self.breach(
            "src/sim/a.hpp",
            MARK + "std::unordered_set<int> ids;\nstd::vector<int> all(ids.begin(), ids.end());\n",
            "ids",
        )
        found = findings({"src/sim/a.hpp": member, "src/sim/a.cpp": MARK + "for (auto& one : state.seen_) use(one);\n"})
        self.assertEqual(len(found), 1, found)

    def test_what_is_not_ours_is_left_alone(self):
        self.assertEqual(
            findings({"build/a.cpp": "int a;\n", "jobs/a.csv": "1\n" * 500, "tests/golden/runs/a/study.toml": ""}), []
        )


if __name__ == "__main__":
    unittest.main()
