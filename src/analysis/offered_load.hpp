// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "analysis/overload.hpp"
#include "analysis/run_values.hpp"

namespace palstudy {

struct Study;

/// The load of each run of an archive, from the rows of /jobs and the resolved study.
class RunLoads {
 public:
  RunLoads(const ArchiveReader& archive, const RunValues& runs);
  /// Whether the archive keeps the rows of jobs that this is made from.
  [[nodiscard]] bool known() const { return !loads_.empty(); }
  /// Adds the run of a row of /runs.
  void add(std::size_t run, Overload& to) const;
  [[nodiscard]] std::size_t runs() const { return loads_.size(); }
  /// How many of them measure jobs from an empty cluster on.
  [[nodiscard]] std::size_t runs_from_empty() const;

 private:
  std::vector<RunLoad> loads_;  // by row of /runs
};

/// What is measured in an archive, under what load, and which of its runs are overloaded: a line each, "" where there
/// is nothing to say.
struct MeasuredLines {
  std::string measured, load, overloaded;
  std::string waiting = {};  ///< under which policies jobs wait for longer than they run
};
/// What is to be known of the runs of /runs: whether one makes a claim, and what the policy of one is called.
struct ComparedRuns {
  std::function<bool(std::size_t)> usable;
  std::function<std::string(std::size_t)> policy;
};
[[nodiscard]] MeasuredLines measured_lines(const ArchiveReader& archive, const RunValues& runs, const RunLoads& loads,
                                           const ComparedRuns& compared);

/// Under which policies measured jobs wait for longer than they run, in the mean over the runs that make a claim or in
/// a quarter of them: a queue that does not grow may be long, and then gains in completion time are gains of waits. ""
/// where there is none, and where /runs has no mean wait.
[[nodiscard]] std::string waiting_line(const RunValues& runs, const ComparedRuns& compared);

}  // namespace palstudy
