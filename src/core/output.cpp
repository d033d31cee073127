// SPDX-License-Identifier: MIT
#include "core/output.hpp"

#include <spdlog/spdlog.h>

#include <optional>
#include <system_error>

#include "core/error.hpp"

namespace palstudy {
namespace fs = std::filesystem;
namespace {

/// A file that stands where a folder above `path` has to be, if any.
std::optional<fs::path> in_the_way(const fs::path& path) {
  for (auto folder = path.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    std::error_code ignored;
    const fs::file_type type = fs::status(folder, ignored).type();
    if (type == fs::file_type::directory || type == fs::file_type::unknown) return std::nullopt;
    if (fs::is_symlink(folder, ignored)) return folder;  // to nothing
    if (type != fs::file_type::not_found && type != fs::file_type::none) return folder;
  }
  return std::nullopt;
}

}  // namespace

void require_folders_above(const fs::path& path) {
  if (const auto other = in_the_way(path)) {
    throw usage_error("nothing can be written below " + other->string() + ", which is no folder", path.string(),
                      "give another -o");
  }
}

void require_new_output(const fs::path& path, bool force) {
  require_folders_above(path);
  const bool named = path.has_filename() && path.filename() != "." && path.filename() != "..";
  if (!named || fs::is_directory(path)) {
    throw usage_error("is a folder", path.string(),
                      "name a file to write: -o " + (path / "NAME").lexically_normal().string());
  }
  if (fs::exists(path) && !fs::is_regular_file(path)) {
    throw usage_error("is there and no file that could be replaced (a device, a pipe or a socket)", path.string(),
                      "give another -o");
  }
  if (fs::exists(path) && !force) {
    throw usage_error("exists already", path.string(), "give another -o, or --force to replace it");
  }
}

void make_folder_of(const fs::path& path) {
  const auto folder = path.parent_path();
  if (folder.empty()) return;
  std::error_code failed;
  if (fs::create_directories(folder, failed)) spdlog::info("{}: its folder is new", path.string());
  if (failed) throw data_error("its folder cannot be made: " + failed.message(), path.string(), "give another -o");
}

std::filesystem::path parts_dir(const std::filesystem::path& output) {
  std::filesystem::path parts = output;
  parts += ".parts";
  return parts;
}

}  // namespace palstudy
