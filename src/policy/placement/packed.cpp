// SPDX-License-Identifier: MIT
#include "policy/packed.hpp"

namespace palstudy {

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
