// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/numbers.hpp"
#include "inputs/arrivals.hpp"

namespace palstudy {

/// Under what load a run was, and whether its queue grew.
struct RunLoad {
  Arrivals arrivals;
  double queue_slope_per_h = 0;  ///< jobs by which the queue of measured jobs grows in an hour, while they arrive
  bool overloaded = false;       ///< the measured jobs begin with the first one, and more work arrives than the GPUs
                                 ///< could do, or more of the jobs pile up in the queue than `stable` allows
  bool backlog = false;          ///< they begin later, and the queue shrinks by as much
};

/// `start_s`: by job, NaN of one that never started. `queue_slope`: the metric of the run, which goes on to the last
/// arrival even where the run ended before (`ended_early`).
[[nodiscard]] RunLoad load_of(const std::vector<ArrivingJob>& jobs, std::span<const double> start_s, double gpus,
                              double queue_slope, bool ended_early);

struct PolicyOverload;

/// How queues grow although the load is below 1, where no job may pass one that does not fit.
inline constexpr const char* why_below_capacity =
    "the load is below 1 on average, so jobs wait for one that does not fit (policy.backfill = \"greedy\" lets them "
    "pass "
    "it), run longer than the load counts (the locality penalty, slow GPUs), or come unevenly";

/// What is said beside a gain of the runs behind it that are overloaded, or are measured while a backlog is served.
class Overload {
 public:
  void add(const RunLoad& run);
  void add(double offered_load, double queue_slope_per_h);
  /// A run whose queue shrinks while measured jobs arrive: they wait for jobs that came before.
  void add_backlog(double queue_slope_per_h);
  void add_other() { ++runs_; }
  void add(const Overload& others);
  /// "" if none is. `where`: in which of the runs, as " in 3 of 40 runs".
  [[nodiscard]] std::string text(const std::string& where) const;
  [[nodiscard]] std::string text() const { return text(some_runs()); }
  /// What `text` says of those that are overloaded, without which these are.
  [[nodiscard]] std::string facts() const;
  /// " in 3 of 40 runs", and of which policies they are unless all have the same share; "" of all runs.
  [[nodiscard]] std::string policies_text(const std::vector<PolicyOverload>& policies) const;
  /// Whether `text` is about overloaded runs; else it is about those with a backlog.
  [[nodiscard]] bool some_overloaded() const { return overloaded_ > 0; }
  [[nodiscard]] std::size_t count(bool overloaded) const { return overloaded ? overloaded_ : backlogs_; }
  [[nodiscard]] std::size_t runs() const { return runs_; }
  /// Whether queues grow although no run is offered as much work as its GPUs can do.
  [[nodiscard]] bool below_capacity() const { return overloaded_ > 0 && load_most_ >= load_least_ && load_most_ < 1; }

 private:
  [[nodiscard]] std::size_t found() const { return count(some_overloaded()); }
  [[nodiscard]] std::string some_runs() const;
  [[nodiscard]] std::string backlog_text(const std::string& where) const;

  std::size_t runs_ = 0, overloaded_ = 0, backlogs_ = 0;
  double shrinks_least_ = infinity, shrinks_most_ = -infinity;  // jobs an hour
  double load_least_ = infinity, load_most_ = -infinity, slope_least_ = infinity, slope_most_ = -infinity;
};

/// The runs of one policy.
struct PolicyOverload {
  std::string name;
  Overload runs;
};

/// What is said beside the gain of a policy over a baseline, and whose runs it is said of: "overloaded in 11 of 20 runs
/// of packed-sticky alone: ..."; "" if none is.
[[nodiscard]] std::string overload_of_pair(const PolicyOverload& policy, const PolicyOverload& baseline);

}  // namespace palstudy
