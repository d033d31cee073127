// SPDX-License-Identifier: MIT
#include "policy/power/forecast.hpp"

namespace palstudy {
namespace {

class NoForecast final : public Forecast {
 public:
  [[nodiscard]] std::optional<double> mean(const PowerTick& /*tick*/, std::uint32_t /*ahead*/) const override {
    return std::nullopt;
  }
};

}  // namespace

void register_forecast_none(ForecastRegistry& registry) {
  registry.add({"none", "no forecast: a rule leaves out its conditions on the ticks to come", {}, [] {
                  return std::make_unique<NoForecast>();
                }});
}

}  // namespace palstudy
