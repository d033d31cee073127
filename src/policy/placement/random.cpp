// SPDX-License-Identifier: MIT
#include "core/random.hpp"

#include <bit>
#include <cstdint>
#include <vector>

#include "policy/placement_policy.hpp"

namespace palstudy {
namespace {

/// SplitMix64's finaliser (Steele et al., OOPSLA'14): spreads a time's few differing bits.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::uint64_t entity(const Request& request) {
  return mix(std::bit_cast<std::uint64_t>(request.now_s + 0.0)) + request.job.value;
}

/// Both random policies: every set of free GPUs of the wanted size is equally likely. The draw depends on the seed, the
/// job and the time only.
class RandomPlacement final : public PlacementPolicy {
 public:
  RandomPlacement(std::uint64_t seed, bool is_sticky) : seed_(seed), sticky_(is_sticky) {}
  [[nodiscard]] bool sticky() const override { return sticky_; }
  /// A job that is placed again at every boundary gets other GPUs at every boundary.
  [[nodiscard]] bool repeatable() const override { return sticky_; }
  [[nodiscard]] IndexNeeds needs() const override { return {}; }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override;

 private:
  void draw_gpus(RandomStream& stream, std::uint32_t gpus, const FreeGpus& free, GpuSet& out);
  void draw_ranks(RandomStream& stream, std::uint32_t gpus, const FreeGpus& free, GpuSet& out);

  std::uint64_t seed_;
  bool sticky_;
  std::vector<GpuMask> chosen_;      // by node; all 0 between calls
  std::vector<NodeId> nodes_;        // with something chosen
  std::vector<std::uint8_t> ranks_;  // by place among the free GPUs
};

bool RandomPlacement::choose(const Request& request, FreeGpus& free, GpuSet& out) {
  if (free.total() < request.gpus) return false;
  RandomStream stream(seed_, Purpose::random_placement, entity(request));
  // While enough would still be free at the end, drawing among all GPUs until a free one comes up is quick.
  const std::uint64_t spare = free.total() - request.gpus;
  if (64 * spare >= free.topology().gpus()) {
    draw_gpus(stream, request.gpus, free, out);
  } else {
    draw_ranks(stream, request.gpus, free, out);
  }
  return true;
}

void RandomPlacement::draw_gpus(RandomStream& stream, std::uint32_t gpus, const FreeGpus& free, GpuSet& out) {
  const Topology& topology = free.topology();
  chosen_.resize(topology.nodes());
  nodes_.clear();
  while (gpus > 0) {
    const GpuId gpu(stream.below(topology.gpus()));
    const NodeId node = topology.node_of(gpu);
    const GpuMask bit = GpuMask{1} << (gpu.value - topology.first_gpu(node).value);
    GpuMask& chosen = chosen_[node.index()];
    if ((free.mask(node) & ~chosen & bit) == 0) continue;
    if (chosen == 0) nodes_.push_back(node);
    chosen |= bit;
    --gpus;
  }
  for (const NodeId node : nodes_) {
    out.push_back({node, chosen_[node.index()]});
    chosen_[node.index()] = 0;
  }
}

/// Floyd's sampling (Bentley and Floyd, CACM 30(9), 1987) of places among the free GPUs, then one walk over the nodes.
void RandomPlacement::draw_ranks(RandomStream& stream, std::uint32_t gpus, const FreeGpus& free, GpuSet& out) {
  ranks_.assign(free.total(), 0);
  for (std::uint32_t last = free.total() - gpus; last < free.total(); ++last) {
    const std::uint32_t rank = stream.below(last + 1);
    ranks_[ranks_[rank] == 0 ? rank : last] = 1;
  }
  std::size_t rank = 0;
  for (std::uint32_t node = 0; rank < ranks_.size(); ++node) {
    GpuMask chosen = 0;
    for (GpuMask rest = free.mask(NodeId(node)); rest != 0; rest &= rest - 1) {
      if (ranks_[rank++] != 0) chosen |= lowest(rest, 1);
    }
    if (chosen != 0) out.push_back({NodeId(node), chosen});
  }
}

}  // namespace

void register_placement_random(PlacementRegistry& registry) {
  registry.add({"random-sticky",
                "Running jobs stay; new ones get free GPUs at random.",
                {},
                [](const PlacementContext& context, const ParamValues&) {
                  return std::make_unique<RandomPlacement>(context.seed, true);
                }});
  registry.add({"random-nonsticky",
                "All jobs are placed again at every boundary, on free GPUs at random.",
                {},
                [](const PlacementContext& context, const ParamValues&) {
                  return std::make_unique<RandomPlacement>(context.seed, false);
                }});
}

}  // namespace palstudy
