// SPDX-License-Identifier: MIT
#include "record/digest.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>

#include "core/error.hpp"
#include "core/random.hpp"
#include "core/sha256.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}
std::string head(const std::string& name, char type, std::uint64_t count) {
  return name + std::string(1, '\0') + type + little_endian(count, 8);
}
std::string text(const std::string& value) { return little_endian(value.size(), 4) + value; }
std::string bits(std::uint64_t value) { return little_endian(value, 8); }

/// An obvious twin: the whole byte string of some tables, by the contract alone.
std::string bytes_of(const TableData& table) {
  std::string out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string& name = table.columns[c].name;
    if (name == "digest" || name == "job_begin" || name == "job_count" || name == "gpu_begin" || name == "gpu_count") {
      continue;
    }
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&table.values[c])) {
      out += head(name, 'i', integers->size());
      for (const auto v : *integers) out += bits(static_cast<std::uint64_t>(v));
    } else if (const auto* reals = std::get_if<std::vector<double>>(&table.values[c])) {
      out += head(name, 'f', reals->size());
      for (const double v : *reals) {
        out += bits(v != v ? 0x7ff8000000000000 : v == 0 ? 0 : std::bit_cast<std::uint64_t>(v));
      }
    } else {
      const auto& words = std::get<TextColumn>(table.values[c]);
      out += head(name, 's', words.codes.size());
      for (const auto code : words.codes) out += text(words.names.at(static_cast<std::size_t>(code)));
    }
  }
  return out;
}

TableData events_table(TextColumn kinds, std::vector<double> times) {
  TableData table;
  const auto n = times.size();
  table.columns = {*find_column(TableId::events, "time_s"), *find_column(TableId::events, "kind"),
                   *find_column(TableId::events, "gpu_begin")};
  table.values = {std::move(times), std::move(kinds), std::vector<std::int64_t>(n, 5)};
  return table;
}

// FIPS 180-4's example of the message "abc", and the empty message.
TEST(Sha256, GivesThePublishedSums) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

// A file of more than one buffer gives the sum of its bytes; what is not there or no file is refused, not summed as
// empty.
TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const test::TempDir dir;
  const std::string bytes(3000000, 'x');
  std::ofstream(dir.path() / "data", std::ios::binary) << bytes;
  EXPECT_EQ(sha256_file(dir.path() / "data"), sha256_hex(bytes));
  std::ofstream(dir.path() / "empty", std::ios::binary);
  EXPECT_EQ(sha256_file(dir.path() / "empty"), sha256_hex(""));
  EXPECT_THROW((void)sha256_file(dir.path() / "none"), Error);
  EXPECT_THROW((void)sha256_file(dir.path()), Error);
}

// The bytes written out by hand, for two events and three GPUs: -0 enters as +0, any NaN as 0x7ff8000000000000, text as
// length and UTF-8, offsets not at all.
TEST(RunDigest, IsTheSumOfTheBytesOfTheContract) {
  RunRecord record;
  record.events = events_table({{1, 0}, {"stop", "fin\xc3\xafsh"}}, {-0.0, -std::numeric_limits<double>::quiet_NaN()});
  record.event_gpus.columns = {*find_column(TableId::event_gpus, "gpu")};
  record.event_gpus.values = {std::vector<std::int64_t>{3, 258, -1}};
  const std::string bytes = std::string("time_s\0f\2\0\0\0\0\0\0\0", 16) + std::string("\0\0\0\0\0\0\0\0", 8) +
                            std::string("\0\0\0\0\0\0\xf8\x7f", 8) + std::string("kind\0s\2\0\0\0\0\0\0\0", 14) +
                            std::string("\7\0\0\0fin\xc3\xafsh", 11) + std::string("\4\0\0\0stop", 8) +
                            std::string("gpu\0i\3\0\0\0\0\0\0\0", 13) + std::string("\3\0\0\0\0\0\0\0", 8) +
                            std::string("\2\1\0\0\0\0\0\0", 8) + std::string(8, '\xff');
  EXPECT_EQ(run_digest(record), sha256_hex(bytes));
}

