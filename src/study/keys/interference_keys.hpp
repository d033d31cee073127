// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/state/world.hpp"
#include "study/keys/keys.hpp"
#include "study/parsed_study.hpp"

namespace palstudy {

/// The keys of [interference]. None has a constant default, so that runs without keep their ids.
[[nodiscard]] std::vector<KeySpec> interference_keys();
/// Fills in the other factor where one is given. Errors (usage): several partitions.
void complete_interference(Point& point);
/// Of a completed point.
[[nodiscard]] InterferenceRules interference_of(const Point& point);

}  // namespace palstudy
