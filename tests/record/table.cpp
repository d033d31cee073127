// SPDX-License-Identifier: MIT
#include "record/table.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "message_of.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

// A column that an archive has not, or of another type, is refused with its place; of a table without columns the name
// of the column is all that is known of it.
TEST(TableData, ColumnsThatDoNotFitAreNamed) {
  const TableData jobs = test::SmallRun().record().jobs;
  const auto refused = [](const TableData& table, const std::string& column, auto of) -> std::string {
    return message_of(ErrorCode::data, [&] { (void)of(table, column); });
  };
  const std::string advice = "\n  restore the archive from a copy or run the study again",
                    other = ": the column is of another type" + advice;
  EXPECT_EQ(refused(jobs, "jct", reals_of), "/jobs/jct: the column is missing" + advice);
  EXPECT_EQ(refused(TableData(), "jct", reals_of), "jct: the column is missing" + advice);
  EXPECT_EQ(refused(jobs, "job", reals_of), "/jobs/job" + other);
  EXPECT_EQ(refused(jobs, "jct_s", integers_of), "/jobs/jct_s" + other);
  EXPECT_EQ(refused(jobs, "jct_s", texts_of), "/jobs/jct_s" + other);
  EXPECT_EQ(refused(jobs, "class", integers_of), "/jobs/class" + other);
  EXPECT_EQ(integers_of(jobs, "job"), (std::vector<std::int64_t>{70, 50, 60}));
  EXPECT_EQ(texts_of(jobs, "class").at(1), "B");
}

// As many rows as its first column has values, of whichever type they are.
TEST(TableData, HasTheRowsOfItsColumns) {
  EXPECT_EQ(TableData().rows(), 0U);
  EXPECT_EQ(size(ColumnValues(std::vector<std::int64_t>{1, 2})), 2U);
  EXPECT_EQ(size(ColumnValues(std::vector<double>{1, 2, 3})), 3U);
  EXPECT_EQ(size(ColumnValues(TextColumn{{0, 0, 1, 0}, {"a", "b"}})), 4U);
  EXPECT_EQ(test::SmallRun().record().jobs.rows(), 3U);
}

}  // namespace
}  // namespace palstudy
