// SPDX-License-Identifier: MIT
// [power], the keys that say when nodes are off. No key has a constant default, so that runs whose nodes all stay on
// keep their ids.
#include <algorithm>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

constexpr double most_nodes = 1 << 24, most_ticks = 1e6;

bool powers_off(const KeyValues& values) {
  return keys::power_off.given_in(values) && keys::power_off.in(values) != "none";
}
bool follows_ces(const KeyValues& values) {
  return powers_off(values) && (keys::power_off.in(values) == "ces" || keys::power_off.in(values) == "low-water");
}

Key where_off(const Key& key) {
  return key.used_where([](const RunPlan& run) { return run.power.on(); }, "no run powers nodes off (power.off)");
}

/// A key with this default, as TOML, in runs that power nodes off.
template <class... Path>
Key power_option(const Key& key, const std::string& value, Path... path) {
  std::string words = value;
  std::erase(words, '"');
  return where_off(key.otherwise(words + ", where power.off is given",
                                 [value](const KeyValues& values) {
                                   return powers_off(values) ? parse_toml_value(value, "") : std::nullopt;
                                 }))
      .sets(&RunPlan::power, path...);
}

/// A parameter of `ces`.
template <class Member>
Key ces_option(const Key& key, const std::string& value, Member member) {
  return key
      .otherwise(
          value + ", where power.off is \"ces\" or \"low-water\"",
          [value](const KeyValues& values) { return follows_ces(values) ? parse_toml_value(value, "") : std::nullopt; })
      .used_where([](const RunPlan& run) { return run.power.off == "ces" || run.power.off == "low-water"; },
                  "no run has power.off = \"ces\" or \"low-water\"")
      .sets(&RunPlan::power, &PowerOptions::rule, &PowerRuleOptions::ces, member);
}

Key power_seconds(const char* name, const char* summary) {
  return Key::number(name, "s", "", summary).between(0, Key::max_seconds);
}

std::vector<std::string> rules_and_none() {
  std::vector<std::string> names = power_rules().names();
  names.insert(names.begin(), "none");
  return names;
}

void complete_power(const KeyValues& /*given*/, KeyValues& values, const std::string& /*file*/) {
  if (!powers_off(values)) return;
  if (keys::power_off_order.given_in(values) && keys::power_off_order.in(values) == "joules" &&
      keys::power_account.given_in(values) && !keys::power_account.in(values)) {
    throw usage_error("power.off_order = \"joules\" needs what nodes draw, and power.account = false leaves it out",
                      keys::power_off_order.at(values).where, "leave out power.account");
  }
}

void bind_power(const KeyValues& /*values*/, RunPlan& run) { run.power.rule.boot_s = run.power.boot_s; }

}  // namespace

void register_key_section_power(KeySections& sections) {
  using Rule = PowerRuleOptions;
  constexpr auto rule = &PowerOptions::rule;
  sections.push_back(
      {{Key::choice(keys::power_off, "", "Who powers idle nodes off: a rule (palstudy list rules).", rules_and_none())
            .with(&Key::derived, "none: all nodes stay on")
            .sets(&RunPlan::power, &PowerOptions::off),
        power_option(
            Key::choice(keys::power_forecast, "", "What the rule foresees of the nodes in use.", forecasts().names()),
            "\"none\"", &PowerOptions::forecast),
        power_option(Key::choice(keys::power_off_order, "",
                                 "Which idle node is powered off first; nodes are powered on in the reverse order.",
                                 {"index", "slowest", "joules", "hottest", "random"}),
                     "\"index\"", &PowerOptions::off_order),
        power_option(
            Key::number(keys::power_tick, "s", "", "The rule decides once in so long; it is the unit of power.ces.")
                .between(1, day_s),
            "600", &PowerOptions::tick_s),
        power_option(
            power_seconds("power.idle_s", "timer, oracle: a node that would be idle for so long is not needed."),
            "3600", rule, &Rule::idle_s),
        power_option(Key::integer("power.spare", "node", "", "Idle nodes that stay on.", 0, most_nodes), "0", rule,
                     &Rule::spare),
        power_option(power_seconds("power.boot_s", "Time to boot: from power-on until jobs may start."), "300",
                     &PowerOptions::boot_s),
        power_option(power_seconds("power.stop_s", "Time to stop: from power-off until it can be powered on again."),
                     "60", &PowerOptions::stop_s),
        ces_option(Key::integer("power.ces.history", "tick", "",
                                "Ticks of the past that are compared with the present one.", 1, most_ticks),
                   "2", &CesOptions::history),
        ces_option(
            Key::integer("power.ces.future", "tick", "", "Ticks that the forecast is compared over.", 1, most_ticks),
            "30", &CesOptions::future),
        ces_option(Key::number("power.ces.his_threshold", "node", "",
                               "Nodes are powered off only if this many fewer are in use than in the past.")
                       .between(0, most_nodes),
                   "0.1", &CesOptions::his_threshold),
        ces_option(Key::number("power.ces.fut_threshold", "node", "",
                               "Nodes are powered off only if this many fewer are foreseen than are in use.")
                       .between(0, most_nodes),
                   "0", &CesOptions::fut_threshold),
        ces_option(Key::integer("power.ces.de_threshold", "node", "", "The fewest nodes that are powered off at once.",
                                0, most_nodes),
                   "1", &CesOptions::de_threshold),
        Key::integer("power.ces.buffer", "node", "", "Nodes that are on beyond those in use.", 0, most_nodes)
            .with(&Key::derived, "one in 21 of the nodes, at least 1: 20 of Philly's 420, as published")
            .used_where([](const RunPlan& run) { return run.power.off == "ces" || run.power.off == "low-water"; },
                        "no run has power.off = \"ces\" or \"low-water\"")
            .sets(&RunPlan::power, rule, &Rule::ces, &CesOptions::buffer),
        ces_option(Key::integer("power.ces.keep", "tick", "",
                                "Ticks for which no node is powered off after some were powered on.", 0, most_ticks),
                   "10", &CesOptions::keep),
        ces_option(
            Key::number("power.ces.stable_until_initial", "tick", "", "The tick before which no node is powered off.")
                .between(0, most_ticks),
            "0", &CesOptions::stable_until_initial)},
       complete_power,
       bind_power});
}

}  // namespace palstudy
