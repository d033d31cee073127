// SPDX-License-Identifier: MIT
#include "variability/sources/belief.hpp"

namespace palstudy {

void register_belief_oracle(BeliefRegistry& registry) {
  registry.add({"oracle", "The truth.", {}, {.what = "the true slowdowns"}});
}

}  // namespace palstudy
