// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "archive/archive_runs.hpp"
#include "archive/batch_jobs.hpp"
#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "archive/run_slices.hpp"
#include "archive/verify.hpp"
#include "archive/write_archive.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "record/digest.hpp"
#include "record/tables.hpp"
#include "verified.hpp"

namespace palstudy::test {
namespace {

namespace fs = std::filesystem;

// Every table of every run comes back bit for bit (NaN, -0 and text included) when the archive is cut into records
// again. job_begin is left out: it counts rows of the whole archive, which no record knows.
TEST(ArchiveRoundTrip, RecordsComeBack) {
  const TempDir dir;
  const auto records = three_runs();
  write_archive(dir.path() / "a.h5", records, {}, some_provenance());
  const ArchiveReader archive(dir.path() / "a.h5");
  const RunSlices slices(archive);
  ASSERT_EQ(slices.size(), records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RunRecord back = slices.record(i);
    for (const Table& table : all_tables()) {
      // The record itself leaves job_begin and the digest to be filled in.
      const std::string but = table.id == TableId::runs ? "digest" : "";
      EXPECT_EQ(dump(back.*table.data, but), dump(records[i].*table.data, but)) << table.name << " of run " << i;
    }
    EXPECT_EQ(back.id, records[i].id);
    EXPECT_EQ(back.digest, records[i].digest);
    EXPECT_EQ(run_digest(back), records[i].digest);
    EXPECT_EQ(back.status, RunStatus::done);
  }
}

// Codes point to their names; a number or a text has no names to point to, and no flags.
TEST(ArchiveRoundTrip, OnlyCodesPointToNames) {
  const TempDir dir;
  write_archive(dir.path() / "a.h5", three_runs(), {}, some_provenance());
  const ArchiveReader archive(dir.path() / "a.h5");
  const auto points = [&](const char* column) {
    const auto names = hdf5::attribute_names(archive.file(), column);
    return std::find(names.begin(), names.end(), "names") != names.end();
  };
  EXPECT_TRUE(points("/jobs/class"));
  EXPECT_FALSE(points("/jobs/start_s"));
  EXPECT_FALSE(points("/jobs/gpus"));
}

// A study on drawn clusters carries a copy of what they were drawn from: two GPUs, three runs. The file stays sound.
TEST(ArchiveRoundTrip, TheMeasurementsUsedAreThere) {
  const TempDir dir;
  Measurements measured;
  measured.name = "there-sgemm";
  measured.gpus = {{"g0", "n0", 0, {1.5, 1.25}, 1.375}, {"g1", "", -1, {2.0}, 2.0}};
  write_archive(dir.path() / "a.h5", three_runs(), {}, some_provenance(), {&measured});
  const auto datasets = ArchiveReader(dir.path() / "a.h5").file().datasets();
  for (const char* name : {"gpu", "host", "local", "run_gpu", "run_time"}) {
    const std::string path = std::string("/profile/there-sgemm/") + name;
    EXPECT_NE(std::find(datasets.begin(), datasets.end(), path), datasets.end()) << path;
  }
  EXPECT_TRUE(verified_archive(dir.path() / "a.h5").empty());
}

// Who worked on it comes back, for an archive that grows from this one: times to the second, as they are stored, but
// the core-hours as they were, 4 cores for 90.75 s here.
TEST(ArchiveRoundTrip, BatchJobsComeBack) {
  const TempDir dir;
  Provenance from;
  from.jobs = {{"12_3", "srun", 2, 8, 4, 1700000000.5, 1700000091.25}, {"", "", 1, 1, 1, 1800000000, 1800000000}};
  write_archive(dir.path() / "a.h5", three_runs(), {}, from);
  const auto jobs = archived_jobs(dir.path() / "a.h5");
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].job, "12_3");
  EXPECT_EQ(jobs[0].launcher, "srun");
  EXPECT_EQ(jobs[0].nodes, 2);
  EXPECT_EQ(jobs[0].ranks, 8);
  EXPECT_EQ(jobs[0].cores, 4);
  EXPECT_EQ(jobs[0].start_s, 1700000000.0);
  EXPECT_NEAR(jobs[0].core_hours(), 4 * 90.75 / 3600, 1e-12);
  EXPECT_EQ(jobs[1].launcher, "");
  EXPECT_EQ(jobs[1].end_s, 1800000000.0);
  write_archive(dir.path() / "none.h5", three_runs(), {}, {});
  EXPECT_TRUE(archived_jobs(dir.path() / "none.h5").empty());
}

