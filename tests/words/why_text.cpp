// SPDX-License-Identifier: MIT
#include "words/why_text.hpp"

#include <gtest/gtest.h>

#include "words/says.hpp"

namespace palstudy {
namespace {

JobStory waiting(WaitCause cause, double seconds) {
  JobStory story;
  story.job.job = 5, story.job.gpus = 4;
  story.job.start_s = seconds, story.job.finish_s = seconds + 10;
  story.wait.until_s = seconds;
  story.wait.by_cause_s[static_cast<std::size_t>(cause)] = seconds;
  return story;
}

// Each cause has words of its own, and a job that never started is not said to have waited and run.
TEST(WhyText, TheAnswerNamesTheCause) {
  EXPECT_TRUE(says(story_answer(waiting(WaitCause::short_of_gpus, 60)), "fewer than 4 GPUs"));
  EXPECT_TRUE(says(story_answer(waiting(WaitCause::behind_others, 60)), "behind earlier jobs"));
  EXPECT_TRUE(says(story_answer(waiting(WaitCause::held_back, 60)), "limits"));
  EXPECT_TRUE(says(story_answer(waiting(WaitCause::boundary, 60)), "boundary"));
  EXPECT_TRUE(says(story_answer(waiting(WaitCause::boundary, 0)), "did not wait"));
  JobStory never = waiting(WaitCause::short_of_gpus, 60);
  never.job.start_s = never.job.finish_s = nan;
  EXPECT_TRUE(says(story_answer(never), "never started"));
  never.job.finish_s = 0;
  EXPECT_TRUE(says(story_answer(never), "turned away"));
}

// With two causes the larger is the main one.
TEST(WhyText, SaysMostlyOfTheLargerCause) {
  JobStory story = waiting(WaitCause::short_of_gpus, 60);
  EXPECT_FALSE(says(story_answer(story), "mostly"));
  story.wait.by_cause_s[0] = 10;
  EXPECT_TRUE(says(story_answer(story), "mostly since"));
}

// A job has the name that its site gives it, with the number that the archive has.
TEST(WhyText, AJobHasTheNameOfItsSite) {
  EXPECT_EQ(job_text(5, ""), "job 5");
  EXPECT_TRUE(says(job_text(5, "123_4"), "job 123_4"));
  EXPECT_TRUE(says(job_text(5, "123_4"), "5 in"));
}

TEST(WhyText, NumbersAreRanges) {
  EXPECT_EQ(numbers_text({}), "");
  EXPECT_EQ(numbers_text({3}), "3");
  EXPECT_EQ(numbers_text({3, 4, 8, 10, 11, 12}), "3, 4, 8, 10 to 12");
  EXPECT_EQ(numbers_text({1, 3, 5, 7, 9, 11, 13, 15}), "1, 3, 5, 7, 9, 11 and 2 more");
}

// What makes the most of a difference is named in its direction.
TEST(WhyText, ADifferenceHasADirection) {
  JobDifference one;
  one.other_jct_s = 100;
  one.by_cause_s[static_cast<std::size_t>(DifferenceCause::gpus)] = 100;
  EXPECT_EQ(difference_text(one), "slower GPUs");
  one.jct_s = 200;
  one.by_cause_s[static_cast<std::size_t>(DifferenceCause::gpus)] = -100;
  EXPECT_EQ(difference_text(one), "faster GPUs");
}

TEST(WhyText, CountsWhoWasKilled) {
  LimitKills kills;
  EXPECT_TRUE(says(kills_answer(kills, 2), "no job"));
  kills.all.jobs = 12;
  EXPECT_TRUE(says(kills_answer(kills, 2), "none of 12 jobs"));
  kills.slow = {3, 14.25};
  EXPECT_TRUE(says(kills_answer(kills, 2), "3 of 12 jobs"));
}

}  // namespace
}  // namespace palstudy
