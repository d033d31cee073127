// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "archive/record.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What the numbers of a made-up record are near.
struct Model {
  const RunRecord* like = nullptr;  ///< of a run that was simulated; without one metrics are made up
  std::size_t number = 0;           ///< with equal metrics of `like` and the same number a run's are the same
};

/// A record as the run could have one, to weigh an archive with: rows of its first `jobs` jobs that nobody simulated,
/// and metrics and nodes near those of its model, but not the same: compression would leave that out.
[[nodiscard]] RunRecord made_up_record(const Study& study, const RunPlan& run, const Inputs::Loaded& inputs,
                                       double jobs, const Model& model);

}  // namespace palstudy
