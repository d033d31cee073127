// SPDX-License-Identifier: MIT
#include "core/build_info.hpp"

namespace palstudy {

// The four are given by cmake/PalstudyBuildInfo.cmake, to this file alone: another commit recompiles nothing else.
const BuildInfo& build_info() {
  static const BuildInfo info{PALSTUDY_VERSION, PALSTUDY_COMMIT, PALSTUDY_COMPILER, PALSTUDY_FLAGS};
  return info;
}

}  // namespace palstudy
