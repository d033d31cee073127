// SPDX-License-Identifier: MIT
#include <limits>

#include "policy/power/power_rule.hpp"

namespace palstudy {
namespace {

/// As many nodes as were in use at once within the last `idle_s`, and the spare ones (Slurm: SuspendTime).
class Timer final : public PowerRule {
 public:
  explicit Timer(const PowerRuleOptions& options) : idle_s_(options.idle_s), spare_(options.spare) { state_ = {0}; }

  // state_: the nodes in use now, then pairs of an earlier number and the time at which it ended. Numbers fall and
  // times rise, since what ended before a larger number did matters no more.
  void use(double now_s, std::int64_t nodes) override {
    const auto value = static_cast<double>(nodes);
    if (value < state_[0]) forget_up_to(state_[0]), state_.insert(state_.end(), {state_[0], now_s});
    forget_up_to(value);
    state_[0] = value;
  }
  [[nodiscard]] PowerDecision decide(const PowerTick& tick) override {
    while (state_.size() > 1 && state_[2] + idle_s_ <= tick.now_s) state_.erase(state_.begin() + 1, state_.begin() + 3);
    const double most = state_.size() > 1 ? state_[1] : state_[0];
    return decision(tick, static_cast<std::int64_t>(most) + spare_);
  }
  [[nodiscard]] double next_change_s() const override {
    return state_.size() > 1 ? state_[2] + idle_s_ : std::numeric_limits<double>::infinity();
  }

 private:
  void forget_up_to(double nodes) {
    while (state_.size() > 1 && state_[state_.size() - 2] <= nodes) state_.resize(state_.size() - 2);
  }

  double idle_s_;
  std::int64_t spare_;
};

}  // namespace

void register_power_rule_timer(PowerRuleRegistry& registry) {
  registry.add({"timer",
                "as many nodes as were in use at once within power.idle_s, and power.spare more",
                {},
                [](const PowerRuleOptions& options, const Forecast&) { return std::make_unique<Timer>(options); }});
}

}  // namespace palstudy
