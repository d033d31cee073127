// SPDX-License-Identifier: MIT
#include "archive/profile/profile_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "archive/archive_runs.hpp"
#include "archive/damage_chunk.hpp"
#include "archive/profile/profile_columns.hpp"
#include "archive/profile_forger.hpp"
#include "archive/provenance.hpp"
#include "archive/small_profile.hpp"
#include "archive/verify.hpp"
#include "archive/write_archive.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "core/sha256.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "message_of.hpp"
#include "variability/profile/profile.hpp"
#include "verified.hpp"

namespace palstudy::test {
namespace {

namespace fs = std::filesystem;

// All columns of all tables, so that what a file does not keep shows here: the digest reads every member that is not
// derived, and the derived ones follow from it.
TEST(ProfileFile, WhatIsWrittenIsReadInOrder) {
  const TempDir dir;
  const Profile profile = small_profile();
  write_profile(dir.path() / "p.h5", profile, some_provenance());
  const Profile read = read_profile(dir.path() / "p.h5");
  EXPECT_EQ(profile_digest(read), profile_digest(in_order(profile)));
  EXPECT_EQ(stored_profile_digest(dir.path() / "p.h5"), profile_digest(read));
  EXPECT_EQ(verified_profile(dir.path() / "p.h5"), std::vector<std::string>{});
  ASSERT_EQ(read.gpus.size(), 2U);
  EXPECT_EQ(read.gpus[0].uuid, "GPU-a");
  EXPECT_EQ(read.gpus[0].name, "a GPU, \xc3\xa9");
  EXPECT_EQ(read.sessions[0].id, "20260101T000000Z-0001");
  EXPECT_EQ(read.sessions[0].seed, -5);
  EXPECT_TRUE(read.sessions[1].solo);
  EXPECT_EQ(read.kernels[0].name, "sgemm");
  ASSERT_EQ(read.repeats.size(), 4U);  // sgemm on GPU-b; triad on GPU-a twice, on GPU-b
  EXPECT_EQ(read.repeats[0].batch_ms, std::vector<float>{10.5F});
  EXPECT_EQ(read.repeats[1].batch_ms, (std::vector<float>{4, 8}));
  EXPECT_EQ(read.repeats[2].batch_ms, (std::vector<float>{4, 2, 3}));
  EXPECT_EQ(read.repeats[2].telemetry.power_w, (std::vector<double>{250, 251}));
  EXPECT_EQ(read.repeats[2].flags, 8U);
  EXPECT_EQ(read.repeats[3].gpu, 1);
  EXPECT_EQ(read.transfers[0].level, "cluster");
  EXPECT_EQ(read.utilization[0].u_tensor, 0.75);
}

// Texts that repeat are codes; `names` leads to their names, under the name of their table and column.
TEST(ProfileFile, CodesPointToTheirNames) {
  const TempDir dir;
  write_profile(dir.path() / "p.h5", small_profile(), {});
  const hdf5::File file = hdf5::File::open(dir.path() / "p.h5");
  int coded = 0;
  for (const std::string& path : file.datasets()) {
    if (element_of(file, path) != hdf5::Element::code) continue;
    const std::string names = "/names/" + replaced(path.substr(1), "/", ".");
    EXPECT_EQ(read_attribute(file, path, "names"), std::vector<std::string>{names});
    EXPECT_EQ(read_attribute(file, names, "long_name"),
              std::vector<std::string>{"The texts that the codes in " + path + " stand for."});
    ++coded;
  }
  EXPECT_EQ(coded, 16) << "9 of GPUs, 3 of sessions, 1 of kernels, 3 of transfers";
  EXPECT_EQ(read_texts(file, "/names/gpus.host"), (std::vector<std::string>{"n1", "n2"}));
  EXPECT_EQ(read_codes(file, "/gpus/host"), (std::vector<std::int32_t>{0, 1}));
}

// A profile of nothing is one; what was imported from a profiler has no GPUs.
TEST(ProfileFile, EmptyTables) {
  const TempDir dir;
  write_profile(dir.path() / "p.h5", {}, {});
  EXPECT_EQ(verified_profile(dir.path() / "p.h5"), std::vector<std::string>{});
  EXPECT_TRUE(read_profile(dir.path() / "p.h5").repeats.empty());
}

// The order in which rows come is no content: not a byte of the file depends on it.
TEST(ProfileFile, BytesDoNotDependOnTheOrderOfRows) {
  const TempDir dir;
  Profile turned = small_profile();
  std::reverse(turned.gpus.begin(), turned.gpus.end());
  std::reverse(turned.sessions.begin(), turned.sessions.end());
  std::reverse(turned.repeats.begin(), turned.repeats.end());
  std::reverse(turned.transfers.begin(), turned.transfers.end());
  for (auto& repeat : turned.repeats) {
    repeat.gpu = 1 - repeat.gpu;
    repeat.session = 1 - repeat.session;
  }
  for (auto& transfer : turned.transfers) transfer.session = 1 - transfer.session;
  write_profile(dir.path() / "a.h5", small_profile(), some_provenance());
  write_profile(dir.path() / "b.h5", turned, some_provenance());
  EXPECT_TRUE(read_file(dir.path() / "a.h5") == read_file(dir.path() / "b.h5"));
}

// Of (4, 2, 3) ms for two launches each: median 1.5, mean 1.5, least 1, most 2, variance 1/6 ms^2.
TEST(ProfileFile, Summaries) {
  RepeatRow row;
  row.launches = 2;
  summarize(row, {4, 2, 3});
  EXPECT_EQ(row.median_ms, 1.5);
  EXPECT_EQ(row.mean_ms, 1.5);
  EXPECT_EQ(row.least_ms, 1);
  EXPECT_EQ(row.most_ms, 2);
  EXPECT_NEAR(row.p05_ms, 1.05, 1e-12);
  EXPECT_NEAR(row.p95_ms, 1.95, 1e-12);
  EXPECT_NEAR(row.deviation_ms * row.deviation_ms, 1.0 / 6, 1e-12);
}

// Every part of the content changes the digest, and what follows from it or says how it came to be does not.
TEST(ProfileFile, DigestIsOfTheContent) {
  const std::string digest = profile_digest(small_profile());
  const auto changed = [&](const std::function<void(Profile&)>& change) {
    Profile other = small_profile();
    change(other);
    return profile_digest(other) != digest;
  };
  EXPECT_FALSE(changed([](Profile&) {}));
  EXPECT_TRUE(changed([](Profile& p) { p.origin = "imported"; }));
  EXPECT_TRUE(changed([](Profile& p) { p.gpus[0].host = "n3"; }));
  EXPECT_TRUE(changed([](Profile& p) { p.sessions[0].injected_slowdown = true; }));
  EXPECT_TRUE(changed([](Profile& p) { p.repeats[0].batch_ms[0] = 5; }));
  EXPECT_TRUE(changed([](Profile& p) {  // a batch that moves to the repeat behind it
    p.repeats[1].batch_ms.insert(p.repeats[1].batch_ms.begin(), p.repeats[0].batch_ms.back());
    p.repeats[0].batch_ms.pop_back();
  }));
  EXPECT_TRUE(changed([](Profile& p) { p.transfers[0].seconds = 2; }));
  EXPECT_TRUE(changed([](Profile& p) { p.utilization[0].u_fu = 0.5; }));
}

// hdf5-schemas/digest.md by hand, for a profile of which only a kernel's name is told: the bytes are put together here
// with nothing of the program but SHA-256.
TEST(ProfileFile, DigestOfTheBytesThatThePageSays) {
  Profile profile;
  profile.origin = "imported";
  ProfileUtilization use;
  use.application = "x";
  use.launches = 2;
  use.duration_s = 1;
  profile.utilization = {use};
  const auto u64 = [](std::uint64_t value) { return std::string(reinterpret_cast<const char*>(&value), 8); };
  const auto text = [](const std::string& value) {
    const auto size = static_cast<std::uint32_t>(value.size());
    return std::string(reinterpret_cast<const char*>(&size), 4) + value;
  };
  const auto column = [&](const std::string& name, char type, const std::string& value) {
    return "/utilization/" + name + '\0' + type + u64(1) + value;
  };
  std::string bytes = "palstudy-profile-digest-1\n" + text("imported");
  bytes += column("application", 's', text("x")) + column("launches", 'i', u64(2));
  bytes += column("duration_s", 'f', u64(0x3ff0000000000000));
  for (const char* name : {"u_dram", "u_fu", "u_fma", "u_fp64", "u_fp16", "u_alu", "u_xu", "u_tensor"}) {
    bytes += column(name, 'f', u64(0x7ff8000000000000));
  }
  EXPECT_EQ(profile_digest(profile), sha256_hex(bytes));
}

std::string refusal(const std::function<void()>& step) {
  return message_or_none(ErrorCode::data, [&] { step(); });
}

// What would make readers stumble is not written; what that is: tests/variability/profile/check.cpp.
TEST(ProfileFile, WhatIsNoProfileIsNotWritten) {
  const TempDir dir;
  Profile profile = small_profile();
  profile.repeats[2].gpu = 2;
  const std::string message = refusal([&] { write_profile(dir.path() / "bad.h5", profile, {}); });
  EXPECT_NE(message.find("bad.h5:/repeats, row 2"), std::string::npos) << message;
  EXPECT_TRUE(fs::is_empty(dir.path()));
}

// Whatever bit of the file is hit, it is no HDF5 file any more, or verify has a finding, or the bit was of no use and
// the content is as it was. The last must be rare: checksums cover data and metadata alike.
TEST(ProfileDamage, NoFlippedBitGoesUnseen) {
  const TempDir dir;
  const fs::path good = dir.path() / "good.h5", bad = dir.path() / "bad.h5";
  Provenance provenance = some_provenance();
  write_profile(good, small_profile(), provenance);
  const std::string bytes = read_file(good), digest = profile_digest(read_profile(good));
  RandomStream stream(1, Purpose::random_placement, 1);
  constexpr int tries = 200;
  int unused = 0;
  for (int i = 0; i < tries; ++i) {
    const std::size_t place = stream.below(static_cast<std::uint32_t>(bytes.size()));
    std::string damaged = bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << stream.below(8)));
    write_file(bad, damaged);
    try {
      if (!verified_profile(bad).empty()) continue;
      EXPECT_EQ(profile_digest(read_profile(bad)), digest) << "byte " << place;
      ++unused;
    } catch (const NotAnArchive& error) {
      EXPECT_LT(place, hdf5_signature) << error.what();
    }
  }
  EXPECT_LT(unused, tries / 4);
}

