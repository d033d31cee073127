// SPDX-License-Identifier: MIT
#include "study/keys/key_table.hpp"

#include <algorithm>

#include "policy/backfill_policy.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "policy/routing_policy.hpp"
#include "sim/state/scheduler.hpp"
#include "study/keys/key.hpp"
#include "study/keys/key_names.hpp"
#include "workload/predict/predictor.hpp"
#include "workload/synthetic/generator.hpp"

namespace palstudy {

void register_key_sections(KeySections& sections);  // generated: cmake/PalstudyRegister.cmake

namespace {

using Keys = std::vector<Key>;

void sort_by_name(Keys& keys) {
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.name < b.name; });
}

Keys make_fixed_keys() {
  Keys all;
  for (const KeySection& section : key_sections()) all.insert(all.end(), section.keys.begin(), section.keys.end());
  sort_by_name(all);
  return all;
}

Keys make_all_keys() {
  Keys all = fixed_keys();
  const std::size_t fixed = all.size();
  for (Key& key : param_keys()) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Key& other) { return other.name == key.name; });
    const bool shared = same != all.end();  // two generators may share a name: a value is checked against its own
    if (shared && (same < all.begin() + static_cast<std::ptrdiff_t>(fixed) || same->type != key.type)) {
      throw fault("a parameter takes the name of another key", key.name);
    }
    if (shared && same->derived != key.derived) same->derived = "must be given";
    if (!shared) all.push_back(std::move(key));
  }
  sort_by_name(all);
  return all;
}

const Keys& all_keys() {
  static const Keys keys = make_all_keys();
  return keys;
}

KeyType key_type(ParamType type) {
  switch (type) {
    case ParamType::integer:
      return KeyType::integer;
    case ParamType::boolean:
      return KeyType::boolean;
    case ParamType::text:
      return KeyType::text;
    case ParamType::number:
      break;
  }
  return KeyType::number;
}

template <class Registered>
void add_params(const std::string& section, const Registered& registry, Keys& out) {
  for (const auto& entry : registry.entries()) {
    for (const auto& param : entry.params) out.push_back(param_key(section, param, entry.name));
  }
}

}  // namespace

const KeySections& key_sections() {
  static const KeySections sections = [] {
    KeySections all;
    register_key_sections(all);
    return all;
  }();
  return sections;
}

const std::vector<Key>& fixed_keys() {
  static const Keys keys = make_fixed_keys();
  return keys;
}

Key param_key(const std::string& section, const Param& param, const std::string& owner) {
  Key key{.name = section + "." + param.name,
          .type = key_type(param.type),
          .unit = param.unit,
          .default_value = param.default_value,
          .derived = param.default_value.empty() ? "must be given for " + owner : "",
          .summary = param.summary,
          .least = param.least,
          .most = param.most,
          .choices = param.choices};
  if (!param.choices.empty()) key.type = KeyType::choice;
  if (section == workload_section) return key.with(&Key::follows, {keys::generator, keys::predictor});
  return key.with(&Key::follows, {keys::scheduler, keys::order, keys::placement, keys::backfill});
}

std::vector<Key> param_keys() {
  Keys keys;
  add_params(workload_section, generators(), keys);
  add_params(workload_section, predictors(), keys);
  add_params(policy_section, schedulers(), keys);
  add_params(policy_section, orders(), keys);
  add_params(policy_section, backfills(), keys);
  add_params(policy_section, placements(), keys);
  add_params(routing_section, routings(), keys);
  return keys;
}

const Key* find_key(const std::string& name) {
  const auto& keys = all_keys();
  const auto found = std::lower_bound(keys.begin(), keys.end(), name,
                                      [](const Key& key, const std::string& sought) { return key.name < sought; });
  return found != keys.end() && found->name == name ? &*found : nullptr;
}

const std::vector<KeyInfo>& study_keys() {
  static const std::vector<KeyInfo> infos = [] {
    std::vector<KeyInfo> all;
    for (const Key& key : all_keys()) {
      const std::string value = key.default_value.empty() || !key.derived.empty() ? key.derived : key.default_value;
      all.push_back({key.name, key.unit, value, key.summary, wanted(key)});
    }
    return all;
  }();
  return infos;
}

}  // namespace palstudy
