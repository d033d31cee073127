// SPDX-License-Identifier: MIT
#include "study/keys/chosen_params.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "study/fingerprint.hpp"
#include "study/keys/key.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {

void complete_params(const std::string& section, const std::string& owner, const std::vector<Param>& params,
                     const std::string& where, KeyValues& values) {
  for (const Param& param : params) {
    const Key key = param_key(section, param, owner);
    if (const auto given = values.find(key.name); given != values.end()) {
      given->second = check_value(key, given->second);
    } else if (!key.default_value.empty()) {
      values.emplace(key.name, default_of(key));
    } else {
      throw usage_error(fmt::format("{} needs {}", owner, key.name), where, "it wants " + wanted(key));
    }
  }
}

ParamValues param_values(const std::string& section, const std::vector<Param>& params, const KeyValues& values) {
  ParamValues all;
  for (const Param& param : params) {
    const auto given = values.find(key_of(section, param));
    if (given == values.end()) continue;
    const TomlValue& value = given->second;
    if (param.type == ParamType::text) {
      all.set(param.name, value.text);
    } else {
      all.set(param.name, param.type == ParamType::boolean ? (value.boolean ? 1.0 : 0.0) : value.as_real());
    }
  }
  return all;
}

std::string one_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 == names.size() ? " or " : ", ", names[i]);
  }
  return text;
}

Key key_of_choice(const KeyName<std::string>& choice, const Param& param, const std::string& owner) {
  const std::string name = choice.name;
  const auto dot = name.find('.');
  const std::string where = fmt::format("where {} is {}", name.substr(dot + 1), owner);
  const Key key = param_key(name.substr(0, dot), param, owner)
                      .with(&Key::default_value, "")
                      .with(&Key::follows, {name})
                      .used_where([choice, owner](const RunPlan& run) { return value_text(run, choice) == owner; },
                                  fmt::format("no run has {} = \"{}\"", name, owner));
  if (param.default_value.empty()) return key.with(&Key::derived, "must be given " + where);
  return key.otherwise(fmt::format("{}, {}", param.default_value, where),
                       [choice, owner, value = param.default_value](const KeyValues& values) {
                         return choice.in(values) == owner ? parse_toml_value(value, "") : std::nullopt;
                       });
}

PolicyTraits traits_of(const PolicyOptions& policy) {
  const Topology topology(std::vector<NodeGroup>{{1, 1}}, 1);
  const Bins bins(Slowdowns::flat({"A"}, 1), BinRule{1, false});
  const auto places =
      placements().at(policy.placement).make({topology, bins, LocalityPenalty{}, 1}, policy.placement_params);
  const auto order = orders().at(policy.order).make(policy.order_params);
  return {order->preemptive(),    places->sticky(),      places->moves_running(), order->for_partition() != nullptr,
          order->counts_shares(), places->weighs_nodes()};
}

}  // namespace palstudy
