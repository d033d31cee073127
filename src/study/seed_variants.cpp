// SPDX-License-Identifier: MIT
#include "study/seed_variants.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"
#include "study/resolve.hpp"

namespace palstudy {
namespace {

std::uint64_t as_seed(const TomlValue& value) { return static_cast<std::uint64_t>(value.integer); }

using SetKey = void (*)(RunPlan&, const TomlValue&);
constexpr std::array<std::pair<const char*, SetKey>, 7> free_keys = {{
    {"seed", [](RunPlan& plan, const TomlValue& value) { plan.seed = as_seed(value); }},
    {"cluster.seed", [](RunPlan& plan, const TomlValue& value) { plan.cluster.seed = as_seed(value); }},
    {"workload.seed", [](RunPlan& plan, const TomlValue& value) { plan.workload.seed = as_seed(value); }},
    {"policy.seed", [](RunPlan& plan, const TomlValue& value) { plan.policy.seed = as_seed(value); }},
    {"failures.seed", [](RunPlan& plan, const TomlValue& value) { plan.failures.options.seed = as_seed(value); }},
    {"engine.starvation_s", [](RunPlan& plan, const TomlValue& value) { plan.engine.starvation_s = value.as_real(); }},
    {"engine.migration_s", [](RunPlan& plan, const TomlValue& value) { plan.engine.migration_s = value.as_real(); }},
}};

const std::pair<const char*, SetKey>* find_free_key(const std::string& key) {
  const auto* found =
      std::find_if(free_keys.begin(), free_keys.end(), [&](const auto& entry) { return key == entry.first; });
  return found == free_keys.end() ? nullptr : found;
}

}  // namespace

bool is_free_key(const std::string& key) { return find_free_key(key) != nullptr; }

RunFamily::RunFamily(const Point& point, const std::map<std::string, std::size_t>& varied) : plan_(make_plan(point)) {
  for (const auto& [key, value] : point) {
    const auto at = varied.find(key);
    if (at == varied.end()) {
      if (enters_id(key, value)) rest_ += canonical_line(key, value);
      continue;
    }
    const auto* entry = find_free_key(key);
    if (entry == nullptr) throw fault("a key that other keys depend on varies within a family of runs", key);
    varied_.push_back({std::exchange(rest_, {}), key, at->second, entry->second});
  }
}

RunPlan RunFamily::member(const std::vector<const TomlValue*>& values) const {
  RunPlan plan = plan_;
  std::string text;
  for (const Varied& varied : varied_) {
    const TomlValue& value = *values.at(varied.value);
    text += varied.before;
    text += canonical_line(varied.key, value);
    varied.set(plan, value);
  }
  text += rest_;
  plan.id = id_of(text);
  return plan;
}

}  // namespace palstudy
