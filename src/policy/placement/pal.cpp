// SPDX-License-Identifier: MIT
#include "policy/pal.hpp"

namespace palstudy {

void register_placement_pal(PlacementRegistry& registry) {
  registry.add(
      {"pal",
       "All jobs are placed afresh at every boundary, each where slowdown x locality penalty is least.",
       {},
       [](const PlacementContext& context, const ParamValues&) { return std::make_unique<Pal>(context, false); }});
}

}  // namespace palstudy
