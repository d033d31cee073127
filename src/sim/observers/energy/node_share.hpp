// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/large_array.hpp"
#include "sim/result.hpp"
#include "sim/state/energy_model.hpp"

namespace palstudy {

/// Sums over the nodes of a partition. Those in `std::vector` are by class.
struct EnergySums {
  explicit EnergySums(std::size_t classes);
  void serialize(auto& archive, unsigned /*version*/) {
    (archive & node_s & gpu_s & work_s & gpu_j & busy_node_s & unused_gpu_s & job_j);
  }

  std::vector<double> node_s;  ///< shares of busy nodes
  std::vector<double> gpu_s, work_s, gpu_j;
  double busy_node_s = 0;   ///< of nodes with jobs
  double unused_gpu_s = 0;  ///< of GPUs without a job on such nodes
  std::array<double, power_states> pause_node_s{}, pause_gpu_s{};
  LargeArray<double> job_j;  ///< by job, with base power; NaN: it was not here; empty before the first stays
};

/// GPUs of one node that a job computed on at one rate, within the horizon of energy.
struct Stay {
  double begin_s, end_s;
  double gpu_j;  ///< J that they drew
  NodeId node;
  JobId job;
  std::uint16_t gpus, cls;
  std::uint32_t unused = 0;  ///< no byte of a stay is padding, since checkpoints hold them as they lie in memory
};

/// Stays in the order in which they are added, which is that of no node, and then node by node.
class NodeStays {
 public:
  explicit NodeStays(std::size_t nodes) : ends_(nodes) {}

  void reserve(std::size_t stays) { stays_.reserve(stays); }
  void add(const Stay& stay) { stays_.push_back(stay); }
  [[nodiscard]] std::size_t size() const { return stays_.size(); }
  /// Sorts the stays by node, for `of`.
  void sort();
  /// The stays on a node in the order in which they were added.
  [[nodiscard]] std::span<const Stay> of(NodeId node) const {
    const std::uint32_t begin = node.index() == 0 ? 0 : ends_[node.index() - 1];
    return std::span(sorted_).subspan(begin, ends_[node.index()] - begin);
  }
  /// Forgets all stays; their memory is used again.
  void clear() { stays_.clear(); }
  template <class Archive>
  void serialize(Archive& archive, unsigned version);

 private:
  std::vector<Stay> stays_, sorted_;
  std::vector<std::uint32_t> ends_;  // in sorted_, by node
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
