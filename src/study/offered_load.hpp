// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/numbers.hpp"
#include "study/run_values.hpp"

namespace palstudy {

struct Study;

/// What the load of a run is made of: its jobs in the order in which they arrive.
struct ArrivingJob {
  double submit_s = 0;
  double gpu_s = 0;  ///< work: GPU-seconds at slowdown 1 and penalty 1
  bool measured = false;
  bool initial = false;  ///< made up as running at time 0
};

/// The jobs that arrive from the first measured one to the last.
struct Arrivals {
  std::size_t measured = 0;
  double window_s = 0;
  double offered_load = nan;  ///< their work over that of all GPUs in this time; NaN where all arrive at once
  bool from_first = false;    ///< the measured jobs begin with the first one: nothing checks that the queue is stable
};
[[nodiscard]] Arrivals arrivals_of(const std::vector<ArrivingJob>& jobs, double gpus);

/// Why gains depend on how long the trace of an overloaded cluster is.
inline constexpr const char* grows_with_the_trace =
    "the waits, and the gain with them, grow with the length of the trace";

/// "1.31", or "0.58 to 1.31".
[[nodiscard]] std::string range_text(double least, double most);

/// What is said beside a gain of the runs behind it that are overloaded.
class Overload {
 public:
  void add(double offered_load, double queue_slope_per_h);
  void add_other() { ++runs_; }
  /// "" if none is.
  [[nodiscard]] std::string text() const;

 private:
  std::size_t runs_ = 0, overloaded_ = 0;
  double load_least_ = infinity, load_most_ = -infinity, slope_least_ = infinity, slope_most_ = -infinity;
};

/// The load of each run of an archive, from the rows of /jobs and the resolved study. A run is overloaded if its
/// measured jobs begin with the first one and more work arrives than its GPUs could do, or more of the jobs pile up in
/// the queue than `stable` allows.
class RunLoads {
 public:
  RunLoads(const ArchiveReader& archive, const RunValues& runs);
  /// Whether the archive keeps the rows of jobs that this is made from.
  [[nodiscard]] bool known() const { return !arrivals_.empty(); }
  /// Adds the run of a row of /runs.
  void add(std::size_t run, Overload& to) const;

 private:
  std::vector<Arrivals> arrivals_;  // by row of /runs
  std::vector<bool> overloaded_;
  std::vector<double> slopes_;
};

/// What is measured in an archive, under what load, and which of its runs are overloaded: a line each, "" where there
/// is nothing to say.
struct MeasuredLines {
  std::string measured, load, overloaded;
};
/// `usable`: whether a run of /runs makes a claim.
[[nodiscard]] MeasuredLines measured_lines(const ArchiveReader& archive, const RunValues& runs, const RunLoads& loads,
                                           const std::function<bool(std::size_t)>& usable);

/// What is said of an archive without rows of jobs: "" if no run can be measured from the first job on.
[[nodiscard]] std::string unchecked_queues(const Study& study);

}  // namespace palstudy
