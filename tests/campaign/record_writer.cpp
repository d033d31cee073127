// SPDX-License-Identifier: MIT
#include "campaign/record_writer.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <span>
#include <thread>

#include "campaign/scratch.hpp"
#include "core/error.hpp"
#include "shard/decode_frames.hpp"

namespace palstudy {
namespace {

using RecordWriterTest = Scratch;

RunRecord nth_failed(std::int64_t run) {
  RunLabel label;
  label.run = run;
  label.id = "000000000000000" + std::to_string(run);
  return make_failed_record(label, "of old age");
}

std::vector<std::int64_t> runs_in_shard(const std::filesystem::path& parts) {
  std::ifstream in(parts / "start-0.shard", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::int64_t> runs;
  for (const RunRecord& record : decode_frames(std::as_bytes(std::span(text))).records) runs.push_back(record.run);
  return runs;
}

WrittenRun ended(RecordWriter& keeper) {
  while (true) {
    if (const auto kept = keeper.poll()) return *kept;
    keeper.tick();
    keeper.wait(std::chrono::milliseconds(1));
  }
}

// One run after the other lands in one shard, in the order in which they were begun, and each end is told once.
TEST_F(RecordWriterTest, WritesRunsInTheirOrder) {
  RecordWriter keeper(dir, "start", 0, {});
  for (std::int64_t run = 0; run < 5; ++run) {
    keeper.begin([run] { return nth_failed(run); });
    const WrittenRun kept = ended(keeper);
    EXPECT_EQ(kept.id, nth_failed(run).id);
    EXPECT_TRUE(kept.failed);
    EXPECT_FALSE(keeper.busy());
    EXPECT_FALSE(keeper.poll());
  }
  keeper.close();
  EXPECT_EQ(runs_in_shard(dir), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
}

// While a record is being made nobody waits for it, and its end is not told early.
TEST_F(RecordWriterTest, WritesInAThreadOfItsOwn) {
  RecordWriter keeper(dir, "start", 0, {});
  std::promise<void> go;
  keeper.begin([released = go.get_future().share()] {
    released.wait();
    return nth_failed(1);
  });
  EXPECT_TRUE(keeper.busy());
  EXPECT_FALSE(keeper.poll());
  keeper.tick();  // must leave the shard alone
  go.set_value();
  EXPECT_EQ(ended(keeper).id, nth_failed(1).id);
}

// What making or appending throws is thrown to who asks for the end, once, and the keeper can go on.
TEST_F(RecordWriterTest, ThrowsTheErrorOfARecord) {
  RecordWriter keeper(dir, "start", 0, {});
  keeper.begin([]() -> RunRecord { throw data_error("no record", "here", "Do otherwise."); });
  EXPECT_THROW((void)ended(keeper), Error);
  EXPECT_FALSE(keeper.busy());
  keeper.begin([] { return nth_failed(2); });
  EXPECT_EQ(ended(keeper).id, nth_failed(2).id);
  RecordWriter nowhere(dir / "none", "start", 0, {});
  nowhere.begin([] { return nth_failed(3); });
  EXPECT_THROW((void)ended(nowhere), Error);
}

// Whoever gives up in the middle loses nothing that was begun.
TEST_F(RecordWriterTest, FinishesARunInItsDestructor) {
  {
    RecordWriter keeper(dir, "start", 0, {});
    keeper.begin([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return nth_failed(4);
    });
  }
  EXPECT_EQ(runs_in_shard(dir), (std::vector<std::int64_t>{4}));
}

}  // namespace
}  // namespace palstudy
