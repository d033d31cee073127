// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "archive/cluster_file.hpp"
#include "archive/profile/profile_file.hpp"
#include "archive/verify.hpp"

namespace palstudy {

/// Findings of verify, a line each.
inline std::vector<std::string> lines_of(const Found& found) { return {found.begin(), found.end()}; }
inline std::vector<std::string> verified_archive(const std::filesystem::path& path) {
  return lines_of(verify_archive(path));
}
inline std::vector<std::string> verified_profile(const std::filesystem::path& path) {
  return lines_of(verify_profile(path));
}
inline std::vector<std::string> verified_clusters(const std::filesystem::path& path) {
  return lines_of(verify_cluster_file(path));
}

}  // namespace palstudy
