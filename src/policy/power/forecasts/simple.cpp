// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "policy/power/forecast.hpp"

namespace palstudy {
namespace {

constexpr double time_constant_s = 6 * 3600;

/// The weights fall by 1/e in 6 hours; what is older than 20 times that weighs nothing in doubles.
std::optional<double> recent_mean(const PowerTick& tick, std::uint32_t /*ahead*/) {
  const double keep = std::exp(-tick.tick_s / time_constant_s);
  const auto longest = static_cast<std::size_t>(20 * time_constant_s / tick.tick_s) + 1;
  const auto recent = tick.used.last(std::min(longest, tick.used.size()));
  double level = recent.front();
  for (const double used : recent.subspan(1)) level += (1 - keep) * (used - level);
  return level;
}

}  // namespace

void register_forecast_simple(ForecastRegistry& registry) {
  registry.add({"none", "no forecast: a rule leaves out its conditions on the ticks to come", {}, [] {
                  return [](const PowerTick&, std::uint32_t) -> std::optional<double> { return std::nullopt; };
                }});
  registry.add({"last", "as many nodes as in the present tick", {}, [] {
                  return [](const PowerTick& tick, std::uint32_t) { return tick.used.back(); };
                }});
  registry.add({"oracle",
                "the truth: of a series its own future, of a study the nodes that its jobs would use if none waited",
                {},
                [] {
                  return [](const PowerTick& tick, std::uint32_t ahead) {
                    return mean_from(tick.future, tick.now(), ahead);
                  };
                }});
  registry.add(
      {"ewma", "a mean of the past ticks whose weights fall by 1/e in 6 hours", {}, [] { return recent_mean; }});
}

}  // namespace palstudy
