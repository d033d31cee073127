// SPDX-License-Identifier: MIT
#include "cli/tables/why_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/widest_line.hpp"

namespace palstudy {
namespace {

JobDifference slower(std::int64_t job, double jct_s, double more_s) {
  JobDifference one;
  one.job = job, one.gpus = 8;
  one.jct_s = jct_s, one.other_jct_s = jct_s + more_s;
  one.by_cause_s[static_cast<std::size_t>(DifferenceCause::span)] = more_s;
  return one;
}

// Jobs of days beside jobs of seconds still make lines of 100 columns, each on a line of its own; changes have signs.
TEST(WhyTables, DifferencesFitTheScreen) {
  RunsApart runs{12345, {.jobs = {slower(123456789, 1e6, 3e5), slower(3, 20, -0.5)}, .compared = 2, .share = 1}};
  const std::string text = why_text(WhyOf<RunsApart>{99999, false, runs}, 100);
  EXPECT_LE(widest_line(text), 100U);
  EXPECT_EQ(std::ranges::count(text, '\n'), 6);
  EXPECT_NE(text.find("+83.33"), std::string::npos);
}

// A time that is not there is null, and so is the cost of a job that never ran.
TEST(WhyTables, WhatIsNotThereIsNull) {
  JobStory story;
  story.job.gpus = 1;
  story.wait.until_s = 50;
  story.wait.by_cause_s[static_cast<std::size_t>(WaitCause::held_back)] = 50;
  const auto json = nlohmann::json::parse(why_json(WhyOf<JobStory>{3, true, story}));
  EXPECT_EQ(json.at("schema"), "palstudy.why/1");
  EXPECT_EQ(json.at("run"), 3);
  EXPECT_EQ(json.at("simulated"), true);
  EXPECT_TRUE(json.at("job").at("start_s").is_null());
  EXPECT_TRUE(json.at("wait").at("enough_s").is_null());
  EXPECT_EQ(json.at("wait").at("main"), "held-back");
  EXPECT_EQ(json.at("wait").at("by_cause_s").at("held-back"), 50);
  EXPECT_TRUE(json.at("slowest").is_null());
}

}  // namespace
}  // namespace palstudy
