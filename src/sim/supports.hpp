// SPDX-License-Identifier: MIT
#pragma once

#include "sim/state/world.hpp"
#include "sim/together.hpp"

namespace palstudy {

/// What a run has, of the table of what goes together.
[[nodiscard]] Features features_of(const World& world, const Policies& policies);

/// Errors: a run of two features that do not go together (a fault: a study refuses the same with the place of the
/// key); a job that the cluster cannot hold is bad data.
void check_supports(const World& world, const Policies& policies);

}  // namespace palstudy
