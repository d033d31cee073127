// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <vector>

#include "inputs/inputs.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What a run does: by formula, or as it was seen.
struct RunWork {
  double core_s = 0;               ///< seconds of one core, of the simulation alone
  std::map<TableId, double> rows;  ///< that it writes, of tables whose rows grow while it goes on
};

/// The jobs that a run certainly sees: those that arrive until the last measured one has.
struct CertainJobs {
  double jobs = 0, measured = 0, gpus = 0;  ///< gpus: the sum of their widths
  double held_s = 0;                        ///< how long they run on median GPUs, summed
};
[[nodiscard]] CertainJobs certain_jobs(const RunPlan& run, const Inputs::Loaded& inputs);

/// From jobs, durations and GPUs: good enough to order runs, and often several times too low, because queues, tenants
/// and failures are left out. Rows are those that the run certainly writes.
[[nodiscard]] RunWork work_by_formula(const RunPlan& run, const Inputs::Loaded& inputs);

struct RunCost {
  double core_s = 0;
  double memory_mib = 0;  ///< of a process that simulates this run only: `peak_rss_mib` of /provenance/runs
  double disk_mib = 0;    ///< in the archive, with its share of what all runs have in common
};
struct StudyCost {
  std::vector<RunCost> runs;  ///< by run of the study
  double core_s = 0, disk_mib = 0;
  double memory_mib = 0;  ///< of a process that simulates the largest run, the inputs of all runs loaded
  double merge_mib = 0;   ///< of memory, of the process that makes the archive of the shards
  double shards_mib = 0;
};
/// `work`: by run of the study. Loads all inputs.
[[nodiscard]] StudyCost cost_of(const Study& study, Inputs& inputs, const std::vector<RunWork>& work);
/// The cost by formula, without any simulation.
[[nodiscard]] StudyCost cost_by_formula(const Study& study, Inputs& inputs);

/// The runs (indices into those of `known`) in the order in which ranks should take them, so that no long one is left
/// alone at the end: by `core_s`, equal ones as given (R. L. Graham, Bounds on multiprocessing timing anomalies, 1969).
[[nodiscard]] std::vector<std::size_t> most_expensive_first(const StudyCost& known, std::vector<std::size_t> runs);

}  // namespace palstudy
