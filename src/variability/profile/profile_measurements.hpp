// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "variability/profile/profile.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// What a profile says of each kernel, by name: a run is a repeat, its time the median over the batches per launch, in
/// ms; runs by session, then repeat. Repeats whose result was wrong are left out, and so are GPUs that have no other. A
/// GPU's temperature is the median over all samples of its repeats. A kernel that was measured in several sizes is one
/// for each, named "name (params)".
[[nodiscard]] std::vector<Measurements> measurements_of(const Profile& profile);

}  // namespace palstudy
