# SPDX-License-Identifier: MIT
"""The examples in the docstrings of python/palstudy.py are what they say, and every public name has one."""
import doctest
import inspect
import unittest

from module_files import HAS_XARRAY, make, palstudy


class Examples(unittest.TestCase):
    def test_they_are_what_they_say(self):
        make()
        found = doctest.DocTestFinder().find(palstudy, extraglobs={"palstudy": palstudy})
        runner = doctest.DocTestRunner()
        for one in found:
            if HAS_XARRAY or not one.name.endswith(".dataset"):
                runner.run(one)
        self.assertEqual(runner.failures, 0)
        self.assertGreater(runner.tries, 15)

    def test_public_names_are_documented_and_typed(self):
        for name in palstudy.__all__:
            thing = getattr(palstudy, name)
            self.assertTrue(inspect.getdoc(thing), name)
            functions = (
                [one for _, one in inspect.getmembers(thing, inspect.isfunction)] if inspect.isclass(thing) else [thing]
            )
            for function in functions:
                if not function.__name__.startswith("_"):
                    self.assertTrue(function.__doc__, f"{name}: {function.__name__}")
                    self.assertIn("return", function.__annotations__, f"{name}: {function.__name__}")


if __name__ == "__main__":
    unittest.main()
