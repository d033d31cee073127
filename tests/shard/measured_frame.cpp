// SPDX-License-Identifier: MIT
#include "shard/measured_frame.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "record/small_run.hpp"

namespace palstudy {
namespace {

MeasuredRepeat example(const std::string& uuid, int repeat) {
  MeasuredRepeat measured;
  measured.gpu.uuid = uuid;
  measured.gpu.host = "node7";
  measured.gpu.local = 3;
  measured.gpu.max_sm_mhz = 1980;
  measured.kernel = {"sgemm", "n = 8192, seed = 1", "fp32", 1e12, 8e8, 9e9};
  measured.repeat.repeat = repeat;
  measured.repeat.launches = 17;
  measured.repeat.start_ns = 1'700'000'000'123'456'789;
  measured.repeat.flags = 5;
  measured.repeat.check_error = 0.25;
  measured.repeat.batch_ms = {100.5F, 101.25F, 99.75F};
  measured.repeat.telemetry.t_ns = {1, 2};
  measured.repeat.telemetry.sm_mhz = {1980, std::nan("")};
  measured.remarks = "2 other processes\n";
  return measured;
}

std::vector<std::byte> operator+(std::vector<std::byte> a, const std::vector<std::byte>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// What is read of a shard of these bytes; `problems` says what is wrong with it.
Measured read(std::span<const std::byte> bytes, std::vector<std::string>& problems) {
  const test::TempDir parts;
  std::ofstream(parts.path() / "one.shard", std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return read_measured(parts.path(), problems);
}

// What was written is read, to the last field.
TEST(MeasuredFrame, RoundTrip) {
  ProfileTransfer transfer;
  transfer.kernel = "link";
  transfer.level = "node";
  transfer.path = "peer";
  transfer.bytes = 4096;
  transfer.seconds = std::nan("");
  std::vector<std::string> problems;
  const Measured got = read(encode_measured(example("GPU-1", 0)) + encode_measured({transfer}), problems);
  ASSERT_TRUE(problems.empty()) << problems[0];
  ASSERT_EQ(got.repeats.size(), 1u);
  const MeasuredRepeat &read = got.repeats[0], wrote = example("GPU-1", 0);
  EXPECT_EQ(read.gpu.uuid, "GPU-1");
  EXPECT_EQ(read.gpu.host, wrote.gpu.host);
  EXPECT_EQ(read.gpu.local, 3);
  EXPECT_EQ(read.gpu.max_sm_mhz, 1980);
  EXPECT_TRUE(std::isnan(read.gpu.power_limit_w));
  EXPECT_EQ(read.kernel.params, wrote.kernel.params);
  EXPECT_EQ(read.kernel.bytes_most, 9e9);
  EXPECT_EQ(read.repeat.launches, 17);
  EXPECT_EQ(read.repeat.start_ns, wrote.repeat.start_ns);
  EXPECT_EQ(read.repeat.flags, 5u);
  EXPECT_EQ(read.repeat.check_error, 0.25);
  EXPECT_EQ(read.repeat.batch_ms, wrote.repeat.batch_ms);
  EXPECT_EQ(read.repeat.telemetry.t_ns, wrote.repeat.telemetry.t_ns);
  EXPECT_TRUE(std::isnan(read.repeat.telemetry.sm_mhz[1]));
  EXPECT_EQ(read.remarks, wrote.remarks);
  ASSERT_EQ(got.transfers.size(), 1u);
  EXPECT_EQ(got.transfers[0].path, "peer");
  EXPECT_TRUE(std::isnan(got.transfers[0].seconds));
}

// A repeat that was measured again after a kill counts once, as it was first; another size of its kernel and another
// GPU are other repeats. Transfers are measured together, so that the last frame of them counts as a whole.
TEST(MeasuredFrame, TheFirstOfARepeatAndTheLastTransfersCount) {
  MeasuredRepeat again = example("GPU-1", 0), other_size = example("GPU-1", 0);
  again.repeat.launches = 18;
  other_size.kernel.params = "n = 4096, seed = 1";
  ProfileTransfer first, last;
  first.ranks = 2;
  last.ranks = 8;
  std::vector<std::string> problems;
  const Measured got =
      read(encode_measured(example("GPU-1", 0)) + encode_measured({first, first}) + encode_measured(again) +
               encode_measured(other_size) + encode_measured(example("GPU-2", 0)) + encode_measured({last}),
           problems);
  EXPECT_TRUE(problems.empty());
  ASSERT_EQ(got.repeats.size(), 3u);
  EXPECT_EQ(got.repeats[0].repeat.launches, 17);
  EXPECT_EQ(got.repeats[1].kernel.params, "n = 4096, seed = 1");
  EXPECT_EQ(got.repeats[2].gpu.uuid, "GPU-2");
  ASSERT_EQ(got.transfers.size(), 1u);
  EXPECT_EQ(got.transfers[0].ranks, 8);
}

// A frame whose checksum holds though no program of ours wrote it so is told with its reason, and the one behind it is
// read: a repeat without batches, one that goes on after its end, and a kind that there is none of.
TEST(MeasuredFrame, WhatCannotBeIsToldAndSteppedOver) {
  constexpr std::ptrdiff_t header = 48;
  const auto good = encode_measured(example("GPU-1", 0));
  MeasuredRepeat without_batches = example("GPU-1", 1);
  without_batches.repeat.batch_ms.clear();
  const auto second = encode_measured(example("GPU-1", 1));
  std::vector<std::byte> longer(second.begin() + header, second.end()), other_kind = longer;
  longer.push_back(std::byte{0});
  other_kind[0] = std::byte{2};
  const std::vector<std::pair<std::string, std::vector<std::byte>>> cases = {
      {"no batch", encode_measured(without_batches)},
      {"bytes follow its last column", pack_frame(measured_frames(), "longer", longer)},
      {"neither a repeat nor transfers", pack_frame(measured_frames(), "other", other_kind)}};
  for (const auto& [why, frame] : cases) {
    std::vector<std::string> problems;
    const Measured got = read(frame + good, problems);
    ASSERT_EQ(got.repeats.size(), 1u) << why;
    EXPECT_EQ(got.repeats[0].repeat.repeat, 0) << why;
    ASSERT_EQ(problems.size(), 1u) << why;
    EXPECT_NE(problems[0].find(why), std::string::npos) << problems[0];
  }
}

// What is told of a damaged shard names it, says what is wrong and where, and that no more is lost. One that has gone
// since it was listed, as a link to nothing is listed and cannot be opened, is nothing to tell of.
TEST(MeasuredFrame, ADamagedShardIsNamed) {
  const test::TempDir parts;
  std::filesystem::create_symlink("nowhere", parts.path() / "gone.shard");
  const auto frame = encode_measured(example("GPU-1", 0));
  std::ofstream(parts.path() / "torn.shard", std::ios::binary)
      .write(reinterpret_cast<const char*>(frame.data()), static_cast<std::streamsize>(frame.size() - 1));
  std::vector<std::string> problems;
  EXPECT_TRUE(read_measured(parts.path(), problems).repeats.empty());
  const std::string torn = (parts.path() / "torn.shard").string();
  EXPECT_EQ(problems, std::vector{torn + " ends within a frame (at byte 0); its other frames are kept."});
}

}  // namespace
}  // namespace palstudy
