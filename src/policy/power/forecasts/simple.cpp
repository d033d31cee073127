// SPDX-License-Identifier: MIT
#include "policy/power/forecast.hpp"

namespace palstudy {

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
}

}  // namespace palstudy
