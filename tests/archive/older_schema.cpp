// SPDX-License-Identifier: MIT
// An archive that was written by version 1.0.0 of the schema and is kept as it is: whatever the schema becomes, it is
// read, verifies, and says what it said then. Digests and figures are those of the program that wrote it.
#include <gtest/gtest.h>

#include <map>

#include "archive/archive_runs.hpp"
#include "archive/batch_jobs.hpp"
#include "archive/diff.hpp"
#include "archive/export.hpp"
#include "archive/reader.hpp"
#include "archive/run_slices.hpp"
#include "archive/verify.hpp"
#include "core/sha256.hpp"
#include "record/digest.hpp"
#include "record/tables.hpp"

namespace palstudy::test {
namespace {

const std::filesystem::path stored = std::filesystem::path(PALSTUDY_SOURCE_DIR) / "tests/data/archive-1.0.0.h5";
const std::string stored_digest = "837a0f850ade19e9c4a0e4986121f7c30cd4f4a98e503f9e6cb4c362044f7231";

std::string sha256_hex(const std::string& text) {
  Sha256 sum;
  sum.add(text);
  return sum.finish_hex();
}

TEST(OlderSchema, IsReadAndVerifies) {
  const ArchiveReader archive(stored);
  EXPECT_EQ(archive.attribute("schema"), "palstudy-archive 1.0.0");
  EXPECT_EQ(archive.digest(), stored_digest);
  EXPECT_EQ(verify_archive(stored), std::vector<std::string>{});
}

// The digests of the runs made again from the rows by the rules of today, and that of the archive from them.
TEST(OlderSchema, DigestsFollowFromTheRows) {
  const ArchiveReader archive(stored);
  const RunSlices slices(archive);
  ASSERT_EQ(slices.size(), 4U);
  std::vector<std::int64_t> runs;
  std::vector<std::string> digests;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    runs.push_back(slices.record(i).run);
    digests.push_back(run_digest(slices.record(i)));
  }
  EXPECT_EQ(digests[0], "ab78df985712e0f2e494c356cdea0bf7dd962b7b47a1b2b674b9e3cb4e66d07d");
  EXPECT_EQ(archive_digest(runs, std::vector<RunStatus>(4, RunStatus::done), digests), stored_digest);
}

// Byte for byte what `palstudy export` gave. /runs may gain columns in later versions, so of it some figures alone.
TEST(OlderSchema, IsExported) {
  const ArchiveReader archive(stored);
  const TableData runs = archive.table(TableId::runs);
  EXPECT_EQ(archive.axis_keys(), std::vector<std::string>{"policy.placement"});
  EXPECT_EQ(texts_of(runs, "id").at(3), "1aa579affc5e8d2d");
  EXPECT_EQ(reals_of(runs, "jct_mean_s")[0], 2706.6953846153842);
  EXPECT_EQ(reals_of(runs, "jct_p99_s")[1], 6462.335999999998);
  const std::map<TableId, std::string> sums = {
      {TableId::jobs, "f4ae9341c6230b2be7274ddcc410f4555636131beb799408c25e27f35a2d3c40"},
      {TableId::events, "7d275132de4229ddeda81627360a2a00b235e483ee64ee7831e8350633664467"},
      {TableId::rounds, "48fc81096087f06fd243e9a1634e6b7afb6b31eaa8f3614ba50e767ea725b781"},
      {TableId::nodes, "c764846ba0a58034a917a8ea1bbfdace4495367ca16231ec64229f2ac9e3a23d"}};
  for (const auto& [id, sum] : sums)
    EXPECT_EQ(sha256_hex(export_table(archive, id, -1, false)), sum) << table_of(id).name;
}

TEST(OlderSchema, TheRestIsThereToo) {
  const ArchiveReader archive(stored);
  EXPECT_EQ(archive.clusters().size(), 1U);
  EXPECT_NE(archive.resolved_study().find("packed-sticky"), std::string::npos);
  EXPECT_EQ(archived_jobs(stored).size(), 1U);
  EXPECT_EQ(diff_archives(stored, stored).agreement, Agreement::identical);
}

}  // namespace
}  // namespace palstudy::test
