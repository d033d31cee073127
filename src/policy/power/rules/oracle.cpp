// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "policy/power/power_rule.hpp"

namespace palstudy {
namespace {

/// Knows which nodes will be used when: a node is off wherever it is idle for longer than `idle_s`, from the beginning
/// of that time on, and on again when it is needed. Of all rules under which no node lacks and none is off for a
/// shorter time, it has the most nodes off.
class OracleRule final : public PowerRule {
 public:
  explicit OracleRule(const PowerRuleOptions& options) : options_(options) {}

  [[nodiscard]] PowerDecision decide(const PowerTick& tick) override {
    const auto ticks = [&](double seconds) { return static_cast<std::size_t>(std::ceil(seconds / tick.tick_s)); };
    const std::size_t now = tick.now(), idle = ticks(options_.idle_s);
    double least = tick.used.back() + static_cast<double>(tick.total);  // over all windows that hold the present tick
    for (std::size_t back = 0; back <= std::min(idle, now); ++back) {
      least = std::min(least, most(tick.future, now - back, idle + 1));
    }
    const double needed = std::max({least, tick.used.back(), most(tick.future, now, ticks(options_.boot_s) + 1)});
    PowerDecision next = decision(tick, static_cast<std::int64_t>(std::ceil(needed)) + options_.spare);
    next.lack = std::max<std::int64_t>(0, tick.in_use() - next.on);  // nodes are powered on ahead
    return next;
  }

 private:
  static double most(std::span<const double> values, std::size_t from, std::size_t count) {
    double most = 0;
    for (std::size_t i = from; i < std::min(from + count, values.size()); ++i) most = std::max(most, values[i]);
    return most;
  }

  PowerRuleOptions options_;
};

}  // namespace

void register_power_rule_oracle(PowerRuleRegistry& registry) {
  registry.add(
      {"oracle",
       "knows the future: off wherever a node is idle for longer than power.idle_s",
       {},
       [](const PowerRuleOptions& options, const Forecast&) { return std::make_unique<OracleRule>(options); }});
}

}  // namespace palstudy
