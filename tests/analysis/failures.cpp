// SPDX-License-Identifier: MIT
// `[failures]`: from the keys to the archive.
#include <algorithm>
#include <map>
#include <set>

#include "analysis/comparison.hpp"
#include "archive/export.hpp"
#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "archive/verify.hpp"
#include "archive/write_archive.hpp"
#include "archive/write_records.hpp"
#include "campaign/execute.hpp"
#include "campaign/scratch.hpp"
#include "inputs/inputs.hpp"
#include "record/tables.hpp"
#include "verified.hpp"

namespace palstudy {
namespace {

class Failures : public Scratch {
 protected:
  Failures() {
    write_trace_of(200, [](int job) { return fmt::format("{},{},3000,1,A", 60 * job, 1 + job % 6); });
    write_cluster(32, 4, [](int gpu) { return gpu % 5 == 0 ? 1.2 : 1.0; });
  }
  const std::string on_32 = minimal + "cluster.gpus = 32\nmeasure.jobs = { first = 0, last = 199 }\n";
};

RunRecord record_of(const Study& study, std::size_t run = 0) {
  Inputs inputs(study);
  (void)inputs.check();
  LocalExchange alone;
  return execute(study, study.runs[run], inputs, alone).value();
}

std::set<std::string> statuses(const RunRecord& record) {
  const auto& names = std::get<TextColumn>(*record.jobs.find("status")).names;
  return {names.begin(), names.end()};
}

// Without a model the keys of failures are not there, so that runs keep their ids and digests; "none" is the same.
// Without a model nothing looks at it, and both runs would have the id of one.
TEST_F(Failures, AnAxisThatNothingLooksAtIsRefused) {
  expect_parts(refusal(minimal + "[axes]\n\"failures.repeat\" = [0.5, 0.9]\n"),
               {"study.toml:5", "runs 0 and 1 differ in nothing but failures.repeat"});
}

TEST_F(Failures, NoModelIsAsIfThereWereNone) {
  const Study plain = read(on_32), none = read(on_32 + "failures.model = \"none\"\n");
  EXPECT_EQ(plain.runs[0].id, none.runs[0].id);
  const RunRecord a = record_of(plain), b = record_of(none);
  EXPECT_EQ(a.digest, b.digest);
  EXPECT_TRUE(a.failures.columns.empty());
  EXPECT_EQ(statuses(a), (std::set<std::string>{"finished"}));
  const Study unused = read(on_32 + "failures.retries = 2\n");
  EXPECT_EQ(unused.runs[0].id, plain.runs[0].id);
  EXPECT_EQ(std::ranges::count(unused.notes, unused_key("failures.retries")), 1);
}

// With one, jobs have the three statuses, failed attempts have rows that enter the digest and are verified, and the
// resolved study runs again to the same.
TEST_F(Failures, AreArchivedAndVerified) {
  const Study study = read(on_32 + "[failures]\nmodel = \"philly\"\nfaults = \"gpu\"\nslow = true\n");
  const RunRecord record = record_of(study);
  EXPECT_EQ(statuses(record), (std::set<std::string>{"passed", "killed", "unsuccessful"}));
  const std::size_t rows = record.failures.rows();
  EXPECT_GT(rows, 50U);
  Inputs inputs(study);
  (void)inputs.check();
  EXPECT_EQ(inputs.sha256().count("jobs/failures/philly.csv"), 1U);
  EXPECT_NE(record_of(read(on_32)).digest, record.digest);
  const Study again = parse_study(study.resolved, (dir / "study.toml").string());
  EXPECT_EQ(record_of(again).digest, record.digest);

  const auto path = dir / "out.h5";
  write_archive(path, std::vector<RunRecord>{record}, {}, provenance_of(study.resolved));
  EXPECT_EQ(verified_archive(path), std::vector<std::string>{});
  const ArchiveReader archive(path);
  const std::string csv = export_table(archive, TableId::failures, 0, false);
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "run,job,attempt,reason,gpus,node,gpu,time_s,run_s,lost_s");
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), rows + 1);
}

// A key is an axis as any other, and each value has its own run; the seed of failures is that of the study.
TEST_F(Failures, KeysMayBeAxes) {
  const Study study = read(on_32 + "[failures]\nmodel = \"philly\"\n[axes]\n" +
                           "\"failures.checkpoint_s\" = [0, 600, inf]\nseed = [1, 2]\n");
  ASSERT_EQ(study.runs.size(), 6U);
  std::set<std::string> digests;
  for (std::size_t run = 0; run < 6; ++run) digests.insert(record_of(study, run).digest);
  EXPECT_EQ(digests.size(), 6U);
  EXPECT_EQ(study.runs[3].failures.options.seed, 2U);
}

