// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "policy/power/power_rule.hpp"

namespace palstudy {

/// A recorded series of a cluster's nodes, by tick.
struct NodeSeries {
  std::vector<double> total, used;
  std::vector<double> forecast;  ///< of `used`; may be missing
};

/// What a rule would have done in one tick: `active` nodes are on.
struct ReplayedTick {
  std::int64_t active = 0, powered_off = 0, change = 0, lack = 0;
  friend bool operator==(const ReplayedTick&, const ReplayedTick&) = default;
};

/// Runs a rule over a series, as if nodes were powered on and off at once and the same jobs ran; all nodes are on
/// before. The first tick reports no change.
[[nodiscard]] std::vector<ReplayedTick> replay_series(const NodeSeries& series, PowerRule& rule, double tick_s);

/// What nodes draw, and how long they take to change.
struct SwitchingCost {
  double idle_w = 652, off_w = 10;   ///< of a node
  double boot_s = 300, stop_s = 60;  ///< at idle power
};

/// Means over the ticks of a replay, as Helios reports them, and the energy.
struct PowerSaving {
  double powered_off_mean = 0;    ///< nodes
  double used_rate_pct = 0;       ///< of all nodes: mean of the ratios
  double optimized_rate_pct = 0;  ///< of the nodes that are on; ticks with none on do not count
  double changes_per_day = 0, increases_per_day = 0;
  std::int64_t lack_ticks = 0, lack_nodes = 0;
  double mwh_per_year = 0;  ///< not drawn: off instead of idle, less the time in which nodes stop and boot
};
[[nodiscard]] PowerSaving saving(const NodeSeries& series, const std::vector<ReplayedTick>& ticks, double tick_s,
                                 const SwitchingCost& cost);

}  // namespace palstudy
