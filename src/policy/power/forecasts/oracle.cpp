// SPDX-License-Identifier: MIT
#include "policy/power/forecast.hpp"

namespace palstudy {
namespace {

class Oracle final : public Forecast {
 public:
  [[nodiscard]] std::optional<double> mean(const PowerTick& tick, std::uint32_t ahead) const override {
    return mean_from(tick.future, tick.now(), ahead);
  }
};

}  // namespace

void register_forecast_oracle(ForecastRegistry& registry) {
  registry.add({"oracle",
                "the truth: of a series its own future, of a study the nodes that its jobs would use if none waited",
                {},
                [] { return std::make_unique<Oracle>(); }});
}

}  // namespace palstudy
