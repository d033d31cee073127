// SPDX-License-Identifier: MIT
#pragma once

#include "analysis/validation.hpp"
#include "inputs/inputs.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Simulates the site's own scheduler with its own log and compares. The scheduler is that of `site_run`. Jobs run for
/// their recorded durations as they are: GPUs are alike, without penalties, failures or neighbours. Slurm's clock is
/// that of the log, if it says when time 0 was and the study has no slurm.clock_s. Errors (data): a trace without
/// recorded starts.
[[nodiscard]] Validation replay_of_site(const Study& study, Inputs& inputs);

}  // namespace palstudy
