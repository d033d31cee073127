// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/note.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// A class that stands on measurements below this split-half correlation is used only with a warning.
inline constexpr double least_split_half = 0.5;

/// What the runs of a measurement say about its GPUs: whether one that was slow will be slow again, and how far GPUs of
/// one node are alike. Spreads are standard deviations of log time, so 0.01 is 1 %. NaN: cannot be estimated. (More
/// than 15 members: a figure each.)
struct Reliability {
  std::size_t gpus = 0, nodes = 0, runs = 0;
  double runs_per_gpu = 0;    ///< median
  double gpu_sd = 0;          ///< robust, between the medians of the GPUs
  double run_sd = 0;          ///< robust, of a run about the median of its GPU
  double run_excess_p99 = 0;  ///< 99th percentile of log(run / median of its GPU)
  /// Share of one run's variance that lies between GPUs: ICC(1) of log times with the GPU as the group, nothing
  /// trimmed.
  double gpu_share = 0;
  /// Spearman's correlation between the medians of two random halves of each GPU's runs, mean over `half_splits` fixed
  /// splits; GPUs of one run are left out.
  double split_half = 0;
  double spearman_brown = 0;  ///< of all runs: 2 r / (1 + r); 0 where r is negative
  std::size_t sessions = 0;   ///< most of a GPU; 0 where sessions are not known
  /// As split_half, but of two random halves of each GPU's sessions: what repeats within a session may not on another
  /// day. GPUs of one session are left out.
  double between_sessions = 0;
  double node_icc = 0;                         ///< ICC(1) of the GPUs' log medians with the node as the group
  double node_icc_low = 0, node_icc_high = 0;  ///< its 95 % interval, nodes resampled
  double node_icc_of_ranks = 0;                ///< the correlation of ranks, which a few faulty nodes do not rule
};

inline constexpr std::uint32_t half_splits = 20;
inline constexpr std::uint32_t node_resamples = 1000;

/// A pure function of the measurements: the random splits and resamples are fixed.
[[nodiscard]] Reliability measure_reliability(const Measurements& measured);

/// `split_half` of it alone, which is cheap.
[[nodiscard]] double split_half_correlation(const Measurements& measured);

/// Robust standard deviation of log run / median of its GPU; 0 where every GPU has one run. All GPUs together.
[[nodiscard]] double run_spread(const Measurements& measured);
/// Robust standard deviation between the log medians of the GPUs.
[[nodiscard]] double gpu_spread(const Measurements& measured);

/// "unrepeatable": measurements that hardly repeat, or of which that cannot be estimated (one run a GPU).
[[nodiscard]] std::optional<Note> reliability_note(const Measurements& measured);
/// The same of all classes of a cluster.
[[nodiscard]] std::optional<Note> reliability_note(const ClassMeasurements& classes);

}  // namespace palstudy
