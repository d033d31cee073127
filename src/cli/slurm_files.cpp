// SPDX-License-Identifier: MIT
#include "cli/slurm_files.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <span>
#include <system_error>

#include "core/durable_file.hpp"
#include "core/error.hpp"
#include "core/files.hpp"

namespace palstudy {
namespace fs = std::filesystem;
namespace {

/// Whoever may read it may execute it.
void make_executable(const DurableFile& file) {
  struct stat now {};
  constexpr mode_t read_bits = 0444;
  const bool done = ::fstat(file.descriptor(), &now) == 0 &&
                    ::fchmod(file.descriptor(), now.st_mode | (now.st_mode & read_bits) >> 2) == 0;
  if (!done) {
    throw data_error(std::string("cannot be made executable: ") + std::strerror(errno), file.part().string(),
                     "give another folder");
  }
}

}  // namespace

void require_new_slurm_files(const fs::path& folder) {
  for (const char* name : {weights_file, drain_file, nodes_file, users_file}) {
    try {
      require_new_output(folder / name, false);
    } catch (const Error& error) {
      throw usage_error(error.parts().what, error.parts().where, "give another folder to --slurm");
    }
  }
}

std::vector<fs::path> write_slurm_files(const SlurmAdvice& advice, const fs::path& folder) {
  const std::vector<SlurmFile> files = slurm_files(advice);
  require_new_slurm_files(folder);
  std::vector<fs::path> paths;
  if (files.empty()) return paths;
  make_folder_of(folder / files.front().name);
  // All of them are on the disk before the first has its name.
  std::deque<DurableFile> parts;
  for (const SlurmFile& file : files) {
    parts.emplace_back(folder / file.name);
    parts.back().append(std::as_bytes(std::span(file.text)));
    if (file.script) make_executable(parts.back());
  }
  try {
    for (std::size_t i = 0; i < files.size(); ++i) {
      parts[i].commit();
      paths.push_back(folder / files[i].name);
    }
  } catch (const Error&) {
    std::error_code ignored;
    for (const fs::path& path : paths) fs::remove(path, ignored);
    throw;
  }
  return paths;
}

}  // namespace palstudy
