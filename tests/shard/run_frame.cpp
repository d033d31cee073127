// SPDX-License-Identifier: MIT
#include "shard/run_frame.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "core/files.hpp"
#include "message_of.hpp"
#include "record/digest.hpp"
#include "record/small_run.hpp"
#include "shard/decode_frames.hpp"
#include "shard/shard_index.hpp"

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

// The last table has one column, of no rows, so that the payload ends where it should: the name alone is wrong.
TEST(Frame, RefusesAColumnThatItsTableHasNot) {
  const RunRecord empty;
  Bytes payload = encode_payload(empty);
  payload.resize(payload.size() - 4 - 8);  // columns and rows of the last table
  const std::uint32_t columns = 1, name = 7;
  const std::uint64_t rows = 0;
  const auto add = [&](const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    payload.insert(payload.end(), begin, begin + size);
  };
  add(&columns, 4);
  add(&rows, 8);
  add(&name, 4);
  add("nothingi", 8);
  RunRecord record;
  EXPECT_EQ(decode_payload(payload, record), "it has a column that the schema does not");
}

TEST(Frame, RefusesAnIdThatItCannotHold) {
  RunRecord record;
  record.id = std::string(17, 'a');
  EXPECT_THROW((void)encode_frame(record), Error);
}

}  // namespace

