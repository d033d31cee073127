// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace palstudy {

/// A value seen under one pair of seeds.
struct Observation {
  double value = 0;
  std::size_t cluster = 0, workload = 0;  ///< which cluster seed and which workload seed: 0, 1, 2, ...
};

/// What the replications of a grid are: the seeds of both together, those of clusters or of workloads alone (the other
/// direction changes nothing, or has one seed), or both crossed.
enum class Replicated { together, clusters, workloads, crossed };

/// The observations as replications. A replication is a pair of seeds: cluster and workload. Where the two go together
/// (or one is alone) every pair stands by itself; where they are crossed, pairs that share a seed are not independent
/// of each other, and neither mean nor resampling may treat them as if they were.
struct Grid {
  struct Cell {
    std::size_t row = 0, column = 0;
    double value = 0;  ///< mean of the observations under this pair of seeds
  };
  std::size_t rows = 0, columns = 0;  ///< of a crossed grid: cluster seeds and workload seeds; else cells and 1
  std::vector<Cell> cells;            ///< by row, then column
  Replicated by = Replicated::together;
  [[nodiscard]] bool crossed() const { return columns > 1; }
  /// Whether no seed changes the value.
  [[nodiscard]] bool constant() const;
};

/// Takes the mean of what was seen under one pair of seeds, and leaves out a direction that changes nothing: thirty
/// workload seeds of a trace that is read from a file are one, not thirty.
[[nodiscard]] Grid make_grid(std::span<const Observation> observations);

/// A mean over replications.
struct Estimate {
  double centre = 0;
  double standard_error = 0;
  double degrees = 0;  ///< of freedom, of the standard error
};

/// The mean of the cells, and how far it would wander with other seeds. One direction: s / sqrt(n) with n - 1 degrees
/// of freedom. Crossed: the two-way random-effects variance (MS_rows + MS_columns - MS_rest) / cells, not less than
/// that of either direction alone (Searle, Casella and McCulloch, Variance Components, 1992, section 4.3; for a grid
/// with holes the sums of squares are those of the cluster-robust variance of Cameron, Gelbach and Miller, JBES 29(2),
/// 2011), with Satterthwaite's degrees of freedom (Biometrics Bulletin 2(6), 1946). Two replications or more.
[[nodiscard]] Estimate estimate(const Grid& grid);

}  // namespace palstudy
