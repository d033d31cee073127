// SPDX-License-Identifier: MIT
// What the copy of an archive in an anonymous bundle says of where it came from.
#include "bundle/anonymous_copy.hpp"

#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "record/small_run.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

class AnonymousCopies : public Scratch {
 protected:
  AnonymousCopies() {
    from.command_line = "palstudy run /home/ann/s.toml";
    from.start_utc = "2026-01-02T03:04:05Z";
    from.host = "n7";
    from.ranks = 5;
    from.mpi_version = "Open MPI v4.1.4, package of ann";
    from.input_sha256 = {{"/home/ann/c.csv", std::string(64, 'a')}, {"/home/ann/jobs.csv", std::string(64, 'b')}};
    from.resolved_study = "trace = \"/home/ann/jobs.csv\"\n";
    from.study_name = "secret";
    from.study_folder = "/home/ann";
    from.notes = {{{"unsorted", Severity::info, "/home/ann/jobs.csv", {}}, "/home/ann/jobs.csv: not sorted"}};
    BatchJob job;
    job.job = "12";
    job.launcher = "srun";
    job.binding = "n7: 0-3";
    job.start_s = 1e9;
    job.end_s = 1e9 + 60;
    from.jobs = {job};
    write_archive(dir / "a.h5", {test::numbered_record(0), test::numbered_record(1, true)}, {}, from);
  }
  /// A first copy takes the names, the second has their numbers.
  [[nodiscard]] std::filesystem::path copied(const Overrides& instead) const {
    NumberedNames names;
    copy_anonymously(dir / "a.h5", dir / "aside.h5", names);
    names.number();
    copy_anonymously(dir / "a.h5", dir / "b.h5", names, instead);
    return dir / "b.h5";
  }
  Provenance from;
};

// Names have numbers, and what may hold any name is left out; of the MPI library the version stays, without who built
// it. Times, counts and the digest name nobody and stay.
TEST_F(AnonymousCopies, NameNobody) {
  const auto copy = copied({});
  const ArchiveReader was(dir / "a.h5"), is(copy);
  const std::vector<std::pair<const char*, std::string>> expected = {
      {"command_line", ""},
      {"start_utc", from.start_utc},
      {"host", "host-1"},
      {"ranks", "5"},
      {"mpi_version", "Open MPI v4.1.4"},
      {"input_sha256", std::string(64, 'a') + "  file-1\n" + std::string(64, 'b') + "  file-2"},
      {"study.folder", ""},
      {"schema", was.attribute("schema")}};
  for (const auto& [name, value] : expected) EXPECT_EQ(is.attribute(name), value) << name;
  EXPECT_FALSE(is.file().exists("/notes"));
  EXPECT_EQ(is.digest(), was.digest());
  const auto jobs = archived_jobs(dir / "b.h5");
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].job, "job-1");
  EXPECT_EQ(jobs[0].launcher, "srun");
  EXPECT_EQ(jobs[0].binding, "");
  EXPECT_EQ(jobs[0].start_s, 1e9);
  const TableData runs = is.table(TableId::provenance_runs);
  EXPECT_EQ(texts_of(runs, "reason").at(1), "reason-1") << "a message may name a file";
}

// What is given in place of something stands there as it is given: attributes, the study, and ids.
TEST_F(AnonymousCopies, HaveWhatIsGivenInPlace) {
  Overrides instead;
  instead.attributes = {{"study.name", std::string("anonymous")}, {"study.title", std::string("of nobody")}};
  instead.study = "trace = \"inputs/input.csv\"\n";
  instead.renamed_ids = {{"00000000000000a0", "run-0"}};
  const ArchiveReader is(copied(instead));
  EXPECT_EQ(is.attribute("study.name"), "anonymous");
  EXPECT_EQ(is.attribute("study.title"), "of nobody");
  EXPECT_EQ(is.resolved_study(), instead.study);
  EXPECT_EQ(is.renamed_ids(), instead.renamed_ids);
  EXPECT_EQ(is.table(TableId::jobs).rows(), ArchiveReader(dir / "a.h5").table(TableId::jobs).rows());
}

}  // namespace
}  // namespace palstudy
