// SPDX-License-Identifier: MIT
// [power], the keys that say what nodes draw. No key has a constant default, so that runs that account no energy keep
// their ids.
#include <algorithm>
#include <array>

#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"
#include "workload/power_table.hpp"

namespace palstudy {
namespace {

constexpr double most_pue = 10, longest_horizon_s = 1e12;

bool accounts(const KeyValues& values) {
  return keys::power_account.given_in(values) && keys::power_account.in(values);
}

/// With any key of [power], one about when nodes are off included.
std::optional<TomlValue> with_any_key(const KeyValues& values) {
  const auto next = values.lower_bound("power.");
  if (next == values.end() || !next->first.starts_with("power.")) return std::nullopt;
  return parse_toml_value("true", "");
}

template <class Member>
Key accounted(const Key& key, Member member) {
  return key.sets(&RunPlan::energy, member)
      .used_where([](const RunPlan& run) { return run.energy.account; }, "no run accounts energy (power.account)");
}

/// A key with this default, as TOML, where energy is accounted.
template <class Member>
Key accounted(const Key& key, const std::string& value, Member member) {
  std::string words = value;
  std::erase(words, '"');
  return accounted(key.otherwise(words + ", where energy is accounted",
                                 [value](const KeyValues& values) {
                                   return accounts(values) ? parse_toml_value(value, "") : std::nullopt;
                                 }),
                   member);
}

Key power_key(const char* name, const std::string& summary) {
  return Key::number(name, "W", "", summary).between(0, most_watts);
}

constexpr std::array about_watts = {keys::power_watts.name, "power.idle_w", "power.base_w",   "power.off_w",
                                    "power.wait",           "power.pue",    "power.horizon_s"};

/// Runs that account no energy have no key about watts; without any other key of [power] nothing says that either.
void complete_energy(const KeyValues& /*given*/, KeyValues& values, const std::string& /*file*/) {
  if (!keys::power_account.given_in(values) || keys::power_account.in(values)) return;
  for (const char* key : about_watts) values.erase(key);
  const auto others =
      std::ranges::count_if(values, [](const auto& entry) { return entry.first.starts_with("power."); });
  if (others == 1) values.erase(keys::power_account);
}

}  // namespace

void register_key_section_energy(KeySections& sections) {
  using Options = EnergyOptions;
  sections.push_back(
      {{Key::boolean(keys::power_account, "",
                     "Account the energy of all nodes: the table /power and the metrics of energy.")
            .otherwise("true, where another key of [power] is given", with_any_key)
            .sets(&RunPlan::energy, &Options::account),
        accounted(Key::text(KeyType::text, keys::power_watts, "", "",
                            "What GPUs draw by class and state: \"v100\", or a path that ends in .csv.")
                      .is(&Key::names_file),
                  "\"v100\"", &Options::watts),
        accounted(power_key(about_watts[1], "A GPU that does not compute, on a node that is on.")
                      .with(&Key::derived, "that of power.watts"),
                  &Options::idle_w),
        accounted(power_key(about_watts[2], "A node that is on, without its GPUs."), "300", &Options::base_w),
        accounted(power_key(about_watts[3], "A node that is off."), "10", &Options::off_w),
        accounted(
            Key::number(about_watts[4], "1", "",
                        "What a GPU of a lockstep class draws while it waits for a slower one of its job, from that "
                        "of an idle GPU (0) to that of one that computes (1).")
                .between(0, 1),
            "0.5", &Options::wait),
        accounted(
            Key::number(about_watts[5], "1", "", "Energy of the site over energy of its nodes; a factor on all energy.")
                .between(1, most_pue),
            "1", &Options::pue),
        accounted(
            Key::number(about_watts[6], "s", "",
                        "Energy is counted from time 0 to here, whenever a run ends; later than the end of the "
                        "longest run to be compared.")
                .between(0, longest_horizon_s)
                .is(&Key::above_least)
                .with(&Key::derived,
                      "measure.end_s; else the last arrival of a measured job plus the longest ideal time of one, or "
                      "1.5 times what the GPUs need for all of them, whichever is later"),
            &Options::horizon_s)},
       complete_energy});
}

}  // namespace palstudy
