// SPDX-License-Identifier: MIT
#include "sim/state/effect.hpp"

namespace palstudy {

void register_effects(EffectRegistry& registry);  // generated

const EffectRegistry& effects() {
  static const EffectRegistry registry = [] {
    EffectRegistry all("effect");
    register_effects(all);
    return all;
  }();
  return registry;
}

}  // namespace palstudy
