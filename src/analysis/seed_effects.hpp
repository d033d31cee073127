// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "inputs/inputs.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What is to be known before seeds are run that draw nothing: that they change nothing but the random choices of the
/// policies, or only put the same nodes in other places. "" where they draw clusters, workloads, failures or beliefs,
/// and where there is one seed. `inputs` has checked the study.
[[nodiscard]] std::string idle_seeds_line(const Study& study, Inputs& inputs);

}  // namespace palstudy
