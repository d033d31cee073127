// SPDX-License-Identifier: MIT
#include "campaign/disk_space.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

std::filesystem::path nearest_folder(const std::filesystem::path& output) {
  auto folder = std::filesystem::absolute(output).parent_path();
  while (!std::filesystem::exists(folder) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

}  // namespace

void check_memory(const std::string& study, const StudyCost& needed, int simulating,
                  std::optional<double> available_mib) {
  if (!available_mib) return;
  const double together = needed.memory_mib * simulating;
  if (std::max(together, needed.merge_mib) <= *available_mib) return;
  throw data_error(
      fmt::format(
          "memory does not suffice: {} are available, {} are needed to simulate ({} of about {}) and {} to write the "
          "archive",
          mib_text(*available_mib), mib_text(together), counted(static_cast<std::size_t>(simulating), "rank"),
          mib_text(needed.memory_mib), mib_text(needed.merge_mib)),
      study,
      together > *available_mib ? "take fewer ranks a host, a smaller cluster or a shorter [measure]"
                                : "split the study, or leave tables out of [output]");
}

void check_disk_space(const std::filesystem::path& output, double disk_mib) {
  const auto folder = nearest_folder(output);
  struct statvfs space = {};
  if (statvfs(folder.c_str(), &space) == 0 && space.f_blocks > 0) {
    const double free_mib = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize) / mib;
    if (free_mib < disk_mib) {
      throw data_error(
          fmt::format("the disk is too full: {} are free, about {} are needed", mib_text(free_mib), mib_text(disk_mib)),
          output.string(), "make room, or write elsewhere with -o");
    }
  }
  struct rlimit limit = {};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      static_cast<double>(limit.rlim_cur) / mib < disk_mib) {
    throw data_error(
        fmt::format("files may not grow beyond {} bytes here, about {} are needed", limit.rlim_cur, mib_text(disk_mib)),
        output.string(), "raise the limit with ulimit -f");
  }
}

}  // namespace palstudy
