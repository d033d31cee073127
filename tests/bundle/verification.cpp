// SPDX-License-Identifier: MIT
#include "bundle/verification.hpp"

#include "archive/file_checks.hpp"
#include "archive/profile/profile_file.hpp"
#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "archive/small_profile.hpp"
#include "archive/verify.hpp"
#include "archive/write_archive.hpp"
#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "record/digest.hpp"
#include "record/small_run.hpp"
#include "record/tables.hpp"
#include "verified.hpp"

namespace palstudy {
namespace {

class VerifiedArchive : public Scratch {
 protected:
  /// An archive of one run whose id is that of `study`, and which says that it was of `told`. Its checksum is whole.
  [[nodiscard]] std::filesystem::path archive(const Study& study, const std::string& told,
                                              const std::map<std::string, std::string>& renamed = {}) const {
    test::SmallRun run;
    run.label.run = 0;
    run.label.id = renamed.empty() ? study.runs.at(0).id : renamed.begin()->second;
    run.result.metrics.fill(std::numeric_limits<double>::quiet_NaN());
    RunRecord record = run.record();
    record.jobs = {};  // so that no metric has to agree with it
    record.digest = run_digest(record);
    Provenance from;
    from.resolved_study = told;
    from.renamed_ids = renamed;
    write_archive(dir / "a.h5", {record}, {}, from);
    return dir / "a.h5";
  }
  static std::string with(const std::string& text, const std::string& from, const std::string& to) {
    const auto place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from << " is not in\n" << text;
    return std::string(text).replace(place, from.size(), to);
  }
};

// A run's id is a hash of every key that it depends on: the resolved study cannot be altered alone, even by who makes
// the checksum again. The title is in no id, so that a study with another one has the same runs.
TEST_F(VerifiedArchive, AKeyAlteredUnderAWholeChecksumIsFoundByTheIds) {
  const Study study = read(minimal + "cluster.seed = 5\nstudy.title = \"first\"\n");
  EXPECT_EQ(verify_file(archive(study, study.resolved)).findings, Found{});
  const auto file = archive(study, with(study.resolved, "seed = 5", "seed = 6"));
  EXPECT_EQ(verified_archive(file), std::vector<std::string>{}) << "the checksum is that of what is there";
  const auto findings = verify_file(file).findings;
  ASSERT_EQ(findings.size(), 1U);
  expect_parts(lines_of(findings)[0], {"/study/resolved", "/runs/id", study.runs[0].id});
  EXPECT_TRUE(verify_file(archive(study, with(study.resolved, "first", "other"))).findings.empty());
  EXPECT_EQ(verify_file(archive(study, "seed = ")).findings.size(), 1U) << "a study that cannot be read";
}

// Whoever reads what verify says learns which kind of file it was, what was checked, and that a checksum signs nothing.
TEST_F(VerifiedArchive, SaysWhatAFileIsAndWhatWasChecked) {
  const Study study = read(minimal);
  write_profile(dir / "p.h5", test::small_profile(), {});
  for (const auto& [file, kind, digests] :
       {std::tuple{archive(study, study.resolved), "archive", "digests"}, {dir / "p.h5", "profile", "digest"}}) {
    const Verification said = verify_file(file);
    EXPECT_EQ(said.kind, kind);
    for (const char* part : {"schema", "checksums", digests}) {
      EXPECT_NE(std::ranges::find(said.checked, part), said.checked.end()) << part;
    }
    EXPECT_TRUE(said.findings.empty()) << kind;
    EXPECT_NE(find(said.notes, "no-signature"), nullptr) << kind;
    EXPECT_EQ(find(said.notes, "cut-runs"), nullptr) << kind;
    EXPECT_EQ(find(said.notes, "extra-file"), nullptr) << kind;
    EXPECT_EQ(find(said.notes, "no-job-table") != nullptr, said.kind == "archive") << "the run has no rows of jobs";
    EXPECT_EQ(find(said.notes, "not-recomputed"), nullptr) << kind;
  }
}

// A run under Gavel has its solutions in the archive; without them verify reports it, since no job of one GPU can have
// started then. A run of `list` has none.
TEST_F(VerifiedArchive, SolutionsOfAGavelRunAreNotMissing) {
  std::ofstream(dir / "few.csv")
      << "job_id,submit_s,num_gpus,iterations,iteration_s,class\n1,0,1,100,1,A\n2,0,1,900,1,A\n";
  const std::string common =
      "cluster = { gpus = 4, source = \"block\" }\nworkload = { trace = \"few.csv\", reader = \"native\" }\n";
  const auto findings_of = [&](const std::string& policy, bool all) {
    const Study study = read(common + policy);
    std::vector<RunRecord> records = simulate_all(study);
    EXPECT_EQ(records.at(0).solves.rows() > 0, !policy.empty());
    if (!all) records.at(0).solves = {};
    write_archive(dir / "a.h5", records, {}, provenance_of(study.resolved));
    return verify_file(dir / "a.h5").findings;
  };
  EXPECT_EQ(findings_of("policy.scheduler = \"gavel\"\n", true), Found{});
  EXPECT_EQ(findings_of("", true), Found{});
  const Found missing = findings_of("policy.scheduler = \"gavel\"\n", false);
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].where, "/solves");
  expect_parts(missing[0].what, {"run 0", "no row"});
}

