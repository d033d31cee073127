// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace palstudy {

/// What jobs wait for beside GPUs. Jobs are named by their ids in the trace.
struct JobLinks {
  /// A job that may start once another is over.
  struct After {
    std::int64_t job = 0, after = 0;
    friend auto operator<=>(const After&, const After&) = default;
  };
  /// A job that is a task of an array.
  struct Task {
    std::int64_t job = 0;
    std::string array;
    friend auto operator<=>(const Task&, const Task&) = default;
  };

  std::vector<After> after;                      ///< ascending
  std::vector<Task> tasks;                       ///< ascending
  std::map<std::string, std::uint32_t> at_once;  ///< how many tasks of an array may run; 0: all of them

  [[nodiscard]] bool empty() const { return after.empty() && tasks.empty(); }
  friend bool operator==(const JobLinks&, const JobLinks&) = default;
};

}  // namespace palstudy
