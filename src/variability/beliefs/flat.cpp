// SPDX-License-Identifier: MIT
#include "variability/sources/belief.hpp"

namespace palstudy {
namespace {

Slowdowns believe_flat(const BeliefContext& from, const ParamValues& /*params*/) {
  return Slowdowns::flat(from.truth.class_names(), from.truth.gpus());
}

}  // namespace

void register_belief_flat(BeliefRegistry& registry) {
  registry.add({"flat", "That all GPUs are alike.", {}, {.what = "no slowdowns", .believe = believe_flat}});
}

}  // namespace palstudy
