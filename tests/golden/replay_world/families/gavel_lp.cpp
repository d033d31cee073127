// SPDX-License-Identifier: MIT
#include <cmath>
#include <map>
#include <string>

#include "core/csv.hpp"
#include "gavel_world.hpp"
#include "replay.hpp"
#include "sim/scheduler/gavel/time_shares.hpp"

namespace palstudy {
namespace {

ShareProblem gavel_lp_problem(const replay::GavelBins& bins, const CsvTable& jobs) {
  ShareProblem problem;
  problem.gpus = bins.gpus;
  problem.speeds = bins.speeds;
  problem.widest.assign(bins.gpus.size(), UINT32_MAX);  // the published programs do not know that a gang may not fit
  for (std::size_t row = 0; row < jobs.rows(); ++row) {
    const auto number = [&](const char* column) { return jobs.number(row, jobs.column(column)); };
    problem.jobs.push_back({bins.class_row(std::string(jobs.text(row, jobs.column("class")))),
                            static_cast<std::uint32_t>(number("num_gpus")), number("weight"), number("remaining_s"),
                            number("age_s"), number("isolated_so_far_s")});
  }
  return problem;
}

/// The objectives by the names of expected.csv.
std::map<std::string, double, std::less<>> gavel_objectives(const ShareProblem& problem) {
  ShareProblem agnostic = problem;
  std::fill(agnostic.speeds.begin(), agnostic.speeds.end(), 1.0);
  return {{"max_min_perf_z", divide_time(ShareObjective::max_min, problem).primal},
          {"max_min_agnostic_z", divide_time(ShareObjective::max_min, agnostic).primal},
          {"min_makespan_s", divide_time(ShareObjective::makespan, problem).primal},
          {"max_sum_throughput", divide_time(ShareObjective::sum, problem).primal},
          {"finish_time_fairness_rho", divide_time(ShareObjective::finish_time_fairness, problem).primal}};
}

void replay_gavel_lp(const std::filesystem::path& input, replay::Results& results) {
  const ShareProblem problem =
      gavel_lp_problem(replay::read_gavel_bins(input / "bins.csv", "slowdown_"), CsvTable::read(input / "jobs.csv"));
  const auto objectives = gavel_objectives(problem);
  const CsvTable expected = CsvTable::read(input / "expected.csv");
  results.compare(input / "expected.csv", expected.rows(), [&](std::size_t row) {
    const std::string_view name = expected.text(row, expected.column("quantity"));
    const auto ours = objectives.find(name);
    if (ours == objectives.end()) return "unknown quantity " + std::string(name);
    const double tolerance = name == "finish_time_fairness_rho" ? 2e-6 : 1e-6;
    return replay::differs(ours->first, ours->second, expected.number(row, expected.column("value")), tolerance);
  });
  const TimeShares shares = divide_time(ShareObjective::water_filling, problem);
  const CsvTable jobs = CsvTable::read(input / "per_job.csv");
  results.compare(input / "per_job.csv", jobs.rows(), [&](std::size_t row) {
    const ShareJob& job = problem.jobs[row];
    const double equal = equal_share_speed(problem, job);
    const auto recorded = [&](const char* column) { return jobs.number(row, jobs.column(column)); };
    std::string difference =
        replay::differs("equal share", equal, recorded("equal_share_throughput"), 1e-6) +
        replay::differs("isolated", isolated_speed(problem, job), recorded("isolated_throughput"), 1e-6);
    if (jobs.text(row, jobs.column("lexicographic_max_min_utility")).empty()) return difference;
    const double utility = job.gpus * speed_on(problem, shares.x, row) / (job.weight * equal);
    return difference + replay::differs("utility", utility, recorded("lexicographic_max_min_utility"), 1e-5);
  });
}

}  // namespace

void register_replay_gavel_lp(ReplayParts& parts) {
  parts.add({"gavel-lp", "The objectives of Gavel on small problems (jobs.csv, bins.csv, expected.csv, per_job.csv)",
             [](const std::filesystem::path& folder, replay::Results& results) {
               for (const auto& input : replay::folders_with(folder, "expected.csv")) replay_gavel_lp(input, results);
             }});
}

}  // namespace palstudy
