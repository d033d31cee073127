// SPDX-License-Identifier: MIT
#include "policy/random_choice.hpp"

namespace palstudy {

void register_placement_random_nonsticky(PlacementRegistry& registry) {
  registry.add({"random-nonsticky",
                "All jobs are placed afresh at every boundary, on free GPUs at random.",
                {},
                [](const PlacementContext& context, const ParamValues&) {
                  return std::make_unique<RandomPlacement>(context.seed, false);
                }});
}

}  // namespace palstudy
