// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "policy/power/power_rule.hpp"
#include "sim/effects/power_states/power_waits.hpp"
#include "sim/state/effect.hpp"

namespace palstudy {

/// Nodes that are powered off and on. A rule (`power.off`) says how many shall be on; only nodes without jobs stop.
/// Jobs that wait have as many nodes powered on as they would fit on, whatever the rule says, and nodes that boot
/// already count. A node that is not on holds no GPUs; where booting takes no time it still does, and is on once a job
/// takes them. A job waits for power while it would fit if all nodes were on, and the nodes that it and the jobs before
/// it in the queue need are more than are on and without jobs. Where energy is accounted beyond the end of the run, the
/// rule goes on up to there. (More than 15 members: the rule with its options, the state of every node, and what one
/// tick counts.)
class PowerStates final : public WithState<PowerStates, Effect> {
 public:
  explicit PowerStates(PartitionState& state);

  void on_take(JobId job, const GpuSet& gpus) override;
  void on_give(JobId job, const GpuSet& gpus) override;
  void part_taken(JobId job, const GpuSet& part) override { on_take(job, part); }
  void part_given(JobId job, const GpuSet& part) override { on_give(job, part); }
  [[nodiscard]] double next_event_s() const override;
  /// None where all nodes are on: the rule goes on to tick.
  [[nodiscard]] double next_room_s() const override;
  void advance(double now_s, Changes& changes) override;
  void settle(double now_s, Changes& changes) override;
  void end_states(double end_s, Changes& changes) override;
  void close(PartitionRecord& record) override { waits_.close(record, end_s_); }
  template <class Archive>
  void serialize(Archive& archive, unsigned version);
  void check(double now_s) const override;

 private:
  struct Nodes {  // by node
    std::vector<NodeState> state;
    std::vector<double> since_s;
    std::vector<std::uint32_t> jobs;  // that hold GPUs
  };

  [[nodiscard]] bool at_once() const { return options_.boot_s == 0; }
  [[nodiscard]] std::int64_t nodes_on() const;
  [[nodiscard]] std::int64_t idle_nodes_for(std::uint64_t gpus) const;
  [[nodiscard]] std::int64_t needed_nodes();
  void compute_demand();
  void count_use(double now_s);
  void decide(double now_s);
  void count_waits(double now_s);
  void apply(double now_s, Changes& changes);
  void enter(std::uint32_t node, NodeState next, double now_s, Changes& changes);
  void finish(double now_s, Changes& changes);
  void outlast(double until_s, Changes& changes);
  void stop(std::uint32_t node, double now_s, Changes& changes);
  void boot(std::uint32_t node, double now_s, Changes& changes);

  PartitionState& state_;
  const PowerOptions& options_;
  Forecast forecast_;
  std::unique_ptr<PowerRule> rule_;
  std::vector<std::uint32_t> order_;    // nodes, those that go off first
  std::vector<double> demand_by_tick_;  // nodes that jobs would use if none waited, by tick; for oracles alone
  std::uint32_t gpus_per_node_;         // of the smallest node

  Nodes nodes_;
  std::vector<std::uint32_t> stopping_, booting_;  // in the order of their changes
  std::vector<std::uint32_t> taken_;               // the same, since the last settle
  std::vector<double> used_;                       // by tick: the most nodes in use or needed; last: so far
  double in_use_ = 0;
  std::uint32_t rising_ = 0;  // GPUs of nodes that are on since this instant, which the index lacks until it is over
  std::int64_t busy_ = 0, off_ = 0;                     // off_: stopping or off
  std::int64_t wanted_;                                 // nodes on, by the rule
  std::vector<std::pair<JobId, std::uint64_t>> needy_;  // jobs that would fit, and GPUs that those up to each need
  bool wants_others_ = false;  // a job does not fit on the nodes that are on, enough as they are, and others boot
  PowerWaits waits_;
  double end_s_ = 0;   // of the run
  bool over_ = false;  // the run has ended
};

}  // namespace palstudy
