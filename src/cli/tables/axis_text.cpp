// SPDX-License-Identifier: MIT
#include "cli/tables/axis_text.hpp"

#include "core/text.hpp"

namespace palstudy {

std::string axis_text(const AxisValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return shortest(*real);
  return std::get<std::string>(value);
}

}  // namespace palstudy
