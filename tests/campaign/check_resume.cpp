// SPDX-License-Identifier: MIT
// With which study a campaign may go on, and what is said of another one.
#include "campaign/check_resume.hpp"

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class SameCampaign : public Scratch {
 protected:
  [[nodiscard]] std::string difference(const std::string& before, const std::string& now) const {
    const std::string resolved = read(minimal + before).resolved;
    return first_difference(resolved, read(minimal + now).resolved);
  }
};

TEST_F(SameCampaign, EqualStudiesAreTheSame) {
  EXPECT_EQ(difference("policy.order = \"las\"", "policy.order = \"las\""), "");
  EXPECT_EQ(difference("engine.round_s = 360", ""), "") << "the default written down";
}

// What enters no run does not matter, nor do seeds that are added at the end of their axis, or taken from it.
TEST_F(SameCampaign, KeysThatChangeNoRunMayDiffer) {
  EXPECT_EQ(difference("study.title = \"a\"\nengine.checkpoint_s = 5", "compare.metric = \"jct_p99_s\""), "");
  EXPECT_EQ(difference("axes.seed = { first = 1, count = 30 }", "axes.seed = { first = 1, count = 100 }"), "");
  EXPECT_EQ(difference("axes.seed = [1, 2, 3]", "axes.seed = [1, 2]"), "");
}

// A key that no run looks at may be written down or left out, and be looked at by the runs that are added.
TEST_F(SameCampaign, InputsThatNoRunReadMayDiffer) {
  EXPECT_EQ(difference("", "cluster.profile = \"longhorn\""), "");
  EXPECT_EQ(difference("cluster.profile = \"longhorn\"", ""), "");
  EXPECT_EQ(difference("cluster.gpus = 64\naxes.\"cluster.source\" = [\"table\"]",
                       "cluster.gpus = 64\naxes.\"cluster.source\" = [\"table\", \"bootstrap\"]"),
            "");
}

// 60 and 60.0 are one value of a key of real numbers, alone and where it becomes 60.0 because another value of its axis
// is real; 60.05 is none of them, nor is a text that ends alike.
TEST_F(SameCampaign, ANumberIsTheSameHoweverItIsWritten) {
  EXPECT_EQ(difference("engine.round_s = 60", "engine.round_s = 60.0"), "");
  EXPECT_EQ(difference("axes.\"engine.round_s\" = [60, 360]", "axes.\"engine.round_s\" = [60.0, 360.0]"), "");
  EXPECT_NE(difference("engine.round_s = 60", "engine.round_s = 60.05"), "");
  EXPECT_NE(difference("study.name = \"a\"\ncluster.profile = \"v1\"", "cluster.profile = \"v1.0\""), "");
}

// The first in sorted order, with both values.
TEST_F(SameCampaign, TheFirstDifferenceIsNamed) {
  EXPECT_EQ(difference("engine.round_s = 360", "engine.round_s = 300\npolicy.order = \"las\""),
            "engine.round_s was 360 and is 300");
  EXPECT_EQ(difference("", "policy.order = \"las\""), "policy.order was \"fifo\" and is \"las\"");
  EXPECT_EQ(difference("axes.seed = [1, 2, 3]", "axes.seed = [1, 3, 2]"), "axes.seed was [1, 2, 3] and is [1, 3, 2]");
  EXPECT_EQ(difference("axes.seed = [1, 2]", "axes.\"policy.order\" = [\"las\"]\naxes.seed = [1, 2]"),
            "axes.policy.order was not given and is [\"las\"]");
}

TEST_F(SameCampaign, LongListsAreCut) {
  const std::string said =
      difference("axes.seed = { first = 1, count = 1000 }", "axes.seed = { first = 2, count = 1000 }");
  EXPECT_LT(said.size(), 250u) << said;
  expect_parts(said, {"axes.seed was [1, 2, 3", "... and is [2, 3, 4"});
}

}  // namespace
}  // namespace palstudy
