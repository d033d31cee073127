// SPDX-License-Identifier: MIT
#include "record/tables.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// Where columns and their names lie, that of a column whose name has a slash too; a run's id and digest alone are kept
// as texts, which hardly repeat.
TEST(Tables, ColumnsHavePaths) {
  EXPECT_EQ(column_path(TableId::event_gpus, "gpu"), "/events/gpu");
  EXPECT_EQ(column_path(TableId::runs, "a/b"), "/runs/a%2Fb");
  EXPECT_EQ(names_path(TableId::jobs, "class"), "/names/jobs.class");
  EXPECT_EQ(names_path(TableId::provenance_runs, "reason"), "/names/provenance.runs.reason");
  EXPECT_EQ(names_path(TableId::runs, "a/b"), "/names/runs.a%2Fb");
  for (const Column& column : schema_columns()) {
    const bool hardly_repeats = column.table == TableId::runs && (column.name == "id" || column.name == "digest");
    EXPECT_EQ(stored_as_text(column.table, column.name), hardly_repeats) << column_path(column.table, column.name);
  }
}

// Columns are those of one table, and what depends on the study is in none; an axis is digested, and slowdowns of nodes
// are not.
TEST(Tables, ColumnsAreFoundInTheirTable) {
  ASSERT_NE(find_column(TableId::jobs, "jct_s"), nullptr);
  EXPECT_EQ(find_column(TableId::jobs, "jct_s")->units, "s");
  EXPECT_EQ(find_column(TableId::runs, "jct_s"), nullptr);
  EXPECT_EQ(find_column(TableId::runs, "policy.placement"), nullptr);
  EXPECT_TRUE(axis_column("policy.placement", ColumnType::text).digested);
  EXPECT_FALSE(slowdown_column("A").digested);
  EXPECT_EQ(slowdown_column("A").name, "slowdown_A");
  EXPECT_EQ(status_name(RunStatus::done), "done");
  EXPECT_EQ(status_name(RunStatus::failed), "failed");
}

}  // namespace
}  // namespace palstudy
