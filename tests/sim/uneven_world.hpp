// SPDX-License-Identifier: MIT
#pragma once

#include "sim/small_world.hpp"

namespace palstudy {

/// 16 GPUs in four nodes and two cabinets, of unequal speed for two classes.
inline SmallWorld uneven_world(std::uint64_t seed) {
  SmallWorld world;
  world.nodes = 4;
  world.nodes_per_cabinet = 2;
  world.classes = {"A", "B"};
  RandomStream random(seed, Purpose::cluster_draw, 0);
  for (int i = 0; i < 32; ++i) world.slowdown_values.push_back(0.9 + 0.05 * random.below(8));
  world.penalty = {1.0, 1.3, 1.7};
  world.bins.bins = 3;
  return world;
}

}  // namespace palstudy
