// SPDX-License-Identifier: MIT
// Which runs are left, and which checkpoints are of the study and the slice.
#include "campaign/completed_runs.hpp"

#include <functional>
#include <utility>

#include "campaign/scratch.hpp"
#include "shard/run_frame.hpp"

namespace palstudy {
namespace {

class SixRuns : public Scratch {
 protected:
  const Study study = read(minimal + "axes.seed = [1, 2, 3, 4, 5, 6]\n");
};

// Of six runs two have ended and one has failed; that one is tried again only if it is asked for. One that failed and
// ended later has ended. A slice has no other runs than its own.
TEST_F(SixRuns, AreLeftUntilTheyHaveEnded) {
  const CompletedRuns completed{{0, 3}, {1, 3}};
  const auto left = [&](bool retry_failed, std::optional<Slice> slice) {
    CampaignOptions options;
    options.retry_failed = retry_failed;
    options.slice = slice;
    return runs_to_do(study, options, completed);
  };
  using Runs = std::vector<std::size_t>;
  EXPECT_EQ(left(false, std::nullopt), (Runs{2, 4, 5}));
  EXPECT_EQ(left(true, std::nullopt), (Runs{1, 2, 4, 5}));
  EXPECT_EQ(left(false, Slice{2, 2}), (Runs{5}));
  EXPECT_EQ(left(true, Slice{2, 2}), (Runs{1, 5}));
}

// A checkpoint bears the id of its run. One of a run that the study has not, or that another slice works on, is none of
// ours, and neither refuses a start nor is removed by it.
TEST_F(SixRuns, HaveTheirOwnCheckpoints) {
  const auto parts = dir / "out.h5.parts";
  std::filesystem::create_directory(parts);
  for (const std::string& id : {study.runs[1].id, study.runs[2].id, std::string("another")}) {
    write("out.h5.parts/" + id + ".ckpt", "");
  }
  const auto found = own_checkpoints(study, std::nullopt, parts);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].run, &study.runs[1]);
  EXPECT_EQ(found[0].file, parts / (study.runs[1].id + ".ckpt"));
  EXPECT_EQ(found[1].run, &study.runs[2]);
  const auto of_slice = own_checkpoints(study, Slice{2, 2}, parts);
  ASSERT_EQ(of_slice.size(), 1u);
  EXPECT_EQ(of_slice[0].run, &study.runs[1]);
  EXPECT_TRUE(own_checkpoints(study, Slice{1, 3}, parts).empty());
}

class ShardsOfSixRuns : public SixRuns {
 protected:
  ShardsOfSixRuns() { std::filesystem::create_directory(parts); }
  void put(const std::string& start, const std::vector<RunLabel>& failed, const InputSums& inputs = {}) const {
    ShardWriter writer(parts, start, 0, inputs);
    for (const RunLabel& label : failed) writer.append(make_failed_record(label, "for the test"));
    writer.close();
  }
  [[nodiscard]] RunLabel label(std::size_t run) const { return label_of(study, study.runs[run]); }
  const std::filesystem::path parts = dir / "out.h5.parts";
};

// Those of the shards and of the archive beside them count, under the numbers of this study, whatever they had there;
// one that was done in either has not failed.
TEST_F(ShardsOfSixRuns, CountWithThoseOfTheArchive) {
  RunLabel moved = label(4);
  moved.run = 1;
  put("a", {label(0), label(2), moved});
  CompletedRunsReader reader(study, parts);
  EXPECT_EQ(reader.read(std::nullopt).failed, (std::set<std::int64_t>{0, 2, 4}));
  const CompletedRuns both = reader.read(ExistingArchive{dir / "out.h5", {2, 3}, {5}, 6});
  EXPECT_EQ(both.done, (std::set<std::int64_t>{2, 3}));
  EXPECT_EQ(both.failed, (std::set<std::int64_t>{0, 4, 5}));
  put("b", {label(1)});
  EXPECT_EQ(reader.read(std::nullopt).failed, (std::set<std::int64_t>{0, 1, 2, 4})) << "only what is new is read";
  std::filesystem::remove(parts / "a-0.shard");
  EXPECT_EQ(reader.read(std::nullopt).failed, (std::set<std::int64_t>{1})) << "all is read again";
}

