// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/result.hpp"
#include "sim/simulation.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {

/// A stretch for which a job held GPUs.
struct Stretch {
  JobId job;
  double begin_s = 0, end_s = 0;
  double slowdown = 1, penalty = 1;
  double work_s = 0;  ///< progress made in it, in seconds at slowdown 1 and penalty 1
};

/// The area under a curve of steps. Written only where the curve changes: reading it, or coming by, changes no bit.
class StepArea {
 public:
  explicit StepArea(double value) : value_(value) {}
  [[nodiscard]] double until(double time_s) const { return sum_ + (time_s - since_s_) * value_; }
  void step(double time_s, double value) {
    if (value == value_) return;
    sum_ = until(time_s);
    since_s_ = time_s;
    value_ = value;
  }

 private:
  double since_s_ = 0, value_, sum_ = 0;
};

/// Writes down what happens in a run and sums it up. Only reads the engine; areas under curves are integrals over time,
/// never means over the instants that happened to be visited.
class Recorder {
 public:
  Recorder(const World& world, std::vector<std::uint8_t> measured);

  /// Time moves on to `time_s`: called first at every instant.
  void instant(double time_s);
  void arrive(JobId job);
  void launch(double time_s, JobId job, const GpuSet& gpus, bool moved);
  void stop(double time_s, JobId job);
  void finish(double time_s, JobId job);
  void stretch(const Stretch& stretch, const GpuSet& gpus);
  /// The state from `time_s` on.
  void state(double time_s, std::uint32_t queued, std::uint32_t running, std::uint32_t free_gpus);
  /// Ends the record at `end_s`; stretches still open have been given to `stretch` before.
  RunResult take(double end_s);

  [[nodiscard]] std::size_t measured_left() const { return measured_left_; }
  [[nodiscard]] bool ever_launched(JobId job) const { return rows_.attempts[job.index()] > 0; }

 private:
  void queue_changes(double time_s, std::uint32_t queued);
  void cut_after(double makespan_s);
  [[nodiscard]] double makespan_s() const;
  [[nodiscard]] double queue_slope_per_h() const;

  const World& world_;
  RunResult result_;
  JobRows rows_;  // by JobId while the run goes on
  std::size_t arrived_ = 0, measured_left_ = 0;
  double now_s_ = 0;
  std::uint32_t queued_ = 0;
  double queued_since_s_ = 0;
  std::uint64_t demand_gpus_ = 0;
  StepArea contention_{1.0};                      // of max(1, demand / GPUs)
  std::vector<double> contention_at_arrival_;     // by job
  std::vector<double> mean_contention_;           // by job, once finished
  std::vector<double> arrival_instant_s_;         // by job
  double window_begin_s_ = 0, window_end_s_ = 0;  // in which measured jobs arrive
  bool terminating_ = true;                       // the measured jobs begin with the first of the trace
  double queue_moment_ = 0;                       // of the queue length about the middle of the window
  std::vector<Stretch> stretches_of_instant_;     // for the cut at the makespan
  double instant_s_ = 0;
  double allocated_s_ = 0, busy_s_ = 0, effective_s_ = 0;  // GPU-seconds
};

}  // namespace palstudy
