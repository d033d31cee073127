// SPDX-License-Identifier: MIT
// How far a campaign is, from what lies beside its archive.
#include "campaign/campaign_status.hpp"

#include "campaign/small_campaign.hpp"
#include "shard/checkpoint_file.hpp"

namespace palstudy {
namespace {

class Statuses : public SmallCampaign {
 protected:
  void expect_counts(std::int64_t done, bool archived, const std::string& left_to_do) const {
    const CampaignStatus status = campaign_status(output);
    EXPECT_EQ(status.runs, 2);
    EXPECT_EQ(status.done, done);
    EXPECT_EQ(status.failed, 0);
    EXPECT_EQ(status.archived, archived);
    EXPECT_EQ(status.left_to_do, left_to_do);
    EXPECT_EQ(status.look, "");
  }
};

// Nothing; one slice of two; both, so that the archive is left to do; the archive. Where an archive is to be replaced
// the command says so.
TEST_F(Statuses, GoFromNothingToTheArchive) {
  const Study two = study();
  expect_parts(message_of(ErrorCode::data, [&] { (void)campaign_status(output); }),
               {"neither an archive nor a campaign is there", "out.h5", "start it with palstudy run"});
  run(two, options(Slice{1, 2}));
  expect_counts(1, false, "");
  run(two, options(Slice{2, 2}));
  expect_counts(2, false, "palstudy merge");
  EXPECT_EQ(merge().runs, 2);
  expect_counts(2, true, "");
  CampaignOptions forced = options(Slice{1, 1});
  forced.force = true;
  run(two, forced);
  expect_counts(2, false, "palstudy merge --force");
}

// A run that has begun is told of with what its checkpoint says; not one that has ended since, nor another study's.
TEST_F(Statuses, TellOfRunsThatHaveBegun) {
  const Study two = study();
  run(two, options(Slice{1, 2}));
  RunState state;
  state.time_s = 7200.5;
  state.shared = "what all share";
  std::uint64_t bytes = 0;
  for (const std::string& id : {two.runs[0].id, two.runs[1].id, std::string("00000000000000a0")}) {
    bytes = write_checkpoint(checkpoint_path(parts, id), {id, {}}, state);
  }
  const CampaignStatus status = campaign_status(output);
  ASSERT_EQ(status.begun.size(), 1u);
  EXPECT_EQ(status.begun[0].run, 1);
  EXPECT_EQ(status.begun[0].id, two.runs[1].id);
  EXPECT_EQ(status.begun[0].time_s, 7200.5);
  EXPECT_EQ(status.begun[0].bytes, bytes);
}

}  // namespace
}  // namespace palstudy
