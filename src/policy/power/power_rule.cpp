// SPDX-License-Identifier: MIT
#include "policy/power/power_rule.hpp"

#include <algorithm>
#include <limits>

namespace palstudy {

double PowerRule::next_change_s() const { return std::numeric_limits<double>::infinity(); }

PowerDecision PowerRule::decision(const PowerTick& tick, std::int64_t on) {
  on = std::min(on, tick.total);
  return {on, on - tick.on, std::max<std::int64_t>(0, tick.in_use() - tick.on)};
}

void register_power_rules(PowerRuleRegistry& registry);  // generated

const PowerRuleRegistry& power_rules() {
  static const PowerRuleRegistry registry = [] {
    PowerRuleRegistry all("rule of power");
    register_power_rules(all);
    return all;
  }();
  return registry;
}

}  // namespace palstudy
