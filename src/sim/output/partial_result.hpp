// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/state/partition_record.hpp"
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

}  // namespace palstudy
