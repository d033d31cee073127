// SPDX-License-Identifier: MIT
// Runs of one study whose tables differ, and how their texts are numbered (archive/table_writer.hpp).
#include <gtest/gtest.h>

#include <cmath>

#include "archive/archive_runs.hpp"
#include "archive/reader.hpp"
#include "archive/verify.hpp"
#include "hdf5/file.hpp"
#include "record/tables.hpp"

namespace palstudy::test {
namespace {

// A trace that names users beside one that does not, and energy beside none: in the rows of the run that has no such
// column stand empty texts and NaN, whichever run comes first, and the archive is as sound as any.
TEST(TableWriter, AColumnOfSomeRunsIsEmptyInTheOthers) {
  for (const std::int64_t with : {0, 1}) {
    MeasuredRun run(with);
    run.workload.users = {"u"};
    run.result.job_energy_j = {1, 2, 3};
    const TempDir dir;
    write_archive(dir.path() / "a.h5", {run.record(), MeasuredRun(1 - with).record()}, {}, {});
    const TableData jobs = ArchiveReader(dir.path() / "a.h5").table(TableId::jobs);
    ASSERT_EQ(jobs.rows(), 6U);
    const auto& runs = integers_of(jobs, "run");
    const auto& energy = reals_of(jobs, "energy_j");
    for (std::size_t row = 0; row < jobs.rows(); ++row) {
      const bool has = runs[row] == with;
      EXPECT_EQ(texts_of(jobs, "user").at(row), has ? "u" : "") << with << ", row " << row;
      EXPECT_EQ(std::isnan(energy[row]), !has) << with << ", row " << row;
    }
    EXPECT_EQ(verify_archive(dir.path() / "a.h5"), std::vector<std::string>{});
  }
}

// How a record numbers its texts, and what it names without a row, is not in the file: byte for byte the same.
TEST(TableWriter, TheFileDoesNotKnowHowRecordsNumberTheirTexts) {
  const TempDir dir;
  auto records = three_runs();
  write_archive(dir.path() / "a.h5", records, {}, some_provenance());
  const auto renumbered = [](TableData& table, const std::string& column, const TextColumn& texts) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].name == column) table.values[c] = texts;
    }
  };
  renumbered(records[0].jobs, "class", {{2, 0, 2}, {"B", "a name that no row has", "A"}});
  renumbered(records[1].runs, "id", {{1}, {"an id that is longer than others", records[1].id}});
  write_archive(dir.path() / "b.h5", records, {}, some_provenance());
  EXPECT_TRUE(read_file(dir.path() / "a.h5") == read_file(dir.path() / "b.h5"));
}

// Of a table that was not asked for, or that no run needs, there is no group either.
TEST(TableWriter, ATableWithoutColumnsHasNoGroup) {
  const TempDir dir;
  write_archive(dir.path() / "a.h5", {MeasuredRun(0).record({false, false, false})}, {}, {});
  const hdf5::File file = hdf5::File::open(dir.path() / "a.h5");
  EXPECT_TRUE(file.exists("/runs"));
  for (const char* group : {"/jobs", "/events", "/rounds", "/power", "/solves"}) EXPECT_FALSE(file.exists(group));
}

}  // namespace
}  // namespace palstudy::test
