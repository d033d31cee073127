// SPDX-License-Identifier: MIT
#include "shard/checkpoint_file.hpp"

#define XXH_INLINE_ALL
#include <gtest/gtest.h>
#include <xxhash.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>

#include "archive/archive_runs.hpp"
#include "core/error.hpp"
#include "core/random.hpp"

namespace palstudy {
namespace {

RunState three_partitions() {
  RunState state;
  state.time_s = 86400.5;
  state.instants = 240;
  state.shared = "what all ranks share";
  for (std::uint32_t p = 0; p < 3; ++p) {
    state.partitions.push_back({PartitionId(p), 0.5 + p, std::string(p * 100, static_cast<char>('a' + p))});
  }
  return state;
}

const CheckpointKey key{"0123456789abcdef", {{"jobs.csv", "aa"}}};

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// Whether anything at all is found wrong: by the check of the whole, and by reading partitions without it.
bool refused(const std::filesystem::path& path) {
  CheckpointHead head;
  return !check_checkpoint(path, key, head).empty();
}

// What is written is read back: the head by all, the frames by whom they are for. An empty partition is one, too.
TEST(CheckpointFile, HoldsTheStateFrameByFrame) {
  const test::TempDir dir;
  const auto path = checkpoint_path(dir.path(), key.run);
  EXPECT_EQ(path.filename(), "0123456789abcdef.ckpt");
  const RunState state = three_partitions();
  const std::uint64_t size = write_checkpoint(path, key, state);
  EXPECT_EQ(size, std::filesystem::file_size(path));
  EXPECT_EQ(checkpoint_files(dir.path()), std::vector{path});  // and nothing is left beside it
  CheckpointHead head;
  EXPECT_EQ(check_checkpoint(path, key, head), "");
  EXPECT_EQ(head.time_s, 86400.5);
  EXPECT_EQ(head.instants, 240u);
  ASSERT_EQ(head.frames.size(), 4u);
  EXPECT_EQ(head.frames[3].cost_s, 2.5);
  EXPECT_EQ(check_checkpoint(path, key, head), "");
  EXPECT_EQ(head.frames.size(), 4u) << "read again into the same head";
  const RunState read = read_checkpoint(path, {PartitionId(0), PartitionId(2)});
  EXPECT_EQ(read.shared, state.shared);
  EXPECT_EQ(read.time_s, state.time_s);
  ASSERT_EQ(read.partitions.size(), 2u);
  EXPECT_EQ(read.partitions[0].bytes, "");
  EXPECT_EQ(read.partitions[1].bytes, std::string(200, 'c'));
  EXPECT_EQ(read.partitions[1].id, PartitionId(2));
  EXPECT_THROW((void)read_checkpoint(path, {PartitionId(3)}), Error);
}

TEST(CheckpointFile, NothingThereIsSaid) {
  const test::TempDir dir;
  CheckpointHead head;
  EXPECT_EQ(check_checkpoint(dir.path() / "none.ckpt", key, head), "cannot be opened");
  EXPECT_FALSE(peek_checkpoint(dir.path() / "none.ckpt"));
  EXPECT_THROW((void)read_checkpoint(dir.path() / "none.ckpt", {}), Error);
  EXPECT_TRUE(checkpoint_files(dir.path() / "none").empty());
}

// Another run's state, one of other inputs, or of another build must not be taken for this one's, whole as it is.
TEST(CheckpointFile, IsOfOneRunInputsAndBuild) {
  const test::TempDir dir;
  const auto path = checkpoint_path(dir.path(), key.run);
  write_checkpoint(path, key, three_partitions());
  CheckpointHead head;
  EXPECT_EQ(check_checkpoint(path, {"0123456789abcdee", key.files}, head), "is of another run");
  EXPECT_EQ(check_checkpoint(path, {key.run, {{"jobs.csv", "bb"}}}, head),
            "is of other inputs: the SHA-256 of jobs.csv was aa and is bb");
  // As another build writes it: whole, checksum and all.
  std::string bytes = bytes_of(path);
  constexpr std::size_t build_at = 16, checksum_at = 80;
  bytes[build_at] = static_cast<char>(bytes[build_at] ^ 1);
  const std::string hashed = bytes.substr(0, checksum_at) + bytes.substr(checksum_at + 8);
  const std::uint64_t checksum = XXH3_64bits(hashed.data(), hashed.size());
  std::memcpy(bytes.data() + checksum_at, &checksum, sizeof checksum);
  put(path, bytes);
  EXPECT_EQ(check_checkpoint(path, key, head), "was written by another build of the program");
}

// Cut off anywhere, it is found; what was cut is not read beyond.
TEST(CheckpointFile, ACutIsFound) {
  const test::TempDir dir;
  const auto path = dir.path() / "cut.ckpt";
  write_checkpoint(path, key, three_partitions());
  const std::string good = bytes_of(path);
  for (std::size_t size = 0; size < good.size(); ++size) {
    put(path, good.substr(0, size));
    EXPECT_TRUE(refused(path)) << size;
    EXPECT_FALSE(peek_checkpoint(path)) << size;
    EXPECT_THROW((void)read_checkpoint(path, {PartitionId(2)}), Error) << size;
  }
  put(path, good + "x");
  EXPECT_TRUE(refused(path));
}

// So is a flipped bit, wherever it lies.
TEST(CheckpointFile, AFlippedBitIsFound) {
  const test::TempDir dir;
  const auto path = dir.path() / "bit.ckpt";
  write_checkpoint(path, key, three_partitions());
  const std::string good = bytes_of(path);
  for (std::size_t bit = 0; bit < good.size() * 8; bit += 7) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    put(path, bad);
    EXPECT_TRUE(refused(path)) << "bit " << bit;
  }
  put(path, good);
  EXPECT_FALSE(refused(path));
}

// A rank that reads frames by itself, after the first has checked the whole, still finds one that has changed since.
TEST(CheckpointFile, AFrameIsHeldAgainstItsOwnChecksum) {
  const test::TempDir dir;
  const auto path = dir.path() / "frame.ckpt";
  write_checkpoint(path, key, three_partitions());
  std::string bad = bytes_of(path);
  bad.back() ^= 1;  // of partition 2
  put(path, bad);
  EXPECT_NO_THROW((void)read_checkpoint(path, {PartitionId(1)}));
  EXPECT_THROW((void)read_checkpoint(path, {PartitionId(2)}), Error);
}

// Any bytes as a head: the decoder returns, and where it is content, what it gives lies within the file. Half of them
// start as a good head of which a few bytes are others, since bytes at random hardly get beyond the magic.
TEST(CheckpointFile, AnyBytesAreRead) {
  const test::TempDir dir;
  const auto path = dir.path() / "any.ckpt";
  write_checkpoint(path, key, three_partitions());
  const std::string good = bytes_of(path);
  RandomStream random(5, Purpose::job_shape, 0);
  int content = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = good.substr(0, random.below(260));
    if (i % 2 == 0) {
      for (char& byte : bytes) byte = static_cast<char>(random.below(256));
    } else {
      for (std::uint32_t change = random.below(4); change > 0 && !bytes.empty(); --change) {
        bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] = static_cast<char>(random.below(256));
      }
    }
    const std::uint64_t size = i % 3 == 0 ? bytes.size() : good.size();
    CheckpointHead head;
    if (!decode_checkpoint_head(std::as_bytes(std::span(bytes)), size, head).empty()) continue;
    ++content;
    for (const CheckpointFrame& frame : head.frames) {
      ASSERT_LE(frame.begin, size);
      ASSERT_LE(frame.length, size - frame.begin);
    }
  }
  EXPECT_GT(content, 0);
}

