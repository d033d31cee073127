// SPDX-License-Identifier: MIT
#include "bundle/numbered_names.hpp"

#include <fmt/format.h>

namespace palstudy {

std::string NumberedNames::operator()(const std::string& field, const std::string& name) {
  if (name.empty()) return "";
  if (numbered_) return fields_.at(field).at(name);
  fields_[field].emplace(name, "");
  return name;
}

void NumberedNames::number() {
  for (auto& [field, names] : fields_) {
    const std::size_t digits = std::to_string(names.size()).size();
    std::size_t last = 0;
    for (auto& [name, made] : names) made = fmt::format("{}-{:0{}}", field, ++last, digits);
  }
  numbered_ = true;
}

}  // namespace palstudy