TEST(ProfileDamage, CutFilesAreFindings) {
  const TempDir dir;
  write_profile(dir.path() / "good.h5", small_profile(), {});
  const std::string bytes = read_file(dir.path() / "good.h5");
  for (const std::size_t length : {std::size_t{100}, bytes.size() / 2, bytes.size() - 1}) {
    write_file(dir.path() / "cut.h5", bytes.substr(0, length));
    EXPECT_EQ(verified_profile(dir.path() / "cut.h5").size(), 1U) << length;
    EXPECT_NE(refusal([&] { (void)read_profile(dir.path() / "cut.h5"); }).find("cut.h5"), std::string::npos);
    const std::string told = refusal([&] { require_intact_profile(dir.path() / "cut.h5"); });
    EXPECT_NE(told.find("cut.h5: the profile is damaged: the file is damaged or cut short"), std::string::npos) << told;
  }
  EXPECT_EQ(refusal([&] { require_intact_profile(dir.path() / "good.h5"); }), "");
}

// Files whose checksums hold and whose content does not: findings that name the dataset, and no crash.
TEST(ProfileDamage, ForgedContentIsFound) {
  const TempDir dir;
  const fs::path good = dir.path() / "good.h5", bad = dir.path() / "bad.h5";
  write_profile(good, small_profile(), {});
  Forger(good).write(bad);
  EXPECT_EQ(verified_profile(bad), std::vector<std::string>{});
  const auto found = [&](Forger forger, const std::string& part) {
    forger.write(bad);
    const auto findings = verified_profile(bad);
    ASSERT_FALSE(findings.empty()) << part;
    EXPECT_NE(findings.front().find(part), std::string::npos) << findings.front();
  };
  const auto with_integer = [&](const std::string& at, std::size_t row, std::int64_t value) {
    Forger forger(good);
    forger.integers = [=](const std::string& path, auto& values) {
      if (path == at) values.at(row) = value;
    };
    return forger;
  };
  found(with_integer("/repeats/batch_begin", 1, 0), "/repeats/batch_begin, row 1");
  found(with_integer("/repeats/batch_count", 1, -3), "/repeats/batch_begin, row 1");
  found(with_integer("/repeats/batch_count", 1, std::int64_t{1} << 62), "/repeats/batch_begin, row 1");
  found(with_integer("/repeats/batch_count", 3, 3), "/batches");
  found(with_integer("/repeats/sample_count", 3, 5), "/repeats/sample_begin, row 3");
  found(with_integer("/repeats/gpu", 0, 3), "/repeats, row 0");
  found(with_integer("/repeats/gpu", 0, std::int64_t{1} << 40), "/repeats/gpu, row 0");
  found(with_integer("/sessions/solo", 0, 2), "/sessions/solo, row 0");
  found(with_integer("/sessions/seed", 0, 77), "digest");
  Forger other_median(good);
  other_median.reals = [](const std::string& path, auto& values) {
    if (path == "/repeats/median_ms") values.at(2) += 0.001;
  };
  found(std::move(other_median), "/repeats/median_ms: row 2");
  for (const char* path : {"/gpus/uuid", "/names/gpus.host", "/batches/time_ms", "/repeats/sample_begin"}) {
    Forger without(good);
    without.leave_out = {path};
    found(std::move(without), std::string(path) == "/names/gpus.host" ? "/gpus/host" : path);
  }
}