// Where it cannot be written the one before stays.
TEST(CheckpointFile, TheOneBeforeStays) {
  const test::TempDir dir;
  const auto path = checkpoint_path(dir.path(), key.run);
  write_checkpoint(path, key, three_partitions());
  std::filesystem::create_directory(path.string() + ".part");  // in the way of the next
  EXPECT_THROW(write_checkpoint(path, key, three_partitions()), Error);
  EXPECT_FALSE(refused(path));
}

// A run whose id does not fit is not written: a longer one would be cut, and be taken for another.
TEST(CheckpointFile, AnIdIsNoLongerThanItsRoom) {
  const test::TempDir dir;
  const CheckpointKey longer{key.run + "0"};
  EXPECT_THROW((void)write_checkpoint(checkpoint_path(dir.path(), longer.run), longer, three_partitions()), Error);
  EXPECT_TRUE(checkpoint_files(dir.path()).empty());
}

// The whole is read a mebibyte at a time: one of several, and of a part of one, holds, and a bit that flipped in the
// last of them is found. Of the head alone nothing is seen.
TEST(CheckpointFile, EveryMebibyteOfALargeOneCounts) {
  const test::TempDir dir;
  const auto path = dir.path() / "large.ckpt";
  RunState state = three_partitions();
  state.shared = std::string((std::size_t{5} << 19) + 7, 's');
  write_checkpoint(path, key, state);
  EXPECT_FALSE(refused(path));
  std::string bad = bytes_of(path);
  bad[std::size_t{9} << 18] ^= 1;
  put(path, bad);
  CheckpointHead head;
  EXPECT_EQ(check_checkpoint(path, key, head), "is damaged: its checksum does not hold");
  EXPECT_TRUE(peek_checkpoint(path));
}

}  // namespace
}  // namespace palstudy
