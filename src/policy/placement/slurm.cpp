// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cluster/byte_lanes.hpp"
#include "policy/placement/packed.hpp"

namespace palstudy {
namespace {

/// Neighbours that could all serve a job.
struct NodeRun {
  std::uint32_t first, count;
};

/// Nodes as Slurm 22.05 chooses them for whole GPUs (select/cons_tres; tests/golden/runs/slurm): the smallest run of
/// neighbours that is enough, from its lowest node; if none is, the largest run is used up and the rest sought again.
/// Ties: the lowest run. The lowest free GPUs of a node. A job waits if that many nodes cannot serve it.
///
/// With weights of nodes the lightest come first; heavier ones are looked at only if those do not suffice, and no run
/// has nodes of two weights.
class SlurmNodes final : public PlacementPolicy {
 public:
  explicit SlurmNodes(const PlacementContext& context) : workload_(context.workload), weights_(context.node_weights) {
    for (const double weight : weights_) levels_.push_back(weight);
    std::sort(levels_.begin(), levels_.end());
    levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
    if (levels_.empty()) levels_.push_back(0);
  }

  [[nodiscard]] bool sticky() const override { return true; }
  [[nodiscard]] bool may_refuse() const override { return true; }
  [[nodiscard]] bool weighs_nodes() const override { return true; }
  [[nodiscard]] IndexNeeds needs() const override { return {.counts = true}; }

  /// As few nodes as hold it, as many GPUs on each; the last ones may give one less.
  [[nodiscard]] NodeDemand demand(const Request& request, std::uint32_t widest_node) const override {
    if (is_part(request, workload_)) return {};
    const std::uint32_t nodes = (request.gpus + widest_node - 1) / widest_node;
    return {nodes, (request.gpus + nodes - 1) / nodes};
  }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override {
    if (free.total() < request.gpus) return false;
    if (is_part(request, workload_)) return choose_packed(request.gpus, free, out);
    const NodeDemand wanted = demand(request, free.topology().widest_node());
    if (!find_runs(wanted, free)) return false;
    take_runs(wanted.nodes);
    give_gpus(request.gpus, wanted, free, out);
    return true;
  }

 private:
  [[nodiscard]] double weight(std::uint32_t node) const { return weights_.empty() ? levels_.front() : weights_[node]; }

  /// `use(node)` for each node with so many free GPUs, ascending, until it is false. Of few free GPUs the index names
  /// the nodes; of many it is quicker to look at all.
  template <class Use>
  static void for_each_serving(std::uint32_t gpus, FreeGpus& free, Use use) {
    constexpr std::uint32_t few_nodes = 256;
    const std::uint32_t nodes = free.topology().nodes();
    if (free.total() >= nodes / 2 || nodes <= few_nodes) {
      for (std::uint32_t n = 0; n < nodes; ++n) {
        if (gpus_in(free.mask(NodeId(n))) >= gpus && !use(n)) return;
      }
      return;
    }
    const std::uint32_t most = free.largest(GpuFilter::all());
    std::array<std::optional<NodeId>, max_gpus_per_node + 1> next;  // by the number of free GPUs
    for (std::uint32_t n = gpus; n <= most; ++n) next[n] = free.exactly(GpuFilter::all(), n);
    while (true) {
      std::uint32_t first = 0;
      for (std::uint32_t n = gpus; n <= most; ++n) {
        if (next[n] && (first == 0 || *next[n] < *next[first])) first = n;
      }
      if (first == 0) return;
      const NodeId node = *next[first];
      next[first] = free.exactly(GpuFilter::all(), first, NodeId(node.value + 1));
      if (!use(node.value)) return;
    }
  }

  /// The runs of nodes that can serve, of the lightest levels that have enough together. Where all nodes weigh the
  /// same, none behind the first run that is exactly as long as is wanted: there is no better one.
  bool find_runs(const NodeDemand& wanted, FreeGpus& free) {
    for (const double heaviest : levels_) {
      runs_.clear();
      std::uint32_t found = 0;
      for_each_serving(wanted.of_each, free, [&](std::uint32_t n) {
        if (weight(n) > heaviest) return true;
        const bool next = !runs_.empty() && runs_.back().first + runs_.back().count == n;
        if (next && weight(n) == weight(n - 1)) {
          ++runs_.back().count;
        } else {
          if (levels_.size() == 1 && !runs_.empty() && runs_.back().count == wanted.nodes) return false;
          runs_.push_back({n, 1});
        }
        ++found;
        return true;
      });
      if (found >= wanted.nodes) return true;
    }
    return false;
  }

  /// Fills `chosen_` with so many nodes.
  void take_runs(std::uint32_t nodes) {
    chosen_.clear();
    while (nodes > 0) {
      const auto run = best_run(nodes);
      const std::uint32_t taken = std::min(nodes, run->count);
      for (std::uint32_t i = 0; i < taken; ++i) chosen_.push_back(NodeId(run->first + i));
      nodes -= taken;
      runs_.erase(run);
    }
    std::sort(chosen_.begin(), chosen_.end());
  }

  /// Of the lightest runs the smallest with so many nodes, or if there is none the largest.
  [[nodiscard]] std::vector<NodeRun>::iterator best_run(std::uint32_t nodes) {
    const auto better = [&](const NodeRun& a, const NodeRun& b) {
      const double of_a = weight(a.first), of_b = weight(b.first);
      if (of_a != of_b) return of_a < of_b;
      const bool enough = a.count >= nodes;
      if (enough != (b.count >= nodes)) return enough;
      return enough ? a.count < b.count : a.count > b.count;
    };
    return std::min_element(runs_.begin(), runs_.end(), better);
  }

  void give_gpus(std::uint32_t gpus, const NodeDemand& wanted, const FreeGpus& free, GpuSet& out) const {
    std::uint32_t fewer = wanted.nodes * wanted.of_each - gpus;  // nodes that give one less: the last ones
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const std::uint32_t of_this = wanted.of_each - (chosen_.size() - i <= fewer ? 1 : 0);
      out.push_back({chosen_[i], lowest(free.mask(chosen_[i]), of_this)});
    }
  }

  const Workload* workload_;
  std::span<const double> weights_;  // by node; empty: all alike
  std::vector<double> levels_;       // their values, ascending
  std::vector<NodeRun> runs_;
  std::vector<NodeId> chosen_;
};

}  // namespace

void register_placement_slurm(PlacementRegistry& registry) {
  registry.add(
      {"slurm",
       "Nodes as Slurm 22.05 chooses them: the smallest run of free neighbours that is enough; running jobs stay.",
       {},
       [](const PlacementContext& context, const ParamValues&) { return std::make_unique<SlurmNodes>(context); }});
}

}  // namespace palstudy
