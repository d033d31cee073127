// SPDX-License-Identifier: MIT
// The note of CONTRIBUTING.md.
#include <gtest/gtest.h>

#include <optional>

#include "words/note_text.hpp"

namespace palstudy {

std::optional<Note> note_on_even_seeds(const std::vector<int>& seeds);
void register_note_seeds(NoteWords& words);

namespace {

TEST(ExampleOfANote, FiresAndIsWorded) {
  EXPECT_FALSE(note_on_even_seeds({1, 3}));
  const Note note = note_on_even_seeds({1, 2, 4}).value();
  EXPECT_EQ(note.id, "even-seeds");
  EXPECT_EQ(note.values, (ValueRecord{{"seeds", 2}, {"of", 3}}));
  NoteWords words;
  register_note_seeds(words);
  EXPECT_EQ(words.entries().at("even-seeds").words(note), "2 of 3 seeds are even");
}

}  // namespace
}  // namespace palstudy
