// SPDX-License-Identifier: MIT
#include "core/build_info.hpp"

#include "core/commit.hpp"

namespace palstudy {

// The commit is in core/commit.hpp, which every build looks at again; it and the others are given by
// cmake/PalstudyBuildInfo.cmake, to this file alone: another commit recompiles nothing else.
const BuildInfo& build_info() {
  static const BuildInfo info{PALSTUDY_VERSION, PALSTUDY_COMMIT, PALSTUDY_COMPILER, PALSTUDY_FLAGS};
  return info;
}

}  // namespace palstudy