// Three rows of /jobs a run, so run r begins at row 3 r; the GPUs of the second run's first event follow all of the
// first run's.
TEST(ArchiveRoundTrip, OffsetsCountOverTheArchive) {
  const TempDir dir;
  const auto records = three_runs();
  write_archive(dir.path() / "a.h5", records, {}, {});
  const ArchiveReader archive(dir.path() / "a.h5");
  const TableData runs = archive.table(TableId::runs);
  EXPECT_EQ(integers_of(runs, "job_begin"), (std::vector<std::int64_t>{0, 3, 6}));
  EXPECT_EQ(integers_of(runs, "job_count"), (std::vector<std::int64_t>{3, 3, 3}));
  const TableData events = archive.table(TableId::events);
  EXPECT_EQ(integers_of(events, "gpu_begin")[3], static_cast<std::int64_t>(records[0].event_gpus.rows()));
}

// An axis has the name of its key and the type of its values, between seed and job_begin, in sorted order.
TEST(ArchiveRoundTrip, AxesAreColumns) {
  const TempDir dir;
  write_archive(dir.path() / "a.h5", three_runs(), {}, {});
  const ArchiveReader archive(dir.path() / "a.h5");
  EXPECT_EQ(archive.axis_keys(), (std::vector<std::string>{"engine.round_s", "policy.placement", "workload.seed"}));
  const TableData runs = archive.table(TableId::runs);
  EXPECT_EQ(runs.columns[3].name, "seed");
  EXPECT_EQ(runs.columns[4].name, "engine.round_s");
  EXPECT_EQ(runs.columns[7].name, "job_begin");
  EXPECT_EQ(reals_of(runs, "engine.round_s")[1], 360.0);
  EXPECT_EQ(integers_of(runs, "workload.seed")[1], -5);
  EXPECT_EQ(texts_of(runs, "policy.placement").at(1), "pal");
  // Names are sorted, whatever the order in which the runs brought them.
  EXPECT_EQ(texts_of(runs, "policy.placement").names, (std::vector<std::string>{"a-late-name", "pal", "pm-first"}));
}

TEST(ArchiveRoundTrip, RootSaysWhereItCameFrom) {
  const TempDir dir;
  write_archive(dir.path() / "a.h5", three_runs(), two_clusters(), some_provenance());
  const ArchiveReader archive(dir.path() / "a.h5");
  EXPECT_EQ(archive.attribute("schema"), "palstudy-archive 1.10.0");
  EXPECT_EQ(archive.attribute("study"), some_provenance().resolved_study);
  EXPECT_EQ(archive.attribute("ranks"), "3");
  EXPECT_EQ(archive.attribute("mpi_version"), "an MPI");
  EXPECT_EQ(archive.notes(), some_provenance().notes);
  EXPECT_EQ(archive.attribute("input_sha256"), "02  a.csv\n01  b.csv");
  EXPECT_EQ(archive.attribute("compare.baseline"), "packed-sticky\npacked-nonsticky");
  EXPECT_EQ(archive.attribute("profile.origin"), "imported");
  EXPECT_EQ(archive.attribute("study.title"), "");
  EXPECT_EQ(archive.attribute("nothing of that name"), "");
  for (const char* name : {"program_version", "program_commit", "compiler", "compiler_flags", "hdf5_version"}) {
    EXPECT_NE(archive.attribute(name), "") << name;
  }
}

