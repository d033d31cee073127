// SPDX-License-Identifier: MIT
// With which study a campaign may go on, and what is said of another one.
#include "campaign/check_resume.hpp"

#include "campaign/campaign_info.hpp"
#include "campaign/scratch.hpp"
#include "shard/checkpoint_file.hpp"

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
  EXPECT_EQ(difference("axes.\"policy.order\" = [\"las\"]\naxes.seed = [1, 2]", "axes.seed = [1, 2]"),
            "axes.policy.order was [\"las\"] and is not given");
}

TEST_F(SameCampaign, LongListsAreCut) {
  const std::string said =
      difference("axes.seed = { first = 1, count = 1000 }", "axes.seed = { first = 2, count = 1000 }");
  EXPECT_LT(said.size(), 250u) << said;
  expect_parts(said, {"axes.seed was [1, 2, 3", "... and is [2, 3, 4"});
}

// A value of 80 characters is said whole, of a longer one the first 80.
TEST_F(SameCampaign, ValuesAreCutBehind80Characters) {
  const std::string whole = '"' + std::string(78, 'a') + '"', longer = '"' + std::string(79, 'b') + '"';
  EXPECT_EQ(first_difference("[cluster]\ntable = " + whole + "\n", "[cluster]\ntable = " + longer + "\n"),
            "cluster.table was " + whole + " and is " + longer.substr(0, 80) + "...");
}

// Where only one study has a key or the longer axis, that is said too, if it is asked for.
TEST_F(SameCampaign, AnAxisThatGrewIsADifferenceWhereAskedFor) {
  const std::string few = read(minimal + "axes.seed = [1, 2]").resolved;
  const std::string more = read(minimal + "axes.seed = [1, 2, 3]").resolved;
  EXPECT_FALSE(differing_key(few, more, true));
  const auto found = differing_key(few, more, false);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->key, "axes.seed");
  EXPECT_EQ(found->before, "[1, 2]");
  EXPECT_EQ(found->now, "[1, 2, 3]");
}

class Resumed : public SameCampaign {
 protected:
  [[nodiscard]] std::filesystem::path parts() const { return dir / "out.h5.parts"; }
  /// What a campaign with such a study, and an input of that checksum, writes beside its checkpoints.
  void save(const std::string& study, const std::string& sha256) const {
    Provenance provenance;
    provenance.input_sha256 = {{"jobs.csv", sha256}};
    std::filesystem::create_directory(parts());
    save_campaign(parts(), read(minimal + study), provenance, false);
  }
  /// What is said when a campaign with such a study goes on from what lies in the folder; "" if it may.
  [[nodiscard]] std::string said_of(const std::string& study, bool restarts = false) const {
    return message_or_none(ErrorCode::usage, [&] {
      check_same_campaign(read(minimal + study), {{"jobs.csv", "aa"}}, parts(), restarts);
    });
  }
};

// Checkpoints are work of the study that made them, as shards are: another study does not go on from there, nor begins
// beside them, unless it is to start again. Without either there is nothing to lose.
TEST_F(Resumed, CheckpointsOfAnotherStudyAreRefused) {
  save("engine.round_s = 360", "aa");
  EXPECT_EQ(said_of("engine.round_s = 300"), "");
  (void)write("out.h5.parts/00000000000000a0.ckpt", "");
  EXPECT_EQ(said_of("engine.round_s = 360"), "");
  expect_parts(said_of("engine.round_s = 300"), {"the checkpoints are of another study: engine.round_s was 360"});
  EXPECT_EQ(said_of("engine.round_s = 300", true), "");
  (void)write("out.h5.parts/start-0.shard", "");
  expect_parts(said_of("engine.round_s = 300", true), {"the shards are of another study: engine.round_s was 360"});
}

TEST_F(Resumed, CheckpointsOfOtherInputsAreRefused) {
  save("", "bb");
  EXPECT_EQ(said_of(""), "");
  (void)write("out.h5.parts/00000000000000a0.ckpt", "");
  expect_parts(said_of(""), {"the checkpoints are of other inputs: the SHA-256 of jobs.csv was bb and is aa"});
}

// What the campaign saved of its inputs is lost or cut: the checkpoints themselves say what they are of.
TEST_F(Resumed, WithoutItsDescriptionCheckpointsOfOtherInputsAreRefused) {
  std::filesystem::create_directory(parts());
  const auto put = [&](const std::string& sha256) {
    RunState state;
    state.shared = "shared";
    (void)write_checkpoint(parts() / "00000000000000a0.ckpt", {"00000000000000a0", {{"jobs.csv", sha256}}}, state);
  };
  for (const char* description : {"", "{\"format\": \"pals"}) {
    if (*description != '\0') (void)write("out.h5.parts/campaign.json", description);
    put("aa");
    EXPECT_EQ(said_of(""), "");
    put("bb");
    expect_parts(said_of(""),
                 {"00000000000000a0.ckpt: the checkpoint is of other inputs: the SHA-256 of jobs.csv was bb"});
    EXPECT_EQ(said_of("", true), "") << "it starts again";
  }
  (void)write("out.h5.parts/start-0.shard", "");
  expect_parts(said_of(""), {"the checkpoint is of other inputs"});
}

}  // namespace
}  // namespace palstudy
