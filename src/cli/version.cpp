// SPDX-License-Identifier: MIT
#include "cli/version.hpp"

#include <fmt/format.h>

#include "core/build_info.hpp"
#include "parallel/mpi.hpp"

namespace palstudy {

std::string version_text() {
  const BuildInfo& build = build_info();
  return fmt::format("palstudy {}\ncommit {}\ncompiler {}\nflags {}\nMPI {}", build.version, build.commit,
                     build.compiler, build.flags, mpi_library());
}

}  // namespace palstudy
