// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "policy/order_policy.hpp"
#include "policy/summaries.hpp"
#include "sim/effects/power_states/power_waits.hpp"
#include "sim/engine/dispatcher.hpp"
#include "sim/engine/rank_partitions.hpp"
#include "sim/state/exchange.hpp"
#include "sim/state/stands_still.hpp"

namespace palstudy {

/// The GPUs that a wide job gets of each partition.
struct WideAllocation {
  JobId job;
  std::vector<std::pair<PartitionId, std::uint32_t>> parts;
};

/// Whether some job is wider than any partition.
[[nodiscard]] bool any_wide_job(const World& world);

/// The jobs wider than any partition: those of a partition of their own, which has all nodes of the cluster, and of
/// whose GPUs it knows only which ones these jobs hold. Every rank keeps all of it and decides the same from the
/// summaries. The partitions choose the GPUs of the parts, hold them, and say what the parts feel there.
///
/// They are placed before any partition places its own jobs, on GPUs that are free then, in the order of the order
/// policy, and keep their GPUs until they end, fail or lose a node; one that is tried again waits again. The first one
/// that does not fit holds up the others unless the study backfills; once it has waited `routing.drain_rounds` it
/// reserves partitions, lowest id first, which then start nothing new until it fits. Where there are tenants, the one
/// that uses the least share of its quota on all partitions is next, and a job borrows only while no job waits in a
/// partition.
class WideJobs {
 public:
  /// `parts`: the partitions of this rank. Everything given must outlive it.
  WideJobs(const World& world, const Policies& policies, Exchange& exchange, RankPartitions& parts, JobStates& states,
           RunRows& rows);

  // In this order at every instant: what `Partition` does, and where that comes among all partitions.
  void instant(double now_s) { dispatcher_.instant(now_s); }
  /// Ends the jobs that are due, after those of the partitions.
  void complete(double now_s);
  /// Nodes go down or come up, before they do in the partitions.
  void advance(double now_s);
  /// What all ranks know of it then, as of the partitions: the GPUs that waiting jobs want. (Those that jobs hold are
  /// wanted in the partitions whose they are.)
  [[nodiscard]] std::uint64_t summarize();
  void admit(JobId job, double now_s);
  /// Starts the jobs that fit now; reserves partitions for one that does not. `summaries`: what is free. Collective.
  void place(double now_s, const Summaries& summaries);
  /// Rates that follow from where all jobs now run, after those of the partitions. Collective.
  void settle(double now_s);
  /// Ends the record of the run, before the partitions do.
  [[nodiscard]] PartitionRecord close(double end_s, double horizon_s);

  [[nodiscard]] bool reserved(PartitionId p) const { return reserved_[p.index()] != 0; }
  /// Whether anything may change at the next boundary although no job ends: one waits, or wants no GPUs any more.
  [[nodiscard]] bool may_change() const { return !state_.queue.empty() || summary_stale_; }
  /// The same while nothing runs anywhere and no node comes up: when it may; infinity: never.
  [[nodiscard]] double next_change_s(double now_s) const;
  /// The first that waits then.
  [[nodiscard]] std::optional<Hindered> hindered() const;
  /// Adds the GPUs that these jobs of each tenant hold.
  void add_tenant_use(std::span<std::int64_t> used) const { state_.add_tenant_use(used); }
  [[nodiscard]] double next_finish_s() { return state_.running.finish.earliest(); }
  [[nodiscard]] const Recorder& recorder() const { return dispatcher_.recorder(); }
  [[nodiscard]] std::size_t effect_rows() const { return dispatcher_.effect_rows(); }
  /// Errors (fault): a state that must not be. For debug builds.
  void check(double now_s) const { dispatcher_.check(now_s); }
  /// All of it but the rows of the jobs, to or from a checkpoint; what is written has been through `write_back`.
  template <class Archive>
  void serialize(Archive& archive, unsigned version);
  void write_back() { dispatcher_.write_back(); }

 private:
  /// What is decided is decided here, not by a scheduler of a partition.
  class Decided final : public Scheduler {
   public:
    [[nodiscard]] bool idle() const override { return true; }
    void decide(const View&, Transaction&) override {}
    [[nodiscard]] double next_change_s(const View&) override { return std::numeric_limits<double>::infinity(); }
  };

  [[nodiscard]] std::uint64_t queued_gpus() const;
  [[nodiscard]] std::vector<WideAllocation> plan(double now_s, const Summaries& summaries);
  void serve_tenants(const View& view, const Summaries& summaries, const std::function<bool(JobId, bool)>& place);
  void reserve(JobId job, std::vector<std::uint32_t>& free);
  [[nodiscard]] bool nodes_fit(PartitionId p, std::uint32_t tensor) const;
  void want_nodes(double now_s, const Summaries& summaries, const std::vector<WideAllocation>& placed);
  [[nodiscard]] std::vector<double> take_parts(double now_s, const std::vector<WideAllocation>& allocations);
  void tell_what_they_feel();

  const World& world_;
  const OrderPolicy& order_;
  Exchange& exchange_;
  RankPartitions& parts_;
  std::vector<std::uint32_t> slot_of_;  // apart from that of the partitions, which do not have these jobs
  PartitionState state_;
  Transaction transaction_;
  Decided scheduler_;
  Dispatcher dispatcher_;
  std::vector<JobId> ordered_;             // that wait, as they are served at this boundary
  std::optional<PowerWaits> power_waits_;  // none if all nodes stay on
  std::vector<std::uint8_t> reserved_;     // by partition
  bool summary_stale_ = false;             // a job has ended since, or was turned away
};

/// Sizes of the tensor groups of the jobs wider than any partition, ascending, without 1.
[[nodiscard]] std::vector<std::uint32_t> wide_group_sizes(const World& world);

/// Where `gpus` GPUs come from: the partitions with the most free ones, so that few take part; ties: lowest. Takes them
/// from `free`. Empty if there are too few.
[[nodiscard]] std::vector<std::pair<PartitionId, std::uint32_t>> allot(std::uint32_t gpus,
                                                                       std::vector<std::uint32_t>& free);

}  // namespace palstudy
