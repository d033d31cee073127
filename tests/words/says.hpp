// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace palstudy {

/// Whether a phrase stands in a text.
inline bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace palstudy
