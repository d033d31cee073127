// SPDX-License-Identifier: MIT
#pragma once

#include "sim/state/world.hpp"

namespace palstudy {

/// Errors: a run that asks two parts of the engine to work together that cannot. A study refuses the same with the
/// place of the key; a job that the cluster cannot hold is bad data.
void check_supports(const World& world, const Policies& policies);

}  // namespace palstudy
