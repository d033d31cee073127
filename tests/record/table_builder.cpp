// SPDX-License-Identifier: MIT
#include "record/table_builder.hpp"

#include <gtest/gtest.h>

#include "message_of.hpp"

namespace palstudy {
namespace {

// Names get their codes in the order in which they occur, once each, whether they are given as texts or by an index;
// the name of an index is asked for once.
TEST(TextBuilder, NamesEachTextOnce) {
  TextBuilder texts;
  std::size_t asked = 0;
  const auto name = [&](std::size_t index) {
    ++asked;
    return index == 9 ? std::string("b") : "n" + std::to_string(index);
  };
  texts.add("b");
  texts.add("a");
  texts.add("b");
  for (const std::size_t index : {9U, 3U, 3U, 9U, 0U}) texts.add(index, name);
  const TextColumn column = texts.take();
  EXPECT_EQ(column.names, (std::vector<std::string>{"b", "a", "n3", "n0"}));
  EXPECT_EQ(column.codes, (std::vector<std::int32_t>{0, 1, 0, 0, 2, 2, 0, 3}));
  EXPECT_EQ(asked, 3U);
}

// A column that the schema has not, or has with another type, is a mistake of the program.
TEST(TableBuilder, RefusesWhatTheSchemaHasNot) {
  TableBuilder jobs(TableId::jobs, 1);
  EXPECT_EQ(message_of(ErrorCode::fault, [&] { jobs.real("jct", 1); }), "no column jct in the schema");
  EXPECT_EQ(message_of(ErrorCode::fault, [&] { jobs.integer("jct_s", 1); }), "column jct_s is of another type");
  EXPECT_EQ(message_of(ErrorCode::fault, [&] { jobs.real("job", 1); }), "column job is of another type");
  EXPECT_EQ(message_of(ErrorCode::fault, [&] { jobs.text("job", "1"); }), "column job is of another type");
  jobs.integer("job", 4);
  const TableData made = jobs.take();
  ASSERT_EQ(made.columns.size(), 1U);
  EXPECT_EQ(made.columns[0].name, "job");
  EXPECT_EQ(integers_of(made, "job"), std::vector<std::int64_t>{4});
}

// The third of two names is none.
TEST(TableBuilder, HasNoNameBeyondTheLast) {
  const std::vector<std::string> names = {"a", "b"};
  EXPECT_EQ(name_of(names, 1), "b");
  EXPECT_EQ(name_of(names, 2), "");
}

}  // namespace
}  // namespace palstudy
