// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/numbers.hpp"
#include "elastic_sets.hpp"
#include "replay.hpp"

namespace palstudy {
namespace {

constexpr double allocation_tolerance = 1e-9, cost_of_none = 1.1, cost_power = -0.5;

/// What a job costs on each set of GPUs, by mask.
std::vector<double> costs_of(const replay::SetInstance& job) {
  const double alone = job.worth({1, 1}, {job.kind, 1, 1});
  std::vector<double> costs(std::size_t{1} << job.gpus.size(), cost_of_none);
  for (std::uint32_t mask = 1; mask < costs.size(); ++mask) {
    const double worth = job.worth_of(mask);
    costs[mask] = worth > 0 ? std::pow(worth / alone, cost_power) : infinity;
  }
  return costs;
}

/// The least sum over jobs on disjoint sets, by the sets that are left to the jobs from each on.
double least_cost(const std::vector<std::vector<double>>& costs) {
  const std::size_t masks = costs.front().size();
  std::vector<double> least(masks, 0.0);
  for (const std::vector<double>& job : costs) {
    std::vector<double> next(masks, infinity);
    for (std::size_t free = 0; free < masks; ++free) {
      for (std::size_t taken = free;; taken = (taken - 1) & free) {
        next[free] = std::min(next[free], job[taken] + least[free & ~taken]);
        if (taken == 0) break;
      }
    }
    least = std::move(next);
  }
  return least.back();
}

/// The sum over jobs of recorded sets, "0 1 |  | 2".
double cost_of_sets(const std::vector<std::vector<double>>& costs, std::string_view sets) {
  double sum = 0;
  for (std::size_t job = 0; job < costs.size(); ++job) {
    const std::size_t end = std::min(sets.find('|'), sets.size());
    std::size_t mask = 0;
    for (const std::uint32_t gpu : replay::numbers_in(sets.substr(0, end))) mask |= std::size_t{1} << gpu;
    sum += costs[job].at(mask);
    sets.remove_prefix(std::min(end + 1, sets.size()));
  }
  return sum;
}

void replay_best_allocation(const std::filesystem::path& best_file, const std::filesystem::path& instances_file,
                            replay::Results& results) {
  const replay::ElasticModels models = replay::models_of_sets(best_file.parent_path());
  const CsvTable instances = CsvTable::read(instances_file), table = CsvTable::read(best_file);
  results.compare(best_file, table.rows(), [&](std::size_t row) {
    std::vector<std::vector<double>> costs;
    for (std::size_t job = 0; job < instances.rows(); ++job) {
      if (instances.number(job, instances.column("case")) != table.number(row, table.column("case"))) continue;
      costs.push_back(costs_of(replay::read_set_instance(instances, job, models)));
    }
    if (costs.empty()) throw data_error("a case without jobs", table.where(row, 0), "");
    const double recorded = table.number(row, table.column("objective"));
    return replay::differs("objective", least_cost(costs), recorded, allocation_tolerance) +
           replay::differs("cost of the sets", cost_of_sets(costs, table.text(row, table.column("sets_by_job"))),
                           recorded, allocation_tolerance);
  });
}

}  // namespace

void register_replay_best_allocation(ReplayParts& parts) {
  parts.add({"best-allocation",
             "the best disjoint sets for some jobs, against all assignments (NAME-instances.csv, NAME-best.csv)",
             [](const std::filesystem::path& folder, replay::Results& results) {
               for (const auto& [best, instances] : replay::best_files(folder)) {
                 replay_best_allocation(best, instances, results);
               }
             }});
}

}  // namespace palstudy
