// SPDX-License-Identifier: MIT
#include "campaign/planned_outcomes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <variant>
#include <vector>

#include "analysis/compared_metrics.hpp"
#include "analysis/replications.hpp"
#include "analysis/run_claims.hpp"
#include "campaign/standing_text.hpp"
#include "core/text.hpp"
#include "inputs/input_files.hpp"
#include "inputs/inputs.hpp"
#include "sim/result.hpp"
#include "stats/paired.hpp"
#include "stats/resampled.hpp"
#include "study/axes.hpp"
#include "study/keys/key_names.hpp"
#include "study/study.hpp"
#include "words/comparison_words.hpp"

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
  return std::ranges::none_of(
      all, [&](const ComparedMetric& one) { return one.name == metric && one.has(ComparedMetric::until_end); });
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

std::string first_few(const std::map<std::int64_t, std::string>& by_run) {
  constexpr std::size_t shown = 3;
  std::string text;
  std::size_t told = 0;
  for (auto one = by_run.begin(); one != by_run.end() && told < shown; ++one, ++told) {
    text += (told == 0 ? "" : "; ") + one->second;
  }
  return by_run.size() > shown ? fmt::format("{}; and {} more", text, grouped(by_run.size() - shown)) : text;
}

}  // namespace

void PlannedOutcomes::add(const Study& study, const RunPlan& run, const Inputs::Loaded& inputs,
                          const RunResult& result) {
  ++runs_;
  loads_.add(load_of_result(run, inputs, result));
  backfills_ = backfills_ || run.engine.backfill != Backfill::none;
  const RunEnd end{true, result.metric(Metric::jobs_unfinished), result.metric(Metric::stable) != 0};
  const NoClaim why = no_claim(end, needs_finish(study.compare_metric));
  if (why == NoClaim::none) return;
  no_claims_[run.number] = fmt::format("run {}{}: {}", run.number, point_of(study, run),
                                       no_claim_text(why, end.jobs_unfinished, result.metric(Metric::queue_slope)));
}

void PlannedOutcomes::add(const Study& study, const RunPlan& run, const StandsStill& still) {
  ++runs_;
  standing_[run.number] =
      fmt::format("run {}{}: {}", run.number, point_of(study, run), standing_text(still.job(), run));
}

std::optional<Note> PlannedOutcomes::overloaded() const {
  return loads_.count(true) == 0 ? std::nullopt : loads_.note({}, backfills_);
}

std::string PlannedOutcomes::no_claim_line() const {
  if (no_claims_.empty()) return "";
  return fmt::format("simulated here: {} of {} make no claim, so compare will leave them out: {}",
                     grouped(no_claims_.size()), counted(runs_, "run"), first_few(no_claims_));
}

std::string PlannedOutcomes::standing_line() const {
  if (standing_.empty()) return "";
  return fmt::format("simulated here: {} of {} will fail: {}", grouped(standing_.size()), counted(runs_, "run"),
                     first_few(standing_));
}

namespace {

/// The number of each thing, in the order in which they are first seen.
template <class Thing>
class Numbered {
 public:
  std::size_t operator()(const Thing& thing) { return numbers_.emplace(thing, numbers_.size()).first->second; }

 private:
  std::map<Thing, std::size_t> numbers_;
};

/// The value of a run on the axis of such seeds, or on that of `seed`; 0 where there is neither.
std::int64_t seed_on_axis(const Study& study, const RunPlan& run, const std::string& key) {
  for (const std::string& name : {key, std::string(keys::seed.name)}) {
    for (std::size_t axis = 0; axis < study.axes.size(); ++axis) {
      const auto* value = study.axes[axis].key == name ? std::get_if<std::int64_t>(&run.values[axis]) : nullptr;
      if (value != nullptr) return *value;
    }
  }
  return 0;
}

/// The runs of a point as their metrics may come out: seeds that draw another cluster or another workload change them.
std::vector<Observation> expected(const Study& study, const std::vector<std::size_t>& runs) {
  Numbered<std::int64_t> clusters, workloads;
  Numbered<std::string> drawn_clusters, drawn_workloads;
  std::vector<Observation> seen;
  for (const std::size_t number : runs) {
    const RunPlan& run = study.runs[number];
    const std::size_t cluster = clusters(seed_on_axis(study, run, keys::cluster_seed.name));
    const std::size_t workload = workloads(seed_on_axis(study, run, keys::workload_seed.name));
    // Of no use but to be equal where the same is simulated again.
    const auto value = static_cast<double>(drawn_clusters(cluster_text(run))) +
                       std::numbers::sqrt2 * static_cast<double>(drawn_workloads(workload_text(run)));
    seen.push_back({value, cluster, workload});
  }
  return seen;
}

NoInterval why_none(std::vector<Observation> seen, const TraceBlocks& blocks) {
  Grid grid = make_grid(seen);
  if (grid.constant()) {  // what else the seeds may draw, such as failures: each as if it changed the metrics
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i].value = static_cast<double>(i);
    grid = make_grid(seen);
  }
  const NoInterval why = no_interval(grid);
  if (why || blocks.how == Resampling::none) return why;
  return no_resampled_interval(seen, sample_of(blocks));
}

}  // namespace

std::string no_interval_line(const Study& study, Inputs& inputs) {
  const auto points = points_of(study);
  if (points.size() < 2) return "";
  const TraceBlocks blocks = inputs.trace_blocks();
  std::set<NoInterval> reasons;
  for (const auto& runs : points) reasons.insert(why_none(expected(study, runs), blocks));
  reasons.erase(NoInterval());
  if (reasons.empty()) return "";
  return "no interval: " + no_interval_text(*reasons.begin(), blocks);
}

}  // namespace palstudy
