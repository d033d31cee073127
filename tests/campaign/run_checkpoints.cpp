// SPDX-License-Identifier: MIT
// When a run is saved, what becomes of that, and from what it goes on.
#include "campaign/run_checkpoints.hpp"

#include <chrono>
#include <csignal>
#include <thread>

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class SavedRuns : public Scratch {
 protected:
  [[nodiscard]] RunCheckpoints saves_every(double every_s, bool leads = true) {
    return RunCheckpoints(run, files, dir, every_s, leads, false, control, signals);
  }
  static RunState two_partitions() {
    RunState state;
    state.time_s = 7200;
    state.shared = "shared";
    state.partitions = {{PartitionId(0), 0.5, "zero"}, {PartitionId(1), 1.5, "one"}};
    return state;
  }

  const Study study = read(minimal);
  const RunPlan& run = study.runs.at(0);
  const InputSums files = {{"jobs.csv", "aa"}};
  const std::filesystem::path file = dir / (run.id + ".ckpt");
  RunControl control;
  const StopSignals signals;
};

// How far a run is, is known from its first instant on, and not before.
TEST_F(SavedRuns, TellHowFarTheyAre) {
  control.measured_left = 3;  // of the run before
  RunCheckpoints checkpoints = saves_every(600);
  EXPECT_EQ(control.measured_left, -1);
  checkpoints.instant_ended({.time_s = 12.5, .arrived = 9, .measured_left = 7});
  EXPECT_EQ(control.time_s, 12.5);
  EXPECT_EQ(control.measured_left, 7);
}

// A run is saved when its time has come, which is the leader's to know and for some never comes, or once for each
// SIGUSR2 since it began; and it stops, whatever else is due, where the campaign does.
TEST_F(SavedRuns, AreSavedInTimeAndWhenAskedFor) {
  RunCheckpoints always = saves_every(0), seldom = saves_every(3600), never = saves_every(1e9),
                 follower = saves_every(0, false);
  EXPECT_EQ(always.request(), CheckpointRequest::save);
  EXPECT_EQ(always.request(), CheckpointRequest::save) << "it was not saved yet";
  for (RunCheckpoints* other : {&seldom, &never, &follower}) EXPECT_EQ(other->request(), CheckpointRequest::none);
  std::raise(SIGUSR2);
  for (RunCheckpoints* other : {&seldom, &never, &follower}) {
    EXPECT_EQ(other->request(), CheckpointRequest::save);
    EXPECT_EQ(other->request(), CheckpointRequest::none);
  }
  EXPECT_EQ(saves_every(3600).request(), CheckpointRequest::none) << "it begins after the signal";
  std::raise(SIGUSR2);
  control.stop = true;
  for (RunCheckpoints* other : {&always, &seldom, &never, &follower}) {
    EXPECT_EQ(other->request(), CheckpointRequest::stop);
  }
}

// The next checkpoint is due a full period after the last one was saved. Where a busy machine is not back within that
// period, the test tries again.
TEST_F(SavedRuns, WaitForTheNextTimeOnceTheyAreSaved) {
  RunCheckpoints often = saves_every(0.05);
  bool waits = false;
  for (int attempt = 0; attempt < 100 && !waits; ++attempt) {
    while (often.request() != CheckpointRequest::save) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    often.save(two_partitions());
    waits = often.request() == CheckpointRequest::none;
  }
  EXPECT_TRUE(waits);
}

// A run goes on from what was saved, with what each partition has cost; only if a file may exist.
TEST_F(SavedRuns, GoOnFromWhatWasSaved) {
  RunCheckpoints checkpoints = saves_every(600);
  EXPECT_FALSE(checkpoints.may_exist());
  checkpoints.save(two_partitions());
  EXPECT_TRUE(checkpoints.may_exist());
  EXPECT_GT(control.saving_s, 0);
  EXPECT_EQ(checkpoints.saved_costs(), (std::vector<double>{0.5, 1.5}));
  const RunState again = checkpoints.read({PartitionId(1)});
  EXPECT_EQ(again.time_s, 7200);
  EXPECT_EQ(again.shared, "shared");
  EXPECT_EQ(again.partitions.at(0).bytes, "one");
  RunCheckpoints unaware = saves_every(600);
  EXPECT_FALSE(unaware.saved_costs());
}

// Of files that the study names and that are others now, the first is named.
TEST_F(SavedRuns, DoNotGoOnWithOtherFiles) {
  RunCheckpoints checkpoints = saves_every(600);
  checkpoints.save(two_partitions());
  const InputSums others = {{"jobs.csv", "bb"}};
  RunCheckpoints later(run, others, dir, 600, true, true, control, signals);
  testing::internal::CaptureStdout();
  EXPECT_FALSE(later.saved_costs());
  expect_parts(testing::internal::GetCapturedStdout(),
               {file.string() + " is of other inputs: the SHA-256 of jobs.csv was aa and is bb; run 0 starts again"});
}

// A checkpoint that cannot be written costs the run nothing but a warning. Nor does one whose file is gone.
TEST_F(SavedRuns, GoOnWithoutACheckpoint) {
  RunCheckpoints nowhere(run, files, dir / "none", 600, true, false, control, signals);
  testing::internal::CaptureStdout();
  nowhere.save(two_partitions());
  EXPECT_FALSE(nowhere.saved_costs());
  expect_parts(testing::internal::GetCapturedStdout(),
               {"run 0: the checkpoint at 7200 s of simulated time could not be written: ",
                "cannot be opened; run 0 starts again"});
}

// With a checkpoint goes the one that was being written in its place, and no other.
TEST_F(SavedRuns, AreRemovedWithWhatIsHalfWritten) {
  const std::string other = "00000000000000a0.ckpt";
  for (const std::string& name : {run.id + ".ckpt", run.id + ".ckpt.part", other}) write(name, "");
  remove_checkpoint(dir, run.id);
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_FALSE(std::filesystem::exists(file.string() + ".part"));
  EXPECT_TRUE(std::filesystem::exists(dir / other));
}

}  // namespace
}  // namespace palstudy