// Runs, jobs, events with their GPUs, rounds, in that order; nodes, provenance and the digest itself are left out.
TEST(RunDigest, OfARecordIsThatOfItsTablesInOrder) {
  const auto record = test::SmallRun().record();
  const std::string bytes = bytes_of(record.runs) + bytes_of(record.jobs) + bytes_of(record.events) +
                            bytes_of(record.event_gpus) + bytes_of(record.rounds);
  EXPECT_EQ(record.digest, sha256_hex(bytes));
  EXPECT_EQ(std::get<TextColumn>(*record.runs.find("digest")).at(0), record.digest);
}

TEST(RunDigest, ATableThatIsNotStoredContributesNothing) {
  const auto record = test::SmallRun().record({true, false, false});
  EXPECT_EQ(record.digest, sha256_hex(bytes_of(record.runs) + bytes_of(record.jobs)));
}

// How names got their codes is no part of the result: any numbering of the same texts gives the same digest.
TEST(RunDigest, DoesNotKnowHowNamesAreCoded) {
  RunRecord one, two, three, other;
  const std::vector<double> times = {1, 2, 3};
  one.events = events_table({{0, 1, 0}, {"stop", "launch"}}, times);
  two.events = events_table({{1, 0, 1}, {"launch", "stop"}}, times);
  three.events = events_table({{2, 1, 2}, {"unused", "launch", "stop"}}, times);
  other.events = events_table({{1, 0, 1}, {"stop", "launch"}}, times);
  EXPECT_EQ(run_digest(one), run_digest(two));
  EXPECT_EQ(run_digest(one), run_digest(three));
  EXPECT_NE(run_digest(one), run_digest(other));
}

// What took how long, on what, and at which rows it was stored does not change the digest; a result does.
TEST(RunDigest, KnowsResultsAndNotHowTheyWereHad) {
  test::SmallRun run;
  const std::string digest = run.record().digest;
  run.label.wall_s = 99;
  run.label.cores = 64;
  run.result.node_busy_s[0] += 1;
  EXPECT_EQ(run.record().digest, digest);
  RunRecord moved = run.record();
  for (std::size_t c = 0; c < moved.runs.columns.size(); ++c) {
    if (moved.runs.columns[c].name == "job_begin") moved.runs.values[c] = std::vector<std::int64_t>{12345};
  }
  EXPECT_EQ(run_digest(moved), digest);
  run.result.jobs.exec_s[1] = std::nextafter(run.result.jobs.exec_s[1], 0);
  EXPECT_NE(run.record().digest, digest);
}

// One u64, one status byte and 32 raw bytes a run, by ascending run whatever the order given.
TEST(ArchiveDigest, IsTheSumOverRunsInOrder) {
  const std::string zeros(64, '0'), mixed = "00ff" + std::string(60, '1');
  const std::string bytes = "palstudy-digest-1\n" + bits(2) + std::string(1, '\1') + std::string("\0\xff", 2) +
                            std::string(30, '\x11') + bits(300) + std::string(1, '\0') + std::string(32, '\0');
  EXPECT_EQ(archive_digest({2, 300}, {RunStatus::failed, RunStatus::done}, {mixed, zeros}), sha256_hex(bytes));
  EXPECT_EQ(archive_digest({300, 2}, {RunStatus::done, RunStatus::failed}, {zeros, mixed}), sha256_hex(bytes));
}

TEST(ArchiveDigest, RefusesWhatIsNoDigest) {
  for (const std::string& bad : {std::string(), std::string(63, '0'), std::string(64, 'g'), std::string(64, 'A')}) {
    EXPECT_THROW((void)archive_digest({0}, {RunStatus::done}, {bad}), Error) << bad;
  }
}

