// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sim/state/stands_still.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Why a run stands still, as /provenance/runs and `plan` tell: the job, what it wants, why nobody takes it, and on a
/// second line what to do.
[[nodiscard]] std::string standing_text(const StandingJob& job, const RunPlan& run);

}  // namespace palstudy
