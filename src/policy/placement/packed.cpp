// SPDX-License-Identifier: MIT
#include "policy/placement/packed.hpp"

#include <algorithm>

namespace palstudy {

bool choose_packed(std::uint32_t gpus, FreeGpus& free, GpuSet& out) {
  if (free.total() < gpus) return false;
  const GpuFilter all = GpuFilter::all();
  // The node with the fewest free GPUs that suffice is the exact fit, if there is one.
  if (const auto node = free.fewest_at_least(all, gpus)) {
    out.push_back({*node, lowest(free.mask(*node), gpus)});
    return true;
  }
  for (std::uint32_t n = free.largest(all); gpus > 0; --n) {
    for (auto node = free.exactly(all, n); node && gpus > 0; node = free.exactly(all, n, NodeId(node->value + 1))) {
      const std::uint32_t taken = std::min(n, gpus);
      out.push_back({*node, lowest(free.mask(*node), taken)});
      gpus -= taken;
    }
  }
  return true;
}

void register_placement_packed(PlacementRegistry& registry) {
  registry.add({"packed-sticky",
                "Running jobs stay; new ones go where they fill a node best.",
                {},
                [](const PlacementContext&, const ParamValues&) { return std::make_unique<Packed>(true); }});
  registry.add({"packed-nonsticky",
                "All jobs are placed again at every boundary, each where it fills a node best.",
                {},
                [](const PlacementContext&, const ParamValues&) { return std::make_unique<Packed>(false); }});
}

}  // namespace palstudy
