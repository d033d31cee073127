// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/overload.hpp"
#include "analysis/run_values.hpp"
#include "core/note.hpp"
#include "inputs/measured_jobs.hpp"

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

/// The archive keeps no rows of jobs, so that something cannot be checked: whether queues grow, or few jobs rule a
/// mean.
extern const NoteKind no_job_rows;

/// What is to be known of the runs of /runs: whether one makes a claim, and what the policy of one is called.
struct ComparedRuns {
  std::function<bool(std::size_t)> usable;
  std::function<std::string(std::size_t)> policy;
};
/// The measured jobs of an archive, by its study; none where it keeps none (so before schema 1.9), and without a study.
[[nodiscard]] std::vector<MeasuredSet> archived_sets(const ArchiveReader& archive, const Study* study);
/// The `load_values` of an archive, also of an earlier one.
[[nodiscard]] ValueRecord archived_load(const ArchiveReader& archive, const Study* study);

/// Which runs are overloaded, or measured while a backlog is served ("overloaded", "backlog"), or that this is not
/// known ("no-job-rows").
[[nodiscard]] std::optional<Note> note_on_load(const ArchiveReader& archive, const RunValues& runs,
                                               const RunLoads& loads, const ComparedRuns& compared);

/// "waiting": under which policies measured jobs wait for longer than they run, in the mean over the runs that make a
/// claim or in a quarter of them. A queue that does not grow may be long, and then gains in completion time are gains
/// of waits. Nothing where there is none, and where /runs has no mean wait.
[[nodiscard]] std::optional<Note> note_on_waiting(const RunValues& runs, const ComparedRuns& compared);

}  // namespace palstudy
