// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/large_array.hpp"
#include "sim/observers/energy/node_stays.hpp"
#include "sim/result.hpp"
#include "sim/state/energy_model.hpp"

namespace palstudy {

/// Sums over the nodes of a partition. Those in `std::vector` are by class.
struct EnergySums {
  explicit EnergySums(std::size_t classes);
  void serialize(Fields& f);

  std::vector<double> node_s;  ///< shares of busy nodes
  std::vector<double> gpu_s, work_s, gpu_j;
  double busy_node_s = 0;   ///< of nodes with jobs
  double unused_gpu_s = 0;  ///< of GPUs without a job on such nodes
  std::array<double, power_states> pause_node_s{}, pause_gpu_s{};
  LargeArray<double> job_j;  ///< by job, with base power; NaN: it was not here; empty before the first stays
};

/// Adds the stays on one node after the other to the sums. The base power of a node is shared among the jobs there,
/// over the times between which their set does not change.
class NodeShare {
 public:
  NodeShare(const EnergyModel& model, EnergySums& sums) : model_(model), sums_(sums) {}

  /// The stays on a node of so many GPUs; fast where `end_s` ascends.
  void add(std::uint32_t gpus, std::span<const Stay> stays);

 private:
  struct Present {
    double end_s, base_j;  // base_j: all that the job has drawn so far, here and before
    std::uint32_t gpus, cls;
    JobId job;
  };

  void sort(std::span<const Stay> stays);
  void share();
  void come(const Stay& stay);
  void leave(double now_s);
  void share(double length_s);

  const EnergyModel& model_;
  EnergySums& sums_;
  std::uint32_t gpus_ = 0, held_ = 0;  // of the node; by jobs
  std::vector<const Stay*> by_begin_;
  std::vector<double> end_s_;  // of the stays, ascending
  std::vector<Present> present_;
};

}  // namespace palstudy
