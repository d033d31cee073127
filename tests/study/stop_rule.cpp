// SPDX-License-Identifier: MIT
// What [stop] is read as, and how far its axis of seeds may go; what its looks see:
// tests/campaign/interim_analysis.cpp.
#include "study/stop_rule.hpp"

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class StopRules : public Scratch {
 protected:
  [[nodiscard]] static std::string text(const std::string& seeds, const std::string& more = "") {
    return minimal + more + "[stop]\nrelative_half_width = 0.05\nlooks = [20, 22]\n[axes]\n" +
           "\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n" + seeds;
  }
};

// The looks' numbers of seeds, and of runs with two placements each; the metric is the one that the study compares
// unless another is given.
TEST_F(StopRules, AreReadAsWritten) {
  const Study study = read(text("seed = { first = 5, count = 22 }\n", "compare.metric = \"makespan_s\"\n"));
  ASSERT_TRUE(study.stop);
  EXPECT_EQ(study.stop->metric, "makespan_s");
  EXPECT_EQ(study.stop->relative_half_width, 0.05);
  EXPECT_EQ(study.stop->seed_key, "seed");
  ASSERT_EQ(study.stop->looks.size(), 2u);
  EXPECT_EQ(study.stop->looks[0].seeds, 20u);
  EXPECT_EQ(study.stop->looks[0].runs, 40u);
  EXPECT_EQ(study.stop->looks[1].seeds, 22u);
  EXPECT_EQ(study.stop->looks[1].runs, 44u);
  EXPECT_EQ(study.stop->looks[1].resolved, study.resolved);
  EXPECT_TRUE(study.notes.empty()) << "as many seeds as the last look has";
}

// An axis with more seeds than the last look is cut, which is said; they need not count up then.
TEST_F(StopRules, LeaveOutSeedsBeyondTheLastLook) {
  std::string seeds = "3, 1";
  for (int seed = 10; seed < 31; ++seed) seeds += ", " + std::to_string(seed);
  const Study study = read(text("seed = [" + seeds + "]\n"));
  EXPECT_EQ(study.notes,
            (std::vector<Note>{{"unused-seeds", Severity::info, "", {{"key", "seed"}, {"seeds", 23}, {"used", 22}}}}));
  ASSERT_EQ(study.runs.size(), 44u);
  EXPECT_EQ(study.runs.front().seed, 3u);
  EXPECT_EQ(study.runs.back().seed, 29u);
}

// Seeds are 64-bit numbers. With 22 of them the first may be 22 under the largest, and one more is refused.
TEST_F(StopRules, CountSeedsUpToTheLargest) {
  const auto from = [](const char* first) {
    return text("seed = { first = " + std::string(first) + ", count = 2 }\n");
  };
  EXPECT_EQ(read(from("9223372036854775785")).runs.back().seed, 9223372036854775806u);
  expect_parts(refusal(from("9223372036854775786")), {"study.toml:9:", "the axis seed is too long", "begin at less"});
}

// Beside a rule one axis of seeds counts up and is long enough, and intervals are those of seeds alone.
TEST_F(StopRules, AreRefusedWhereSeedsDoNotNarrowIntervals) {
  expect_parts(refusal(text("seed = [1, 3]\n")),
               {"the axis seed has 2 values, the last look 22", "such as { first = 1, count = 22 }"});
  expect_parts(refusal(text("seed = [1, 2]\n\"cluster.seed\" = [1, 2]\n")),
               {"[stop] adds values to one axis of seeds, and the study has cluster.seed, seed"});
  expect_parts(refusal(text("seed = [1, 2]\n", "workload.resample = \"days\"\n")),
               {"with workload.resample seeds narrow none", "leave one of them out"});
}

}  // namespace
}  // namespace palstudy
