// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "variability/slowdowns.hpp"

namespace palstudy {

/// The spread of a class's measurements, from which believed slowdowns are drawn.
struct ClassSpread {
  std::uint32_t stream = 0;  ///< classes of one kernel have the same, and so the same noise
  double run_sd = 0;         ///< robust, of log run about the median of its GPU
  double gpu_sd = 0;         ///< robust, between the log medians of GPUs
};

/// `policy.knowledge = "runs"`: every GPU is measured `runs` times and believed to be the median of that. A run's log
/// time is off by a Student-t with 4 degrees of freedom whose robust standard deviation is that of the profile's runs.
/// Keyed by GPU: what is believed of GPU i does not depend on the cluster's size.
[[nodiscard]] Slowdowns remeasure(const Slowdowns& truth, const std::vector<ClassSpread>& spreads, std::uint32_t runs,
                                  std::uint64_t seed);

/// After how many days the correlation of a GPU's slowdown with its former one has fallen to 1/e. From the SGEMM runs
/// of Longhorn: medians of the first and second half of June 2020, whose mean times are 22.4 days apart, have a rank
/// correlation of 0.978, which is 0.980 after the noise of the medians (0.998), or 0.981 in normal scores; and
/// 22.4 / -ln 0.981 is about 1,200. Between runs 1 to 28 days apart the distance grows like the square root of time,
/// as it does here.
inline constexpr double drift_days = 1200;

/// `policy.knowledge = "stale"`: what the GPUs were `age_days` ago, if since then each drifted to what it is now. Log
/// slowdowns follow a mean-reverting walk (Ornstein-Uhlenbeck) with increments of Student-t with 4 degrees of freedom,
/// which June 2020 shows (a tenth of the GPUs moved by over 0.52 %, half by under 0.16 %), its correlation
/// rho = exp(-age / drift_days), its spread that of the GPUs. The walk is the same read backwards, so the truth stays
/// and the belief is drawn: runs of one seed have the same truth at any age. Only the body drifts back to the median:
/// a GPU further out than three spreads (a fault, another mode) keeps its distance.
[[nodiscard]] Slowdowns stale_estimate(const Slowdowns& truth, const std::vector<ClassSpread>& spreads, double age_days,
                                       std::uint64_t seed);

}  // namespace palstudy
