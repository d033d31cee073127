// SPDX-License-Identifier: MIT
#include "variability/sources/belief.hpp"

namespace palstudy {
namespace {

/// A belief is worth as much as the measurement repeats.
Slowdowns believe_other_half(const BeliefContext& from, const ParamValues& /*params*/) {
  return from.same_gpus(RunsUsed::odd);
}

}  // namespace

void register_belief_other_half(BeliefRegistry& registry) {
  registry.add({"other-half",
                "The median of every other measured run of each GPU; the truth is made of the rest.",
                {},
                {.what = "the other half of the measurements",
                 .needs = Measured::gpus,
                 .halves = true,
                 .believe = believe_other_half}});
}

}  // namespace palstudy
