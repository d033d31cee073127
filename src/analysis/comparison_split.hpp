// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/comparison.hpp"
#include "analysis/run_values.hpp"

namespace palstudy {

/// `--by`, once read: an axis or a group of jobs, or a number to split at.
struct Split {
  std::string key, column;
  std::optional<double> above;
  friend bool operator==(const Split&, const Split&) = default;
};

/// The axis and the value of `--against KEY=VALUE`. Errors (usage): no value, no such axis.
[[nodiscard]] std::pair<std::string, std::string> parse_against(const RunValues& runs, const std::string& text);

/// The keys to split on: those of --by, or by default the axes. With runs of resamples and runs of the trace itself
/// these two are always apart, since their intervals are others. Errors (usage): the archive has no such key, or it is
/// `compared`, the one whose values are compared.
[[nodiscard]] std::vector<Split> splits_of(const RunValues& runs, const std::vector<std::string>& asked,
                                           const std::string& compared);

/// The axes, neither seeds nor traces nor `compared`, that have several values among these rows.
[[nodiscard]] std::vector<AxisCount> pooled_axes(const RunValues& runs, const std::vector<std::size_t>& rows,
                                                 const std::string& compared);

/// The blocks of one split: what the runs of each have in common, and which one every row is in.
struct Blocks {
  std::vector<GroupLabel> labels;  ///< in the order of their first row
  Codes of_row;
};
[[nodiscard]] Blocks blocks_of(const RunValues& runs, const Split& split);

/// All axes of a study, and how many values each has; the seeds also if no axis names them.
[[nodiscard]] std::vector<AxisCount> axes_of(const RunValues& runs);
/// The GPUs of the smallest and of the largest cluster.
[[nodiscard]] std::pair<std::size_t, std::size_t> gpus_of(const Study& study);

/// The place of a value of the compared axis among `policies`; a trace also by its name. Errors (usage): there is none.
[[nodiscard]] std::size_t policy_named(const Comparison& comparison, const std::string& name,
                                       const std::string& option);

}  // namespace palstudy
