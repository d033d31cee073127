// SPDX-License-Identifier: MIT
#include "archive/write_archive.hpp"

#include <gtest/gtest.h>

#include "archive/archive_runs.hpp"
#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "archive/verify.hpp"
#include "core/error.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "message_of.hpp"
#include "record/tables.hpp"
#include "verified.hpp"

namespace palstudy::test {
namespace {

// The measurements of a study come back as they were: by GPU its name, host and place, by run its GPU, time and
// session. Of an import no sessions are known, and none are written. A slash in a name makes no group.
TEST(WriteArchive, MeasurementsAreThereRunByRun) {
  const TempDir dir;
  Measurements measured, imported;
  measured.name = "there/sgemm";
  measured.gpus = {{"g0", "n0", 0, {1.5, 1.25}, 1.375, {4, 3}}, {"g1", "", -1, {2.0}, 2.0, {3}}};
  imported.name = "app";
  imported.gpus = {{"g2", "n2", 1, {7.0}, 7.0}};
  write_archive(dir.path() / "a.h5", three_runs(), {}, some_provenance(), {&measured, &imported});
  const hdf5::File file = hdf5::File::open(dir.path() / "a.h5");
  using Texts = std::vector<std::string>;
  using Integers = std::vector<std::int64_t>;
  const std::string there = "/profile/there%2Fsgemm/";
  EXPECT_EQ(read_texts(file, there + "gpu"), (Texts{"g0", "g1"}));
  EXPECT_EQ(read_texts(file, there + "host"), (Texts{"n0", ""}));
  EXPECT_EQ(read_integers(file, there + "local"), (Integers{0, -1}));
  EXPECT_EQ(read_integers(file, there + "run_gpu"), (Integers{0, 0, 1}));
  EXPECT_EQ(read_reals(file, there + "run_time"), (std::vector<double>{1.5, 1.25, 2}));
  EXPECT_EQ(read_integers(file, there + "run_session"), (Integers{4, 3, 3}));
  EXPECT_EQ(file.children("/profile/app"), (Texts{"gpu", "host", "local", "run", "run_gpu", "run_time"}));
  const auto of_scale = scales(file);
  EXPECT_EQ(of_scale.at(there + "gpu"), (Texts{there + "host", there + "local"}));
  EXPECT_EQ(of_scale.at(there + "run").size(), 3U);
  EXPECT_EQ(of_scale.at("/profile/app/run").size(), 2U);
  EXPECT_EQ(verified_archive(dir.path() / "a.h5"), Texts{});
}

// The GPUs of a run follow those of the runs before it, also of a run of one event and of one without any.
TEST(WriteArchive, OffsetsOfFewEventsCountOverTheArchive) {
  const TempDir dir;
  MeasuredRun one(1), none(2);
  one.result.events = {};
  one.result.events.time_s = {360};
  one.result.events.kind = {EventKind::launch};
  one.result.events.job = {JobId(0)};
  one.result.events.gpu_begin = {0};
  one.result.events.gpu_count = {2};
  one.result.events.gpus = {2, 3};
  none.result.events = {};
  const OutputTables events_only{false, true, true};  // the rows of /jobs would tell of other events
  write_archive(dir.path() / "a.h5",
                {MeasuredRun(0).record(), one.record(events_only), none.record(), MeasuredRun(3).record()}, {}, {});
  const TableData events = ArchiveReader(dir.path() / "a.h5").table(TableId::events);
  EXPECT_EQ(integers_of(events, "run"), (std::vector<std::int64_t>{0, 0, 0, 1, 3, 3, 3}));
  EXPECT_EQ(integers_of(events, "gpu_begin"), (std::vector<std::int64_t>{0, 2, 3, 5, 7, 9, 10}));
  EXPECT_EQ(verified_archive(dir.path() / "a.h5"), std::vector<std::string>{});
}

// Ids that a bundle replaced stand in two datasets of one scale, by the id of the resolved study; elsewhere there are
// no such datasets, and no table of jobs where none are known.
TEST(WriteArchive, RenamedIdsAreThereWhereThereAreAny) {
  const TempDir dir;
  Provenance from;
  from.renamed_ids = {{"b", "1"}, {"a", "2"}};
  write_archive(dir.path() / "with.h5", three_runs(), {}, from);
  write_archive(dir.path() / "without.h5", three_runs(), {}, {});
  const ArchiveReader with(dir.path() / "with.h5"), without(dir.path() / "without.h5");
  EXPECT_EQ(with.renamed_ids(), from.renamed_ids);
  EXPECT_EQ(read_texts(with.file(), renamed_from_path), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(scales(with.file()).at(renamed_from_path), std::vector<std::string>{renamed_to_path});
  EXPECT_TRUE(without.renamed_ids().empty());
  EXPECT_EQ(without.file().children("/study"), std::vector<std::string>{"resolved"});
  EXPECT_FALSE(without.file().exists("/provenance/jobs"));
  EXPECT_FALSE(without.file().exists("/profile") || without.file().exists("/cluster"));
}

// A cluster that two points of a study share is written once; without a run there is no archive.
TEST(WriteArchive, WritesAClusterOnceAndNoArchiveOfNothing) {
  const TempDir dir;
  auto clusters = two_clusters();
  clusters.push_back(clusters.front());
  write_archive(dir.path() / "a.h5", three_runs(), clusters, {});
  EXPECT_EQ(ArchiveReader(dir.path() / "a.h5").clusters().size(), 2U);
  EXPECT_NE(message_of(ErrorCode::data, [&] { write_archive(dir.path() / "none.h5", {}, two_clusters(), {}); })
                .find("none.h5: no run has finished"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "none.h5"));
}

}  // namespace
}  // namespace palstudy::test
