// SPDX-License-Identifier: MIT
#include "shard/run_frame.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "core/error.hpp"
#include "record/digest.hpp"
#include "record/small_run.hpp"
#include "shard/decode_frames.hpp"
#include "shard/shard.hpp"

namespace palstudy {
namespace {

using Bytes = std::vector<std::byte>;

/// A shard of three runs, the second failed; where each frame ends is in `ends`.
Bytes three_runs(std::vector<std::size_t>& ends) {
  Bytes shard;
  test::SmallRun small;
  small.label.run = 1;
  small.label.id = "run-1";
  for (const RunRecord& record :
       {test::numbered_record(0), make_failed_record(small.label, "full"), test::numbered_record(2)}) {
    const Bytes frame = encode_frame(record);
    shard.insert(shard.end(), frame.begin(), frame.end());
    ends.push_back(shard.size());
  }
  return shard;
}

void expect_same(const TableData& a, const TableData& b) {
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    EXPECT_EQ(a.columns[i].name, b.columns[i].name);
    EXPECT_EQ(a.columns[i].units, b.columns[i].units);
    EXPECT_EQ(a.columns[i].long_name, b.columns[i].long_name);
    EXPECT_EQ(a.columns[i].type, b.columns[i].type);
    EXPECT_EQ(a.columns[i].table, b.columns[i].table);
    EXPECT_EQ(a.columns[i].digested, b.columns[i].digested);
    ASSERT_EQ(a.values[i].index(), b.values[i].index());
    if (const auto* text = std::get_if<TextColumn>(&a.values[i])) {
      EXPECT_EQ(text->codes, std::get<TextColumn>(b.values[i]).codes);
      EXPECT_EQ(text->names, std::get<TextColumn>(b.values[i]).names);
    } else if (const auto* reals = std::get_if<std::vector<double>>(&a.values[i])) {
      const auto& others = std::get<std::vector<double>>(b.values[i]);  // bit for bit, NaNs included
      ASSERT_EQ(reals->size(), others.size());
      if (!reals->empty()) {
        EXPECT_EQ(std::memcmp(reals->data(), others.data(), reals->size() * sizeof(double)), 0);
      }
    } else {
      EXPECT_EQ(std::get<0>(a.values[i]), std::get<0>(b.values[i]));
    }
  }
}

// All that a record holds comes back: fields, columns of axes and classes with their descriptions, names, values bit
// for bit.
TEST(Frame, GivesTheRecordBack) {
  const RunRecord record = test::SmallRun().record();
  const FrameScan scan = decode_frames(encode_frame(record));
  EXPECT_EQ(scan.problem, "");
  ASSERT_EQ(scan.records.size(), 1U);
  const RunRecord& back = scan.records[0];
  EXPECT_EQ(back.run, record.run);
  EXPECT_EQ(back.id, record.id);
  EXPECT_EQ(back.status, record.status);
  EXPECT_EQ(back.reason, record.reason);
  EXPECT_EQ(back.digest, record.digest);
  EXPECT_EQ(run_digest(back), record.digest);
  for (const auto table : {&RunRecord::runs, &RunRecord::jobs, &RunRecord::events, &RunRecord::event_gpus,
                           &RunRecord::rounds, &RunRecord::nodes, &RunRecord::provenance}) {
    expect_same(record.*table, back.*table);
  }
}

TEST(Frame, GivesAFailedRunBack) {
  const RunRecord record = make_failed_record(test::SmallRun().label, "why");
  const FrameScan scan = decode_frames(encode_frame(record));
  ASSERT_EQ(scan.records.size(), 1U);
  EXPECT_EQ(scan.records[0].status, RunStatus::failed);
  EXPECT_EQ(scan.records[0].reason, "why");
  EXPECT_EQ(run_digest(scan.records[0]), record.digest);
}

// A shard cut anywhere, as a kill or a full disk leaves it, gives exactly the records whose frames are whole.
TEST(Frame, EveryTruncationLeavesTheRecordsBeforeIt) {
  std::vector<std::size_t> ends;
  const Bytes shard = three_runs(ends);
  for (std::size_t size = 0; size <= shard.size(); ++size) {
    const FrameScan scan = decode_frames(std::span(shard).first(size));
    std::size_t whole = 0;
    while (whole < ends.size() && ends[whole] <= size) ++whole;
    ASSERT_EQ(scan.records.size(), whole) << "cut at " << size;
    const bool at_an_end = size == 0 || (whole > 0 && ends[whole - 1] == size);
    ASSERT_EQ(scan.problem.empty(), at_an_end) << "cut at " << size << ": " << scan.problem;
  }
}

// One wrong byte anywhere is seen by the checksum, the magic or the length, and costs the frame in which it lies alone.
TEST(Frame, EveryFlippedByteCostsItsFrameAlone) {
  std::vector<std::size_t> ends;
  const Bytes shard = three_runs(ends);
  for (std::size_t place = 0; place < shard.size(); ++place) {
    for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
      Bytes broken = shard;
      broken[place] ^= static_cast<std::byte>(flip);
      const FrameScan scan = decode_frames(broken);
      std::int64_t lost = 0;
      while (ends[static_cast<std::size_t>(lost)] <= place) ++lost;
      std::vector<std::int64_t> left = {0, 1, 2}, found;
      std::erase(left, lost);
      for (const RunRecord& record : scan.records) found.push_back(record.run);
      ASSERT_EQ(found, left) << "byte " << place;
      ASSERT_FALSE(scan.problem.empty()) << "byte " << place;
    }
  }
}

