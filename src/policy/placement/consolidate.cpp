// SPDX-License-Identifier: MIT
#include <array>
#include <cstdint>
#include <optional>

#include "policy/fewest_nodes.hpp"
#include "policy/placement/packed.hpp"

namespace palstudy {
namespace {

/// On as few nodes as can be, or not at all (Helios, SC'21, artifact). As few as can be are those that would hold the
/// job if its partition were idle. A job that a node can hold goes to the node with the fewest free GPUs that suffice;
/// a larger one gets whole idle nodes, the widest first, and its rest of the next node in the order of free GPUs, most
/// first, so that an idle node is broken before a half-used one. Ties: lowest node.
class Consolidate final : public PlacementPolicy {
 public:
  explicit Consolidate(const Workload* workload) : workload_(workload) {}

  [[nodiscard]] bool sticky() const override { return true; }
  [[nodiscard]] bool may_refuse() const override { return true; }
  [[nodiscard]] IndexNeeds needs() const override { return {.counts = true}; }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override {
    if (free.total() < request.gpus) return false;
    if (is_part(request, workload_)) return choose_packed(request.gpus, free, out);
    if (request.gpus > free.topology().widest_node()) return choose_whole_nodes(request.gpus, free, out);
    const auto node = free.fewest_at_least(GpuFilter::all(), request.gpus);
    if (node) out.push_back({*node, lowest(free.mask(*node), request.gpus)});
    return node.has_value();
  }

 private:
  /// By size: the lowest node that has not been looked at for one that is idle. A node with so many free GPUs as the
  /// widest has is idle.
  using NextOfSize = std::array<std::uint32_t, max_gpus_per_node + 1>;

  [[nodiscard]] static bool idle(const FreeGpus& free, NodeId node) {
    return free.mask(node) == free.topology().full(node);
  }

  /// All nodes but the last are whole, or the others would not be the fewest.
  [[nodiscard]] static bool choose_whole_nodes(std::uint32_t gpus, FreeGpus& free, GpuSet& out) {
    std::uint32_t whole = fewest_nodes(free.topology(), gpus) - 1;
    NextOfSize next{};
    for (std::uint32_t size = free.topology().widest_node(); whole > 0 && size > 0; --size) {
      while (const auto node = free.exactly(GpuFilter::all(), size, NodeId(next[size]))) {
        next[size] = node->value + 1;
        if (!idle(free, *node)) continue;
        out.push_back({*node, free.mask(*node)});
        gpus -= size;
        if (--whole == 0) break;
      }
    }
    const auto rest = whole == 0 ? most_free(gpus, free, next) : std::nullopt;
    if (!rest) return out.clear(), false;
    out.push_back({*rest, lowest(free.mask(*rest), gpus)});
    return true;
  }

  /// Of the nodes with enough free GPUs that with the most, without those that have been taken: the idle ones of a size
  /// before `next`.
  [[nodiscard]] static std::optional<NodeId> most_free(std::uint32_t gpus, FreeGpus& free, const NextOfSize& next) {
    const std::uint32_t widest = free.topology().widest_node();
    for (std::uint32_t n = widest; n >= gpus; --n) {
      NodeId from(n == widest ? next[n] : 0);
      while (const auto node = free.exactly(GpuFilter::all(), n, from)) {
        if (node->value >= next[n] || !idle(free, *node)) return node;
        from = NodeId(node->value + 1);
      }
    }
    return std::nullopt;
  }

  const Workload* workload_;
};

}  // namespace

void register_placement_consolidate(PlacementRegistry& registry) {
  registry.add({"consolidate",
                "Running jobs stay; new ones wait until as few nodes as can be hold them.",
                {},
                [](const PlacementContext& context, const ParamValues&) {
                  return std::make_unique<Consolidate>(context.workload);
                }});
}

}  // namespace palstudy