// Statuses and digests are of the same runs: either list of another length is refused, alone.
TEST(ArchiveDigest, RefusesListsOfOtherLengths) {
  const std::string zeros(64, '0');
  EXPECT_THROW((void)archive_digest({0}, {}, {zeros}), Error);
  EXPECT_THROW((void)archive_digest({0}, {RunStatus::done}, {}), Error);
  EXPECT_THROW((void)archive_digest({}, {}, {zeros}), Error);
}

// Digits are 0 to 9 and a to f, in either place of a byte; what lies beside them in ASCII is none.
TEST(ArchiveDigest, RefusesOneWrongDigit) {
  const std::string zeros(64, '0');
  for (const std::size_t place : {std::size_t{0}, std::size_t{1}, std::size_t{62}, std::size_t{63}}) {
    for (const char digit : {'/', ':', '`', 'g', 'F'}) {
      std::string wrong = zeros;
      wrong[place] = digit;
      EXPECT_THROW((void)archive_digest({0}, {RunStatus::done}, {wrong}), Error) << wrong;
    }
    for (const char digit : {'9', 'a', 'f'}) {
      std::string right = zeros;
      right[place] = digit;
      EXPECT_NO_THROW((void)archive_digest({0}, {RunStatus::done}, {right})) << right;
    }
  }
}

}  // namespace

namespace {

// What is added in pieces is hashed as one text, whether a piece fits the 16 KiB that are collected or not.
TEST(ColumnHasher, PiecesOfAnySizeAreOneText) {
  for (const std::size_t size : {0U, 1U, 16383U, 16384U, 16385U, 50000U}) {
    ColumnHasher hasher;
    const std::string piece(size, 'p');
    std::string whole;
    for (const std::string& one : {std::string("begin"), piece, std::string("middle"), piece, std::string("end")}) {
      hasher.bytes(one.data(), one.size());
      whole += one;
    }
    EXPECT_EQ(hasher.finish_hex(), sha256_hex(whole)) << size;
  }
}

// Many numbers at once are hashed as one by one, however the pieces fall: no number, one, a piece, more than a piece.
TEST(ColumnHasher, ManyRealsAreOneByOne) {
  RandomStream random(1, Purpose::job_shape, 1);
  for (const std::size_t size : {0U, 1U, 255U, 256U, 257U, 5000U}) {
    std::vector<double> numbers(size);
    for (double& number : numbers) {
      const std::uint32_t kind = random.below(8);
      number = kind == 0   ? -0.0
               : kind == 1 ? -std::numeric_limits<double>::quiet_NaN()
               : kind == 2 ? -std::numeric_limits<double>::infinity()
                           : random.uniform_positive() - 0.5;
    }
    ColumnHasher many, single;
    many.value('x');
    single.value('x');
    many.reals(numbers);
    for (const double number : numbers) {
      // By hand, what the page of the digest says: one pattern for all NaNs, and zero without a sign.
      if (std::isnan(number)) {
        single.value(std::uint64_t{0x7ff8000000000000});
      } else {
        single.value(number == 0 ? 0.0 : number);
      }
    }
    EXPECT_EQ(many.finish_hex(), single.finish_hex()) << size;
  }
}

// The same of texts, an empty one and one longer than the buffer among them.
TEST(ColumnHasher, ManyTextsAreOneByOne) {
  const std::vector<std::string> names = {"pal", "", std::string(40000, 'n'), "packed-sticky"};
  RandomStream random(2, Purpose::job_shape, 1);
  std::vector<std::int32_t> codes(3000);
  for (std::int32_t& code : codes) code = static_cast<std::int32_t>(random.below(60) == 0 ? 2 : random.below(2) * 3);
  codes[7] = 1;
  ColumnHasher many, single;
  many.texts(names, codes);
  for (const std::int32_t code : codes) single.text(names[static_cast<std::size_t>(code)]);
  EXPECT_EQ(many.finish_hex(), single.finish_hex());
}

}  // namespace

}  // namespace palstudy
