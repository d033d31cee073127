// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "variability/classify/classifier.hpp"

namespace palstudy {

/// An application whose use of a GPU is known from elsewhere.
struct KnownUse {
  std::string application;
  Point2 use;  ///< (u_dram, u_fu)
};

/// Reads `application,u_dram,u_fu`, shares of the peak over elapsed time; further columns are ignored.
/// Errors (data, file:line:column): a share that is negative, or a percentage.
[[nodiscard]] std::vector<KnownUse> read_known_uses(const std::string& path);

/// What `palstudy classify` prints.
[[nodiscard]] std::string classes_text(const Classification& of, const std::vector<KnownUse>& others);
[[nodiscard]] std::string classes_json(const Classification& of, const std::vector<KnownUse>& others);
/// A table of classes as `cluster.classes` names one: [classes.<name>] with the kernel that stands for each.
[[nodiscard]] std::string classes_toml(const Classification& of, const std::string& name, const std::string& profile);
/// Whether the file begins as such a table does.
[[nodiscard]] bool is_classes_toml(const std::filesystem::path& file);

}  // namespace palstudy
