// SPDX-License-Identifier: MIT
#include "policy/power/series_replay.hpp"

#include "core/numbers.hpp"

namespace palstudy {

std::vector<ReplayedTick> replay_series(const NodeSeries& series, PowerRule& rule, double tick_s) {
  std::vector<ReplayedTick> ticks;
  auto on = static_cast<std::int64_t>(series.total.front());
  for (std::size_t i = 0; i < series.used.size(); ++i) {
    const double now_s = static_cast<double>(i) * tick_s;
    const auto total = static_cast<std::int64_t>(series.total[i]);
    rule.use(now_s, static_cast<std::int64_t>(series.used[i]));
    PowerDecision next = rule.decide({now_s, tick_s, std::span(series.used).first(i + 1), series.used, on, total});
    if (i == 0) next.change = next.lack = 0;
    on = next.on;
    ticks.push_back({on, total - on, next.change, next.lack});
  }
  return ticks;
}

PowerSaving saving(const NodeSeries& series, const std::vector<ReplayedTick>& ticks, double tick_s,
                   const SwitchingCost& cost) {
  PowerSaving sum;
  double with_nodes = 0, woken = 0;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const ReplayedTick& tick = ticks[i];
    sum.powered_off_mean += static_cast<double>(tick.powered_off);
    sum.used_rate_pct += 100 * series.used[i] / series.total[i];
    if (tick.active > 0) {
      sum.optimized_rate_pct += 100 * series.used[i] / static_cast<double>(tick.active);
      ++with_nodes;
    }
    sum.changes_per_day += tick.change != 0 ? 1 : 0;
    sum.increases_per_day += tick.change > 0 ? 1 : 0;
    woken += tick.change > 0 ? static_cast<double>(tick.change) : 0.0;
    sum.lack_ticks += tick.lack > 0 ? 1 : 0;
    sum.lack_nodes += tick.lack;
  }
  const double n = static_cast<double>(ticks.size()), days = n * tick_s / day_s;
  const double off_s = sum.powered_off_mean * tick_s - woken * (cost.boot_s + cost.stop_s);
  sum.mwh_per_year = off_s * (cost.idle_w - cost.off_w) / 3600e6 * 365 / days;
  sum.powered_off_mean /= n;
  sum.used_rate_pct /= n;
  if (with_nodes > 0) sum.optimized_rate_pct /= with_nodes;
  sum.changes_per_day /= days;
  sum.increases_per_day /= days;
  return sum;
}

}  // namespace palstudy
