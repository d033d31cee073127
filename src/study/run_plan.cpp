// SPDX-License-Identifier: MIT
#include "study/run_plan.hpp"

#include "policy/order_policy.hpp"
#include "study/keys/key.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_id.hpp"
#include "workload/predict/predictor.hpp"

namespace palstudy {
namespace {

const KeyValues& constant_defaults() {
  static const KeyValues defaults = [] {
    KeyValues all;
    for (const Key& key : fixed_keys()) {
      if (!key.of_study && !key.default_value.empty()) all.emplace(key.name, default_of(key));
    }
    return all;
  }();
  return defaults;
}

void add_fallbacks(const KeySection& section, KeyValues& values) {
  for (const Key& key : section.keys) {
    if (!key.fallback || values.contains(key.name)) continue;
    if (const auto value = key.fallback(values)) values.emplace(key.name, check_value(key, *value));
  }
}

}  // namespace

bool predicts(const RunPlan& run) { return orders().at(run.policy.order).make(run.policy.order_params)->predicts(); }

bool draws_predictions(const RunPlan& run) {
  const std::string& predictor = run.workload.predictor;
  return !predictor.empty() && predictors().at(predictor).make.draws && predicts(run);
}

KeyValues fill_defaults(const KeyValues& given, const std::string& file) {
  KeyValues values = given;
  std::erase_if(values, [](const auto& entry) { return find_key(entry.first)->of_study; });
  values.insert(constant_defaults().begin(), constant_defaults().end());
  for (const KeySection& section : key_sections()) {
    if (section.check != nullptr) section.check(given, file);
  }
  for (const KeySection& section : key_sections()) {
    add_fallbacks(section, values);
    if (section.complete != nullptr) section.complete(given, values, file);
  }
  return values;
}

RunPlan make_plan(const KeyValues& values) {
  RunPlan run;
  run.id = id_of(canonical_text(values));
  for (const auto& [name, value] : values) {
    if (const Key* key = find_key(name); key->set) key->set(run, value);
  }
  for (const KeySection& section : key_sections()) {
    if (section.bind != nullptr) section.bind(values, run);
  }
  return run;
}

}  // namespace palstudy
