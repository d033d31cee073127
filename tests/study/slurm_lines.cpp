// SPDX-License-Identifier: MIT
// What is one line to Slurm, and where its settings stand. A slurmctld of 22.05 has read lines like these.
#include "study/slurm_lines.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "message_of.hpp"

namespace palstudy {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

Settings settings_of(const SlurmLine& line) {
  Settings settings;
  for (const SlurmSetting& one : line.settings) settings.emplace_back(one.name, one.value);
  return settings;
}
std::string written_value(const SlurmLine& line, std::size_t setting) {
  const SlurmSetting& one = line.settings.at(setting);
  return line.text.substr(one.value_begin, one.end - one.value_begin);
}

TEST(SlurmLines, GoOnAfterABackslash) {
  const auto lines = slurm_lines("# a site\n\nA=1 \\\r\n  B=2 # of b\\\n C=3 \\ # joined\nD=4\nE=5 \\", "x.conf");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(settings_of(lines[0]), (Settings{{"A", "1"}, {"B", "2"}})) << "a comment has no backslash";
  EXPECT_EQ(lines[0].written, "A=1 \\\n  B=2 # of b\\");
  EXPECT_EQ(lines[0].comment, "# of b\\");
  EXPECT_EQ(lines[0].where, "x.conf:4");
  EXPECT_EQ(settings_of(lines[1]), (Settings{{"C", "3"}, {"D", "4"}}));
  EXPECT_EQ(lines[1].where, "x.conf:6");
  EXPECT_EQ(settings_of(lines[2]), (Settings{{"E", "5"}})) << "the file ends";
}

TEST(SlurmLines, KnowWhereValuesStand) {
  const auto lines = slurm_lines("NodeName=a  Weight = 5\tReason=\"slow # not \\# yet\" X=\n", "x.conf");
  ASSERT_EQ(lines.size(), 1U);
  // A comment begins within quotes too, unless a backslash is before it.
  EXPECT_EQ(settings_of(lines[0]), (Settings{{"NodeName", "a"}, {"Weight", "5"}, {"Reason", "slow"}}));
  EXPECT_EQ(written_value(lines[0], 1), "5");
  EXPECT_EQ(written_value(lines[0], 2), "\"slow");
  const auto quoted = slurm_lines("F=\"a b\" G=x\"y z\"w H=\\#1\n", "x.conf");
  EXPECT_EQ(settings_of(quoted.at(0)), (Settings{{"F", "a b"}, {"G", "xy zw"}, {"H", "\\#1"}}));
  EXPECT_EQ(written_value(quoted[0], 0), "\"a b\"");
}

TEST(SlurmLines, IncludeAPath) {
  const auto lines = slurm_lines("include /etc/slurm/a file.conf # all nodes\nIncluded=1\n", "x.conf");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(settings_of(lines[0]), (Settings{{"Include", "/etc/slurm/a file.conf"}}));
  EXPECT_EQ(settings_of(lines[1]), (Settings{{"Included", "1"}}));
}

TEST(SlurmLines, AreRefusedWithTheirPlace) {
  const auto refused = [](const std::string& text) {
    return message_of(ErrorCode::data, [&] { (void)slurm_lines(text, "x.conf"); });
  };
  expect_parts(refused("A=1\nwhat\n"), {"x.conf:2", "what"});
  expect_parts(refused("A=1 what\n"), {"x.conf:1", "what"});
  expect_parts(refused("=1\n"), {"x.conf:1", "=1"});
}

}  // namespace
}  // namespace palstudy
