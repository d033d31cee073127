// SPDX-License-Identifier: MIT
#include "campaign/existing_archive.hpp"

#include <gtest/gtest.h>

#include <string>

#include "archive/write_records.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

// What was found out of an archive may have advice of its own on a further line; the campaign's stands in its place.
TEST(ExistingArchive, DamageIsToldInOneLineWithTheCampaignsAdvice) {
  const Error error = damaged_archive("results/a.h5", "a chunk is torn\n  copy it again");
  EXPECT_EQ(error.code(), ErrorCode::data);
  const std::string told = error.what();
  EXPECT_NE(told.find("the archive is damaged: a chunk is torn"), std::string::npos) << told;
  EXPECT_NE(told.find("results/a.h5"), std::string::npos) << told;
  EXPECT_NE(told.find("--resume"), std::string::npos) << told;
  EXPECT_EQ(told.find("copy it again"), std::string::npos) << told;
}

// An archive that grows has the rows of the starts that it had, then those of the new ones. The file of a start may lie
// beside it still, where a campaign died before it was removed: that row is there, to the second, and is not doubled.
TEST(ExistingArchive, KeepsTheStartsThatItHad) {
  const auto job = [](const std::string& id, double start_s, double hours) {
    BatchJob one;
    one.job = id;
    one.launcher = "srun";
    one.nodes = 2;
    one.ranks = 8;
    one.cores = 16;
    one.start_s = start_s;
    one.end_s = start_s + 3600 * hours;
    return one;
  };
  const test::TempDir folder;
  const auto file = folder.path() / "a.h5";
  Provenance provenance;
  provenance.jobs = {job("7", 1000000, 1), job("8", 2000000, 2)};
  write_archive(file, {test::numbered_record(0)}, {}, provenance);
  BatchJob other_ranks = job("8", 2000000, 2);
  other_ranks.ranks = 4;
  const std::vector<BatchJob> beside = {job("8", 2000000.75, 2), job("8", 2000001, 2), other_ranks, job("9", 3e6, 4)};
  const auto all = with_earlier_jobs({file, {}, {}, 1}, beside);
  ASSERT_EQ(all.size(), 5u);
  std::string ids;
  double core_hours = 0;
  for (const BatchJob& one : all) ids += one.job, core_hours += one.core_hours();
  EXPECT_EQ(ids, "78889");
  EXPECT_EQ(all[2].start_s, 2000001);
  EXPECT_EQ(all[3].ranks, 4);
  EXPECT_NEAR(core_hours, 16 * (1 + 2 + 2 + 2 + 4), 1e-9);
}

}  // namespace
}  // namespace palstudy
