// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "variability/slowdowns.hpp"

namespace palstudy {

/// How GPUs are put into bins of about the same believed slowdown.
struct BinRule {
  /// K among the non-outliers; 0 chooses it by the mean silhouette over 2..10.
  std::uint32_t bins = 0;
  /// Outliers lie over mean + 3 s (s with n - 1). false: they are binned among themselves, at most `max_bins` in all;
  /// true, as published: K = bins + number of outliers over all GPUs (PAL, SC'24, artifact; at most
  /// `max_gpus_with_single_outliers` GPUs).
  bool single_outliers = false;
};

/// At most this many bins a class, unless `single_outliers`.
inline constexpr std::uint32_t max_bins = 16;
/// `single_outliers` has no bound on the number of bins but the number of GPUs.
inline constexpr std::uint32_t max_gpus_with_single_outliers = 1024;

/// The bins of one class.
struct ClassBins {
  /// Value of each bin, ascending and distinct: its centroid / the median of the centroids (even number: mean of the
  /// middle two). Bin 0 holds the fastest GPUs.
  std::vector<double> values;
  /// The bin of each GPU.
  std::vector<std::uint16_t> of_gpu;
  /// The bins in the order in which they first appear over the GPU ids; ties of PAL's L x V list are broken by it.
  std::vector<std::uint16_t> appearance;
  /// The median of the centroids: a value times it is the mean believed slowdown of the bin's GPUs.
  double median = 1;
};

/// Slowdown from which GPUs are outliers by their measurements (confirmed_outliers_from), where no GPU is one.
inline constexpr double no_confirmed_outliers = std::numeric_limits<double>::infinity();

/// The bins of one class, from the believed slowdown of each GPU (finite, positive); in order:
/// 1. Outliers lie over mean + 3 s, s with n - 1; where all are equal there are none and one bin. Without
///    `single_outliers`, GPUs as slow as `outliers_from` are outliers too, unless that were all GPUs.
/// 2. The others get `rule.bins` bins or as many as the mean silhouette chooses from 2..10, by exact K-means; never
///    more than there are distinct values, and one less than `max_bins` at most if there are outliers.
///    (Of more than 65,536 distinct values, neighbours are joined into as many groups first.)
/// 3. Outliers: fewer than 4 distinct ones get a bin each, more are clustered alike, K from 2 up to what `max_bins`
///    leaves. With `single_outliers`: K-means over all GPUs instead, K as in 2 and one more for each outlier.
/// Errors (usage): more than `max_bins` bins; `single_outliers` with too many GPUs.
[[nodiscard]] ClassBins bin_class(std::span<const double> believed, const BinRule& rule,
                                  double outliers_from = no_confirmed_outliers);

/// The bins of every class of a cluster, made once from what the policies believe the slowdowns to be.
class Bins {
 public:
  /// `bin_class` for each class; `outliers_from` by class, empty where no class has confirmed outliers.
  Bins(const Slowdowns& believed, const BinRule& rule, std::span<const double> outliers_from = {});
  /// Bins made elsewhere, by class.
  explicit Bins(std::vector<ClassBins> classes) : classes_(std::move(classes)) {}

  /// Those of `count` GPUs from `first` on; bins keep their numbers, values and order, also where none is left in one.
  [[nodiscard]] Bins slice(GpuId first, std::uint32_t count) const;

  [[nodiscard]] std::size_t classes() const { return classes_.size(); }
  [[nodiscard]] std::uint32_t bins(ClassId cls) const { return static_cast<std::uint32_t>(of(cls).values.size()); }
  [[nodiscard]] const ClassBins& of(ClassId cls) const { return classes_[cls.index()]; }

 private:
  std::vector<ClassBins> classes_;
};

}  // namespace palstudy
