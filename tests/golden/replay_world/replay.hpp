// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace palstudy::replay {

/// Equal and all rows.
struct Count {
  std::size_t equal = 0, rows = 0;
  /// Whether such a share of the rows is equal; of no rows every share is.
  [[nodiscard]] bool at_least(double share) const {
    return static_cast<double>(equal) >= share * static_cast<double>(rows);
  }
};

/// What a replay found: equal and all rows of each recorded file.
class Results {
 public:
  /// Compares a recorded file row by row and prints "equal/rows FILE", with the first few differences on standard
  /// error. `difference` describes how row i differs, and is empty where it does not; an error that it throws is a
  /// difference.
  Count compare(const std::filesystem::path& file, std::size_t rows,
                const std::function<std::string(std::size_t row)>& difference);
  /// For a family that allows differences: says what must hold instead, and whether it does.
  void judge(const std::string& bounds, bool hold);
  /// Prints the totals. Whether there are rows and all are equal, or all bounds hold.
  [[nodiscard]] bool finish() const;

 private:
  Count count_;
  std::size_t files_ = 0;
  bool bounded_ = false, bounds_hold_ = true;
};

/// "" where `ours` is `recorded` to `relative` (0: exactly), else "NAME ours, recorded recorded".
[[nodiscard]] std::string differs(const std::string& name, double ours, double recorded, double relative = 0);

/// `folder` and all folders below it that hold a file called `file`, sorted by path.
[[nodiscard]] std::vector<std::filesystem::path> folders_with(const std::filesystem::path& folder,
                                                              const std::string& file);

/// The files in and below `folder` whose name ends like this, sorted by path.
[[nodiscard]] std::vector<std::filesystem::path> files_ending(const std::filesystem::path& folder,
                                                              const std::string& ending);

/// What replays one kind of recorded input. Several parts can make up one family; each finds its own inputs below the
/// folder, and compares nothing where there are none.
struct Part {
  std::string family;   ///< as on the command line
  std::string summary;  ///< one sentence
  std::function<void(const std::filesystem::path& folder, Results& results)> run;
};

/// The parts of all families, in the order of their files.
class Parts {
 public:
  void add(Part part) { all_.push_back(std::move(part)); }
  [[nodiscard]] const std::vector<Part>& all() const { return all_; }

 private:
  std::vector<Part> all_;
};

}  // namespace palstudy::replay

namespace palstudy {
using ReplayParts = replay::Parts;
void register_replays(ReplayParts& parts);  // generated
}  // namespace palstudy
