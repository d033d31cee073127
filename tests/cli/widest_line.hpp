// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "core/text.hpp"

namespace palstudy {

/// Characters of the longest line.
inline std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (const std::string& line : split(text)) widest = std::max(widest, line.size());
  return widest;
}

}  // namespace palstudy