// Each fact has its own attribute, and no other's.
TEST(ArchiveRoundTrip, EachFactOfTheProvenanceHasItsAttribute) {
  const TempDir dir;
  Provenance from = some_provenance();
  const std::map<std::string, std::string*> facts = {{"command_line", &from.command_line},
                                                     {"start_utc", &from.start_utc},
                                                     {"end_utc", &from.end_utc},
                                                     {"host", &from.host},
                                                     {"mpi_version", &from.mpi_version},
                                                     {"study", &from.resolved_study},
                                                     {"study.name", &from.study_name},
                                                     {"study.title", &from.study_title},
                                                     {"study.folder", &from.study_folder},
                                                     {"profile.origin", &from.profile_origin},
                                                     {"compare.metric", &from.compare_metric},
                                                     {"license", &from.study_license},
                                                     {"creator", &from.study_creator}};
  for (const auto& [name, fact] : facts) *fact = "it is " + name;
  write_archive(dir.path() / "a.h5", three_runs(), {}, from);
  const ArchiveReader archive(dir.path() / "a.h5");
  for (const auto& [name, fact] : facts) EXPECT_EQ(archive.attribute(name), *fact) << name;
}

// By the CF conventions: one value and one word for each name, in the order of the codes. What is not stated is absent.
TEST(ArchiveRoundTrip, CodesHaveFlags) {
  const TempDir dir;
  auto records = three_runs();
  write_archive(dir.path() / "a.h5", records, {}, some_provenance());
  const auto file = hdf5::File::open(dir.path() / "a.h5");
  EXPECT_EQ(read_attribute(file, "/runs/policy.placement", "flag_meanings"),
            std::vector<std::string>{"a-late-name pal pm-first"});
  EXPECT_EQ(read_attribute(file, "/", "Conventions"), std::vector<std::string>{"palstudy-archive-1.10.0"});
  EXPECT_TRUE(read_attribute(file, "/", "license").empty() && read_attribute(file, "/", "creator").empty());
  std::size_t coded = 0;
  for (const std::string& path : file.datasets()) {
    const bool has_flags = !read_attribute(file, path, "flag_meanings").empty();
    EXPECT_EQ(has_flags, element_of(file, path) == hdf5::Element::code) << path;
    coded += has_flags ? 1 : 0;
  }
  EXPECT_GE(coded, 5U);
}

// A word has no blank, so it may not begin a second one; an empty text has a word too.
TEST(ArchiveRoundTrip, FlagsAreWords) {
  const TempDir dir;
  hdf5::make_file(dir.path() / "a.h5", [](hdf5::File& file) {
    const std::vector<std::int32_t> codes = {0, 1, 2};
    write_dataset(file, "/codes", codes, {"1", "Codes."});
    write_flags(file, "/codes", {"", "a b/c", "\xc3\xa9-1.5"});
    write_dataset(file, "/many", codes, {"1", "Codes of more words than an attribute has room for."});
    write_flags(file, "/many", std::vector<std::string>(3, std::string(20000, 'a')));
  });
  const auto file = hdf5::File::open(dir.path() / "a.h5");
  EXPECT_EQ(read_attribute(file, "/codes", "flag_meanings"), std::vector<std::string>{"none a_b_c \xc3\xa9-1.5"});
  EXPECT_TRUE(read_attribute(file, "/many", "flag_meanings").empty());
}

// A slash in a class's name may not make a group of its own.
TEST(ArchiveRoundTrip, ClustersComeBackSortedByKey) {
  const TempDir dir;
  write_archive(dir.path() / "a.h5", three_runs(), two_clusters(), {});
  const auto clusters = ArchiveReader(dir.path() / "a.h5").clusters();
  ASSERT_EQ(clusters.size(), 2U);
  EXPECT_EQ(clusters[0].key, "beef");
  EXPECT_EQ(clusters[1].slowdowns.class_names(), (std::vector<std::string>{"A", "B/c"}));
  EXPECT_EQ(clusters[1].slowdowns.at(ClassId(1), GpuId(1)), 3.0);
  EXPECT_EQ(clusters[1].slowdowns.at(ClassId(0), GpuId(1)), 1.25);
}

