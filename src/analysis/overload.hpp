// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/note.hpp"
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

/// Queues grow while the measured jobs arrive, from an empty cluster on.
extern const NoteKind overloaded_note;

struct PolicyOverload;

/// The runs behind a gain that are overloaded, or are measured while a backlog is served.
class Overload {
 public:
  void add(const RunLoad& run);
  void add(double offered_load, double queue_slope_per_h);
  /// A run whose queue shrinks while measured jobs arrive: they wait for jobs that came before.
  void add_backlog(double queue_slope_per_h);
  void add_other() { ++runs_; }
  void add(const Overload& others);
  /// "overloaded", or where no run is, "backlog": in how many of the runs, of which policies, under what load, and by
  /// how many jobs an hour queues grow or shrink. Nothing where neither is. `backfill`, if it is known: jobs may pass
  /// one that does not fit in some of the runs.
  [[nodiscard]] std::optional<Note> note(const std::vector<PolicyOverload>& policies,
                                         std::optional<bool> backfill = {}) const;
  [[nodiscard]] std::optional<Note> note() const;  ///< without policies
  [[nodiscard]] std::size_t count(bool overloaded) const { return overloaded ? overloaded_ : backlogs_; }
  [[nodiscard]] std::size_t runs() const { return runs_; }
  /// Whether queues grow although no run is offered as much work as its GPUs can do.
  [[nodiscard]] bool below_capacity() const { return overloaded_ > 0 && load_most_ >= load_least_ && load_most_ < 1; }

 private:
  std::size_t runs_ = 0, overloaded_ = 0, backlogs_ = 0;
  double shrinks_least_ = infinity, shrinks_most_ = -infinity;  // jobs an hour
  double load_least_ = infinity, load_most_ = -infinity, slope_least_ = infinity, slope_most_ = -infinity;
};

/// The runs of one policy.
struct PolicyOverload {
  std::string name;
  Overload runs;
};

/// The note on the runs of a policy and of its baseline together, which names both.
[[nodiscard]] std::optional<Note> overload_of_pair(const PolicyOverload& policy, const PolicyOverload& baseline);

}  // namespace palstudy
