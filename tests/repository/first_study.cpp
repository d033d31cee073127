// SPDX-License-Identifier: MIT
// The placements of the program, and the one that docs/start/first-study.md adds. The program's own are compiled once
// more with `placements` under another name (CMakeLists.txt), so that this one is taken.
#include "policy/placement_policy.hpp"

namespace palstudy {

void register_placements(PlacementRegistry&);
void register_placement_emptiest_first(PlacementRegistry&);

const PlacementRegistry& placements() {
  static const PlacementRegistry registry = [] {
    PlacementRegistry all("placement");
    register_placements(all);
    register_placement_emptiest_first(all);
    return all;
  }();
  return registry;
}

}  // namespace palstudy
