// SPDX-License-Identifier: MIT
#include "archive/run_slices.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "archive/archive_runs.hpp"
#include "core/error.hpp"
#include "message_of.hpp"
#include "record/tables.hpp"

namespace palstudy::test {
namespace {

void put_integer(TableData& table, const std::string& column, std::size_t row, std::int64_t value) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].name == column) std::get<std::vector<std::int64_t>>(table.values[c]).at(row) = value;
  }
}

/// What cutting three runs into records ends with, after a change.
std::string cutting(const std::function<void(std::vector<RunRecord>&)>& change) {
  const TempDir dir;
  auto records = three_runs();
  change(records);
  write_archive(dir.path() / "a.h5", records, {}, {});
  return message_or_none(ErrorCode::data, [&] {
    const RunSlices slices(ArchiveReader(dir.path() / "a.h5"));
    for (std::size_t i = 0; i < slices.size(); ++i) (void)slices.record(i);
  });
}

// A text column of a part names what occurs in it alone, in the order in which it does; numbers are those of the rows.
TEST(RunSlices, APartNamesWhatOccursInIt) {
  const Column column{TableId::jobs, "c", "1", "C.", ColumnType::text, true};
  const TableData table{{column, column, column},
                        {TextColumn{{2, 0, 2, 1}, {"a", "b", "c"}}, std::vector<double>{1, 2, 3, 4},
                         std::vector<std::int64_t>{5, 6, 7, 8}}};
  const TableData part = slice(table, 1, 3);
  EXPECT_EQ(part.rows(), 2U);
  const auto& text = std::get<TextColumn>(part.values[0]);
  EXPECT_EQ(text.names, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(text.codes, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(std::get<std::vector<double>>(part.values[1]), (std::vector<double>{2, 3}));
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(part.values[2]), (std::vector<std::int64_t>{6, 7}));
  EXPECT_EQ(std::get<TextColumn>(slice(table, 0, 3).values[0]).codes, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(slice(table, 4, 4).rows(), 0U);
}

// Runs stand in their order, each once in /runs: rows that do not are damage, named by their table.
TEST(RunSlices, RowsOutOfOrderAreDamage) {
  const std::string says =
      ": the rows are not in the order of their runs\n  restore the archive from a copy or run the "
      "study again";
  EXPECT_EQ(cutting([](auto&) {}), "");
  EXPECT_EQ(cutting([](auto& records) { put_integer(records[0].jobs, "run", 0, 1); }), "/jobs/run" + says);
  EXPECT_EQ(cutting([](auto& records) { put_integer(records[2].nodes, "run", 2, 1); }), "/nodes/run" + says);
  EXPECT_EQ(cutting([](auto& records) { put_integer(records[1].runs, "run", 0, 0); }), "/runs/run" + says);
  EXPECT_EQ(cutting([](auto& records) { put_integer(records[1].runs, "run", 0, 3); }), "/runs/run" + says);
}

// The GPUs of a run's events stand one after the other in /events/gpu: a gap, an overlap, a number below 0 and one
// beyond the fifteen that there are is named with its event and run.
TEST(RunSlices, EventsThatDoNotFollowAreDamage) {
  const auto says = [](int event, int run) {
    return "/events/gpu_begin: event " + std::to_string(event) + " of run " + std::to_string(run) +
           " does not have its GPUs after those of the event before\n  restore the archive from a copy or run the "
           "study "
           "again";
  };
  const auto with = [](const std::string& column, std::size_t row, std::int64_t value, std::size_t run = 1) {
    return cutting([&](auto& records) { put_integer(records[run].events, column, row, value); });
  };
  EXPECT_EQ(with("gpu_begin", 1, 2), "") << "as it is";
  EXPECT_EQ(with("gpu_begin", 1, 3), says(1, 1));
  EXPECT_EQ(with("gpu_begin", 1, 1), says(1, 1));
  EXPECT_EQ(with("gpu_begin", 0, -6), says(0, 1)) << "five of the run before, and six less";
  EXPECT_EQ(with("gpu_count", 0, 3), says(1, 1));
  EXPECT_EQ(with("gpu_count", 2, -1), says(2, 1));
  EXPECT_EQ(with("gpu_count", 2, 2, 2), "") << "as it is, up to the last";
  EXPECT_EQ(with("gpu_count", 2, 3, 2), says(2, 2));
}

}  // namespace
}  // namespace palstudy::test
