// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "study/keys/keys.hpp"
#include "study/parsed_study.hpp"
#include "workload/synthetic/superpose.hpp"

namespace palstudy {

/// workload.copies and the window that is copied. None has a constant default, so that runs without keep their ids.
[[nodiscard]] std::vector<KeySpec> copies_keys();
/// Fills in the window: the measured one. Errors (usage): nothing to copy, or no window.
void complete_copies(Point& point);
/// Of a completed point; the seed is the caller's.
[[nodiscard]] Superposition copies_of(const Point& point);

}  // namespace palstudy
