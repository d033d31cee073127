// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/observers/energy/node_share.hpp"
#include "sim/state/energy_model.hpp"
#include "sim/state/observer.hpp"
#include "sim/state/partition_state.hpp"

namespace palstudy {

/// The energy of one partition's nodes from time 0 to the horizon, by the state of the nodes and the class of the jobs
/// (`PowerRows`). A job has the energy of its GPUs, and of its nodes' base power the share of its GPUs among those that
/// jobs hold there. A node that no job is on is idle unless it is reported to be stopping, off or booting, also between
/// the end of the run and the horizon.
class Energy final : public WithState<Energy, Observer> {
 public:
  explicit Energy(const PartitionState& state);

  void instant() override;
  void ran(const EndedInterval& interval, const GpuSet& gpus, bool slowed) override;
  void part_ran(const EndedInterval& interval, const HeldPart& part) override;
  void node(const NodeInterval& interval) override { pauses_.push_back(interval); }
  void serialize(auto& archive, unsigned /*version*/) { (archive & stays_ & sums_ & shared_s_ & ended_s_ & pauses_); }
  /// Stays that are left are shared here, in the order of nodes and times.
  void close(PartitionRecord& record, double end_s) override;

 private:
  /// Who holds GPUs here.
  struct Holder {
    JobId job;
    std::uint32_t cls;
    double slowest;  // the largest slowdown of its GPUs, those in other partitions included; 0: it has but one
  };
  [[nodiscard]] Holder in_slot(std::uint32_t slot) const;
  [[nodiscard]] Holder of_part(const HeldPart& part) const;
  [[nodiscard]] double watts(std::uint32_t cls, const NodeGpus& part, double slowest) const;
  [[nodiscard]] double slowest_of(std::uint32_t cls, const GpuSet& gpus) const;
  void add_stays(const Holder& holder, const GpuSet& gpus, double begin_s, double end_s);
  void add_work(std::uint32_t cls, const EndedInterval& interval, const GpuSet& gpus, double iteration_s);
  void share_stays();
  void make_room();
  void add_pauses(EnergySums& sums);
  [[nodiscard]] PowerRows rows(const EnergySums& sums) const;

  const PartitionState& state_;
  const EnergyModel& model_;
  std::vector<std::vector<double>> busy_w_;  // by class, then GPU of the partition; empty: all draw ClassPower::busy_w
  NodeStays stays_;
  EnergySums sums_;                   // of the stays that are shared; work of all that ended
  double shared_s_ = 0;               // up to then all stays are shared
  double ended_s_ = 0;                // when the last interval ended
  std::vector<NodeInterval> pauses_;  // in which nodes were not on
};

}  // namespace palstudy
