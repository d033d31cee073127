// SPDX-License-Identifier: MIT
#include "study/fingerprint.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "study/keys/key_table.hpp"

namespace palstudy {

std::string value_text(const RunPlan& run, const std::string& key) {
  const Key* known = find_key(key);
  if (known == nullptr || !known->read) throw fault("no member of a run's options is the value of a key", key);
  return known->read(run);
}

std::string section_text(const RunPlan& run, const std::string& section) {
  const auto& keys = fixed_keys();
  const std::string begin = section + ".";
  std::string text = section;
  for (auto key = std::ranges::lower_bound(keys, begin, {}, &Key::name);
       key != keys.end() && key->name.starts_with(begin); ++key) {
    if (!key->read) continue;
    text += '\n';
    if (!key->shapes || key->shapes(run)) text += key->read(run);
  }
  return text;
}

std::string params_text(const std::vector<Param>& params, const ParamValues& values) {
  std::string text;
  for (const Param& param : params) {
    text += '\n';
    text += param.type == ParamType::text ? values.text(param.name) : shortest(values.number(param.name));
  }
  return text;
}

}  // namespace palstudy
