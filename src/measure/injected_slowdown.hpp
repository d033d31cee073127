// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/csv.hpp"

namespace palstudy {

/// Where a rank measures.
struct RankPlace {
  std::string host;
  int local = 0;  ///< its place among the ranks of the host
};

/// How much slower ranks are made on purpose: `--inject-slowdown FILE`, to test what comes after a measurement with
/// known answers. A CSV with the column `factor` (1 to 100), the rank by `rank` or by `host` and `local`, and, where
/// only one kernel is meant, `kernel`. A row without a kernel is for all that no other row of the rank names. Who is
/// not named is not slowed.
class InjectedSlowdown {
 public:
  InjectedSlowdown() = default;
  /// Errors (data, file:line:column): a column that is missing, a factor out of range, a rank or kernel that is not
  /// there, the same twice.
  static InjectedSlowdown read(const std::filesystem::path& path, const std::vector<RankPlace>& ranks,
                               const std::vector<std::string>& kernels);
  static InjectedSlowdown parse(const CsvTable& table, const std::vector<RankPlace>& ranks,
                                const std::vector<std::string>& kernels);

  [[nodiscard]] double factor(std::size_t rank, const std::string& kernel) const;

 private:
  struct Row {
    std::size_t rank;
    std::string kernel;  // "" for all
    double factor;
  };
  std::vector<Row> rows_;
};

}  // namespace palstudy
