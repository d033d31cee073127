// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "policy/power/power_rule.hpp"

namespace palstudy {

/// `[power]` of one run: which nodes are powered off when.
struct PowerOptions {
  std::string off = "none";  ///< a rule, or none: all nodes stay on
  std::string forecast = "none", off_order = "index";
  PowerRuleOptions rule;
  double tick_s = 600;  ///< the rule decides once a tick
  double boot_s = 300, stop_s = 60;
  /// Nodes that stop, or boot, in a minute at most; each stops so often in a day at most.
  std::uint32_t stops_per_min = UINT32_MAX, boots_per_min = UINT32_MAX, cycles_per_day = UINT32_MAX;

  [[nodiscard]] bool on() const { return off != "none"; }
};

}  // namespace palstudy
