// SPDX-License-Identifier: MIT
#include "cli/tables/text_table.hpp"

#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/tables/list_tables.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

const TextTable example{{"name", "value"}, {{"a|b", "1.5"}, {"long name", "20"}}};

// Columns that hold numbers alone stand to the right, the others to the left, no blanks at the ends of lines.
TEST(TextTableTest, AlignsNumbersToTheRight) {
  EXPECT_EQ(to_text(example),
            "name       value\n"
            "a|b          1.5\n"
            "long name     20\n");
}

// A name of a file from elsewhere moves no cursor and begins no line.
TEST(TextTableTest, ACellTakesOneLine) {
  EXPECT_EQ(to_text({{"user"}, {{"a\nb\x1b[2J"}, {"\xe2\x80\xaex"}}}),
            "user\n"
            "a\\u{a}b\\u{1b}[2J\n"
            "\\u{202e}x\n");
}

// A line of at most so many columns: who has long texts gives way, and only between words where that goes.
TEST(TextTableTest, WrapsCellsThatDoNotFit) {
  const TextTable table{{"key", "n", "summary"},
                        {{"engine.round_s", "1", "seconds from one boundary to the next"}, {"a", "20", "b"}}};
  EXPECT_EQ(to_text(table, 36),
            "key              n  summary\n"
            "engine.round_s   1  seconds from one\n"
            "                    boundary to the\n"
            "                    next\n"
            "a               20  b\n");
  EXPECT_EQ(to_text({{"path"}, {{"results/a"}}}, 5), "path\nresul\nts/a\n");
}

// A bar in a cell would end it.
TEST(TextTableTest, EscapesBarsInMarkdown) {
  EXPECT_EQ(to_markdown(example), "| name | value |\n| --- | --- |\n| a\\|b | 1.5 |\n| long name | 20 |\n");
}

TEST(TextTableTest, KeepsTheOrderOfColumnsInJson) {
  const auto json = to_json(example);
  EXPECT_LT(json.find("\"name\": \"a|b\""), json.find("\"value\": \"1.5\""));
}

// Every kind has a table. Kinds come with their registries, so the test names only some.
TEST(ListTest, KnowsEveryKind) {
  for (const auto& kind : list_kinds()) {
    const auto table = list_table(kind);
    EXPECT_FALSE(table.rows.empty()) << kind;
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.header.size()) << kind;
    for (const auto& line : palstudy::split(to_text(table, 80))) EXPECT_LE(line.size(), 80u) << kind << ": " << line;
  }
  for (const char* kind : {"schedulers", "orders", "placements", "backfills", "routings", "effects", "keys"}) {
    EXPECT_TRUE(std::ranges::count(list_kinds(), kind)) << kind;
  }
}

TEST(CommandsTest, AreThoseOfTheContract) {
  for (const char* name : {"run", "plan", "compare", "export", "verify", "digest", "diff", "merge", "list"}) {
    EXPECT_EQ(commands().at(name).name, name);
  }
}

}  // namespace
}  // namespace palstudy
