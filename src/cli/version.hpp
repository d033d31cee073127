// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace palstudy {

/// The version, and of what and how the program was built.
[[nodiscard]] std::string version_text();

}  // namespace palstudy
