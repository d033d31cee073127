// SPDX-License-Identifier: MIT
#pragma once

#include "study/study.hpp"

namespace palstudy {

/// What came of a run that could be ended.
struct Execution {
  std::optional<RunRecord> record;  ///< on rank 0, unless it was ended
  bool stopped = false;
};
/// `execute`, with somebody who sees every instant and may end it. `core_s` is what the simulation alone took of a
/// processor.
[[nodiscard]] Execution execute_watched(const Study& study, const RunPlan& run, Inputs& inputs, Exchange& exchange,
                                        Checkpoints& watch, double& core_s);

}  // namespace palstudy
