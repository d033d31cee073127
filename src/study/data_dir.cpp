// SPDX-License-Identifier: MIT
#include "study/data_dir.hpp"

#include <cstdlib>
#include <system_error>

#include "core/error.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

bool holds_data(const fs::path& dir) {
  std::error_code ignored;
  return fs::is_regular_file(dir / "jobs/models.toml", ignored) &&
         fs::is_directory(dir / "kernels/measurements", ignored);
}

/// The folder above the executable that holds the data: a source tree with its build in it, or an install tree.
fs::path beside_executable() {
  std::error_code failed;
  fs::path at = fs::read_symlink("/proc/self/exe", failed);
  while (!failed && at.has_relative_path()) {
    at = at.parent_path();
    for (const auto& dir : {at, at / PALSTUDY_INSTALLED_DATA}) {
      if (holds_data(dir)) return dir;
    }
  }
  return {};
}

fs::path find_data_dir() {
  if (const char* given = std::getenv("PALSTUDY_DATA"); given != nullptr && *given != '\0') {
    if (holds_data(given)) return given;
    throw usage_error("no jobs/models.toml and kernels/measurements there", std::string("PALSTUDY_DATA=") + given,
                      "let PALSTUDY_DATA name PREFIX/share/palstudy or the folder of the sources, or leave it unset");
  }
  if (fs::path dir = beside_executable(); !dir.empty()) return dir;
  throw data_error("the bundled data (jobs/models.toml, kernels/measurements) is not found", "",
                   "set PALSTUDY_DATA to PREFIX/share/palstudy of an installation, or to the folder of the sources");
}

}  // namespace

std::filesystem::path data_dir() {
  static const fs::path dir = find_data_dir();
  return dir;
}

}  // namespace palstudy
