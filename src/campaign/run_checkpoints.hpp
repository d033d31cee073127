// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>

#include "core/stop_signals.hpp"
#include "shard/checkpoint_file.hpp"
#include "shard/input_sums.hpp"
#include "sim/simulation.hpp"
#include "study/study.hpp"

namespace palstudy {

/// State shared by the thread that serves MPI and the one that simulates.
struct RunControl {
  std::atomic<bool> stop = false;    ///< the campaign ends early: runs stop at the next boundary
  std::atomic<double> saving_s = 0;  ///< the longest that a checkpoint has taken on this rank
  // How far the run at hand is, since its first instant.
  std::atomic<double> time_s = 0;
  std::atomic<std::int64_t> measured_left = -1;  ///< measured jobs that have not finished; -1: before that
};

/// The checkpoint of one run on one rank of its team: `FILE.h5.parts/<run id>.ckpt`. The first rank writes it, at the
/// end of the boundary at which a rank requests it: every `every_s` seconds of real time, after SIGUSR2, and when the
/// run has to stop.
class RunCheckpoints final : public Checkpoints {
 public:
  /// All must outlive it. `leads`: the first rank of the team. `may_exist`: whether there may be a file already.
  RunCheckpoints(const RunPlan& run, const InputSums& files, const std::filesystem::path& parts, double every_s,
                 bool leads, bool may_exist, RunControl& control, const StopSignals& signals);

  void instant_ended(const StepReport& report) override;
  [[nodiscard]] CheckpointRequest request() override;
  void save(const RunState& state) override;
  [[nodiscard]] std::optional<std::vector<double>> saved_costs() override;
  [[nodiscard]] RunState read(const std::vector<PartitionId>& partitions) override;
  void unusable(const std::string& why) override;

  /// Whether there may be a file now, to be removed once the run is in a shard.
  [[nodiscard]] bool may_exist() const { return may_exist_; }

 private:
  using Clock = std::chrono::steady_clock;
  void save_next_after(Clock::time_point now);
  [[nodiscard]] CheckpointKey key() const { return {run_.id, files_}; }

  const RunPlan& run_;
  const InputSums& files_;
  std::filesystem::path path_;
  double every_s_;
  bool leads_, may_exist_;
  RunControl& control_;
  const StopSignals& signals_;
  int saves_seen_;
  Clock::time_point due_ = Clock::time_point::max();
};

/// Removes the checkpoint of a run that needs it no more, half-written ones included.
void remove_checkpoint(const std::filesystem::path& parts, const std::string& run);

}  // namespace palstudy