// Shards of a run that the study has not, or of axes that it has not, are another study's.
TEST_F(ShardsOfSixRuns, OfAnotherStudyAreRefused) {
  const auto read_all = [&] { (void)read_completed_runs(study, parts, std::nullopt); };
  RunLabel other = label(3);
  other.id = "00000000000000a0";
  put("a", {other});
  expect_parts(message_of(ErrorCode::usage, read_all),
               {"the shards hold run 3 (00000000000000a0), which this study has not", "out.h5.parts"});
  std::filesystem::remove(parts / "a-0.shard");
  other = label(3);
  other.axes.insert(other.axes.begin(), {"engine.round_s", ColumnType::real});
  other.values.insert(other.values.begin(), 360.0);
  put("a", {other});
  expect_parts(message_of(ErrorCode::usage, read_all),
               {"the shards are of a study with other axes", "out.h5.parts", "restore the axes"});
}

// Each run says from which files it was made: one that is another now is named, with both digests. What only the shards
// or only the study name makes no difference.
TEST_F(ShardsOfSixRuns, OfOtherInputsAreRefused) {
  put("a", {label(0)}, {{"c.csv", "cc"}, {"jobs.csv", "aa"}});
  const auto read_with = [&](const InputSums& inputs) {
    return message_or_none(ErrorCode::usage, [&] {
      CompletedRunsReader reader(study, parts);
      reader.require(inputs);
      EXPECT_EQ(reader.read(std::nullopt).failed, std::set<std::int64_t>{0});
    });
  };
  EXPECT_EQ(read_with({{"jobs.csv", "aa"}, {"outages.csv", "dd"}}), "");
  expect_parts(read_with({{"c.csv", "cc"}, {"jobs.csv", "bb"}}),
               {"out.h5.parts: the shards hold run 0 of other inputs: the SHA-256 of jobs.csv was aa and is bb"});
}

// A shard of another format is refused, with both formats and what can be done: its runs cannot be read here, and would
// be made again beside it without a word.
TEST_F(ShardsOfSixRuns, OfAnotherFormatAreRefused) {
  put("a", {label(0)});
  std::fstream(parts / "a-0.shard", std::ios::binary | std::ios::in | std::ios::out).write("PALSHRD1", 8);
  expect_parts(
      message_of(ErrorCode::usage, [&] { (void)read_completed_runs(study, parts, std::nullopt); }),
      {"a-0.shard: is a shard of format 1; this palstudy reads format 2", "go on with the palstudy that began it"});
}

// A start overwrites neither shards nor checkpoints without being asked to: shards never, checkpoints with --force. A
// slice minds its own alone. The folder of a measurement is none of a campaign.
TEST_F(ShardsOfSixRuns, AreNotOverwritten) {
  CampaignOptions how;
  how.output = dir / "out.h5";
  const auto said = [&](bool resume, bool force, std::optional<Slice> slice = std::nullopt) {
    how.resume = resume, how.force = force, how.slice = slice;
    return message_or_none(ErrorCode::usage, [&] { check_output(study, how); });
  };
  EXPECT_EQ(said(false, false), "");
  write("out.h5.parts/" + study.runs[1].id + ".ckpt", "");
  expect_parts(said(false, false),
               {"out.h5.parts: there are checkpoints of an unfinished campaign", "--force starts again"});
  EXPECT_EQ(said(false, true), "");
  EXPECT_EQ(said(true, false), "");
  EXPECT_EQ(said(false, false, Slice{1, 2}), "");
  EXPECT_NE(said(false, false, Slice{2, 2}), "");
  put("a", {label(2)});
  expect_parts(said(false, true), {"out.h5.parts: there are shards of an unfinished campaign", "remove the folder"});
  EXPECT_EQ(said(true, false), "");
  EXPECT_NE(said(false, true, Slice{1, 2}), "");
  EXPECT_EQ(said(false, true, Slice{2, 2}), "");
  write("out.h5.parts/measure.json", "{}");
  expect_parts(said(true, true), {"out.h5.parts: is the unfinished profile of palstudy measure"});
}

}  // namespace
}  // namespace palstudy