// What became of jobs is compared from the rows: shares add up, what was lost is that of the table, and where no
// attempt fails there is nothing to tell.
TEST_F(Failures, OutcomesAreCompared) {
  const std::string axes = "[axes]\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n";
  const auto archived = [&](const std::string& name, const std::string& more) {
    const Study study = read(on_32 + more + axes);
    std::vector<RunRecord> records = {record_of(study, 0), record_of(study, 1)};
    write_archive(dir / name, records, {}, provenance_of(study.resolved));
    return records;
  };
  const auto records = archived("failing.h5", "[failures]\nmodel = \"philly\"\nvalidate_s = 60\n");
  const Comparison result = compare(ArchiveReader(dir / "failing.h5"), {{"outcomes"}, {}, {}, {}});
  std::map<std::string, double> shown;
  for (const auto& row : result.groups.at(0).rows) shown[row.metric] = row.means.at(0).value().mean;
  EXPECT_EQ(shown.size(), 8U);
  EXPECT_NEAR(shown["jobs_passed"] + shown["jobs_killed"] + shown["jobs_unsuccessful"], 1, 1e-12);
  EXPECT_NEAR(shown["gpu_time_passed"] + shown["gpu_time_killed"] + shown["gpu_time_unsuccessful"], 1, 1e-12);
  const RunRecord& pal = records.at(0);
  double lost = 0, held = 0;
  for (std::size_t i = 0; i < pal.failures.rows(); ++i) {
    if (integers_of(pal.failures, "gpus")[i] > 0) lost += reals_of(pal.failures, "lost_s")[i];
  }
  for (std::size_t i = 0; i < pal.jobs.rows(); ++i) {
    held += static_cast<double>(integers_of(pal.jobs, "gpus")[i]) * reals_of(pal.jobs, "exec_s")[i];
  }
  EXPECT_NEAR(shown["gpu_time_lost"], lost / held, 1e-12);
  EXPECT_GT(lost, 0);
  // Of one placement there is nothing to compare, but what became of its jobs is told.
  const Study one = read(on_32 + "failures.model = \"philly\"\nfailures.validate_s = 60\n");
  write_archive(dir / "one.h5", std::vector<RunRecord>{record_of(one)}, {}, provenance_of(one.resolved));
  const Comparison alone = compare(ArchiveReader(dir / "one.h5"), {{"outcomes"}, {}, {"size"}, {}});
  EXPECT_EQ(alone.policies, std::vector<std::string>{"pal"});
  EXPECT_EQ(alone.groups.size(), 3U);  // 1, 2 to 4, 5 to 8 GPUs
  EXPECT_THROW((void)compare(ArchiveReader(dir / "one.h5"), {{"jct_mean_s"}, {}, {}, {}}), Error);
  (void)archived("plain.h5", "");
  EXPECT_THROW((void)compare(ArchiveReader(dir / "plain.h5"), {{"outcomes"}, {}, {}, {}}), Error);
  const Comparison plain = compare(ArchiveReader(dir / "plain.h5"), {{"causes"}, {}, {}, {}});
  for (const auto& row : plain.groups.at(0).rows) {
    EXPECT_NE(row.metric, "share_failures");
  }
}

/// The message of the refusal of inputs.
std::string refused_inputs(const Study& study) {
  return message_of(ErrorCode::usage, [&] { (void)record_of(study); });
}

// What contradicts itself, or is not there, is said with its place.
TEST_F(Failures, SayWhatIsWrong) {
  expect_parts(refusal(minimal + "failures.model = \"philly\"\nfailures.slow = true\n"),
               {"study.toml:5:17", "failures.slow is about nodes and GPUs"});
  expect_parts(refusal(minimal + "failures.repeat = 1.5\n"), {":4:19", "from 0 to 1"});
  expect_parts(refusal(minimal + "failures.modell = \"philly\"\n"), {"did you mean failures.model?"});
  expect_parts(refused_inputs(read(on_32 + "failures.model = \"phily\"\n")),
               {"study.toml:6:18", "no table of failures is called \"phily\""});
  // A job that the whole cluster cannot hold is another matter, of the trace, as it is without failures.
  write_cluster(4);
  expect_parts(message_of(ErrorCode::data,
                          [&] { (void)record_of(read(minimal + "cluster.gpus = 4\nfailures.model = \"philly\"\n")); }),
               {"wants 5 GPUs, but the cluster has 4", "jobs.csv"});
}

}  // namespace
}  // namespace palstudy
