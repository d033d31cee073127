// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/numbers.hpp"
#include "core/registry.hpp"
#include "policy/power/forecast.hpp"

namespace palstudy {

/// The parameters of `ces`, named as in Helios' artifact (Hu et al., SC'21): `power.ces`. The defaults are those
/// published for Philly; the buffer there is 20 of 420 nodes.
struct CesOptions {
  std::uint32_t history = 2;        ///< ticks
  std::uint32_t future = 30;        ///< ticks
  double his_threshold = 0.1;       ///< nodes that fewer are used than over the past ticks
  double fut_threshold = 0;         ///< nodes that fewer are used over the ticks to come
  std::int64_t de_threshold = 1;    ///< nodes; fewer are not powered off
  std::int64_t buffer = -1;         ///< nodes on beyond those in use; -1: one in 21 of all, as 20 of the 420 of Philly
  std::uint32_t keep = 10;          ///< ticks for which none is powered off after some were powered on
  double stable_until_initial = 0;  ///< tick before which none is powered off
};

/// What rules are made with.
struct PowerRuleOptions {
  double idle_s = 3600;    ///< a node that was idle for so long is not needed
  std::int64_t spare = 0;  ///< idle nodes that stay on
  double boot_s = 0;       ///< nodes have to be powered on so long before they are needed
  CesOptions ces{};
};

/// What a rule decides: how many nodes shall be on, booting ones included.
struct PowerDecision {
  std::int64_t on = 0;
  std::int64_t change = 0;  ///< as the rule reports it, beside the number on before
  std::int64_t lack = 0;    ///< nodes in use that were not on
};

/// How many nodes shall be on. One object for a run and a partition.
class PowerRule {
 public:
  virtual ~PowerRule() = default;

  /// From `now_s` on so many nodes are in use; called before `decide`, and in between whenever the number changes.
  virtual void use(double now_s, std::int64_t nodes) { (void)now_s, (void)nodes; }
  /// Called at every tick, and whenever more nodes are needed than are on.
  [[nodiscard]] virtual PowerDecision decide(const PowerTick& tick) = 0;
  /// When `decide` would answer otherwise before the next tick; infinite: it would not.
  [[nodiscard]] virtual double next_change_s() const { return infinity; }

  /// All that the rule keeps, for checkpoints.
  [[nodiscard]] std::vector<double>& state() { return state_; }

 protected:
  /// The decision of a rule that reports what it does.
  [[nodiscard]] static PowerDecision decision(const PowerTick& tick, std::int64_t on) {
    on = std::min(on, tick.total);
    return {on, on - tick.on, std::max<std::int64_t>(0, tick.in_use() - tick.on)};
  }
  std::vector<double> state_;
};

/// The forecast outlives the rule.
using MakePowerRule = std::function<std::unique_ptr<PowerRule>(const PowerRuleOptions&, const Forecast&)>;
using PowerRuleRegistry = Registry<MakePowerRule>;

/// Every rule of the program.
[[nodiscard]] const PowerRuleRegistry& power_rules();

/// `[power]` of one run: which nodes are powered off when.
struct PowerOptions {
  std::string off = "none";  ///< a rule, or none: all nodes stay on
  std::string forecast = "none", off_order = "index";
  PowerRuleOptions rule;
  double tick_s = 600;  ///< the rule decides once a tick
  double boot_s = 300, stop_s = 60;

  [[nodiscard]] bool on() const { return off != "none"; }
};

}  // namespace palstudy
