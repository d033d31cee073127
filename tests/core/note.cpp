// SPDX-License-Identifier: MIT
#include "core/note.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"

namespace palstudy {
namespace {

const NoteKind small("of-a-test", Severity::info);

TEST(Values, AreReadAsWhatTheyAre) {
  const Value record =
      ValueRecord{{"n", 3}, {"x", 0.5}, {"yes", true}, {"name", "pal"}, {"range", least_and_most(1, 2)}};
  EXPECT_EQ(record["n"].count(), 3u);
  EXPECT_EQ(record["n"].number(), 3);
  EXPECT_EQ(record["x"].number(), 0.5);
  EXPECT_TRUE(record["yes"].yes());
  EXPECT_EQ(record["name"].name(), "pal");
  EXPECT_EQ(record["range"].least(), 1);
  EXPECT_EQ(record["range"].most(), 2);
  EXPECT_THROW((void)record["x"].count(), Error);
  EXPECT_THROW((void)record["none"], Error);
  EXPECT_EQ(find(record.record(), "none"), nullptr);
}

// What is not known is nothing: a number that is none, and the range of no values.
TEST(Values, ThatAreNotKnownAreNothing) {
  EXPECT_FALSE(Value(std::numeric_limits<double>::quiet_NaN()).known());
  EXPECT_FALSE(least_and_most(2, 1).known());
  EXPECT_FALSE(Value().known());
  EXPECT_TRUE(Value(0.0).known());
}

TEST(Notes, AreOfAKindThatIsDeclaredOnce) {
  const std::vector<Note> notes = {small({{"runs", 3}}, "a"), small({{"runs", 4}}, "b")};
  EXPECT_EQ(notes[0].id, "of-a-test");
  EXPECT_EQ(notes[0].severity, Severity::info);
  EXPECT_EQ(notes[0]["runs"], Value(3));
  EXPECT_THROW((void)notes[0]["of"], Error);
  EXPECT_EQ(find(notes, "of-a-test"), &notes[0]);
  EXPECT_EQ(find(notes, "of-a-test", "b"), &notes[1]);
  EXPECT_EQ(find(notes, "another"), nullptr);
  const auto all = NoteKind::all();
  EXPECT_EQ(std::count(all.begin(), all.end(), &small), 1);
  EXPECT_STREQ(name_of(Severity::stop), "stop");
}

}  // namespace
}  // namespace palstudy
