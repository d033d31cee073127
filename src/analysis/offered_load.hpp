// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "analysis/run_values.hpp"
#include "core/numbers.hpp"
#include "inputs/arrivals.hpp"

namespace palstudy {

struct Study;

/// What is said beside a gain of the runs behind it that are overloaded, or are measured while a backlog is served.
class Overload {
 public:
  void add(double offered_load, double queue_slope_per_h);
  /// A run whose queue shrinks while measured jobs arrive: they wait for jobs that came before.
  void add_backlog(double queue_slope_per_h);
  void add_other() { ++runs_; }
  /// "" if none is.
  [[nodiscard]] std::string text() const;
  /// Whether queues grow although no run is offered as much work as its GPUs can do.
  [[nodiscard]] bool below_capacity() const { return overloaded_ > 0 && load_most_ >= load_least_ && load_most_ < 1; }

 private:
  [[nodiscard]] std::string backlog_text() const;

  std::size_t runs_ = 0, overloaded_ = 0, backlogs_ = 0;
  double shrinks_least_ = infinity, shrinks_most_ = -infinity;  // jobs an hour
  double load_least_ = infinity, load_most_ = -infinity, slope_least_ = infinity, slope_most_ = -infinity;
};

/// The load of each run of an archive, from the rows of /jobs and the resolved study. A run is overloaded if its
/// measured jobs begin with the first one and more work arrives than its GPUs could do, or more of the jobs pile up in
/// the queue than `stable` allows. A run whose measured jobs begin later has a backlog if the queue shrinks by as much.
class RunLoads {
 public:
  RunLoads(const ArchiveReader& archive, const RunValues& runs);
  /// Whether the archive keeps the rows of jobs that this is made from.
  [[nodiscard]] bool known() const { return !arrivals_.empty(); }
  /// Adds the run of a row of /runs.
  void add(std::size_t run, Overload& to) const;
  [[nodiscard]] std::size_t runs() const { return arrivals_.size(); }
  /// How many of them measure jobs from an empty cluster on.
  [[nodiscard]] std::size_t from_empty() const;

 private:
  std::vector<Arrivals> arrivals_;  // by row of /runs
  std::vector<bool> overloaded_, backlog_;
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
