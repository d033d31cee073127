// SPDX-License-Identifier: MIT
#include "archive/reader.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "archive/archive_runs.hpp"
#include "core/error.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "record/tables.hpp"

namespace palstudy::test {
namespace {

const std::string restore_or_run = "\n  restore the archive from a copy or run the study again";

/// The message of an error, without the name of the archive a.h5 and what is before it.
std::string told(const std::function<void()>& step) {
  try {
    step();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data) << error.what();
    const std::string message = error.what();
    const auto at = message.find("a.h5:");
    return at == std::string::npos ? message : message.substr(at);
  }
  return "";
}

// What an archive does not have is said with what would make it, or what it should have had.
TEST(ArchiveReader, WhatIsNotThereIsSaid) {
  const TempDir dir;
  write_archive(dir.path() / "a.h5", {MeasuredRun(0).record({false, false, false})}, {}, {});
  const ArchiveReader archive(dir.path() / "a.h5");
  EXPECT_TRUE(archive.columns(TableId::jobs).empty());
  EXPECT_FALSE(archive.has_column(TableId::jobs, "job"));
  EXPECT_TRUE(archive.has_column(TableId::runs, "seed"));
  EXPECT_FALSE(archive.has_column(TableId::runs, "see"));
  EXPECT_EQ(told([&] { (void)archive.table(TableId::jobs); }),
            "a.h5: the archive has no table /jobs\n  run the study with output.jobs = true");
  EXPECT_EQ(told([&] { (void)archive.table(TableId::event_gpus); }),
            "a.h5: the archive has no table /events/gpu\n  run the study with output.events = true");
  EXPECT_EQ(told([&] { (void)archive.column(TableId::runs, "sed"); }),
            "a.h5:/runs/sed: the column is missing" + restore_or_run);
}

/// An archive of the columns a and b of /runs, as long as said, that lists c as well where c is wanted.
ArchiveReader forged(const std::filesystem::path& path, std::size_t a, std::size_t b, bool c = false) {
  hdf5::make_file(path, [&](hdf5::File& file) {
    write_attribute(file, "/", "schema", std::string(archive_schema_name) + " " + archive_schema_version);
    write_dataset(file, "/runs/a", std::vector<double>(a), {"s", "A."});
    write_dataset(file, "/runs/b", std::vector<std::int64_t>(b), {"By", "B."});
    std::vector<std::string> columns = {"a", "b"};
    if (c) columns.emplace_back("c");
    write_attribute(file, "/runs", "columns", columns);
  });
  return ArchiveReader(path);
}

// A table has columns of one length, and all that it lists. Columns that the study names have their own type and label,
// and in /runs a part in the digest.
TEST(ArchiveReader, ATableIsWhole) {
  const TempDir dir;
  const auto path = dir.path() / "a.h5";
  EXPECT_EQ(told([&] { (void)forged(path, 2, 3).table(TableId::runs); }),
            "a.h5:/runs/b: the column has 3 rows where others have 2" + restore_or_run);
  EXPECT_EQ(told([&] { (void)forged(path, 2, 1).column(TableId::runs, "b"); }),
            "a.h5:/runs/b: the column has 1 rows where others have 2" + restore_or_run);
  EXPECT_EQ(told([&] { (void)forged(path, 2, 2, true).table(TableId::runs); }),
            "a.h5:/runs/c: the column is missing" + restore_or_run);
  const TableData table = forged(path, 2, 2).table(TableId::runs);
  ASSERT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.columns[0].units, "s");
  EXPECT_EQ(table.columns[0].long_name, "A.");
  EXPECT_EQ(table.columns[0].type, ColumnType::real);
  EXPECT_TRUE(table.columns[0].digested);
  EXPECT_EQ(table.columns[1].units, "By");
  EXPECT_EQ(table.columns[1].type, ColumnType::integer);
  EXPECT_EQ(table.rows(), 2U);
}

