// SPDX-License-Identifier: MIT
#include "study/expand_runs.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "policy/backfill_policy.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "sim/state/scheduler.hpp"
#include "study/axes.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/keys/run_features.hpp"
#include "study/run_id.hpp"
#include "study/run_plan.hpp"
#include "workload/predict/predictor.hpp"
#include "workload/synthetic/generator.hpp"

namespace palstudy {
namespace {

struct AxisStride {
  std::size_t at;  ///< among the sorted axes
  const std::string* key;
  const std::vector<TomlValue>* values;
  std::size_t stride;  ///< from a value to the next, in numbers of runs
};

/// Slowest first; the numbers are those of values_of.
std::vector<AxisStride> strides_of(const ParsedStudy& parsed) {
  std::vector<AxisStride> walks;
  std::size_t stride = 1;
  for (const bool seeds : {false, true}) {
    std::size_t at = parsed.axes.size();
    for (auto axis = parsed.axes.rbegin(); axis != parsed.axes.rend(); ++axis) {
      --at;
      if (is_seed_key(axis->first) != seeds) continue;
      walks.push_back({at, &axis->first, &axis->second.values, stride});
      stride *= axis->second.values.size();
    }
  }
  std::ranges::reverse(walks);
  return walks;
}

/// Goes over all combinations of some axes, the last one fastest, so that the numbers rise.
template <class See>
void for_each_combination(const std::vector<AxisStride>& walks, std::vector<std::size_t>& places, const See& see) {
  std::size_t count = 1;
  for (const AxisStride& walk : walks) count *= walk.values->size();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i, number = 0;
    for (auto walk = walks.rbegin(); walk != walks.rend(); ++walk) {
      places[walk->at] = rest % walk->values->size();
      number += places[walk->at] * walk->stride;
      rest /= walk->values->size();
    }
    see(number);
  }
}

/// The keys that take their values from each of the independent axes, with its index.
std::map<std::string, std::size_t> varied_keys(const ParsedStudy& parsed, const std::vector<AxisStride>& independent) {
  std::map<std::string, std::size_t> all;
  for (std::size_t i = 0; i < independent.size(); ++i) {
    all.emplace(*independent[i].key, i);
    if (*independent[i].key != keys::seed.name) continue;
    for (const Key& key : fixed_keys()) {
      if (is_seed_key(key.name) && !is_given(parsed, key.name)) all.emplace(key.name, i);
    }
  }
  return all;
}

/// Whether it matters for how long users say that their jobs run.
bool by_estimates(const RunPlan& plan) { return plan.engine.kills_overruns || backfill_of(plan.policy)->reserves(); }

/// The table that a key belongs to which has a word as well: `network.penalty` of `network.penalty.node`; "" for
/// others.
std::string whole_table(const std::string& key) {
  const std::string table = key.substr(0, key.rfind('.'));
  const Key* known = find_key(table);
  return known != nullptr && known->type == KeyType::word_or_table ? table : "";
}

/// Leaves in `common` the defaults that `values` have as well, and adds the given keys that they have: in some runs a
/// given key is taken away. Such a table is left out as a whole, since its keys do not go without each other.
void keep_common(KeyValues& common, const KeyValues& values, const KeyValues& given) {
  std::set<std::string> tables;
  const auto erase = [&](auto which) {
    std::erase_if(common, [&](const auto& one) { return !given.contains(one.first) && which(one.first, one.second); });
  };
  erase([&](const std::string& key, const TomlValue& value) {
    const auto same = values.find(key);
    if (same != values.end() && to_toml(same->second) == to_toml(value)) return false;
    tables.insert(whole_table(key));
    return true;
  });
  tables.erase("");
  erase([&](const std::string& key, const TomlValue&) { return tables.contains(whole_table(key)); });
  for (const auto& [key, value] : given) {
    if (values.contains(key)) common.emplace(key, value);
  }
}

}  // namespace

void note_params(const RunPlan& plan, std::set<std::string>& used) {
  for (const auto& param : schedulers().at(plan.policy.scheduler).params) used.insert(key_of(policy_section, param));
  for (const auto& param : orders().at(plan.policy.order).params) used.insert(key_of(policy_section, param));
  for (const auto& param : backfills().at(plan.policy.backfill).params) used.insert(key_of(policy_section, param));
  for (const auto& param : placements().at(plan.policy.placement).params) used.insert(key_of(policy_section, param));
  if (!plan.workload.predictor.empty()) {
    for (const auto& param : predictors().at(plan.workload.predictor).params)
      used.insert(key_of(workload_section, param));
  }
  if (plan.workload.generator.empty()) return;
  for (const auto& param : generators().at(plan.workload.generator).params)
    used.insert(key_of(workload_section, param));
}

SeedVariants::SeedVariants(const KeyValues& values, const std::map<std::string, std::size_t>& varied)
    : plan_(make_plan(values)) {
  for (const auto& [name, value] : values) {
    const auto at = varied.find(name);
    if (at == varied.end()) {
      if (enters_id(name, value)) rest_ += canonical_line(name, value);
      continue;
    }
    const Key* key = find_key(name);
    if (!key->independent) throw fault("a key that others depend on varies among runs with one plan", name);
    varied_.push_back({std::exchange(rest_, {}), key, at->second});
  }
}

RunPlan SeedVariants::variant(const std::vector<const TomlValue*>& values) const {
  RunPlan plan = plan_;
  std::string text;
  for (const Varied& varied : varied_) {
    const TomlValue& value = *values.at(varied.value);
    text += varied.before;
    text += canonical_line(varied.key->name, value);
    varied.key->set(plan, value);
  }
  plan.id = id_of(text + rest_);
  return plan;
}

KeyValues expand_runs(const ParsedStudy& parsed, Study& study, std::set<std::string>& used) {
  study.runs.resize(count_runs(parsed));
  std::vector<AxisStride> shaping, independent;
  for (const AxisStride& walk : strides_of(parsed)) {
    (find_key(*walk.key)->independent ? independent : shaping).push_back(walk);
  }
  const auto varied = varied_keys(parsed, independent);
  std::vector<const ParsedAxis*> axes;
  for (const auto& [key, axis] : parsed.axes) axes.push_back(&axis);
  std::vector<std::size_t> places(axes.size());
  std::vector<const TomlValue*> values(independent.size());
  KeyValues common;
  for_each_combination(shaping, places, [&](std::size_t first) {
    const KeyValues filled = fill_defaults(values_of(parsed, first), study.file.string());
    if (first == 0) common = filled;
    keep_common(common, filled, parsed.base);
    const SeedVariants runs(filled, varied);
    check_together(runs.first(), filled);
    note_params(runs.first(), used);
    for_each_combination(independent, places, [&](std::size_t beside) {
      for (std::size_t i = 0; i < independent.size(); ++i) {
        values[i] = &(*independent[i].values)[places[independent[i].at]];
      }
      RunPlan& plan = study.runs[first + beside];
      plan = runs.variant(values);
      plan.number = static_cast<std::int64_t>(first + beside);
      plan.values.reserve(axes.size());
      for (std::size_t at = 0; at < axes.size(); ++at) {
        plan.values.push_back(axis_value(axes[at]->values[places[at]], study.axes[at].type));
      }
    });
  });
  study.by_estimates = std::ranges::any_of(study.runs, by_estimates);
  return common;
}

}  // namespace palstudy
