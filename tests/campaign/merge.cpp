// SPDX-License-Identifier: MIT
#include "campaign/merge.hpp"

#include <set>
#include <string>

#include "archive/reader.hpp"
#include "campaign/small_campaign.hpp"
#include "shard/frame_format.hpp"

namespace palstudy {
namespace {

class RemovedShards : public Scratch {};

// The folder of a slice goes with its lock, unless something else lies in it. Another folder is left alone, also its
// file that is called like a lock, and so is what a link leads to that is called like the folder of a slice: the link
// stays too.
TEST_F(RemovedShards, TakeNothingOfOthersWithThem) {
  const std::filesystem::path parts = dir / "out.h5.parts", outside = dir / "outside";
  for (const std::string folder :
       {"out.h5.parts/slice-1-of-3", "out.h5.parts/slice-2-of-3", "out.h5.parts/mine", "outside"}) {
    std::filesystem::create_directories(dir / folder);
    write(folder + "/lock", "");
  }
  write("out.h5.parts/slice-2-of-3/notes.txt", "");
  std::filesystem::create_directory_symlink(outside, parts / "slice-3-of-3");
  for (const char* file :
       {"campaign.json", "study.toml", "next-look.json", "a.job.json", "00000000000000a0.ckpt", ".part"}) {
    write(std::string("out.h5.parts/") + file, "");
  }
  remove_shards(parts);
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(parts)) left.insert(entry.path().filename().string());
  EXPECT_EQ(left, (std::set<std::string>{".part", "mine", "slice-2-of-3", "slice-3-of-3"}));
  EXPECT_TRUE(std::filesystem::exists(parts / "mine/lock"));
  EXPECT_TRUE(std::filesystem::exists(outside / "lock"));
  EXPECT_TRUE(std::filesystem::exists(parts / "slice-2-of-3/notes.txt"));
  EXPECT_FALSE(std::filesystem::exists(parts / "slice-2-of-3/lock"));
}

class Merges : public SmallCampaign {};

// The archive was made by the commands of the campaign and of the merge; the shards are gone then, so that there is
// nothing to merge again.
TEST_F(Merges, TakeTheShardsIntoTheArchive) {
  CampaignOptions how = options(Slice{1, 1});
  how.command_line = "palstudy run --slice 1/1";
  run(study(), how);
  const Merged merged = merge();
  EXPECT_EQ(merged.runs, 2);
  EXPECT_EQ(merged.failed, 0);
  EXPECT_FALSE(std::filesystem::exists(parts));
  const ArchiveReader archive(output);
  EXPECT_EQ(archive.table(TableId::runs).rows(), 2u);
  EXPECT_EQ(archive.attribute("command_line"), "palstudy run --slice 1/1\npalstudy merge");
  expect_parts(message_of(ErrorCode::data, [&] { (void)merge(); }), {"out.h5.parts: there are no shards to merge"});
}

// What the archive is to hold must be there, of the inputs of before, and nothing else may be lost for it, forced or
// not. A refusal leaves the shards and what stands in the archive's place.
TEST_F(Merges, AreRefusedWhereSomethingWouldBeLost) {
  const Study two = study();
  run(two, options(Slice{1, 2}));
  expect_parts(message_of(ErrorCode::stopped, [&] { (void)merge(); }),
               {"no shard holds run 1; 1 of 2 runs are there", "palstudy run --resume, with all slices"});
  run(two, options(Slice{2, 2}));
  write("out.h5", "notes of somebody");
  for (const bool force : {false, true}) (void)message_of(ErrorCode::usage, [&] { (void)merge(force); });
  EXPECT_EQ(content(output), "notes of somebody");
  std::filesystem::remove(output);
  write("jobs.csv", trace + "3,30,1,10,1,A\n");
  expect_parts(message_of(ErrorCode::data, [&] { (void)merge(); }),
               {"study.toml: inputs of the study have changed since the shards were written", "jobs.csv"});
  EXPECT_FALSE(std::filesystem::exists(output));
  EXPECT_EQ(shard_files(parts).size(), 2u);
  write("jobs.csv", trace);
  EXPECT_EQ(merge().runs, 2);
}

// Each run says what it was made from, so that it does not depend on the description of the campaign which inputs go
// together: one that is lost, or cut, mixes nothing.
TEST_F(Merges, RunsOfOtherInputsAreNotMixed) {
  const Study two = study();
  for (const bool cut : {false, true}) {
    run(two, options(Slice{1, 2}));
    if (cut) {
      write("out.h5.parts/campaign.json", content(parts / "campaign.json").substr(0, 100));
    } else {
      std::filesystem::remove(parts / "campaign.json");
    }
    write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class,estimate_s\n0,0,2,1000,1,A,5000\n");
    const std::string before = content(shard_files(parts).at(0));
    for (auto how : {resumed(), options(Slice{2, 2})}) {
      how.resume = true;
      expect_parts(message_of(ErrorCode::usage, [&] { run(two, how); }),
                   {"out.h5.parts: the shards hold run 0 of other inputs: the SHA-256 of jobs.csv was "});
    }
    EXPECT_FALSE(std::filesystem::exists(output));
    EXPECT_EQ(content(shard_files(parts).at(0)), before);
    write("jobs.csv", trace);
    run(two, resumed());
    EXPECT_EQ(ArchiveReader(output).table(TableId::runs).rows(), 2u);
    std::filesystem::remove(output);
  }
}

}  // namespace
}  // namespace palstudy
