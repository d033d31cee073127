// SPDX-License-Identifier: MIT
// Runs of one study whose tables differ, and how their texts are numbered (archive/table_writer.hpp).
#include "archive/table_writer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "archive/archive_runs.hpp"
#include "archive/reader.hpp"
#include "archive/verify.hpp"
#include "core/error.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "message_of.hpp"
#include "record/tables.hpp"
#include "verified.hpp"

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
    EXPECT_EQ(verified_archive(dir.path() / "a.h5"), std::vector<std::string>{});
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

/// A table of one row and the columns run and others, all of one kind.
TableData row_of(TableId id, std::int64_t run, const std::vector<std::pair<std::string, ColumnValues>>& others) {
  TableData table;
  table.columns = {{id, "run", "1", "Run.", ColumnType::integer, false}};
  table.values = {std::vector<std::int64_t>{run}};
  for (const auto& [name, values] : others) {
    const ColumnType types[] = {ColumnType::integer, ColumnType::real, ColumnType::text};
    table.columns.push_back({id, name, "1", "It is " + name + ".", types[values.index()], false});
    table.values.push_back(values);
  }
  return table;
}

const ColumnValues seven = std::vector<std::int64_t>{7}, half = std::vector<double>{0.5},
                   one_word = TextColumn{{0}, {"w"}};

/// What an archive of these tables has.
hdf5::File written(const std::filesystem::path& path, TableId id, const std::vector<TableData>& tables) {
  hdf5::make_file(path, [&](hdf5::File& file) {
    TableWriter writer(id);
    for (const TableData& table : tables) writer.see(table);
    writer.begin(file);
    for (const TableData& table : tables) writer.add(table);
    writer.end(file);
  });
  return hdf5::File::open(path);
}

// A column of any kind that some runs lack has 0, NaN or no text there, whether it comes first, last or between;
// columns stand behind those that they follow in their own run.
TEST(TableWriter, WhatARunLacksIsNothing) {
  const TempDir dir;
  const auto path = dir.path() / "f.h5";
  const std::vector<TableData> runs = {
      row_of(TableId::nodes, 0, {{"last", half}}),
      row_of(TableId::nodes, 1, {{"i", seven}, {"r", half}, {"t", one_word}, {"last", half}}),
      row_of(TableId::nodes, 2, {{"r", half}, {"behind", seven}})};
  const hdf5::File file = written(path, TableId::nodes, runs);
  using Texts = std::vector<std::string>;
  using Integers = std::vector<std::int64_t>;
  EXPECT_EQ(read_attribute(file, "/nodes", "columns"), (Texts{"run", "i", "r", "behind", "t", "last"}));
  EXPECT_EQ(read_integers(file, "/nodes/run"), (Integers{0, 1, 2}));
  EXPECT_EQ(read_integers(file, "/nodes/i"), (Integers{0, 7, 0}));
  EXPECT_EQ(read_integers(file, "/nodes/behind"), (Integers{0, 0, 7}));
  const std::vector<double> reals = read_reals(file, "/nodes/r");
  EXPECT_TRUE(std::isnan(reals.at(0)));
  EXPECT_EQ(reals.at(1), 0.5);
  EXPECT_EQ(read_codes(file, "/nodes/t"), (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(read_texts(file, "/names/nodes.t"), (Texts{"", "w"}));
  EXPECT_EQ(read_attribute(file, "/nodes/t", "names"), Texts{"/names/nodes.t"});
  EXPECT_EQ(read_attribute(file, "/nodes/t", "flag_meanings"), Texts{"none w"});
  EXPECT_EQ(read_attribute(file, "/names/nodes.t", "long_name"),
            Texts{"The texts that the codes in /nodes/t stand for."});
  const hdf5::File ids = written(dir.path() / "ids.h5", TableId::runs,
                                 {row_of(TableId::runs, 0, {}), row_of(TableId::runs, 1, {{"id", one_word}})});
  EXPECT_EQ(read_texts(ids, "/runs/id"), (Texts{"", "w"}));
}

// Columns of two types, or of two lengths in a run, are a mistake of the program that no archive may hide.
TEST(TableWriter, ColumnsThatDoNotFitAreFaults) {
  const TempDir dir;
  const auto fault_of = [&](const std::vector<TableData>& tables) -> std::string {
    return message_of(ErrorCode::fault, [&] { (void)written(dir.path() / "f.h5", TableId::nodes, tables); });
  };
  EXPECT_EQ(fault_of({row_of(TableId::nodes, 0, {{"x", seven}}), row_of(TableId::nodes, 1, {{"x", half}})}),
            "runs of different types in /nodes/x");
  EXPECT_EQ(fault_of({row_of(TableId::nodes, 0, {{"x", std::vector<double>{1, 2}}})}),
            "columns of different lengths in /nodes");
}

}  // namespace
}  // namespace palstudy::test
