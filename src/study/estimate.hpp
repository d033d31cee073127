// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "study/activity.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What a run will probably cost, from its jobs, its cluster and what its policies say of themselves. The constants are
/// those of one core of a 2 GHz server (docs/performance.md).
struct RunEstimate {
  double core_s = 0;            ///< of the simulation alone: `wall_s` of /provenance/runs on one rank
  double memory_mib = 0;        ///< of a process that simulates this run only: `peak_rss_mib` of /provenance/runs
  double inputs_mib = 0;        ///< of that: cluster and jobs, kept for all runs
  double jobs = 0;              ///< rows of /jobs
  double rows_mib = 0;          ///< of its rows in a shard, as they lie in memory
  double other_rows_mib = 0;    ///< of that: tables other than /runs, /nodes and /jobs
  double other_packed_mib = 0;  ///< and what compression leaves of those, where they are not simulated
  double least_rows_mib = 0;    ///< what they take at least
};
[[nodiscard]] RunEstimate estimate(const RunPlan& run, const Inputs::Loaded& inputs);
/// The same where it is known better what goes on in it.
[[nodiscard]] RunEstimate estimate(const RunPlan& run, const Inputs::Loaded& inputs, const Activity& all);

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
/// The same of estimates that are there, by run of the study.
[[nodiscard]] StudyEstimate sum_up(const Study& study, Inputs& inputs, const std::vector<RunEstimate>& runs);

/// The runs (indices into those of `known`) in the order in which ranks should take them, so that no long one is left
/// alone at the end: by `core_s`, equal ones as given (R. L. Graham, Bounds on multiprocessing timing anomalies, 1969).
[[nodiscard]] std::vector<std::size_t> most_expensive_first(const StudyEstimate& known, std::vector<std::size_t> runs);

/// Bytes of the archive, as stored: what each run adds, and its share of what all have in common.
struct DiskEstimate {
  std::vector<double> runs_mib;  ///< by run of the study
  double total_mib = 0;
};
/// Rows that stand for those of more runs: of one that was rehearsed to its end.
struct RowSample {
  RunRecord record;
  std::vector<std::size_t> runs;  ///< of the study, that one included
};
/// Weighs an archive that is made in memory and thrown away: with the rows of runs that were rehearsed; of those that
/// no sample stands for, with made-up rows, a part of them for all.
[[nodiscard]] DiskEstimate estimate_disk(const Study& study, Inputs& inputs, const StudyEstimate& known,
                                         std::vector<RowSample> samples = {});

/// Memory in MiB that processes can still have on this host: what the kernel calls available, or less where the
/// process's own limits or its control group say so. Nothing where the system does not tell.
[[nodiscard]] std::optional<double> available_memory_mib();
/// Refuses a campaign that needs more memory than there is, before anything is written. `simulating` processes of this
/// host load the inputs and simulate; one of them makes the archive afterwards.
/// Errors (data): at `study`, its file, with the numbers.
void check_memory(const std::string& study, const StudyEstimate& needed, int simulating,
                  std::optional<double> available_mib);

/// Refuses a campaign that would certainly fill the disk, before anything is written. `disk_mib` is the sum of
/// what the runs take at least.
/// Errors (data): less is free beside `output`, or the process may not write files that large.
void check_room(const std::filesystem::path& output, double disk_mib);

}  // namespace palstudy
