// SPDX-License-Identifier: MIT
#include "study/seed_variants.hpp"

#include <utility>

#include "core/error.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_id.hpp"
#include "study/run_plan.hpp"

namespace palstudy {

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

}  // namespace palstudy
