// SPDX-License-Identifier: MIT
// A run whose place in the product of the axes has changed, since an axis other than the seeds has grown.
#include <gtest/gtest.h>

#include "archive/archive_runs.hpp"
#include "record/record.hpp"
#include "record/tables.hpp"

namespace palstudy::test {
namespace {

// The twin: the record that the same run makes where it has the other number from the start. Equal in every cell of
// every table and in the digest, which holds the number.
TEST(Renumber, IsTheRecordOfARunAtThatPlace) {
  SmallRun run;
  RunRecord moved = run.record();
  const std::string before = moved.digest;
  run.label.run = 12;
  const RunRecord twin = run.record();
  renumber(moved, 12);
  EXPECT_EQ(moved.run, 12);
  EXPECT_EQ(moved.digest, twin.digest);
  EXPECT_NE(moved.digest, before);
  for (const Table& table : all_tables()) EXPECT_EQ(dump(moved.*table.data), dump(twin.*table.data)) << table.name;
}

TEST(Renumber, ARunThatFailedToo) {
  SmallRun run;
  RunRecord moved = make_failed_record(run.label, "no trace");
  run.label.run = 0;
  renumber(moved, 0);
  EXPECT_EQ(moved.digest, make_failed_record(run.label, "no trace").digest);
}

TEST(Renumber, ThereAndBackIsTheSame) {
  const RunRecord record = SmallRun().record();
  RunRecord moved = record;
  renumber(moved, 100);
  renumber(moved, record.run);
  EXPECT_EQ(moved.digest, record.digest);
}

}  // namespace
}  // namespace palstudy::test
