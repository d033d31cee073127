// SPDX-License-Identifier: MIT
#include "words/validation_text.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "words/says.hpp"

namespace palstudy {
namespace {

Validation found(SiteVerdict verdict, double recorded_s, double simulated_s) {
  Validation validation;
  validation.verdict = verdict;
  validation.jobs = 100;
  validation.recorded_wait_s = recorded_s, validation.simulated_wait_s = simulated_s;
  return validation;
}

// The verdict comes first, then both waits, and by how much they differ.
TEST(ValidationText, GivesTheVerdictWithBothWaits) {
  const std::string text = verdict_text(found(SiteVerdict::rejected, 1000, 1500));
  EXPECT_EQ(text.rfind("rejected: ", 0), 0U) << text;
  EXPECT_TRUE(says(text, "25 min in the simulation")) << text;
  EXPECT_TRUE(says(text, "17 min as recorded")) << text;
  EXPECT_TRUE(says(text, "50 % more")) << text;
  EXPECT_TRUE(says(verdict_text(found(SiteVerdict::accepted, 1000, 950)), "5 % less"));
}

// Where the rule forgives the seconds, and of no wait at all, there is no share.
TEST(ValidationText, GivesNoShareOfAFewSeconds) {
  EXPECT_FALSE(says(verdict_text(found(SiteVerdict::accepted, 0.1, 2)), "%"));
  EXPECT_FALSE(says(verdict_text(found(SiteVerdict::rejected, 0, 500)), "%"));
}

TEST(ValidationText, SaysHowManyJobsAVerdictNeeds) {
  Validation few = found(SiteVerdict::too_few_jobs, 10, 10);
  few.jobs = 7;
  EXPECT_TRUE(says(verdict_text(few), "no verdict"));
  EXPECT_TRUE(says(verdict_text(few), "7 jobs"));
  EXPECT_TRUE(says(verdict_text(few), "30"));
}

TEST(ValidationText, StatesTheRuleAndHowManyGroupsHold) {
  Validation validation = found(SiteVerdict::accepted, 100, 100);
  validation.groups = 9, validation.groups_that_hold = 8;
  EXPECT_TRUE(says(rule_text(validation), "10 % or 10 s"));
  EXPECT_TRUE(says(rule_text(validation), "8 of 9"));
}

TEST(ValidationText, NamesEachGroupByItsSplit) {
  EXPECT_EQ(group_text({.by = SplitBy::width, .name = "1"}), "that want 1 GPU");
  EXPECT_EQ(group_text({.by = SplitBy::width, .name = "3-4"}), "that want 3-4 GPUs");
  EXPECT_EQ(group_text({.by = SplitBy::queue, .name = "debug"}), "of the queue debug");
  EXPECT_EQ(group_text({.by = SplitBy::tenant, .name = "chem"}), "of chem");
  EXPECT_EQ(group_text({.by = SplitBy::time_of_day, .name = "6-12"}), "submitted at 6-12 o'clock UTC");
}

// Each cause has words of its own, and a difference names its direction and its causes.
TEST(ValidationText, NamesWhatUsuallyCausesADifference) {
  std::set<std::string> causes;
  for (int cause = 0; cause <= static_cast<int>(UsualCause::more_gpus); ++cause) {
    causes.insert(cause_text(static_cast<UsualCause>(cause)));
  }
  EXPECT_EQ(causes.size(), 6U);
  LargestDifference one{{.by = SplitBy::queue, .name = "debug", .jobs = 40, .recorded_wait_s = 600}, {}};
  one.causes = {UsualCause::partitions, UsualCause::outages};
  const std::string text = difference_text(one);
  EXPECT_TRUE(says(text, "40 jobs of the queue debug wait 10 min less")) << text;
  EXPECT_TRUE(says(text, cause_text(UsualCause::partitions))) << text;
  EXPECT_TRUE(says(text, cause_text(UsualCause::outages))) << text;
  one.group.simulated_wait_s = 1200;
  EXPECT_TRUE(says(difference_text(one), "longer"));
}

}  // namespace
}  // namespace palstudy
