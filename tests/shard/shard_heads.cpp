// SPDX-License-Identifier: MIT
// Shards that are followed while they grow (archive/shard_index.hpp).
#include <gtest/gtest.h>

#include <fstream>

#include "record/small_run.hpp"
#include "shard/run_frame.hpp"
#include "shard/shard_index.hpp"

namespace palstudy {
namespace {

RunRecord head_of_run(std::int64_t run) {
  test::SmallRun small;
  small.label.run = run;
  small.label.id = "run-" + std::to_string(run);
  return small.record();
}

void append_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::vector<std::int64_t> new_runs(ShardHeads& heads) {
  std::vector<std::int64_t> runs;
  heads.read_new([&](const RunHead& head) {
    EXPECT_EQ(head.record.id, "run-" + std::to_string(head.record.run));
    runs.push_back(head.record.run);
  });
  return runs;
}

using HeadNumbers = std::vector<std::int64_t>;

// Every head comes once, of whatever shard it is; nothing that is there already comes again.
TEST(ShardHeads, WhatIsAppendedComesOnce) {
  const test::TempDir dir;
  ShardHeads heads(dir.path());
  EXPECT_EQ(new_runs(heads), HeadNumbers{});
  append_bytes(dir.path() / "a-0.shard", encode_frame(head_of_run(4)));
  EXPECT_EQ(new_runs(heads), HeadNumbers{4});
  EXPECT_EQ(new_runs(heads), HeadNumbers{});
  append_bytes(dir.path() / "a-0.shard", encode_frame(head_of_run(2)));
  append_bytes(dir.path() / "a-1.shard", encode_frame(head_of_run(7)));
  EXPECT_EQ(new_runs(heads), (HeadNumbers{2, 7}));
  EXPECT_EQ(new_runs(heads), HeadNumbers{});
}

// A frame that is only half there, because its writer is at it, comes when the rest has come: cut at every byte.
TEST(ShardHeads, HalfAFrameComesWhenItIsWhole) {
  const auto first = encode_frame(head_of_run(1)), second = encode_frame(head_of_run(2));
  for (std::size_t cut = 0; cut < second.size(); cut += 1 + second.size() / 97) {
    const test::TempDir dir;
    const auto path = dir.path() / "a-0.shard";
    ShardHeads heads(dir.path());
    append_bytes(path, first);
    append_bytes(path, std::span(second).first(cut));
    ASSERT_EQ(new_runs(heads), HeadNumbers{1}) << cut;
    append_bytes(path, std::span(second).subspan(cut));
    ASSERT_EQ(new_runs(heads), HeadNumbers{2}) << cut;
  }
}

// Damage costs the frames it hits and no others, also where reading goes on behind it.
TEST(ShardHeads, DamageBetweenFramesIsSteppedOver) {
  const test::TempDir dir;
  const auto path = dir.path() / "a-0.shard";
  ShardHeads heads(dir.path());
  auto broken = encode_frame(head_of_run(1));
  broken[broken.size() / 2] ^= std::byte{1};
  append_bytes(path, broken);
  EXPECT_EQ(new_runs(heads), HeadNumbers{});
  append_bytes(path, encode_frame(head_of_run(3)));
  EXPECT_EQ(new_runs(heads), HeadNumbers{3});
}

// The columns of /runs come with the first head of a shard: all of one shard are of one study.
TEST(ShardHeads, TheFirstHeadOfAShardBringsItsColumns) {
  const test::TempDir dir;
  ShardHeads heads(dir.path());
  std::vector<bool> with_columns;
  const auto look = [&](const RunHead& head) { with_columns.push_back(!head.record.runs.columns.empty()); };
  append_bytes(dir.path() / "a-0.shard", encode_frame(head_of_run(0)));
  append_bytes(dir.path() / "a-0.shard", encode_frame(head_of_run(1)));
  heads.read_new(look);
  append_bytes(dir.path() / "a-0.shard", encode_frame(head_of_run(2)));
  heads.read_new(look);
  EXPECT_EQ(with_columns, (std::vector<bool>{true, false, false}));
}

TEST(ShardHeads, TellWhenAShardHasGoneOrShrunk) {
  const test::TempDir dir;
  const auto path = dir.path() / "a-0.shard";
  append_bytes(path, encode_frame(head_of_run(0)));
  ShardHeads heads(dir.path());
  EXPECT_EQ(new_runs(heads), HeadNumbers{0});
  EXPECT_FALSE(heads.lost());
  std::filesystem::resize_file(path, 10);
  EXPECT_TRUE(heads.lost());
  std::filesystem::remove(path);
  EXPECT_TRUE(heads.lost());
}

// Behind what is no frame the next one is looked for a mebibyte at a time: it is found wherever its beginning lies,
// across the end of a piece as well.
TEST(ShardHeads, AFrameThatBeginsAcrossTwoPiecesIsFound) {
  const auto frame = encode_frame(head_of_run(5));
  for (std::size_t junk = (1 << 20) - 9; junk <= (1 << 20) + 9; ++junk) {
    const test::TempDir dir;
    append_bytes(dir.path() / "a-0.shard", std::vector<std::byte>(junk));
    append_bytes(dir.path() / "a-0.shard", frame);
    ShardHeads heads(dir.path());
    ASSERT_EQ(new_runs(heads), HeadNumbers{5}) << junk;
  }
}

// A shard that another process merges goes between the listing of the folder and its opening, as a link to nothing is
// listed and cannot be opened: it holds nothing, and the others are read.
TEST(ShardHeads, AShardThatHasGoneSinceItWasListedHoldsNothing) {
  const test::TempDir dir;
  std::filesystem::create_symlink("nowhere", dir.path() / "a-0.shard");
  append_bytes(dir.path() / "b-0.shard", encode_frame(head_of_run(3)));
  ShardHeads heads(dir.path());
  EXPECT_EQ(new_runs(heads), HeadNumbers{3});
  const ShardIndex index = index_shards(dir.path());
  EXPECT_EQ(index.files, std::vector{dir.path() / "b-0.shard"});
  EXPECT_TRUE(index.problems.empty());
  ASSERT_EQ(index.runs.size(), 1u);
  EXPECT_EQ(index.runs[0].file, 0u);
  EXPECT_EQ(ShardRecords(index).record(0).id, "run-3");
}

}  // namespace
}  // namespace palstudy
