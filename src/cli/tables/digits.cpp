// SPDX-License-Identifier: MIT
#include "cli/tables/digits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace palstudy {

int places_of_error(double error) {
  constexpr int most = 6;
  if (!(error > 0) || !std::isfinite(error)) return most;
  return std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), -most, most);
}

std::string to_places(double value, int places) {
  const double unit = std::pow(10.0, std::min(places, 0));
  const double rounded = places < 0 ? std::round(value * unit) / unit : value;
  const std::string text = fmt::format("{:.{}f}", rounded, std::max(places, 0));
  return text.find_first_not_of("-0.") == std::string::npos && text.front() == '-' ? text.substr(1) : text;
}

}  // namespace palstudy