// Each summary follows from the batches, to a part in 10^9: of (4, 2, 3) ms, none is 0.
TEST(ProfileDamage, SummariesAreHeldAgainstTheBatches) {
  const TempDir dir;
  const fs::path good = dir.path() / "good.h5", bad = dir.path() / "bad.h5";
  write_profile(good, small_profile(), {});
  for (const std::string column : {"median_ms", "mean_ms", "deviation_ms", "least_ms", "p05_ms", "p95_ms", "most_ms"}) {
    for (const double part : {1.5e-9, -1.5e-9, 0.5e-9, -0.5e-9}) {
      Forger forger(good);
      forger.reals = [&](const std::string& path, auto& values) {
        if (path == "/repeats/" + column) values.at(2) *= 1 + part;
      };
      forger.write(bad);
      const auto findings = verified_profile(bad);
      ASSERT_EQ(findings.size(), std::abs(part) > 1e-9 ? 1U : 0U) << column << " " << part;
      for (const auto& finding : findings) {
        EXPECT_TRUE(finding.starts_with("/repeats/" + column + ": row 2 says ")) << finding;
      }
    }
  }
}

// A column of each type that is stored as another one is refused by name, although its values could be taken for it.
TEST(ProfileDamage, ColumnsOfAnotherTypeAreFound) {
  const TempDir dir;
  write_profile(dir.path() / "good.h5", small_profile(), {});
  for (const char* path : {"/gpus/local", "/gpus/power_limit_w", "/batches/time_ms", "/gpus/host", "/gpus/uuid"}) {
    Forger forger(dir.path() / "good.h5");
    forger.retyped = path;
    forger.write(dir.path() / "bad.h5");
    const auto findings = verified_profile(dir.path() / "bad.h5");
    ASSERT_EQ(findings.size(), 1U) << path;
    EXPECT_NE(findings[0].find(std::string("bad.h5:") + path + ": the column is of another type than schema 1.3.0 has"),
              std::string::npos)
        << findings[0];
  }
}

