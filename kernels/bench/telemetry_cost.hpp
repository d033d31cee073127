// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/protocol.hpp"

namespace palstudy {

/// What the sampling thread does to the times it is meant to explain.
struct TelemetryCost {
  std::vector<double> ratios;  ///< by round: median batch with the thread / without
  double median = 1;           ///< of the ratios
  double low = 1, high = 1;    ///< its interval of at least 95 %, by the order of the ratios (the sign test's)
};

/// Rounds of `batches` batches with the thread and as many without, in an order that changes from round to round, so
/// that a drift of the device meets both. Each round is one ratio. At least 6 rounds: fewer have no such interval.
/// Errors (fault): fewer.
[[nodiscard]] TelemetryCost telemetry_cost(BatchSource& source, TelemetrySource& telemetry, double hz,
                                           std::size_t rounds, std::size_t batches, std::size_t launches);

/// The interval alone: the k-th least and the k-th largest of the values, with the largest k for which a median lies
/// between them in at least 95 % of samples. At least 6 values.
void set_interval(TelemetryCost& cost);

}  // namespace palstudy
