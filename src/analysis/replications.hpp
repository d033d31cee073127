// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
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

/// How often intervals over such resamples held the truth in simulations (tests/benchmarks/resample.sh,
/// docs/concepts/reading.md).
struct SimulatedCoverage {
  double least = 0, most = 0;  ///< shares of the trials
  std::size_t blocks = 0;      ///< of the traces that were simulated; fewer were not tested
};
[[nodiscard]] SimulatedCoverage simulated_coverage(Resampling how);
/// Whether that is known of a metric.
[[nodiscard]] Coverage coverage_of(const TraceBlocks& blocks, const std::string& metric);

/// What the traces of an archive with `workload.resample` had to draw from; nothing without.
[[nodiscard]] std::optional<TraceBlocks> resampled_trace(const ArchiveReader& archive);
[[nodiscard]] TraceSample sample_of(const TraceBlocks& blocks);

/// None of no values; the half width where there are replications enough.
[[nodiscard]] std::optional<MeanOverSeeds> mean_over_seeds(const std::vector<Observation>& seen,
                                                           const std::optional<TraceSample>& resampled = {});

}  // namespace palstudy
