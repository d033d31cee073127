// SPDX-License-Identifier: MIT
#include "sim/scheduler/sia/configuration_costs.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers.hpp"
#include "workload/elastic/batch_tuning.hpp"

namespace palstudy {
namespace {

constexpr double goodput_of_forbidden = 0.0001, dearest_cost = 3000, hundredths_of_cost = 100;

}  // namespace

std::vector<double> configuration_goodputs(const BatchLimits& limits, std::span<const TypeTime> types,
                                           std::span<const Configuration> configurations, std::uint32_t most,
                                           double noise) {
  std::vector<double> goodputs;
  for (const Configuration& of : configurations) {
    const bool allowed = of.shape.gpus <= most;
    goodputs.push_back(allowed ? best_batch(limits, types[of.type], of.shape, noise).goodput : 0);
  }
  return goodputs;
}

std::vector<double> type_throughputs(const BatchLimits& limits, std::span<const TypeTime> types,
                                     std::span<const TypeNodes> nodes, std::uint32_t gpus, double samples) {
  std::vector<double> throughputs;
  for (std::size_t type = 0; type < types.size(); ++type) {
    const JobShape shape = packed_shape(gpus, nodes[type].gpus_per_node);
    const Batch batch = batch_of(limits, types[type].max_local, gpus, samples);
    const bool fits = shape.nodes <= nodes[type].nodes;
    throughputs.push_back(fits ? samples / iteration_s(types[type].step, shape, batch) : 0);
  }
  return throughputs;
}

std::vector<double> normalized_goodputs(std::span<const double> goodputs, double least) {
  double lowest = infinity;
  for (const double goodput : goodputs) lowest = goodput > 0 ? std::min(lowest, goodput) : lowest;
  std::vector<double> normalized;
  for (const double goodput : goodputs) {
    normalized.push_back(goodput > 0 ? least * (goodput / lowest) : goodput_of_forbidden);
  }
  return normalized;
}

double restart_factor(double age_s, std::uint32_t restarts, double believed_restart_s) {
  if (age_s < believed_restart_s || age_s + believed_restart_s <= 0) return 1;
  return std::max(age_s - restarts * believed_restart_s, 0.0) / (age_s + believed_restart_s);
}

std::vector<std::int64_t> configuration_costs(std::span<const double> normalized, double factor,
                                              std::optional<std::size_t> held, const SiaOptions& options) {
  const auto left_out = std::llround(hundredths_of_cost * options.left_out);
  std::vector<std::int64_t> costs;
  for (std::size_t i = 0; i < normalized.size(); ++i) {
    const double goodput = normalized[i] * (held && *held != i ? factor : 1);
    const double cost = std::min(std::pow(goodput, options.power), dearest_cost);  // a factor of 0 makes it infinite
    costs.push_back(std::llrint(hundredths_of_cost * cost) - left_out);
  }
  return costs;
}

}  // namespace palstudy
