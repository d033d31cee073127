// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/run_values.hpp"

namespace palstudy {

/// `--by`, once read: an axis or a group of jobs, or a number to split at.
struct Split {
  std::string key, column;
  std::optional<double> above;
};

/// Errors (usage): the archive has no such key, or it is `compared`, the one whose values are compared.
[[nodiscard]] Split parse_split(const RunValues& runs, const std::string& text, const std::string& compared);

/// The blocks of one split: what each is called ("cluster.source = measured"), and which one every row is in.
struct Blocks {
  std::vector<std::string> labels;  ///< in the order of their first row
  Codes of_row;
};
[[nodiscard]] Blocks blocks_of(const RunValues& runs, const Split& split);

}  // namespace palstudy
