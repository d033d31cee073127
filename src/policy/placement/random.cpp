// SPDX-License-Identifier: MIT
#include "policy/random_choice.hpp"

namespace palstudy {

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
