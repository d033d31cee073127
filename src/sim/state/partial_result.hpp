// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/observers/recorder.hpp"
#include "sim/state/run_rows.hpp"

namespace palstudy {

/// What one rank has of the result of a run: the records of its partitions, and the rows of their jobs; on rank 0 the
/// rows of all jobs, where those of the other ranks are to be filled in.
struct RunPart {
  std::vector<std::pair<PartitionId, PartitionRecord>> partitions;
  JobRows jobs;
  std::vector<double> mean_contention;
};

/// To bytes and back (Boost.Serialization; the ranks of a run are one binary on one kind of processor).
[[nodiscard]] std::string pack(const RunPart& part);
[[nodiscard]] RunPart unpack(const std::string& bytes);

/// Copies the rows of `from` to those of the same jobs in `into`, which has all jobs, by JobId.
void take_rows(RunPart& into, const RunPart& from);

/// All partitions' events by time, kind and job; the GPUs of a job's parts are joined, in the order of the partitions.
[[nodiscard]] EventRows merge_events(std::vector<EventRows> events);
/// All partitions' failures by time, job and attempt.
[[nodiscard]] FailureRows merge_failures(const std::vector<FailureRows>& lists);
/// The sums over all partitions, where they differ from the row before.
[[nodiscard]] RoundRows merge_rounds(const std::vector<RoundRows>& rounds);

}  // namespace palstudy