// A recipe stands beside the slowdowns, or for them: such an archive reads and verifies like any other.
TEST(ArchiveRoundTrip, ClustersMayBeRecipes) {
  const TempDir dir;
  const std::vector<std::string> recipe = {"source = \"block\"", "seed = 7"};
  write_archive(dir.path() / "a.h5", three_runs(), {{"beef", Slowdowns({}, 0, {}), recipe}}, some_provenance());
  const auto clusters = ArchiveReader(dir.path() / "a.h5").clusters();
  ASSERT_EQ(clusters.size(), 1U);
  EXPECT_EQ(clusters[0].recipe, recipe);
  EXPECT_EQ(clusters[0].slowdowns.gpus(), 0U);
  EXPECT_TRUE(verified_archive(dir.path() / "a.h5").empty());
}

// Every dataset of every file says its units and what it is.
TEST(ArchiveRoundTrip, EveryDatasetIsDescribed) {
  const TempDir dir;
  write_archive(dir.path() / "a.h5", three_runs(), two_clusters(), some_provenance());
  const ArchiveReader archive(dir.path() / "a.h5");
  const auto always = std::ranges::count_if(
      schema_columns(), [&](const Column& column) { return !column.optional && archive.has(column.table); });
  EXPECT_GT(archive.file().datasets().size(), static_cast<std::size_t>(always));
  for (const std::string& path : archive.file().datasets()) {
    EXPECT_NE(join(read_attribute(archive.file(), path, "units")), "") << path;
    EXPECT_NE(join(read_attribute(archive.file(), path, "long_name")), "") << path;
  }
}

// The file is a function of what is in it: written twice, and from records in any order (ranks finish as they like), it
// is the same byte for byte. It replaces what was there, and no .part stays.
TEST(ArchiveRoundTrip, SameBytesWhateverTheOrder) {
  const TempDir dir;
  auto records = three_runs();
  write_archive(dir.path() / "a.h5", records, two_clusters(), some_provenance());
  std::reverse(records.begin(), records.end());
  write_file(dir.path() / "b.h5", "something old");
  write_archive(dir.path() / "b.h5", records, two_clusters(), some_provenance());
  EXPECT_EQ(read_file(dir.path() / "a.h5"), read_file(dir.path() / "b.h5"));
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), {}), 2);
}

// Tables that were not asked for are not there, and asking for one says so.
TEST(ArchiveRoundTrip, TablesNotAskedForAreMissing) {
  const TempDir dir;
  write_archive(dir.path() / "a.h5", {MeasuredRun(0).record({false, false, false})}, {}, {});
  const ArchiveReader archive(dir.path() / "a.h5");
  EXPECT_TRUE(archive.has(TableId::runs));
  EXPECT_FALSE(archive.has(TableId::jobs));
  EXPECT_FALSE(archive.has(TableId::events));
  EXPECT_THROW(static_cast<void>(archive.table(TableId::rounds)), Error);
  EXPECT_EQ(verified_archive(dir.path() / "a.h5"), std::vector<std::string>{});
}

// A failed run has a row in /runs and its reason, and no others; the run after it keeps its own rows.
TEST(ArchiveRoundTrip, FailedRunsStandBesideTheOthers) {
  const TempDir dir;
  MeasuredRun bad(0);
  write_archive(dir.path() / "a.h5", {make_failed_record(bad.label, "it broke"), MeasuredRun(1).record()}, {}, {});
  const ArchiveReader archive(dir.path() / "a.h5");
  const RunSlices slices(archive);
  EXPECT_EQ(slices.record(0).status, RunStatus::failed);
  EXPECT_EQ(slices.record(0).reason, "it broke");
  EXPECT_EQ(slices.record(0).jobs.rows(), 0U);
  EXPECT_EQ(slices.record(1).jobs.rows(), 3U);
  EXPECT_EQ(verified_archive(dir.path() / "a.h5"), std::vector<std::string>{});
}

