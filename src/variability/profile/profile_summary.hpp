// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/note.hpp"
#include "variability/binning/bins.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// The GPUs of one measurement, in slowdown: median over a GPU's runs / median GPU.
struct KernelSummary {
  std::string name;
  std::size_t gpus = 0, nodes = 0, runs = 0;
  double median_ms = 0;  ///< of the median GPU
  double least = 0, p1 = 0, p5 = 0, p95 = 0, p99 = 0, largest = 0;
  std::size_t over_5_percent = 0, over_10_percent = 0;  ///< GPUs slower than the median by more than that
};
[[nodiscard]] KernelSummary summarize(const Measurements& measured);

/// A GPU off the median GPU by more than `outlier_deviations` robust standard deviations of log time.
struct Outlier {
  std::string id, host;
  int local = -1;
  double slowdown = 1;
  double deviations = 0;     ///< negative: faster
  std::size_t sessions = 0;  ///< in which it was measured; 0 where sessions are not known
  std::size_t sessions_off =
      0;                ///< sessions in which it was off as far, to the same side, among the GPUs of the session
  std::size_t gpu = 0;  ///< place in Measurements::gpus
  /// One session may have caught it at a bad moment.
  [[nodiscard]] bool confirmed() const { return sessions_off >= 2; }
};
inline constexpr double outlier_deviations = 3;
/// Farthest off first.
[[nodiscard]] std::vector<Outlier> find_outliers(const Measurements& measured);

/// The slowdown of the fastest of the confirmed outliers slower than the median; infinite where none is confirmed.
/// GPUs as slow are binned as outliers, also where a few very slow GPUs hide them from mean + 3 s.
[[nodiscard]] double confirmed_outliers_from(const Measurements& measured);

/// An outlier that a study takes for a GPU like others.
struct MissedOutlier {
  Outlier outlier;
  std::size_t bin = 0;
  double bin_slowdown = 1;  ///< of the median GPU in the bin
};
/// Outliers in a bin of GPUs that are none, more than `outlier_deviations` robust standard deviations from the median
/// GPU of the bin; farthest from the median GPU of all first. Bins set apart what lies over mean + 3 s, and a few very
/// slow GPUs make s so large that others hide behind them. `of_gpu`: the bin of each GPU.
[[nodiscard]] std::vector<MissedOutlier> outliers_in_bins(const Measurements& measured,
                                                          const std::vector<std::uint16_t>& of_gpu);

/// "binned-outliers": those of a measurement under a rule, if there are any.
[[nodiscard]] std::optional<Note> note_on_bins(const Measurements& measured, const BinRule& rule);

/// GPUs of slowdown in [from, to).
struct HistogramBar {
  double from = 0, to = 0;
  std::size_t gpus = 0;
};
/// Bars of equal width from the 1 % to the 99 % quantile, and one on each side for what lies beyond, if anything does.
/// One bar where all are equal.
[[nodiscard]] std::vector<HistogramBar> histogram(const Measurements& measured, std::size_t bars = 12);

/// The GPUs of one node.
struct NodeSummary {
  std::string host;
  std::size_t gpus = 0;
  double median = 0, least = 0, largest = 0;  ///< slowdown
};
/// Nodes of known name, slowest median first, ties by name.
[[nodiscard]] std::vector<NodeSummary> summarize_nodes(const Measurements& measured);

}  // namespace palstudy