// The run up to 5,000 s ends before the second job arrives, which has no row then: the archive is sound, and it is
// noted what was not counted again. The run without an end counts a job too many: there it is damage.
TEST_F(VerifiedArchive, JobsWithoutRowsAreOfRunsThatEndedEarly) {
  std::ofstream(dir / "late.csv")
      << "job_id,submit_s,num_gpus,iterations,iteration_s,class\n1,0,1,100,1,A\n2,90000,1,900,1,A\n";
  const Study study = read(
      "cluster = { gpus = 4, source = \"block\" }\nworkload = { trace = \"late.csv\", reader = \"native\" }\n"
      "[axes]\n\"measure.end_s\" = [5000.0, inf]\n");
  std::vector<RunRecord> records = simulate_all(study);
  ASSERT_EQ(records.size(), 2U);
  ASSERT_EQ(records[0].jobs.rows(), 1U);
  const auto verified = [&] {
    write_archive(dir / "a.h5", records, {}, provenance_of(study.resolved));
    return verify_file(dir / "a.h5");
  };
  const Verification sound = verified();
  EXPECT_EQ(sound.findings, Found{});
  const Note* cut = find(sound.notes, "cut-runs");
  ASSERT_NE(cut, nullptr);
  EXPECT_EQ((*cut)["runs"].count(), 1U);
  TableData& runs = records[1].runs;
  for (std::size_t c = 0; c < runs.columns.size(); ++c) {
    auto* reals = std::get_if<std::vector<double>>(&runs.values[c]);
    auto* integers = std::get_if<std::vector<std::int64_t>>(&runs.values[c]);
    if (runs.columns[c].name == "jobs_unfinished") integers->at(0) = 1;
    if (runs.columns[c].name == "makespan_s") reals->at(0) = std::numeric_limits<double>::quiet_NaN();
  }
  records[1].digest = run_digest(records[1]);
  const Found damaged = verified().findings;
  ASSERT_EQ(damaged.size(), 1U);
  EXPECT_EQ(damaged[0].where, "/runs/jobs_unfinished");
  expect_parts(damaged[0].what, {"run 1 counts 1 job "});
}

// Where a bundle replaced paths, the archive says which id by its text is which run; a key that is altered then gives
// an id that nothing names.
TEST_F(VerifiedArchive, RenamedIdsFollowFromTheStudyToo) {
  const Study study = read(minimal + "cluster.seed = 5\n");
  const std::map<std::string, std::string> renamed = {{study.runs[0].id, "0123456789abcdef"}};
  EXPECT_EQ(verify_file(archive(study, study.resolved, renamed)).findings, Found{});
  EXPECT_EQ(ArchiveReader(dir / "a.h5").renamed_ids(), renamed);
  EXPECT_EQ(verify_file(archive(study, with(study.resolved, "seed = 5", "seed = 6"), renamed)).findings.size(), 1U);
}

TEST_F(VerifiedArchive, AFolderWithoutAManifestIsNoBundle) {
  expect_parts(message_of([&] { (void)verify_file(dir); }), {"is a folder without bundle.json, so it is no bundle"});
}

}  // namespace
}  // namespace palstudy
