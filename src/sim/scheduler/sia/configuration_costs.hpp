// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/scheduler/sia/configurations.hpp"
#include "workload/elastic/elastic_model.hpp"

namespace palstudy {

/// The constants of Sia's program.
struct SiaOptions {
  double power = -0.5;    ///< of goodputs ("p"): below 0, so that slow jobs weigh more
  double left_out = 1.1;  ///< cost of a job without GPUs ("lambda_n")
};

/// The goodput of an adaptive job in each configuration, at its best batch there; 0 where it may have at most `most`
/// GPUs and the configuration has more. `types`: the model by the types of the configurations.
[[nodiscard]] std::vector<double> configuration_goodputs(const BatchLimits& limits, std::span<const TypeTime> types,
                                                         std::span<const Configuration> configurations,
                                                         std::uint32_t most, double noise);

/// The throughput of a rigid job, whose GPUs and batch are fixed, on each type; in samples a second. 0 where a type has
/// not so many GPUs.
[[nodiscard]] std::vector<double> type_throughputs(const BatchLimits& limits, std::span<const TypeTime> types,
                                                   std::span<const TypeNodes> nodes, std::uint32_t gpus,
                                                   double samples);

/// Goodputs over the least of them that is not 0, times `least`: 1 of an adaptive job, its GPUs of a rigid one. One
/// that is 0 becomes 0.0001, which is so dear that leaving the job out is cheaper.
[[nodiscard]] std::vector<double> normalized_goodputs(std::span<const double> goodputs, double least = 1);

/// What of its goodput a job keeps that is restarted: (age - restarts x S) / (age + S), at least 0. S is the time that
/// a restart is believed to take; all times in seconds. 1 while age < S.
[[nodiscard]] double restart_factor(double age_s, std::uint32_t restarts, double believed_restart_s);

/// The cost of each configuration in hundredths, less that of leaving the job out: 100 goodput^power, at most 300,000,
/// and rounded. `held`: the configuration that the job has, which alone is free of the factor; a job without one is
/// free of it anywhere.
[[nodiscard]] std::vector<std::int64_t> configuration_costs(std::span<const double> normalized, double factor,
                                                            std::optional<std::size_t> held,
                                                            const SiaOptions& options = {});

}  // namespace palstudy
