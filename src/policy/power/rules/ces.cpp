// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "policy/power/power_rule.hpp"

namespace palstudy {
namespace {

constexpr std::size_t settling_ticks = 6;  // at first; as published

/// Cluster Energy Saving (Hu et al., SC'21, section 4.3, as their artifact does it). Nodes are powered on at once when
/// fewer than `low` of those on are idle, up to `buffer` beyond those in use; they are powered off, down to the same
/// number, when fewer are in use than a while ago and than are foreseen.
class Ces final : public PowerRule {
 public:
  /// As published, `low` is 0: nodes are powered on only once too few are on, and at first more than there are may be
  /// on.
  Ces(const CesOptions& options, std::int64_t low, const Forecast& forecast)
      : options_(options), low_(low), forecast_(forecast) {
    state_ = {options.stable_until_initial};
  }

  [[nodiscard]] PowerDecision decide(const PowerTick& tick) override {
    const std::int64_t used = tick.in_use(), wanted = used + std::max(buffer(tick), low_);
    if (tick.now() < settling_ticks) return {low_ > 0 ? std::min(wanted, tick.total) : wanted, 0, 0};
    PowerDecision next{tick.on, 0, 0};
    double& hold = state_[0];  // the tick before which no node is powered off
    const auto now = static_cast<double>(tick.now());
    if (tick.on < used + low_) {
      next = {wanted, wanted - tick.on, std::max<std::int64_t>(0, used - tick.on)};
      hold = now + options_.keep;
    }
    next.on = std::min(next.on, tick.total);  // the change is reported as it was wanted, as published
    if (now < hold || !falls(tick)) return next;
    const std::int64_t lower = std::min(next.on, wanted);
    if (next.on - lower < options_.de_threshold) return next;
    next.on = lower;
    next.change = lower - tick.on;
    return next;
  }

 private:
  [[nodiscard]] std::int64_t buffer(const PowerTick& tick) const {
    constexpr double published = 21;  // one in so many of Philly's 420 nodes
    const auto share = static_cast<std::int64_t>(std::round(static_cast<double>(tick.total) / published));
    return options_.buffer >= 0 ? options_.buffer : std::max<std::int64_t>(1, share);
  }
  /// Whether fewer nodes are in use than before and than will be for a while, and then not more again.
  [[nodiscard]] bool falls(const PowerTick& tick) const {
    const double used = tick.used.back();
    const std::size_t past = std::min<std::size_t>(options_.history, tick.now());
    if (!(mean_from(tick.used, tick.now() - past, past) - used >= options_.his_threshold)) return false;
    const auto soon = forecast_(tick, options_.future), later = forecast_(tick, 2 * options_.future);
    if (!soon || !later) return true;
    return used - *soon >= options_.fut_threshold && !(*soon < *later);
  }

  CesOptions options_;
  std::int64_t low_;
  const Forecast& forecast_;
};

}  // namespace

void register_power_rule_ces(PowerRuleRegistry& registry) {
  registry.add({"ces",
                "Cluster Energy Saving of Helios, as published (power.ces)",
                {},
                [](const PowerRuleOptions& options, const Forecast& forecast) {
                  return std::make_unique<Ces>(options.ces, 0, forecast);
                }});
  registry.add({"low-water",
                "as ces, but powers nodes on when fewer than power.spare are idle",
                {},
                [](const PowerRuleOptions& options, const Forecast& forecast) {
                  return std::make_unique<Ces>(options.ces, std::max<std::int64_t>(1, options.spare), forecast);
                }});
}

}  // namespace palstudy
