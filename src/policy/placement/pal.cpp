// SPDX-License-Identifier: MIT
#include "policy/pal.hpp"

namespace palstudy {

void register_placement_pal(PlacementRegistry& registry) {
  registry.add(
      {"pal",
       "All jobs are placed again at every boundary, each where slowdown x locality penalty is least.",
       {},
       [](const PlacementContext& context, const ParamValues&) { return std::make_unique<Pal>(context, false); }});
  registry.add(
      {"pal-sticky",
       "New jobs are placed as by pal; a running one moves when the time that this saves exceeds engine.migration_s.",
       {},
       [](const PlacementContext& context, const ParamValues&) { return std::make_unique<Pal>(context, true); }});
}

}  // namespace palstudy
