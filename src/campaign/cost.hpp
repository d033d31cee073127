// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/planned_outcomes.hpp"
#include "inputs/inputs.hpp"
#include "study/study.hpp"

namespace palstudy {

/// The work of a run: by formula, or as observed.
struct RunWork {
  double core_s = 0;               ///< seconds of one core, of the simulation alone
  std::map<TableId, double> rows;  ///< written, in the tables whose rows grow during the run
};

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
/// The cost by a formula from jobs, durations and GPUs: good enough to order runs, and often several times too low,
/// because queues, tenants and failures are left out. Rows are those that runs certainly write. Loads all inputs.
[[nodiscard]] StudyCost cost_by_formula(const Study& study, Inputs& inputs);

/// The runs (indices into those of `known`) in the order in which ranks should take them, so that no long one is left
/// alone at the end: by `core_s`, equal ones as given (R. L. Graham, Bounds on multiprocessing timing anomalies, 1969).
[[nodiscard]] std::vector<std::size_t> most_expensive_first(const StudyCost& known, std::vector<std::size_t> runs);

/// How the cost of a run is known.
enum class CostFrom {
  formula,   ///< nothing was simulated
  at_least,  ///< one seed of its point was simulated up to a limit; the rest by the share of its jobs that it reached
  ended,     ///< one seed of its point was simulated to its end
};

/// Runs that differ in seeds alone.
struct PlannedPoint {
  std::vector<std::size_t> runs;  ///< of the study, ascending; the first is the one that is simulated
  CostFrom from = CostFrom::formula;
};

/// The result of `palstudy plan`.
struct StudyPlan {
  std::vector<PlannedPoint> points;  ///< in the order of their first run
  std::vector<RunWork> work;         ///< by run of the study
  StudyCost cost;
  double seconds = 0;        ///< that the simulations took
  PlannedOutcomes outcomes;  ///< of the runs that were simulated to their end
  [[nodiscard]] std::size_t points_from(CostFrom from) const;
};

struct PlanOptions {
  double budget_s = 10;  ///< of all simulations together, inputs left out; at 0 nothing is simulated
  std::uint64_t most_boundaries = std::numeric_limits<std::uint64_t>::max();  ///< of one run; the same on every machine
  std::function<void(std::size_t, std::size_t)> on_progress = {};             ///< how many of how many points are done
};
/// Simulates one seed of each point, as `run` would, and takes the other seeds to be like it, job by job. Each point
/// has an equal share of what is left of the budget, those that seem cheap first; what is cut there is carried on by
/// the jobs that it had reached. Inputs have been checked.
[[nodiscard]] StudyPlan plan_study(const Study& study, Inputs& inputs, const PlanOptions& options = {});

/// Refuses a campaign that needs more memory than there is, before anything is written. `simulating` processes of this
/// host load the inputs and simulate; one of them makes the archive afterwards.
/// Errors (data): at `study`, its file, with the numbers.
void check_memory(const std::string& study, const StudyCost& needed, int simulating,
                  std::optional<double> available_mib);

/// Refuses a campaign that would certainly fill the disk, before anything is written. `disk_mib` is the sum of
/// what the runs take at least.
/// Errors (data): less is free beside `output`, or the process may not write files that large.
void check_disk_space(const std::filesystem::path& output, double disk_mib);

}  // namespace palstudy
