// SPDX-License-Identifier: MIT
#pragma once

#include "archive/record.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What the numbers of a made-up record are near.
struct Model {
  const RunRecord* like = nullptr;  ///< of a run that was simulated; without one all metrics have all digits
  std::int64_t number = 0;          ///< runs with the same `like` and the same number have the same metrics
};

/// A record as the run could have one, to weigh an archive with: rows of its first `jobs` jobs that nobody simulated,
/// and metrics and nodes near those of its model, but not the same: compression would leave that out.
[[nodiscard]] RunRecord made_up_record(const Study& study, const RunPlan& run, const Inputs::Loaded& inputs,
                                       double jobs, const Model& model);
/// Whether two simulated runs came to the same metrics, as where a policy does not look at what sets them apart.
[[nodiscard]] bool same_metrics(const RunRecord& left, const RunRecord& right);

}  // namespace palstudy