namespace {

std::vector<std::int64_t> runs_of(const ShardIndex& index) {
  std::vector<std::int64_t> runs;
  for (const auto& run : index.runs) runs.push_back(run.run);
  return runs;
}

TEST(Shard, PartsLieBesideTheArchive) { EXPECT_EQ(parts_dir("out/a.h5"), "out/a.h5.parts"); }

// What teams append in any order is read back by run; a run that two shards hold counts once.
TEST(Shard, WhatIsAppendedIsReadBackByRun) {
  const test::TempDir dir;
  ShardWriter one(dir.path(), "20240101T000000", 0), two(dir.path(), "20240101T000000", 1);
  EXPECT_EQ(one.path().filename(), "20240101T000000-0.shard");
  one.append(test::numbered_record(5));
  two.append(test::numbered_record(1));
  one.append(test::numbered_record(0));
  two.append(test::numbered_record(5));
  one.close();
  two.close();
  const ShardIndex index = index_shards(dir.path());
  EXPECT_EQ(runs_of(index), (std::vector<std::int64_t>{0, 1, 5}));
  EXPECT_TRUE(index.problems.empty());
}

// The file holds the frames and nothing else, in the order of appending, before the writer is closed: a killed process
// loses none.
TEST(Shard, AFrameIsInTheFileWhenAppendReturns) {
  const test::TempDir dir;
  ShardWriter writer(dir.path(), "s", 3);
  std::vector<std::byte> wanted;
  for (const std::int64_t run : {4, 2}) {
    writer.append(test::numbered_record(run));
    const auto frame = encode_frame(test::numbered_record(run));
    wanted.insert(wanted.end(), frame.begin(), frame.end());
    std::ifstream file(writer.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    ASSERT_EQ(bytes.size(), wanted.size());
    EXPECT_EQ(bytes.compare(0, bytes.size(), reinterpret_cast<const char*>(wanted.data()), wanted.size()), 0);
  }
}

// Records are read when they are asked for, as often as they are, byte for byte as they were appended; also of more
// shards than a process may hold open (here 300 in turn, of which at most 256 stay open).
TEST(ShardRecords, GiveWhatWasAppended) {
  const test::TempDir dir;
  for (std::int64_t run = 0; run < 300; ++run) {
    ShardWriter(dir.path(), "s", static_cast<int>(run)).append(test::numbered_record(299 - run, run % 7 == 0));
  }
  ShardRecords records(index_shards(dir.path()));
  ASSERT_EQ(records.size(), 300U);
  for (const std::size_t i : {0U, 299U, 150U, 0U, 7U}) {
    const auto run = static_cast<std::int64_t>(i);
    EXPECT_EQ(encode_frame(records.record(i)), encode_frame(test::numbered_record(run, (299 - run) % 7 == 0)));
  }
}

// A frame whose checksum holds though no program of ours wrote it: the merge names the shard instead of guessing.
TEST(ShardRecords, AFrameThatCannotBeIsADataError) {
  const test::TempDir dir;
  RunRecord record = test::numbered_record(1);
  const auto whole = encode_payload(record);
  const auto frame = pack_frame(run_frames(), record.id, std::span(whole).first(whole.size() - 1));
  std::ofstream(dir.path() / "s-0.shard", std::ios::binary)
      .write(reinterpret_cast<const char*>(frame.data()), static_cast<std::streamsize>(frame.size()));
  ShardRecords records(index_shards(dir.path()));
  ASSERT_EQ(records.size(), 1U);
  EXPECT_NE(message_of(ErrorCode::data, [&] { (void)records.record(0); }).find("s-0.shard"), std::string::npos);
}

// A run that failed and was tried again counts as done, whichever shard is read first.
TEST(Shard, ADoneRunStandsAboveAFailedOne) {
  const test::TempDir dir;
  ShardWriter(dir.path(), "a", 0).append(test::numbered_record(1, true));
  ShardWriter(dir.path(), "b", 0).append(test::numbered_record(1));
  ShardWriter(dir.path(), "c", 0).append(test::numbered_record(1, true));
  const ShardIndex index = index_shards(dir.path());
  ASSERT_EQ(index.runs.size(), 1U);
  EXPECT_EQ(index.runs[0].status, RunStatus::done);
  EXPECT_EQ(ShardRecords(index).record(0).status, RunStatus::done);
}

// Nothing there is nothing finished: no folder, no shard, other files.
TEST(Shard, NothingThereIsNoRecord) {
  const test::TempDir dir;
  EXPECT_TRUE(index_shards(dir.path() / "none").runs.empty());
  std::ofstream(dir.path() / "lock") << "host x, pid 1\n";
  EXPECT_TRUE(index_shards(dir.path()).runs.empty());
  EXPECT_TRUE(index_shards(dir.path()).problems.empty());
}

// A shard is appended to by none but its creator: a name that exists is refused, and the file stays as it was.
TEST(Shard, AnExistingShardIsRefused) {
  const test::TempDir dir;
  ShardWriter(dir.path(), "s", 0).append(test::numbered_record(1));
  EXPECT_THROW(ShardWriter(dir.path(), "s", 0), Error);
  EXPECT_EQ(index_shards(dir.path()).runs.size(), 1U);
}

TEST(Shard, ATailThatWasCutOffIsToldAndIgnored) {
  const test::TempDir dir;
  ShardWriter writer(dir.path(), "s", 0);
  writer.append(test::numbered_record(1));
  writer.append(test::numbered_record(2));
  writer.close();
  std::filesystem::resize_file(writer.path(), std::filesystem::file_size(writer.path()) - 1);
  const ShardIndex index = index_shards(dir.path());
  EXPECT_EQ(runs_of(index), (std::vector<std::int64_t>{1}));
  ASSERT_EQ(index.problems.size(), 1U);
  EXPECT_NE(index.problems[0].find("s-0.shard"), std::string::npos) << index.problems[0];
}

/// In a process of its own, since the limit cannot be raised again: files may grow to two frames and a half. Exits with
/// the number of the first expectation that does not hold.
[[noreturn]] void write_against_a_limit(const std::filesystem::path& dir) {
  const auto frame = static_cast<rlim_t>(encode_frame(test::numbered_record(0)).size());
  const rlimit limit{frame * 5 / 2, frame * 5 / 2};
  std::signal(SIGXFSZ, SIG_IGN);
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(1);
  ShardWriter writer(dir, "s", 0);
  writer.append(test::numbered_record(0));
  writer.append(test::numbered_record(1));
  for (int attempt = 2; attempt < 4; ++attempt) {  // the first is cut short, the next may not be written after it
    try {
      writer.append(test::numbered_record(attempt));
      ::_exit(attempt);
    } catch (const Error& error) {
      const std::string what = error.what();
      if (error.code() != ErrorCode::data || what.find("s-0.shard") == std::string::npos) ::_exit(10 + attempt);
    }
  }
  ::_exit(0);
}

// A disk that fills up in the middle of a frame: data error that names the shard; frames before it stay whole; the
// writer takes no more.
TEST(Shard, AShortWriteIsADataErrorAndLeavesEarlierFramesWhole) {
  const test::TempDir dir;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) write_against_a_limit(dir.path());
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const ShardIndex index = index_shards(dir.path());
  EXPECT_EQ(runs_of(index), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(index.problems.size(), 1U);
}

// Of a run that failed twice the last reason counts; of one that was done twice the first frame.
TEST(Shard, TheLastFailureAndTheFirstSuccessCount) {
  const test::TempDir dir;
  const RunLabel label = test::SmallRun().label;
  for (const char* why : {"first", "second"}) ShardWriter(dir.path(), why, 0).append(make_failed_record(label, why));
  ASSERT_EQ(index_shards(dir.path()).runs.size(), 1U);
  EXPECT_EQ(ShardRecords(index_shards(dir.path())).record(0).reason, "second");
  for (const char* name : {"x", "y"}) ShardWriter(dir.path(), name, 0).append(test::SmallRun().record());
  const ShardIndex index = index_shards(dir.path());
  ASSERT_EQ(index.runs.size(), 1U);
  EXPECT_EQ(index.files.at(index.runs[0].file).filename(), "x-0.shard");
}

}  // namespace

}  // namespace palstudy
