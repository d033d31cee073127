// SPDX-License-Identifier: MIT
#include "campaign/existing_archive.hpp"

#include <gtest/gtest.h>

#include <string>

#include "archive/write_records.hpp"
#include "campaign/campaign_info.hpp"
#include "campaign/scratch.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

// What was found out of an archive may have advice of its own; the campaign's stands in its place.
TEST(ExistingArchive, DamageIsToldInOneLineWithTheCampaignsAdvice) {
  const Error error = damaged_archive("results/a.h5", {"a chunk is torn", "results/a.h5:/jobs/run", "copy it again"});
  EXPECT_EQ(error.code(), ErrorCode::data);
  const std::string told = error.what();
  EXPECT_NE(told.find("results/a.h5: the archive is damaged: /jobs/run: a chunk is torn"), std::string::npos) << told;
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
  const auto all = with_earlier_batch_jobs({file, {}, {}, 1}, beside);
  ASSERT_EQ(all.size(), 5u);
  std::string ids;
  double core_hours = 0;
  for (const BatchJob& one : all) ids += one.job, core_hours += one.core_hours();
  EXPECT_EQ(ids, "78889");
  EXPECT_EQ(all[2].start_s, 2000001);
  EXPECT_EQ(all[3].ranks, 4);
  EXPECT_NEAR(core_hours, 16 * (1 + 2 + 2 + 2 + 4), 1e-9);
}

class GrownArchives : public Scratch {
 protected:
  [[nodiscard]] Study study(const std::string& seeds, const std::string& more = "") const {
    return read(minimal + "axes.seed = " + seeds + "\n" + more);
  }
  /// Writes the archive of a study, of whose runs the last failed.
  void write_archive_of(const Study& study) const {
    const Topology topology(std::vector<NodeGroup>{{1, 2}}, 1);
    std::vector<RunRecord> records;
    for (const RunPlan& run : study.runs) {
      OutputTables tables;
      tables.jobs = false;
      records.push_back(run.number + 1 == static_cast<std::int64_t>(study.runs.size())
                            ? make_failed_record(label_of(study, run), "for the test")
                            : make_record(label_of(study, run), RunResult{}, Workload{},
                                          Slowdowns({"A"}, 2, {1.0, 1.0}), topology, Partitioning(topology, 1),
                                          tables));
    }
    Provenance from;
    from.resolved_study = study.resolved;
    from.input_sha256 = {{"c.csv", std::string(64, 'a')}, {"jobs.csv", std::string(64, 'b')}};
    std::filesystem::remove(output);
    write_archive(output, records, {}, from);
  }
  [[nodiscard]] std::string refused(const Study& study, const std::map<std::string, std::string>& inputs = {}) const {
    return message_of(ErrorCode::usage, [&] { (void)find_existing_archive(study, output, inputs); });
  }
  const std::filesystem::path output = dir / "a.h5";
};

// Nothing is there; an archive of all runs of which one failed; of fewer runs than the study has by now. One that
// --force began to replace does not count.
TEST_F(GrownArchives, HoldRunsOfTheStudy) {
  const Study three = study("[1, 2, 3]");
  EXPECT_FALSE(find_existing_archive(three, output, {}));
  std::filesystem::create_directory(output);
  EXPECT_FALSE(find_existing_archive(three, output, {})) << "a folder is no archive";
  write_archive_of(three);
  const auto same = find_existing_archive(three, output, {{"c.csv", std::string(64, 'a')}, {"new.csv", "c"}});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->file, output);
  EXPECT_EQ(same->done, (std::set<std::int64_t>{0, 1}));
  EXPECT_EQ(same->failed, (std::set<std::int64_t>{2}));
  EXPECT_TRUE(same->has_every_run());
  EXPECT_FALSE(same->is_whole());
  const auto grown = find_existing_archive(study("[1, 2, 3, 4]"), output, {});
  ASSERT_TRUE(grown);
  EXPECT_EQ(grown->runs_of_study, 4u);
  EXPECT_FALSE(grown->has_every_run());
  std::filesystem::create_directory(dir / "a.h5.parts");
  save_campaign(dir / "a.h5.parts", three, {}, true);
  EXPECT_FALSE(find_existing_archive(three, output, {}));
}

// Each reason not to go on names what differs, with what it was and is; and what to do.
TEST_F(GrownArchives, OfSomethingElseAreRefused) {
  const Study three = study("[1, 2, 3]");
  write_archive_of(three);
  expect_parts(
      refused(three, {{"jobs.csv", std::string(64, 'c')}}),
      {"a.h5: is of other inputs: the SHA-256 of jobs.csv was bbb", " and is ccc", "give another -o; --force"});
  expect_parts(refused(study("[1, 2, 3]", "engine.round_s = 300\n")),
               {"a.h5: is of another study: engine.round_s was 360 and is 300"});
  expect_parts(refused(study("[1, 2]")),
               {"a.h5: holds 3 runs; the study has 2, and run 2 (" + three.runs[2].id + ") is not among them"});
  std::filesystem::remove(output);
  write("a.h5", "notes of somebody");
  expect_parts(refused(three), {"a.h5: exists already and is no archive to go on with: ", "give another -o"});
}

}  // namespace
}  // namespace palstudy