TEST(ProfileDamage, VerifyAsksForTheChecksum) {
  const TempDir dir;
  write_profile(dir.path() / "good.h5", small_profile(), {});
  Forger forger(dir.path() / "good.h5");
  forger.checksum = false;
  forger.write(dir.path() / "without.h5");
  EXPECT_EQ(
      verified_profile(dir.path() / "without.h5"),
      std::vector<std::string>{"/ (attribute checksum): is missing; restore the file from a copy or measure again"});
}

// A column in another unit, and a table that lists its columns in another order, are findings although all values hold.
TEST(ProfileDamage, ForgedLabelsAreFound) {
  const TempDir dir;
  const fs::path good = dir.path() / "good.h5", bad = dir.path() / "bad.h5";
  write_profile(good, small_profile(), {});
  Forger unit(good), order(good);
  unit.in_furlongs = "/gpus/power_limit_w";
  unit.write(bad);
  auto findings = verified_profile(bad);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(findings[0].starts_with("/gpus/power_limit_w: is in \"[fur_us]\", expected \"W\"")) << findings[0];
  order.turned_round = "/kernels";
  order.write(bad);
  findings = verified_profile(bad);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(findings[0].starts_with("/kernels (attribute columns): is not name, params")) << findings[0];
}

// Somebody else's file, an archive of ours, and a later major version are told apart from damage.
TEST(ProfileDamage, OtherFilesAreNoProfiles) {
  const TempDir dir;
  write_file(dir.path() / "text.h5", "gpu_id,time_ms\n");
  write_archive(dir.path() / "archive.h5", three_runs(), {}, {});
  hdf5::make_file(dir.path() / "later.h5", [](hdf5::File& later) {
    write_attribute(later, "/", "schema", std::string("palstudy-profile 2.0.0"));
  });
  for (const char* name : {"none.h5", "text.h5", "archive.h5", "later.h5"}) {
    EXPECT_THROW((void)read_profile(dir.path() / name), NotAnArchive) << name;
    EXPECT_THROW((void)verified_profile(dir.path() / name), NotAnArchive) << name;
  }
  Provenance from;
  from.resolved_study = "seed = 1\n";
  write_archive(dir.path() / "hit.h5", three_runs(), {}, from);
  damage_chunk(dir.path() / "hit.h5", "/study/resolved");
  EXPECT_EQ(verified_archive(dir.path() / "hit.h5").size(), 1U);
  EXPECT_THROW((void)verified_profile(dir.path() / "hit.h5"), NotAnArchive) << "a damaged archive is no profile either";
  EXPECT_FALSE(is_profile_file(dir.path() / "archive.h5"));
  EXPECT_TRUE(is_profile_file(dir.path() / "later.h5"));
}

}  // namespace
}  // namespace palstudy::test
