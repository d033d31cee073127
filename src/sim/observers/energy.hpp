// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "sim/state/energy_model.hpp"
#include "sim/state/observer.hpp"
#include "sim/state/partition_state.hpp"

namespace palstudy {

/// The energy of one partition's nodes from time 0 to the horizon, by the state of the nodes and the class of the jobs
/// (`PowerRows`). A job has the energy of its GPUs, and of its nodes' base power the share of its GPUs among those that
/// jobs hold there. A node that no job is on is idle unless it is reported to be stopping, off or booting; when the run
/// ends before the horizon, nodes that are on stay idle and nodes that are off stay off.
class Energy final : public Observer {
 public:
  explicit Energy(const PartitionState& state);

  void ran(const EndedInterval& interval, const GpuSet& gpus, bool slowed) override;
  void node(const NodeInterval& interval) override { pauses_.push_back(interval); }
  void serialize(Fields& f) override;
  /// All sums are made here, in the order of nodes and times, so that they do not depend on when intervals ended.
  void close(PartitionRecord& record, double end_s) override;

 private:
  /// GPUs of one node that a job computed on at one rate, within the horizon.
  struct Stay {
    double begin_s, end_s;
    double gpu_j;   // that they drew
    double work_s;  // GPU-seconds at slowdown 1 and penalty 1
    NodeId node;
    JobId job;
    std::uint32_t gpus, cls;
  };
  struct Sums;
  [[nodiscard]] double watts(std::uint32_t cls, const NodeGpus& part, double slowest) const;
  void share_node(std::vector<Stay>::const_iterator begin, std::vector<Stay>::const_iterator end, Sums& sums) const;
  void add_pauses(double end_s, Sums& sums);
  [[nodiscard]] PowerRows rows(const Sums& sums) const;

  const PartitionState& state_;
  const EnergyModel& model_;
  std::vector<double> leak_;  // by GPU of the partition: slowdown of the power-capped class
  std::vector<Stay> stays_;
  std::vector<NodeInterval> pauses_;  // in which nodes were not on
};

}  // namespace palstudy
