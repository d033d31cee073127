// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>

#include "core/registry.hpp"

namespace palstudy {

/// What is known of the nodes in use when a rule decides. Ticks have equal lengths; tick 0 begins at time 0.
struct PowerTick {
  double now_s = 0;
  double tick_s = 600;
  std::span<const double> used;    ///< nodes in use by tick; the last one is the tick of the decision
  std::span<const double> future;  ///< by tick from tick 0 on: the truth, for oracles; as long as it is known
  std::int64_t on = 0;             ///< nodes that are on or booting
  std::int64_t total = 0;          ///< nodes that there are

  [[nodiscard]] std::size_t now() const { return used.size() - 1; }
  [[nodiscard]] std::int64_t in_use() const { return static_cast<std::int64_t>(used.back()); }
};

/// The mean number of nodes in use over `ahead` ticks, the present one first; nothing if there is no forecast.
using Forecast = std::function<std::optional<double>(const PowerTick& tick, std::uint32_t ahead)>;

/// The mean of values[from] and those after it, `count` of them or as many as there are.
[[nodiscard]] inline double mean_from(std::span<const double> values, std::size_t from, std::size_t count) {
  from = std::min(from, values.size());
  const auto part = values.subspan(from, std::min(count, values.size() - from));
  if (part.empty()) return 0.0;
  return std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(part.size());
}

using MakeForecast = std::function<Forecast()>;
using ForecastRegistry = Registry<MakeForecast>;

/// Every forecast of the program.
[[nodiscard]] const ForecastRegistry& forecasts();

}  // namespace palstudy
