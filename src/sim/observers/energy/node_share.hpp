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

/// Adds the stays on one node after the other to the sums. The base power of a node is shared among the jobs there in
/// proportion to their GPUs: of each second a GPU that a job holds has 1 / (all that jobs hold).
class NodeShare {
 public:
  NodeShare(const EnergyModel& model, EnergySums& sums) : model_(model), sums_(sums) {}

  /// The stays on a node of so many GPUs; fast where `end_s` ascends.
  void add(std::uint32_t gpus, std::span<const Stay> stays);

 private:
  void sort();
  void come(std::uint32_t stay);
  void leave(std::uint32_t at);
  void go_on(double to_s);

  const EnergyModel& model_;
  EnergySums& sums_;
  std::span<const Stay> stays_;
  std::vector<std::uint32_t> by_begin_, by_end_;  // of the stays
  std::vector<double> begin_part_s_;              // by stay: part_s_ when it began
  std::uint32_t gpus_ = 0, held_ = 0;             // of the node; by jobs
  double now_s_ = 0, part_s_ = 0;                 // part_s_: what a GPU that jobs held all the time would have so far
};

}  // namespace palstudy
