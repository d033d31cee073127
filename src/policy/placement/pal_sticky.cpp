// SPDX-License-Identifier: MIT
#include "policy/pal.hpp"

namespace palstudy {

void register_placement_pal_sticky(PlacementRegistry& registry) {
  registry.add(
      {"pal-sticky",
       "New jobs are placed as by pal; a running one moves when the time that this saves exceeds engine.migration_s.",
       {},
       [](const PlacementContext& context, const ParamValues&) { return std::make_unique<Pal>(context, true); }});
}

}  // namespace palstudy
