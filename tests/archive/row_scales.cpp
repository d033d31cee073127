// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "archive/archive_runs.hpp"
#include "archive/profile/profile_file.hpp"
#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "archive/small_profile.hpp"
#include "archive/verify.hpp"
#include "archive/write_archive.hpp"
#include "bundle/anonymous_copy.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "record/tables.hpp"
#include "verified.hpp"

namespace palstudy::test {
namespace {

using hdf5::File;

Measurements measured() {
  Measurements made;
  made.name = "there-sgemm";
  made.gpus = {{"GPU-g0", "secret-host", 0, {1.5, 1.25}, 1.375}, {"GPU-g1", "", -1, {2.0}, 2.0}};
  return made;
}

void write_small(const std::filesystem::path& path) {
  Provenance from = some_provenance();
  from.resolved_study = "seed = 1\n";
  from.host = "secret-host";
  from.jobs = {{"12", "mpirun", 1, 2, 2, 0, 60}};
  const Measurements used = measured();
  write_archive(path, three_runs(), two_clusters(), from, {&used});
}

// Every dataset is a scale or has one, the columns of a table the same one, of the same length.
TEST(RowScales, EveryDatasetHasOne) {
  const TempDir dir;
  write_small(dir.path() / "a.h5");
  const File file = File::open(dir.path() / "a.h5");
  EXPECT_TRUE(without_scale(file).empty());
  const auto of = scales(file);
  ASSERT_TRUE(of.contains("/runs/run"));
  EXPECT_EQ(of.at("/runs/run").size(), file.children("/runs").size() - 1);
  for (const char* scale :
       {"/jobs/row", "/events/row", "/events/gpu_row", "/rounds/row", "/nodes/row", "/cluster/beef/gpu",
        "/provenance/runs/run", "/provenance/jobs/row", "/notes/row", "/profile/there-sgemm/gpu",
        "/profile/there-sgemm/run", "/names/jobs.class", "/study/resolved"}) {
    ASSERT_TRUE(of.contains(scale)) << scale;
  }
  EXPECT_EQ(of.at("/events/gpu_row"), std::vector<std::string>{"/events/gpu"});
  for (const auto& [scale, columns] : of) {
    for (const std::string& column : columns) EXPECT_EQ(rows_of(file, column), rows_of(file, scale)) << column;
  }
  EXPECT_TRUE(has_no_values(file, "/jobs/row"));
  EXPECT_FALSE(has_no_values(file, "/runs/run"));
}

TEST(RowScales, ProfilesHaveThemToo) {
  const TempDir dir;
  write_profile(dir.path() / "p.h5", small_profile(), {});
  const File file = File::open(dir.path() / "p.h5");
  EXPECT_TRUE(without_scale(file).empty());
  EXPECT_TRUE(scales(file).contains("/repeats/row"));
}

// The references from columns to scales lie in a heap of which HDF5 keeps no checksum: every bit of its used part is
// flipped in turn (the format has the magic GCOL there). Either verify has a finding, or the scales are what they were.
TEST(RowScales, FlippedReferencesAreFound) {
  const TempDir dir;
  write_small(dir.path() / "good.h5");
  const std::string good = read_file(dir.path() / "good.h5");
  const auto of = scales(File::open(dir.path() / "good.h5"));
  const std::size_t heap = good.find("GCOL");
  ASSERT_NE(heap, std::string::npos);
  constexpr std::size_t tried = 88;  // header and the first references
  int found = 0;
  for (std::size_t byte = heap; byte < heap + tried; ++byte) {
    std::string bad = good;
    bad[byte] = static_cast<char>(bad[byte] ^ (1 << (byte % 8)));
    write_file(dir.path() / "bad.h5", bad);
    if (!verified_archive(dir.path() / "bad.h5").empty()) {
      ++found;
      continue;
    }
    EXPECT_EQ(scales(File::open(dir.path() / "bad.h5")), of) << byte - heap;
  }
  EXPECT_GT(found, 20);
}

// A copy without names: no host in any byte of it nor in what HDF5 decompresses, the digest as before, and sound.
TEST(AnonymousCopy, ArchivesKeepTheirDigest) {
  const TempDir dir;
  write_small(dir.path() / "a.h5");
  NumberedNames names;
  copy_anonymously(dir.path() / "a.h5", dir.path() / "names.h5", names);
  names.number();
  copy_anonymously(dir.path() / "a.h5", dir.path() / "b.h5", names);
  EXPECT_TRUE(verified_archive(dir.path() / "b.h5").empty());
  const ArchiveReader before(dir.path() / "a.h5"), after(dir.path() / "b.h5");
  EXPECT_EQ(before.digest(), after.digest());
  std::vector<std::string> datasets = before.file().datasets();
  std::erase_if(datasets,
                [](const std::string& path) { return path.starts_with("/notes/"); });  // they may name anybody
  EXPECT_EQ(after.file().datasets(), datasets);
  EXPECT_EQ(after.attribute("host"), "host-1");
  EXPECT_EQ(after.attribute("command_line"), "");
  const File file = File::open(dir.path() / "b.h5");
  EXPECT_EQ(read_texts(file, "/profile/there-sgemm/host"), (std::vector<std::string>{"host-1", ""}));
  EXPECT_EQ(read_texts(file, "/profile/there-sgemm/gpu"), (std::vector<std::string>{"gpu-1", "gpu-2"}));
  EXPECT_EQ(read_texts(file, "/provenance/jobs/job"), std::vector<std::string>{"job-1"});
  EXPECT_EQ(read_file(dir.path() / "b.h5").find("secret-host"), std::string::npos);
  auto of = scales(before.file());
  of.erase("/notes/row");
  EXPECT_EQ(scales(file), of);
}

// Of a profile the digest covers the names, so it is computed again; times and order stay.
TEST(AnonymousCopy, ProfilesStaySound) {
  const TempDir dir;
  const Profile profile = small_profile();
  write_profile(dir.path() / "p.h5", profile, {});
  NumberedNames names;
  copy_anonymously(dir.path() / "p.h5", dir.path() / "names.h5", names);
  names.number();
  copy_anonymously(dir.path() / "p.h5", dir.path() / "q.h5", names);
  EXPECT_EQ(verified_profile(dir.path() / "q.h5"), std::vector<std::string>{});
  const Profile before = read_profile(dir.path() / "p.h5"), after = read_profile(dir.path() / "q.h5");
  ASSERT_EQ(before.gpus.size(), after.gpus.size());
  for (std::size_t i = 0; i < before.gpus.size(); ++i) {
    EXPECT_EQ(after.gpus[i].uuid, names("uuid", before.gpus[i].uuid));
    EXPECT_EQ(after.gpus[i].host, names("host", before.gpus[i].host));
  }
  ASSERT_EQ(before.repeats.size(), after.repeats.size());
  for (std::size_t i = 0; i < before.repeats.size(); ++i)
    EXPECT_EQ(before.repeats[i].batch_ms, after.repeats[i].batch_ms);
}

}  // namespace
}  // namespace palstudy::test