// 300,000 rows make three chunks of a column of doubles: what lies behind the first one must come back too, and be in
// the checksum.
TEST(ArchiveRoundTrip, ColumnsOfSeveralChunks) {
  const TempDir dir;
  MeasuredRun run(0);
  RoundRows& rounds = run.result.rounds;
  const std::size_t n = 300000;
  rounds = {};
  for (std::size_t i = 0; i < n; ++i) {
    rounds.time_s.push_back(0.1 * static_cast<double>(i));
    rounds.queued.push_back(static_cast<std::uint32_t>(i * 2654435761U));
    rounds.running.push_back(1);
    rounds.free_gpus.push_back(0);
    rounds.demand_gpus.push_back(i);
  }
  const RunRecord record = run.record();
  write_archive(dir.path() / "a.h5", {record}, {}, {});
  EXPECT_TRUE(dump(ArchiveReader(dir.path() / "a.h5").table(TableId::rounds)) == dump(record.rounds));
  EXPECT_EQ(verified_archive(dir.path() / "a.h5"), std::vector<std::string>{}) << "what is read piece by piece";
}

// A value comes back as it was: every digit, whole numbers as whole, what is not known as nothing, names in their order
// and with every character. For a terminal its texts are shown.
TEST(ArchiveRoundTrip, ValuesComeBack) {
  const TempDir dir;
  Provenance from;
  from.measured_sets = ValueList{ValueRecord{{"z", 0.1 + 0.2}, {"a", 8.0}, {"n", 8}, {"no", Value()}, {"yes", true}}};
  from.looks = ValueRecord{{"names", ValueList{"\x1b[2J \"\xc3\xa9\"\n"}}};
  write_archive(dir.path() / "a.h5", three_runs(), {}, from);
  const ArchiveReader archive(dir.path() / "a.h5");
  EXPECT_EQ(archive.value("measured_sets"), from.measured_sets);
  EXPECT_EQ(archive.value("looks"), from.looks);
  EXPECT_EQ(archive.value("nothing of that name"), Value());
  const ArchiveReader for_people(dir.path() / "a.h5", ArchiveTexts::shown);
  EXPECT_EQ(for_people.value("measured_sets"), from.measured_sets);
  EXPECT_EQ(for_people.value("looks")["names"].list().at(0), Value("\\u{1b}[2J \"\xc3\xa9\"\\u{a}"));
  EXPECT_THROW((void)archive.value("schema"), Error) << "no JSON";
}

// What was drawn with replacement, which jobs are measured and what looks were taken, each in an attribute of its own;
// of what there is none, nothing is stored, no empty list either.
TEST(ArchiveRoundTrip, WhatAStudyDoesNotHaveIsNotStated) {
  const TempDir dir;
  Provenance from;
  from.resampled = {Resampling::days, 91, 7, 3, 55};
  from.measured_sets = ValueList{1};
  from.looks = ValueList{2};
  write_archive(dir.path() / "a.h5", three_runs(), two_clusters(), from);
  write_archive(dir.path() / "none.h5", three_runs(), two_clusters(), {});
  const ArchiveReader archive(dir.path() / "a.h5"), none(dir.path() / "none.h5");
  const std::map<std::string, std::string> stated = {
      {"resample", "days"},     {"resample.blocks", "91"}, {"resample.groups", "7"}, {"resample.tail_days", "3"},
      {"resample.empty", "55"}, {"measured_sets", "[1]"},  {"looks", "[2]"}};
  const auto names = attribute_names(none.file(), "/");
  for (const auto& [name, text] : stated) {
    EXPECT_EQ(archive.attribute(name), text) << name;
    EXPECT_EQ(std::ranges::count(names, name), 0) << name;
  }
  for (const char* list : {"input_sha256", "compare.baseline"}) EXPECT_EQ(std::ranges::count(names, list), 0);
  EXPECT_FALSE(none.file().exists("/notes"));
  EXPECT_TRUE(none.notes().empty());
  for (const ClusterRecord& cluster : none.clusters()) EXPECT_TRUE(cluster.recipe.empty());
  EXPECT_NE(none.attribute("hdf5_version").substr(0, 2), "0.") << "HDF5 began with 1";
}

}  // namespace
}  // namespace palstudy::test
