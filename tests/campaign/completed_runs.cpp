// SPDX-License-Identifier: MIT
// Which runs are left, and which checkpoints are of the study and the slice.
#include "campaign/completed_runs.hpp"

#include <utility>

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class SixRuns : public Scratch {
 protected:
  const Study study = read(minimal + "axes.seed = [1, 2, 3, 4, 5, 6]\n");
};

// Of six runs two have ended and one has failed; that one is tried again only if it is asked for. One that failed and
// ended later has ended. A slice has no other runs than its own.
TEST_F(SixRuns, AreLeftUntilTheyHaveEnded) {
  const CompletedRuns completed{{0, 3}, {1, 3}};
  const auto left = [&](bool retry_failed, std::optional<Slice> slice) {
    CampaignOptions options;
    options.retry_failed = retry_failed;
    options.slice = slice;
    return runs_to_do(study, options, completed);
  };
  using Runs = std::vector<std::size_t>;
  EXPECT_EQ(left(false, std::nullopt), (Runs{2, 4, 5}));
  EXPECT_EQ(left(true, std::nullopt), (Runs{1, 2, 4, 5}));
  EXPECT_EQ(left(false, Slice{2, 2}), (Runs{5}));
  EXPECT_EQ(left(true, Slice{2, 2}), (Runs{1, 5}));
}

// A checkpoint bears the id of its run. One of a run that the study has not, or that another slice works on, is none of
// ours, and neither refuses a start nor is removed by it.
TEST_F(SixRuns, HaveTheirOwnCheckpoints) {
  const auto parts = dir / "out.h5.parts";
  std::filesystem::create_directory(parts);
  for (const std::string& id : {study.runs[1].id, study.runs[2].id, std::string("another")}) {
    write("out.h5.parts/" + id + ".ckpt", "");
  }
  const auto found = own_checkpoints(study, std::nullopt, parts);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].run, &study.runs[1]);
  EXPECT_EQ(found[0].file, parts / (study.runs[1].id + ".ckpt"));
  EXPECT_EQ(found[1].run, &study.runs[2]);
  const auto of_slice = own_checkpoints(study, Slice{2, 2}, parts);
  ASSERT_EQ(of_slice.size(), 1u);
  EXPECT_EQ(of_slice[0].run, &study.runs[1]);
  EXPECT_TRUE(own_checkpoints(study, Slice{1, 3}, parts).empty());
}

}  // namespace
}  // namespace palstudy
