// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace palstudy {

/// What a study says of the columns of a trace, for readers that leave them to it.
struct TraceColumns {
  std::map<std::string, std::string> by_role = {};  ///< the column of each of `column_roles` that the trace has
  std::vector<std::string> in_order = {};           ///< all columns of a trace without a header line
  double time_s = 1;                                ///< seconds in a unit of time, where a time is a number
  double estimate_s = 1;                            ///< the same of estimates

  [[nodiscard]] bool given() const { return !by_role.empty() || !in_order.empty(); }
  /// Whether the trace says what jobs are, so that no model is drawn.
  [[nodiscard]] bool name_models() const { return by_role.contains("class") || by_role.contains("model"); }
};

/// What a column of a table of jobs can be.
inline constexpr std::array column_roles = {"job",  "submit", "start",    "end",   "duration", "gpus",    "tenant",
                                            "user", "name",   "estimate", "class", "model",    "account", "queue"};

/// How a reader wants columns to be named by the study.
enum class NamedColumns : std::uint8_t {
  never,     ///< it knows them
  by_role,   ///< always
  in_order,  ///< where the trace has no header line
};

}  // namespace palstudy
