// SPDX-License-Identifier: MIT
#include "analysis/offered_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/job_groups.hpp"
#include "core/text.hpp"
#include "inputs/measured_jobs.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

struct Planned {
  double gpus = 0, end_s = infinity;  ///< of the cluster; at which the run ends at the latest
};

/// By number of run; none where the archive has no resolved study.
std::vector<Planned> planned_runs(const Study* study) {
  std::vector<Planned> runs;
  if (study == nullptr) return runs;
  for (const RunPlan& run : study->runs) {
    runs.push_back({0, run.measure.end_s});
    for (const NodeGroup& group : run.cluster.nodes) runs.back().gpus += static_cast<double>(group.count) * group.gpus;
  }
  return runs;
}

bool has_backfill(const RunPlan& run) { return run.engine.backfill != Backfill::none; }

/// What is said of an archive without rows of jobs: "" if no run can be measured from the first job on.
std::string unchecked_queues(const Study& study) {
  const auto from_first = [](const RunPlan& run) {
    return run.measure.by_window ? run.measure.warmup_s <= 0 : run.measure.first <= 0;
  };
  if (std::ranges::none_of(study.runs, from_first)) return "";
  return "overloaded or not is not known: runs are measured from the first job on, and the archive keeps no rows of "
         "jobs (output.jobs = true)";
}

}  // namespace

RunLoads::RunLoads(const ArchiveReader& archive, const RunValues& runs) {
  if (!archive.has(TableId::jobs)) return;
  const auto planned = planned_runs(runs.study());
  const auto id = job_column<std::int64_t>(archive, "job"), gpus = job_column<std::int64_t>(archive, "gpus"),
             measured = job_column<std::int64_t>(archive, "measured");
  const auto submit = job_column<double>(archive, "submit_s"), start = job_column<double>(archive, "start_s"),
             ideal = job_column<double>(archive, "ideal_s");
  const auto rows = job_rows(runs, id.size());
  std::vector<ArrivingJob> jobs;
  for (std::size_t run = 0; run < rows.size(); ++run) {
    jobs.clear();
    for (std::size_t i = rows[run].first; i < rows[run].second; ++i) {
      jobs.push_back({submit[i], static_cast<double>(gpus[i]) * ideal[i], measured[i] != 0, id[i] < 0});
    }
    const auto number = static_cast<std::size_t>(runs.number("run", run));
    const Planned plan = number < planned.size() ? planned[number] : Planned();
    const bool ended_early = std::isfinite(plan.end_s) && runs.number("jobs_unfinished", run) > 0;
    const auto [first, last] = rows[run];
    const auto starts = std::span(start).subspan(first, last - first);
    loads_.push_back(load_of(jobs, starts, plan.gpus, runs.number("queue_slope", run), ended_early));
  }
}

void RunLoads::add(std::size_t run, Overload& to) const {
  if (known()) return to.add(loads_[run]);
  to.add_other();
}

std::size_t RunLoads::runs_from_empty() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(loads_, [](const RunLoad& run) { return run.arrivals.from_empty; }));
}

namespace {

/// What is measured; in older archives by their resolved study.
std::string measured_of(const ArchiveReader& archive, const RunValues& runs, const RunLoads& loads) {
  std::string measured = archive.attribute("measured");
  if (measured.empty() && runs.study() != nullptr) measured = measured_line(*runs.study());
  if (measured.empty() || loads.runs_from_empty() == 0) return measured;
  const std::string where = loads.runs_from_empty() == loads.runs() ? "" : "in some runs ";
  measured += "; " + where + "the cluster is empty when the first of them arrives";
  return measured;
}

}  // namespace

MeasuredLines measured_lines(const ArchiveReader& archive, const RunValues& runs, const RunLoads& loads,
                             const ComparedRuns& compared) {
  MeasuredLines lines;
  lines.measured = measured_of(archive, runs, loads);
  const std::string load = archive.attribute("offered_load");
  lines.load = load.substr(0, load.find(';'));  // which runs are overloaded follows, with the slopes of their queues
  Overload all;
  std::vector<PolicyOverload> policies;
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    if (!compared.usable(run)) continue;
    loads.add(run, all);
    const std::string name = compared.policy(run);
    auto of = std::ranges::find_if(policies, [&](const auto& one) { return one.name == name; });
    if (of == policies.end()) of = policies.insert(of, PolicyOverload{name, {}});
    loads.add(run, of->runs);
  }
  lines.overloaded = all.text(all.policies_text(policies));
  if (all.below_capacity() && !runs.any_run(has_backfill)) {
    lines.overloaded += fmt::format("; {}", why_below_capacity);
  }
  if (runs.study() == nullptr || loads.known()) return lines;
  const auto told = load.find("; ");  // a load over 1 of jobs that are measured from the first on needs no slope
  lines.overloaded = told == load.npos ? unchecked_queues(*runs.study()) : load.substr(told + 2);
  return lines;
}

namespace {

/// The waiting of a policy's runs, as shares of their mean completion times.
struct Waiting {
  std::string policy;
  std::size_t runs = 0, over_half = 0;
  double sum = 0;
  [[nodiscard]] double mean() const { return sum / static_cast<double>(runs); }
  /// Whether it is over half on average, or in a quarter of the runs: of one point of an axis, say.
  [[nodiscard]] bool large() const { return mean() > 0.5 || (over_half > 0 && 4 * over_half >= runs); }
};

std::vector<Waiting> waiting_of_policies(const RunValues& runs, const ComparedRuns& compared) {
  std::vector<Waiting> policies;
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    const double share = runs.number("wait_mean_s", run) / runs.number("jct_mean_s", run);
    if (!compared.usable(run) || !std::isfinite(share)) continue;
    const std::string name = compared.policy(run);
    auto of = std::ranges::find_if(policies, [&](const Waiting& one) { return one.policy == name; });
    if (of == policies.end()) of = policies.insert(of, Waiting{name});
    ++of->runs;
    of->over_half += share > 0.5 ? 1 : 0;
    of->sum += share;
  }
  return policies;
}

}  // namespace

std::string waiting_line(const RunValues& runs, const ComparedRuns& compared) {
  constexpr std::size_t most_named = 4;
  if (!runs.has("wait_mean_s") || !runs.has("jct_mean_s")) return "";
  auto policies = waiting_of_policies(runs, compared);
  std::erase_if(policies, [](const Waiting& one) { return !one.large(); });
  if (policies.empty()) return "";
  std::vector<std::string> said;
  for (const Waiting& one : policies) {
    const char* of = said.empty() ? " of the completion time" : "";
    const std::string some = one.over_half == one.runs
                                 ? ""
                                 : fmt::format(" (over half in {} of {})", one.over_half, counted(one.runs, "run"));
    said.push_back(fmt::format("{:.0f} %{} under {}{}", 100 * one.mean(), of, one.policy, some));
  }
  if (said.size() > most_named) {
    const auto less = [](const Waiting& a, const Waiting& b) { return a.mean() < b.mean(); };
    const auto [least, most] = std::minmax_element(policies.begin(), policies.end(), less);
    said = {fmt::format("{:.0f} to {:.0f} % of the completion time under {} policies", 100 * least->mean(),
                        100 * most->mean(), policies.size())};
  }
  return fmt::format(
      "waiting is {}, on average over the runs; where it is over half, a gain is mostly one of waits, which depend on "
      "the load, on what queued before and on the length of rounds",
      join(said));
}

}  // namespace palstudy
