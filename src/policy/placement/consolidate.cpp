// SPDX-License-Identifier: MIT
#include "policy/placement/packed.hpp"

namespace palstudy {
namespace {

/// On as few nodes as can be, or not at all (Helios, SC'21, artifact): a job that a node can hold goes to the node with
/// the fewest free GPUs that suffice; a larger one gets whole nodes, and its rest of the next node in the order of free
/// GPUs, most first, so that an idle node is broken before a half-used one. Ties: lowest node. On nodes of several
/// sizes, whole nodes are those of the widest.
class Consolidate final : public PlacementPolicy {
 public:
  explicit Consolidate(const PlacementContext& context)
      : workload_(context.workload), widest_(context.topology.widest_node()) {}

  [[nodiscard]] bool sticky() const override { return true; }
  [[nodiscard]] bool may_refuse() const override { return true; }
  [[nodiscard]] IndexNeeds needs() const override { return {.counts = true}; }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override {
    if (free.total() < request.gpus) return false;
    if (is_part(request)) return choose_packed(request.gpus, free, out);
    if (request.gpus > widest_) return choose_whole_nodes(request.gpus, free, out);
    const auto node = free.fewest_at_least(GpuFilter::all(), request.gpus);
    if (node) out.push_back({*node, lowest(free.mask(*node), request.gpus)});
    return node.has_value();
  }

 private:
  /// Of a job on several partitions, which must get its GPUs.
  [[nodiscard]] bool is_part(const Request& request) const {
    return workload_ != nullptr && request.gpus < workload_->jobs[request.job.index()].gpus;
  }
  [[nodiscard]] bool choose_whole_nodes(std::uint32_t gpus, FreeGpus& free, GpuSet& out) const {
    NodeId from(0);
    for (; gpus >= widest_; gpus -= widest_) {
      const auto node = free.exactly(GpuFilter::all(), widest_, from);
      if (!node) return out.clear(), false;
      out.push_back({*node, free.mask(*node)});
      from = NodeId(node->value + 1);
    }
    if (gpus == 0) return true;
    auto rest = free.exactly(GpuFilter::all(), widest_, from);
    for (std::uint32_t n = widest_ - 1; !rest && n >= gpus; --n) rest = free.exactly(GpuFilter::all(), n);
    if (!rest) return out.clear(), false;
    out.push_back({*rest, lowest(free.mask(*rest), gpus)});
    return true;
  }

  const Workload* workload_;
  std::uint32_t widest_;
};

}  // namespace

void register_placement_consolidate(PlacementRegistry& registry) {
  registry.add(
      {"consolidate",
       "Running jobs stay; new ones wait until as few nodes as can be hold them.",
       {},
       [](const PlacementContext& context, const ParamValues&) { return std::make_unique<Consolidate>(context); }});
}

}  // namespace palstudy
