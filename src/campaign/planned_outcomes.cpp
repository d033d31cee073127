// SPDX-License-Identifier: MIT
#include "campaign/planned_outcomes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "analysis/compared_metrics.hpp"
#include "analysis/run_claims.hpp"
#include "core/text.hpp"
#include "sim/result.hpp"
#include "study/seeds.hpp"

namespace palstudy {
namespace {

/// " (policy.placement = pal, policy.order = las)", without the seeds; "" of a study without such axes.
std::string point_of(const Study& study, const RunPlan& run) {
  std::string text;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis) {
    if (is_seed_key(study.axes[axis].key)) continue;
    text += (text.empty() ? " (" : ", ") + study.axes[axis].key + " = " +
            std::visit([](const auto& value) { return fmt::format("{}", value); }, run.values[axis]);
  }
  return text.empty() ? "" : text + ")";
}

bool needs_finish(const std::string& metric) {
  const auto& all = compared_metrics();
  return std::none_of(all.begin(), all.end(),
                      [&](const ComparedMetric& one) { return one.name == metric && one.until_end; });
}

RunLoad load_of_result(const RunPlan& run, const Inputs::Loaded& inputs, const RunResult& result) {
  std::vector<ArrivingJob> jobs;
  for (std::size_t i = 0; i < result.jobs.size(); ++i) {
    const Job& job = inputs.workload.jobs[result.jobs.job[i].index()];
    jobs.push_back({job.submit_s, job.gpus * job.ideal_s(), result.jobs.measured[i] != 0, job.id < 0});
  }
  const bool ended_early = std::isfinite(run.measure.end_s) && result.metric(Metric::jobs_unfinished) > 0;
  return load_of(jobs, result.jobs.start_s, inputs.topology.gpus(), result.metric(Metric::queue_slope), ended_early);
}

}  // namespace

void PlannedOutcomes::add(const Study& study, const RunPlan& run, const Inputs::Loaded& inputs,
                          const RunResult& result) {
  ++runs_;
  loads_.add(load_of_result(run, inputs, result));
  backfills_ = backfills_ || run.engine.backfill != Backfill::none;
  const std::string why = no_claim(result.metric(Metric::jobs_unfinished), result.metric(Metric::stable) != 0,
                                   result.metric(Metric::queue_slope), needs_finish(study.compare_metric));
  if (!why.empty()) no_claims_[run.number] = fmt::format("run {}{}: {}", run.number, point_of(study, run), why);
}

std::string PlannedOutcomes::overloaded_line() const {
  if (loads_.count(true) == 0) return "";
  const bool unexplained = loads_.below_capacity() && !backfills_;
  return fmt::format("simulated here: {} of {} end overloaded: {}{}", grouped(loads_.count(true)),
                     counted(runs_, "run"), loads_.facts(), unexplained ? fmt::format("; {}", why_below_capacity) : "");
}

std::string PlannedOutcomes::no_claim_line() const {
  if (no_claims_.empty()) return "";
  constexpr std::size_t shown = 3;
  std::string text = fmt::format("simulated here: {} of {} make no claim, so compare will leave them out: ",
                                 grouped(no_claims_.size()), counted(runs_, "run"));
  std::size_t told = 0;
  for (auto one = no_claims_.begin(); one != no_claims_.end() && told < shown; ++one, ++told) {
    text += (told == 0 ? "" : "; ") + one->second;
  }
  return no_claims_.size() > shown ? fmt::format("{}; and {} more", text, grouped(no_claims_.size() - shown)) : text;
}

}  // namespace palstudy
