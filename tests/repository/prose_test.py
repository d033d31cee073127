#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""prose_test.py: each limit of prose.py can fail. A page of plain sentences passes; one sentence too many of a kind fails."""
import unittest

import prose

PLAIN = ["This is a plain sentence of eight words."] * 20
GUIDE, RESULTS, README, OTHER = "docs/howto/a.md", "docs/findings/a.md", "README.md", "CHANGELOG.md"


def of_words(count):
    return " ".join(["The", *["word"] * (count - 1)]) + "."


def faults(page, sentences):
    return list(prose.faults(prose.read(page, "\n".join(sentences))))


class Prose(unittest.TestCase):
    def only(self, page, sentences, why):
        said = faults(page, sentences)
        self.assertEqual(len(said), 1, said)
        self.assertIn(why, said[0])

    def test_plain_sentences_pass_on_every_page(self):
        for page in (GUIDE, RESULTS, README, OTHER, "docs/index.md", "docs/start/a.md", "docs/concepts/a.md"):
            self.assertEqual(faults(page, PLAIN), [])

    def test_the_longest_sentence_of_any_page(self):
        self.assertEqual(faults(OTHER, PLAIN + [of_words(45)]), [])
        self.only(OTHER, PLAIN + [of_words(46)], "a sentence has 46 words")

    def test_the_90th_percentile_of_a_guide(self):
        self.assertEqual(faults(GUIDE, PLAIN + [of_words(25)] * 3), [])
        self.only(GUIDE, PLAIN + [of_words(26)] * 5, "90th percentile")
        self.assertEqual(faults(RESULTS, PLAIN + [of_words(26)] * 5), [])

    def test_the_share_of_long_sentences(self):
        self.assertEqual(faults(GUIDE, PLAIN + [of_words(31)]), [])
        self.only(GUIDE, PLAIN + [of_words(31)] * 2, "over 30 words")
        self.assertEqual(faults(RESULTS, PLAIN + [of_words(31)] * 2), [])
        self.only(RESULTS, PLAIN + [of_words(31)] * 3, "over 30 words")

    def test_the_numbers_of_a_guide(self):
        self.only(GUIDE, PLAIN + ["There are 12 of 34 and 56 of 78."] * 2, "numbers for each 100 words")
        self.assertEqual(faults(GUIDE, PLAIN + ["There are `12` of `34` and `56` of `78`."] * 2), [])

    def test_the_brackets_of_a_guide(self):
        self.only(GUIDE, PLAIN + ["This one (of eight words) has (two) brackets."] * 4, "brackets for each sentence")

    def test_the_words_of_the_readme(self):
        self.only(README, [of_words(8)] * 113, "904 words, the most are 900")

    def test_what_is_no_prose_has_no_limits(self):
        table = ["| a | b |", "|---|---|", "| " + "word " * 60 + "| 1 2 3 |"]
        code = ["```text", "word " * 60 + ".", "```", "", "    " + "word " * 60 + ".", ""]
        self.assertEqual(faults(GUIDE, PLAIN + [""] + table + [""] + code + ["# " + "word " * 60]), [])

    def test_a_short_page_has_the_longest_sentence_only(self):
        few = [of_words(40)] * 9
        self.assertEqual(faults(GUIDE, few), [])
        self.assertNotEqual(faults(GUIDE, few + [of_words(40)]), [])


if __name__ == "__main__":
    unittest.main()
