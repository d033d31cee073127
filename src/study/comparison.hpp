// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "stats/paired.hpp"

namespace palstudy {

/// The key whose values are compared.
inline constexpr const char* compared_key = "policy.placement";
/// Can be split on although it is no axis: the largest slowdown of a GPU of the run's cluster.
inline constexpr const char* straggler_key = "cluster.slowdown_max";

/// What `palstudy compare` was asked.
struct ComparisonOptions {
  std::string metric;                  ///< "" for what the study says
  std::vector<std::string> baselines;  ///< none for what the study says
  std::vector<std::string> by;         ///< an axis, or KEY>NUMBER with a numeric axis or `cluster.slowdown_max`
  std::vector<std::string> policies;   ///< only these; none for all
};

/// One policy against one baseline by one metric, within one group.
struct PolicyGain {
  std::string baseline, policy, metric;
  std::optional<Improvement> gain;  ///< none where no pair can be compared
};

/// One row of a group's table: a point of the axes that are neither the policy, nor seeds, nor split on.
struct ComparisonRow {
  std::vector<std::string> point;            ///< by Comparison::row_keys
  std::vector<std::optional<double>> means;  ///< of the metric over seeds, by Comparison::policies
};

/// The runs that share the values of --by; without --by there is one group.
struct ComparisonGroup {
  std::vector<std::string> labels;  ///< "cluster.source = measured", one a --by
  std::vector<ComparisonRow> rows;
  std::vector<PolicyGain> gains;
};

struct Comparison {
  std::string study, metric, unit;
  std::size_t runs = 0;
  std::vector<std::string> policies;  ///< in the order of the study
  std::vector<std::string> row_keys;
  std::vector<ComparisonGroup> groups;
  std::vector<std::string> excluded;  ///< runs that make no claim, and why
};

/// Compares policies run by run: pairs agree in every axis but the policy. Runs that failed, left measured jobs
/// unfinished or were unstable are left out, with their pairs, and named.
/// Errors (usage): no axis policy.placement, an unknown metric, baseline or key.
[[nodiscard]] Comparison compare(const ArchiveReader& archive, const ComparisonOptions& options);

}  // namespace palstudy
