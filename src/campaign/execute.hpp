// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "inputs/inputs.hpp"
#include "record/record.hpp"
#include "sim/state/exchange.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What a run's record bears, its times left out (also for a record of failure).
[[nodiscard]] RunLabel label_of(const Study& study, const RunPlan& run);

/// Simulates one planned run with the ranks of `exchange` and makes its record; on rank 0, nothing elsewhere.
[[nodiscard]] std::optional<RunRecord> execute(const Study& study, const RunPlan& run, Inputs& inputs,
                                               Exchange& exchange);

}  // namespace palstudy
