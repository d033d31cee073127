// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "core/numbers.hpp"
#include "sim/scheduler/ones/measured_throughput.hpp"

namespace palstudy {

/// Where a job is, as the operators of ONES tell jobs apart.
enum class OnesStatus : std::uint8_t { fresh, running, stopped, complete };

/// What the operators of ONES (SC'21) know of a job in one generation. Jobs stand in a table in order of arrival, and
/// schedules name them by their row.
struct OnesJob {
  JobId job{};
  OnesStatus status = OnesStatus::fresh;
  std::uint32_t wanted = 0;  ///< GPUs that operators let it keep, and `padded` gives it first (`ones_max`)
  std::uint32_t limit = 1;   ///< GPUs that it may have at most (`max_size`, the training limit)
  std::uint32_t epochs = 0;  ///< completed
  double samples = 0;        ///< done
  double progress = nan;     ///< predicted share of all samples that are done (rho); NaN: none
  MeasuredThroughput throughput{};
  ClassId cls{};  ///< whose slowdowns it feels

  /// Whether it was started before and has seen enough of its data to be predicted.
  [[nodiscard]] bool executed() const {
    return (status == OnesStatus::running || status == OnesStatus::stopped) && epochs >= 2;
  }
  [[nodiscard]] bool predicted() const { return progress == progress; }
  /// Samples that are predicted to be left.
  [[nodiscard]] double remaining() const { return samples * (1 / progress - 1); }
};

}  // namespace palstudy
