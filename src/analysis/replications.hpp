// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/comparison.hpp"
#include "analysis/run_values.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Which pair of seeds each row was made with: that of its cluster and that of its workload. Seeds of the policy alone
/// are averaged over, unless nothing else varies.
struct Replications {
  Codes cluster, workload;  ///< by row
  bool clusters_vary = false;
  [[nodiscard]] Observation observation(std::size_t row, double value) const {
    return {value, cluster[row], workload[row]};
  }
};
[[nodiscard]] Replications replications_of(const RunValues& runs);

/// The metric whose intervals over resamples were simulated; intervals of others are `not_tested`.
inline constexpr const char* simulated_metric = "jct_mean_s";
inline constexpr const char* not_tested = "not tested";

/// What the traces of an archive with `workload.resample` had to draw from; nothing without.
[[nodiscard]] std::optional<TraceSample> resampled_trace(const ArchiveReader& archive);

/// None of no values; the half width where there are replications enough.
[[nodiscard]] std::optional<MeanOverSeeds> mean_over_seeds(const std::vector<Observation>& seen,
                                                           const std::optional<TraceSample>& resampled = {});

}  // namespace palstudy
