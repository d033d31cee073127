// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

#include "core/registry.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "sim/state/partition_record.hpp"
#include "sim/state/partition_state.hpp"
#include "sim/state/transaction.hpp"
#include "sim/state/with_state.hpp"

namespace palstudy {

/// A change of one job's state, as it is reported to a scheduler before it is made: all but what the scheduler itself
/// has decided of running jobs (`moved`, `resized`) and jobs that are turned away, of which it never hears.
struct JobEvent {
  JobChange change;
  JobId job;
  double now_s = 0;
  const GpuSet* gpus = nullptr;  ///< that it gives back; of jobs that fail or end
};

/// Decides at a boundary which jobs of one partition start, stop and move. It reads the state and may keep one of its
/// own, which is loaded after the running set and the queue; what it decides goes into the transaction.
class Scheduler : public Stateful {
 public:
  /// Whether `notify` does anything.
  [[nodiscard]] virtual bool wants_events() const { return false; }
  virtual void notify(const JobEvent& event) { (void)event; }
  /// The GPUs that the partition has have changed: a job on several partitions took or gave a part, or a node.
  virtual void capacity_changed() {}

  /// Whether `decide` could change nothing at this boundary. It is not called then.
  [[nodiscard]] virtual bool idle() const = 0;
  virtual void decide(const View& view, Transaction& transaction) = 0;
  /// After the decisions have been carried out.
  virtual void committed(const View& view, Transaction& transaction) { (void)view, (void)transaction; }
  /// When `decide` could decide otherwise although no job arrives or ends; now or earlier: at the next boundary;
  /// infinite: never.
  [[nodiscard]] virtual double next_change_s(const View& view) = 0;
  /// For an instant after `decide` at which nothing runs: when a job could start although none arrives or ends and no
  /// node comes; infinite: never. That has to come, or a run with a job that nobody can take would not end.
  [[nodiscard]] virtual double next_start_s(const View& view, Transaction& transaction) {
    return (void)transaction, next_change_s(view);
  }
  /// Where jobs may start between boundaries: the next time after now at which `decide` has to be called although no
  /// job arrives or ends and it is no boundary.
  [[nodiscard]] virtual double next_instant_s(const View& view) {
    return (void)view, std::numeric_limits<double>::infinity();
  }

  /// Errors (fault): a state that must not be. For debug builds, after every boundary.
  virtual void check(double now_s) const { (void)now_s; }
  /// GPUs that the scheduler keeps free; empty: none. By node.
  [[nodiscard]] virtual const std::vector<GpuMask>& kept_free() const {
    static const std::vector<GpuMask> none;
    return none;
  }
};

/// What a scheduler is made with; all of it outlives the scheduler. The topology of the partition and its bins, whose
/// values are the believed slowdowns, stand in `state.resources`, the believed penalty in `state.world`.
struct SchedulerContext {
  PartitionState& state;
  const OrderPolicy& order;
  PlacementPolicy& placement;
  const BackfillPolicy* backfill = nullptr;  ///< one with reservations; none: by `EngineOptions::backfill`
};

struct MakeScheduler {
  std::function<std::unique_ptr<Scheduler>(const SchedulerContext&, const ParamValues&)> make;
  /// Whether it serves jobs by the order policy and the backfill, those that starve first. If not, it uses none of
  /// them.
  bool by_order = true;

  std::unique_ptr<Scheduler> operator()(const SchedulerContext& context, const ParamValues& params) const {
    return make(context, params);
  }
};
using SchedulerRegistry = Registry<MakeScheduler>;

/// Every scheduler of the program.
[[nodiscard]] const SchedulerRegistry& schedulers();

}  // namespace palstudy
