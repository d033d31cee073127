// SPDX-License-Identifier: MIT
#include "cli/tables/validation_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/widest_line.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

/// A rejected model: a queue of a long name waits for days less, and one group has too few jobs to decide.
Validation rejected() {
  Validation found;
  found.verdict = SiteVerdict::rejected;
  found.jobs = 1234567, found.initial = 12, found.unstarted = 3;
  found.recorded_wait_s = 400000, found.simulated_wait_s = 100000;
  found.start_error_s = 3600;
  found.groups = 2, found.groups_that_hold = 1;
  const std::string queue = "a-queue-of-a-name-that-is-longer-than-most";
  found.splits = {{SplitBy::width, "1", 600, 60, 61, true, true},
                  {SplitBy::queue, queue, 1233967, 900000, 30, true, false},
                  {SplitBy::time_of_day, "0-6", 3, 1, 2, false, false}};
  found.largest = {{found.splits[1], {UsualCause::partitions, UsualCause::priorities}}};
  for (int stretch = 0; stretch < 48; ++stretch) {
    found.use.push_back({3600.0 * stretch, 3600.0 * (stretch + 1), 10, 20, 31, 42});
  }
  found.recorded_use = 0.75, found.simulated_use = 0.5;
  return found;
}

TEST(ValidationTables, FitTheScreen) {
  EXPECT_LE(widest_line(validation_text(rejected(), 100)), 100U);
  EXPECT_LE(widest_line(validation_text({}, 100)), 100U);
}

// The verdict stands first, and of a group one sees whether it holds, differs, or has too few jobs to decide.
TEST(ValidationTables, BeginWithTheVerdictAndJudgeEachGroup) {
  const std::string text = validation_text(rejected(), 100);
  EXPECT_EQ(text.rfind("rejected: ", 0), 0U) << text;
  for (const char* part : {"3 never started", "75.0 %", "50.0 %", "holds\n", "differs\n", "too few\n", "largest"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
}

// Six lines of use for people; programs get every stretch.
TEST(ValidationTables, ShowSixPartsOfTheLog) {
  const std::string text = validation_text(rejected(), 100);
  const auto lines = split(text.substr(text.find("queue recorded")));
  EXPECT_EQ(
      std::ranges::count_if(lines, [](const std::string& line) { return line.find("42.0") != std::string::npos; }), 6);
}

TEST(ValidationTables, AsJsonHaveEachValue) {
  const auto json = nlohmann::json::parse(validation_json(rejected(), {"t", "s"}));
  EXPECT_EQ(json.at("schema"), "palstudy.validation/1");
  EXPECT_EQ(json.at("verdict"), "rejected");
  EXPECT_EQ(json.at("trace_sha256"), "t");
  EXPECT_EQ(json.at("scheduler_sha256"), "s");
  EXPECT_EQ(json.at("jobs"), 1234567);
  EXPECT_EQ(json.at("initial"), 12);
  EXPECT_EQ(json.at("unstarted"), 3);
  EXPECT_EQ(json.at("wait"), (nlohmann::json{{"recorded_s", 400000.0}, {"simulated_s", 100000.0}}));
  EXPECT_EQ(json.at("start_error_median_s"), 3600);
  EXPECT_EQ(json.at("gpus_in_use").at("simulated"), 0.5);
  EXPECT_EQ(json.at("rule").at("decide"), 2);
  EXPECT_EQ(json.at("rule").at("hold"), 1);
  ASSERT_EQ(json.at("groups").size(), 3U);
  EXPECT_EQ(json.at("groups").at(1).at("by"), "queue");
  EXPECT_EQ(json.at("groups").at(1).at("holds"), false);
  EXPECT_EQ(json.at("groups").at(2).at("decides"), false);
  ASSERT_EQ(json.at("largest").size(), 1U);
  EXPECT_EQ(json.at("largest").at(0).at("causes"), (nlohmann::json{"partitions", "priorities"}));
  EXPECT_FALSE(json.at("largest").at(0).contains("jobs")) << "groups have it";
  EXPECT_EQ(json.at("stretches").size(), 48U);
  EXPECT_EQ(json.at("stretches").at(0).at("simulated_gpus"), 42);
}

}  // namespace
}  // namespace palstudy
