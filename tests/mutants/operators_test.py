#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""That faults are planted where they should be, nowhere else, and the same ones for the same seed."""
import itertools
import tempfile
import unittest
from pathlib import Path

import draw
import known
import operators
import statements
from workshop import rooms_above


def faults(code):
    """Every statement that one change makes of `code`."""
    return [code[: c.begin] + c.new + code[c.end :] for c in operators.changes(code)]


def codes(text):
    return [" ".join(one.code.split()) for one in statements.statements("src/sim/a.cpp", text)]


class Operators(unittest.TestCase):
    def test_constants(self):
        self.assertEqual(faults("return 7;"), ["return 8;"])
        self.assertEqual(faults("int a = 0;"), ["int a = 1;"])
        self.assertEqual(faults("auto a = 1U;"), ["auto a = 0U;"])
        self.assertEqual(faults("constexpr double a = 0.05;"), ["constexpr double a = 0.1;"])
        self.assertEqual(faults("const double a = 1e3;"), ["const double a = 2000.0;"])
        self.assertEqual(faults("return 1'000;"), ["return 1001;"])
        self.assertEqual(faults("return x1 + a2b;"), ["return x1 - a2b;"])  # no numbers, parts of names

    def test_operators(self):
        for old, new in (
            ("<", "<="),
            (">=", ">"),
            ("==", "!="),
            ("+", "-"),
            ("*", "/"),
            ("&&", "||"),
            ("|", "&"),
            ("<<", ">>"),
        ):
            self.assertEqual(faults(f"return a {old} b;"), [f"return a {new} b;"])
        self.assertIn("a -= b;", faults("a += b;"))
        self.assertIn("--n;", faults("++n;"))
        self.assertEqual(faults("if (!a)"), ["if (a)"])
        self.assertEqual(faults("if (a != b)"), ["if (a == b)"])

    def test_types_are_no_operators(self):
        self.assertEqual(faults("const std::vector<int>& f(T&& a, const U* b) const"), [])
        self.assertEqual(faults("return -a;"), [])

    def test_words(self):
        self.assertEqual(faults("return std::min(a, b);"), ["return std::max(a, b);"])
        self.assertEqual(faults("return true;"), ["return false;"])
        self.assertEqual(faults("return minimum(a);"), [])
        self.assertEqual(faults("return std::max_element(a, b);"), ["return std::min_element(a, b);"])

    def test_deletion(self):
        for code in ("f(a);", "continue;", "return;", "a = b;", "throw fault(a);", "if (a) return b;"):
            self.assertIn(";", faults(code), code)
        for code in (
            "return a;",
            "const int a = b;",
            "auto a = b;",
            "std::vector<int> a;",
            "JobId job;",
            "double a = b;",
            "A& operator=(A&&) = default;",
            ");",
            "}, b);",
            "using A = B;",
        ):
            self.assertNotIn(";", faults(code), code)

    def test_a_throw_is_only_deleted(self):
        self.assertEqual(faults("throw data_error(a + b, 3);"), [";"])


class Statements(unittest.TestCase):
    def test_text_is_left_aside(self):
        self.assertEqual(
            codes("f(\"a + 1; b\", '+');  // c = 2;\n/* d = 3; */"), ["f(\" \", ' ');".replace("' '", '" "')]
        )
        self.assertEqual(faults(codes('throw fault("1 + 2");')[0]), [";"])
        self.assertEqual(codes("#define A 1\n#include <b>\n"), [])

    def test_prefetches_reservations_and_declarations_are_left_aside(self):
        self.assertEqual(
            codes(
                "prefetch(a[1]);\nrows_.fetch(job + 1);\na.reserve(2);\nstatic_assert(1 + 1 == 2);\nusing A = B<1>;\n"
                "assert(a == 1);\n"
            ),
            [],
        )

    def test_conditions_and_loops(self):
        text = "void f() {\n  for (int i = 0; i < n; ++i) {\n    g(i);\n  }\n  if (a == b) {\n    h();\n  }\n}\n"
        self.assertEqual(codes(text), ["for (int i = 0; i < n; ++i)", "g(i);", "if (a == b)", "h();"])
        found = list(statements.statements("src/sim/a.cpp", text))
        self.assertEqual([one.line for one in found], [2, 3, 5, 6])
        for one in found:
            self.assertEqual(text[one.begin : one.end], one.code)

    def test_a_fault_changes_its_own_place_alone(self):
        text = 'int f() {\n  note("a < b");  // a < b\n  return a < b;\n}\n'
        last = list(statements.statements("src/sim/a.cpp", text))[-1]
        mutant = draw.Mutant(last, operators.changes(last.code)[0])
        self.assertEqual(mutant.applied_to(text), text.replace("return a < b", "return a <= b"))


class Draw(unittest.TestCase):
    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("b", "a", "c/d"):
            path = self.root / "src" / "sim" / f"{name}.cpp"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(f"x{i} = {i} + y;" for i in range(2, 22)))

    def enterContext(self, context):  # of unittest from Python 3.11 on
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def drawn(self, seed, count):
        return [
            str(m) for m in itertools.islice(draw.mutants(list(statements.of_rooms(self.root, ["sim"])), seed), count)
        ]

    def test_the_seed_alone_decides(self):
        self.assertEqual(self.drawn(1, 30), self.drawn(1, 30))
        self.assertEqual(self.drawn(1, 10), self.drawn(1, 30)[:10])
        self.assertNotEqual(self.drawn(1, 30), self.drawn(2, 30))

    def test_the_draw_is_the_same_on_every_machine(self):
        self.assertEqual([draw.number(1, "statement", which, 1000) for which in range(4)], [474, 465, 223, 569])

    def test_no_statement_twice_and_all_in_the_end(self):
        places = [line.split(": ")[0] for line in self.drawn(3, 100)]
        self.assertEqual(len(places), 60)
        self.assertEqual(len(set(places)), 60)

    def test_statements_are_drawn_as_often(self):
        first = [self.drawn(seed, 1)[0].split(":")[0] for seed in range(300)]
        for file in ("src/sim/a.cpp", "src/sim/b.cpp", "src/sim/c/d.cpp"):
            self.assertAlmostEqual(first.count(file) / 300, 1 / 3, delta=0.11)  # four standard errors


class Known(unittest.TestCase):
    def test_a_fault_is_known_by_its_statement_wherever_it_stands(self):
        one = list(statements.statements("src/sim/a.cpp", "\n\n  return a <\n      b;\n"))[0]
        path = Path(tempfile.mkdtemp()) / "equivalent.txt"
        self.addCleanup(path.parent.rmdir)
        self.addCleanup(path.unlink)
        path.write_text("# text\nsrc/sim/a.cpp\treturn a < b;\treturn a <= b;\n  They never\n  are equal.\n")
        mutant = draw.Mutant(one, operators.changes(one.code)[0])
        self.assertEqual(known.read(path)[known.key(mutant)], "They never are equal.")


class Rooms(unittest.TestCase):
    def test_a_room_is_tested_with_those_above_it(self):
        text = (
            "palstudy_room(core PRIVATE fmt)\npalstudy_room(b DEPENDS core PRIVATE x)\npalstudy_room(c DEPENDS core)\n"
            "palstudy_room(d DEPENDS b)\n"
        )
        self.assertEqual(rooms_above(text, "b"), ["b", "d"])
        self.assertEqual(rooms_above(text, "core"), ["core", "b", "c", "d"])


if __name__ == "__main__":
    unittest.main()
