// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analysis/compared_metrics.hpp"
#include "analysis/comparison.hpp"
#include "archive/archive.hpp"

namespace palstudy {

/// The metrics that a comparison is of.
struct ChosenMetrics {
  std::vector<ComparedMetric> all;  ///< those whose gains are given; the first is the one that was asked for
  std::size_t shown = 0;            ///< how many of them, from the first on, have a table of means
};

/// Those that the options name, or the study, or the mean completion time, and what is given beside one of them.
/// `some_unfinished`: whether a run left measured jobs unfinished. Errors (usage): there is no such metric, or it is of
/// whole runs and groups of jobs are asked for.
[[nodiscard]] ChosenMetrics choose_metrics(const ArchiveReader& archive, const ComparisonOptions& options,
                                           bool some_unfinished);

}  // namespace palstudy
