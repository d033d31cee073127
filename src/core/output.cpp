// SPDX-License-Identifier: MIT
#include "core/output.hpp"

#include "core/error.hpp"

namespace palstudy {

void require_new_output(const std::filesystem::path& path, bool force) {
  if (std::filesystem::is_directory(path)) {
    throw usage_error("is a folder", path.string(),
                      "name a file to write: -o " + (path / "NAME").lexically_normal().string());
  }
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    throw usage_error("is there and no file that could be replaced (a device, a pipe or a socket)", path.string(),
                      "give another -o");
  }
  if (std::filesystem::exists(path) && !force) {
    throw usage_error("exists already", path.string(), "give another -o, or --force to replace it");
  }
}

bool make_folder_of(const std::filesystem::path& path) {
  const auto folder = path.parent_path();
  return !folder.empty() && std::filesystem::create_directories(folder);
}

}  // namespace palstudy
