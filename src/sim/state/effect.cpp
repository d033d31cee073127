// SPDX-License-Identifier: MIT
#include "sim/state/effect.hpp"

namespace palstudy {

EffectTraits traits_of_effects(const World& world) {
  EffectTraits traits{static_cast<int>(world.effects.size()), false, !world.effects.empty()};
  for (const auto& name : effects().names()) {
    const EffectMaker& effect = effects().at(name).make;
    if (!effect.used(world)) continue;
    traits.stalling += effect.stalls ? 1 : 0;
    traits.idle_nodes |= effect.acts == BetweenBoundaries::idle_nodes;
    traits.jobs |= effect.acts == BetweenBoundaries::anything;
  }
  return traits;
}

}  // namespace palstudy