// Lengths are compared before values are read: a few bytes of a forged file can stand for as many zeros as no memory
// holds. Here the values of the column that is too long could not be read: a code has no name. Nor are more names read
// than there are rows.
TEST(ArchiveReader, LengthsAreComparedBeforeValuesAreRead) {
  const TempDir dir;
  const auto path = dir.path() / "a.h5";
  const auto read = [&](std::size_t codes, std::size_t names) {
    hdf5::make_file(path, [&](hdf5::File& file) {
      write_attribute(file, "/", "schema", std::string(archive_schema_name) + " " + archive_schema_version);
      write_dataset(file, "/runs/a", std::vector<double>(2), {"s", "A."});
      write_dataset(file, "/runs/b", std::vector<std::int32_t>(codes, codes == 2 ? 0 : 99), {"1", "B."});
      write_dataset(file, "/names/runs.b", std::vector<std::string>(names, "x"), {"1", "Names."});
      write_attribute(file, "/runs/b", "names", "/names/runs.b");
      write_attribute(file, "/runs", "columns", std::vector<std::string>{"a", "b"});
    });
    const std::string alone = told([&] { (void)ArchiveReader(path).column(TableId::runs, "b"); });
    EXPECT_EQ(told([&] { (void)ArchiveReader(path).table(TableId::runs); }), alone);
    return alone;
  };
  EXPECT_EQ(read(2, 3), "");
  EXPECT_EQ(read(3, 3), "a.h5:/runs/b: the column has 3 rows where others have 2" + restore_or_run);
  EXPECT_EQ(read(2, 4), "a.h5:/names/runs.b: 4 names for 2 rows" + restore_or_run);
}

// Of texts a terminal gets what it may be given; who compares archives or copies them gets what is there.
TEST(ArchiveReader, TextsCanBeMadeFitToShow) {
  const TempDir dir;
  const auto path = dir.path() / "a.h5";
  MeasuredRun run(0, "\x1b[31mpal");
  Provenance from = some_provenance();
  from.study_title = "two\nlines\x07";
  write_archive(path, {run.record()}, {}, from);
  const auto placement = [&](ArchiveTexts texts) {
    return std::get<TextColumn>(ArchiveReader(path, texts).column(TableId::runs, "policy.placement")).at(0);
  };
  EXPECT_EQ(placement(ArchiveTexts::raw), "\x1b[31mpal");
  EXPECT_EQ(placement(ArchiveTexts::shown), "\\u{1b}[31mpal");
  EXPECT_EQ(ArchiveReader(path, ArchiveTexts::shown).attribute("study.title"), "two\nlines\\u{7}");
}

// Of one cluster all classes have the same GPUs; other datasets of its group are no classes.
TEST(ArchiveReader, ClassesOfAClusterHaveTheSameGpus) {
  const TempDir dir;
  const auto path = dir.path() / "a.h5";
  const auto clusters = [&](std::size_t of_b) {
    hdf5::make_file(path, [&](hdf5::File& file) {
      write_attribute(file, "/", "schema", std::string(archive_schema_name) + " " + archive_schema_version);
      write_dataset(file, "/cluster/x%2Fy/slowdown_A", std::vector<double>(2, 1.0), {"1", "A."});
      write_dataset(file, "/cluster/x%2Fy/slowdown_B%25", std::vector<double>(of_b, 2.0), {"1", "B."});
      write_dataset(file, "/cluster/x%2Fy/node", std::vector<std::int64_t>(3), {"1", "Nodes."});
    });
    return ArchiveReader(path).clusters();
  };
  EXPECT_EQ(told([&] { (void)clusters(1); }),
            "a.h5:/cluster/x%2Fy: classes of different numbers of GPUs" + restore_or_run);
  const auto read = clusters(2);
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].key, "x/y");
  EXPECT_EQ(read[0].slowdowns.class_names(), (std::vector<std::string>{"A", "B%"}));
  EXPECT_EQ(read[0].slowdowns.gpus(), 2U);
  EXPECT_EQ(read[0].slowdowns.at(ClassId(1), GpuId(0)), 2.0);
}

}  // namespace
}  // namespace palstudy::test
