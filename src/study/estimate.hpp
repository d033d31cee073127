// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "study/study.hpp"

namespace palstudy {

/// What a run will probably cost, from its jobs, its cluster and what its policies say of themselves. The constants are
/// those of one core of a 2 GHz server (docs/performance.md).
struct RunEstimate {
  double core_s = 0;          ///< of the simulation alone: `wall_s` of /provenance/runs on one rank
  double memory_mib = 0;      ///< of a process that simulates this run only: `peak_rss_mib` of /provenance/runs
  double inputs_mib = 0;      ///< of that: cluster and jobs, kept for all runs
  double jobs = 0;            ///< rows of /jobs
  double rows_mib = 0;        ///< of its rows in a shard, as they lie in memory
  double least_rows_mib = 0;  ///< what they take at least
};
[[nodiscard]] RunEstimate estimate(const RunPlan& run, const Inputs::Loaded& inputs);

/// Of all runs of a study, one process or rank simulating.
struct StudyEstimate {
  std::vector<RunEstimate> runs;  ///< by run of the study
  double core_s = 0;
  double memory_mib = 0;  ///< while it simulates the largest run, the inputs of all runs loaded
  double merge_mib = 0;   ///< of the process that makes the archive of the shards
  double shards_mib = 0, least_shards_mib = 0;
};
/// Loads all inputs.
[[nodiscard]] StudyEstimate estimate(const Study& study, Inputs& inputs);

/// Bytes of the archive, as stored: what each run adds, and its share of what all have in common.
struct DiskEstimate {
  std::vector<double> runs_mib;  ///< by run of the study
  double total_mib = 0;
  std::vector<double> rehearsed_s;  ///< by run, `wall_s` of those that were simulated for it; empty if none was
};
/// Weighs an archive that is made in memory and thrown away: of short runs the real one, since they are simulated for
/// it; of the others with made-up rows, of which a sample stands for all.
[[nodiscard]] DiskEstimate estimate_disk(const Study& study, Inputs& inputs, const StudyEstimate& known);

/// Memory in MiB that processes can still have on this host: what the kernel calls available, or less where the
/// process's own limits or its control group say so. Nothing where the system does not tell.
[[nodiscard]] std::optional<double> available_memory_mib();
/// Refuses a campaign that needs more memory than there is, before anything is written. `simulating` processes of this
/// host load the inputs and simulate; one of them makes the archive afterwards.
/// Errors (data): with the numbers.
void check_memory(const StudyEstimate& needed, int simulating, std::optional<double> available_mib);

/// Refuses a campaign that would certainly fill the disk, before anything is written. `disk_mib` is the sum of
/// what the runs take at least.
/// Errors (data): less is free beside `output`, or the process may not write files that large.
void check_room(const std::filesystem::path& output, double disk_mib);

}  // namespace palstudy