// The same without the checksum's protection: the inside of a frame with any byte changed or any tail missing is
// refused or read, but reading it writes the very bytes again, so nothing is made up.
TEST(Frame, APayloadIsReadAsItIsOrRefused) {
  const Bytes payload = encode_payload(test::SmallRun().record());
  for (std::size_t place = 0; place < payload.size(); ++place) {
    RunRecord record;
    EXPECT_NE(decode_payload(std::span(payload).first(place), record), "") << "cut at " << place;
    for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
      Bytes broken = payload;
      broken[place] ^= static_cast<std::byte>(flip);
      RunRecord other;
      if (decode_payload(broken, other).empty()) {
        ASSERT_EQ(encode_payload(other), broken) << "byte " << place;
      }
    }
  }
}

// Counts that no file can hold are refused before memory is asked for: 2^64 - 1 rows in the first table.
TEST(Frame, RefusesHugeCounts) {
  RunRecord empty;
  Bytes payload = encode_payload(empty);
  const std::size_t first_table = 8 + 1 + 4 + 4;  // run, status, two empty texts
  const auto bytes_of = [](std::uint64_t value) {
    std::array<std::byte, 8> bytes;
    std::memcpy(bytes.data(), &value, 8);
    return bytes;
  };
  for (const std::uint64_t huge : {UINT64_MAX, UINT64_MAX / 8 + 2, std::uint64_t{1} << 60}) {
    Bytes broken(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(first_table));
    const auto add = [&](const void* data, std::size_t size) {
      const auto* begin = static_cast<const std::byte*>(data);
      broken.insert(broken.end(), begin, begin + size);
    };
    const std::uint32_t columns = 1, name = 3;
    add(&columns, 4);
    add(bytes_of(huge).data(), 8);
    add(&name, 4);
    add("runi", 4);
    broken.resize(broken.size() + 64);
    RunRecord record;
    EXPECT_NE(decode_payload(broken, record), "");
  }
}

TEST(Frame, RefusesAnIdThatItCannotHold) {
  RunRecord record;
  record.id = std::string(17, 'a');
  EXPECT_THROW((void)encode_frame(record), Error);
}

}  // namespace
}  // namespace palstudy
