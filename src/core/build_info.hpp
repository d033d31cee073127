// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace palstudy {

/// What this program is and how it was built; archives carry it.
struct BuildInfo {
  std::string version, commit, compiler, flags;
};
[[nodiscard]] const BuildInfo& build_info();

}  // namespace palstudy
