// SPDX-License-Identifier: MIT
#include "replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace palstudy::replay {

Count Results::compare(const std::filesystem::path& file, std::size_t rows,
                       const std::function<std::string(std::size_t)>& difference) {
  constexpr std::size_t most_shown = 3;
  std::size_t equal = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    std::string how;
    try {
      how = difference(row);
    } catch (const std::exception& error) {
      how = error.what();
    }
    equal += how.empty() ? 1 : 0;
    if (!how.empty() && row + 1 - equal <= most_shown) {
      fmt::print(stderr, "{} row {}: {}\n", file.string(), row + 1, how);
    }
  }
  fmt::print("{}/{} {}\n", equal, rows, file.string());
  count_.equal += equal;
  count_.rows += rows;
  ++files_;
  return {equal, rows};
}

void Results::judge(const std::string& bounds, bool hold) {
  fmt::print("{}: {}\n", hold ? "holds" : "DOES NOT HOLD", bounds);
  bounded_ = true;
  bounds_hold_ = bounds_hold_ && hold;
}

bool Results::finish() const {
  fmt::print("{}/{} in {}\n", count_.equal, count_.rows, counted(files_, "file"));
  return bounded_ ? bounds_hold_ : count_.rows > 0 && count_.equal == count_.rows;
}

std::string differs(const std::string& name, double ours, double recorded, double relative) {
  if (ours == recorded || std::abs(ours - recorded) <= relative * std::abs(recorded)) return "";
  return fmt::format("{} {}, recorded {}; ", name, shortest(ours), shortest(recorded));
}

std::vector<std::filesystem::path> folders_with(const std::filesystem::path& folder, const std::string& file) {
  std::vector<std::filesystem::path> found;
  if (std::filesystem::exists(folder / file)) found.push_back(folder);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_directory() && std::filesystem::exists(entry.path() / file)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::filesystem::path> files_ending(const std::filesystem::path& folder, const std::string& ending) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().filename().string().ends_with(ending)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace palstudy::replay
