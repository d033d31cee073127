// SPDX-License-Identifier: MIT
#pragma once

#include "study/study.hpp"

namespace palstudy {

/// `execute`, with somebody who sees every instant and may end it. `core_s` is what the simulation alone took of a
/// processor.
[[nodiscard]] Execution execute_watched(const Study& study, const RunPlan& run, Inputs& inputs, Exchange& exchange,
                                        Checkpoints& watch, double& core_s);

}  // namespace palstudy
