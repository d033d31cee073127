// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/state/partition_record.hpp"
#include "sim/state/run_rows.hpp"
#include "sim/state/world.hpp"

namespace palstudy {

/// What one rank has of the result of a run: the records of its partitions, and the rows of their jobs; on rank 0 the
/// rows of all jobs, where those of the other ranks are to be filled in.
struct RunPart {
  std::vector<std::pair<PartitionId, PartitionRecord>> partitions;
  JobRows jobs;
  std::vector<double> mean_contention;
  void serialize(auto& archive, unsigned /*version*/) { (archive & partitions & jobs & mean_contention); }
};

/// To bytes and back (Boost.Serialization; the ranks of a run are one binary on one kind of processor).
[[nodiscard]] std::string pack(const RunPart& part);
[[nodiscard]] RunPart unpack(std::string bytes);

/// Copies the rows of `from` to those of the same jobs in `into`, which has all jobs, by JobId.
void take_rows(RunPart& into, const RunPart& from);

/// When a run ended.
struct RunEnd {
  std::uint64_t instants = 0;
  double horizon_s = 0;  ///< up to which fractions of time are taken
};

/// The ranks' parts as one result. Sums that cross partitions are made in the order of the partitions, with the jobs on
/// several last.
[[nodiscard]] RunResult join(const World& world, const RunRows& rows, RunPart all, const RunEnd& end);

/// Little's law as an identity of areas: what the jobs spent in the system, one by one, is the area under their number.
/// `seen_s`: the instant at which the end of a job is seen. (Little, Operations Research 9(3), 1961; as an identity of
/// a finite time: Little, Operations Research 59(3), 2011.) Errors (fault): it does not hold. For debug builds.
void check_littles_law(const RunPart& all, const RunRows& rows, double end_s,
                       const std::function<double(double finish_s)>& seen_s);

}  // namespace palstudy
