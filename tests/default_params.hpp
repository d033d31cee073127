// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/registry.hpp"
#include "core/text.hpp"

namespace palstudy {

/// The values that registered parameters have where a study gives none; those without a default are left out.
inline ParamValues default_params(const std::vector<Param>& params) {
  ParamValues values;
  for (const Param& param : params) {
    const std::string& text = param.default_value;
    if (text.empty()) continue;
    if (param.type == ParamType::text) values.set(param.name, text.substr(1, text.size() - 2));
    if (param.type == ParamType::boolean) values.set(param.name, text == "true" ? 1.0 : 0.0);
    if (const auto number = parse_double(text)) values.set(param.name, *number);
  }
  return values;
}

}  // namespace palstudy
