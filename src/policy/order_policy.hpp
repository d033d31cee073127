// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/registry.hpp"
#include "policy/view.hpp"

namespace palstudy {

/// Who is next. (The papers call it the scheduling policy.)
class OrderPolicy {
 public:
  virtual ~OrderPolicy() = default;

  /// The same policy for the jobs of one partition, where it keeps a state of its own; null: it keeps none, and one
  /// object serves all partitions. The policy of the run observes nothing; it orders the jobs wider than a partition.
  [[nodiscard]] virtual std::unique_ptr<OrderPolicy> for_partition() const { return nullptr; }
  /// Called at every boundary before `order`, with all jobs of the partition that wait or run, by ascending id.
  virtual void observe(const View& view, std::span<const JobId> active) { (void)view, (void)active; }
  /// Whether it also observes the boundary at which the last job of the partition has ended, and none is active.
  [[nodiscard]] virtual bool observes_ends() const { return false; }
  /// The state as numbers, to and from a checkpoint.
  [[nodiscard]] virtual std::vector<double> state() const { return {}; }
  virtual void restore(std::span<const double> state) { (void)state; }

  /// Puts `jobs`, given by ascending id, into the order in which they are served. Total: the last key is the id.
  virtual void order(const View& view, std::span<JobId> jobs) const = 0;

  /// Whether running jobs may be stopped for jobs before them. If not, only waiting jobs are ever ordered for a sticky
  /// placement.
  [[nodiscard]] virtual bool preemptive() const = 0;

  /// The running jobs to stop for `job`, which does not fit, one after the other until it does; `behind` are the jobs
  /// after it in the order. As published: from the last one on. Appends to `out`.
  virtual void victims(const View& view, JobId job, std::span<const JobId> behind, std::vector<JobId>& out) const {
    (void)job;
    for (std::size_t i = behind.size(); i-- > 0;) {
      if (view.table.running(behind[i])) out.push_back(behind[i]);
    }
  }

  /// The running jobs that keep their very GPUs at this boundary, under every placement: they are neither stopped nor
  /// moved. Called after `observe` and `order`. Appends to `out`, by ascending id; the order puts them first.
  virtual void staying(const View& view, std::vector<JobId>& out) const { (void)view, (void)out; }

  /// Whether it orders by the true durations of jobs, which a real scheduler learns only when they end.
  [[nodiscard]] virtual bool knows_durations() const { return false; }
  /// Whether it orders by what users and accounts have used, as `View::shares` has them.
  [[nodiscard]] virtual bool counts_shares() const { return false; }
  /// Whether it orders by `View::predicted_gpu_s`.
  [[nodiscard]] virtual bool predicts() const { return false; }

  /// The earliest time after now, in seconds, at which the order of `ordered` could change although no job arrives or
  /// finishes; infinity for "never". `ordered` is what `order` made now.
  [[nodiscard]] virtual double next_change_s(const View& view, std::span<const JobId> ordered) const = 0;
};

using MakeOrder = std::function<std::unique_ptr<OrderPolicy>(const ParamValues&)>;
using OrderRegistry = Registry<MakeOrder>;

/// Every order policy of the program.
[[nodiscard]] const OrderRegistry& orders();

}  // namespace palstudy
