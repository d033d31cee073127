// SPDX-License-Identifier: MIT
#include "campaign/study_plan.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "analysis/replications.hpp"
#include "campaign/simulated_run.hpp"
#include "core/processor_time.hpp"
#include "inputs/inputs.hpp"
#include "sim/state/checkpoints.hpp"
#include "sim/state/exchange.hpp"
#include "study/seeds.hpp"

namespace palstudy {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Counts what a run does, and ends it at a limit.
class Watch final : public Checkpoints {
 public:
  Watch(double limit_s, std::uint64_t most_boundaries) : limit_s_(limit_s), most_boundaries_(most_boundaries) {}

  void instant(const StepReport& report) override {
    report_ = report;
    ++boundaries_;
  }
  [[nodiscard]] CheckpointRequest request() override {
    if (boundaries_ < most_boundaries_ && seconds_since(begin_) < limit_s_) return CheckpointRequest::none;
    if (!stopped_s_) stopped_s_ = processor_s() - begin_processor_s_;  // what follows is no part of the run
    return CheckpointRequest::stop;
  }
  void save(const RunState&) override {}
  [[nodiscard]] std::optional<std::vector<double>> find() override { return std::nullopt; }
  [[nodiscard]] RunState read(const std::vector<PartitionId>&) override { return {}; }
  void unusable(const std::string&) override {}

  [[nodiscard]] double core_s() const { return stopped_s_.value_or(processor_s() - begin_processor_s_); }
  [[nodiscard]] double boundaries() const { return static_cast<double>(boundaries_); }
  [[nodiscard]] const StepReport& report() const { return report_; }

 private:
  double limit_s_, begin_processor_s_ = processor_s();
  std::uint64_t most_boundaries_, boundaries_ = 0;
  Clock::time_point begin_ = Clock::now();
  std::optional<double> stopped_s_;
  StepReport report_;
};

// The rows that a run has written.
std::map<TableId, double> rows_of(const RunPlan& run, const RunResult& result) {
  std::map<TableId, double> rows;
  const auto count = [&](TableId table, std::size_t size) { rows[table] = static_cast<double>(size); };
  if (run.output.jobs) count(TableId::jobs, result.jobs.size());
  if (run.output.jobs) count(TableId::delays, result.delays.size());
  count(TableId::events, result.events.size());
  count(TableId::event_gpus, result.events.gpus.size());
  count(TableId::rounds, result.rounds.size());
  count(TableId::failures, result.failures.size());
  return rows;
}

// How far a run is: by the jobs that it certainly sees some have come, and of the measured ones some have finished. The
// first share runs ahead where a queue grows and the second lags at the beginning, so it is their geometric mean; but
// no less than the share of the time at which the run gives up.
double share_reached(const RunPlan& run, const CertainJobs& certain, const StepReport& report) {
  const double come = std::min(1.0, static_cast<double>(report.arrived) / certain.jobs);
  const double finished = (certain.measured - static_cast<double>(report.measured_left) + 1) / (certain.measured + 1);
  return std::clamp(std::max(std::sqrt(come * finished), report.time_s / run.measure.end_s), 1e-6, 1.0);
}

// What a run that was cut does at least: jobs as by `formula`, and of all else the share that it had reached.
RunWork carried_on(const RunPlan& run, const CertainJobs& certain, const Watch& watch, const RunWork& formula) {
  const double times = 1 / share_reached(run, certain, watch.report());
  RunWork work = formula;
  work.core_s = times * watch.core_s();
  work.rows[TableId::events] = times * static_cast<double>(watch.report().events);
  work.rows[TableId::event_gpus] = times * static_cast<double>(watch.report().event_gpus);
  work.rows[TableId::failures] = times * static_cast<double>(watch.report().failures);
  if (run.output.rounds) work.rows[TableId::rounds] = times * watch.boundaries();
  return work;
}

// Simulates one seed of a point until the watch ends it, and tells the other seeds by their jobs.
CostFrom simulate_first(const Study& study, Inputs& inputs, const std::vector<std::size_t>& runs, Watch watch,
                        std::vector<RunWork>& work) {
  const RunPlan& run = study.runs[runs.front()];
  LocalExchange alone;
  const SimulatedRun end = simulate_run(study, run, inputs, alone, watch);
  const CertainJobs certain = certain_jobs(run, inputs.load(run));
  const RunWork seen = end.stopped ? carried_on(run, certain, watch, work[runs.front()])
                                   : RunWork{watch.core_s(), rows_of(run, *end.result)};
  for (const std::size_t other : runs) {
    const CertainJobs its = certain_jobs(study.runs[other], inputs.load(study.runs[other]));
    const double times = its.jobs / std::max(1.0, certain.jobs);
    work[other].core_s = times * seen.core_s;
    for (const auto& [table, count] : seen.rows) work[other].rows[table] = times * count;
  }
  return end.stopped ? CostFrom::at_least : CostFrom::ended;
}

void simulate_points(const Study& study, Inputs& inputs, const PlanOptions& options, StudyPlan& plan) {
  std::vector<PlannedPoint*> cheap_first;
  for (PlannedPoint& point : plan.points) cheap_first.push_back(&point);
  std::stable_sort(cheap_first.begin(), cheap_first.end(), [&](const PlannedPoint* a, const PlannedPoint* b) {
    return plan.work[a->runs.front()].core_s < plan.work[b->runs.front()].core_s;
  });
  const Clock::time_point begin = Clock::now();
  for (std::size_t done = 0; done < cheap_first.size() && plan.seconds < options.budget_s; ++done) {
    if (options.told) options.told(done, cheap_first.size());
    const double share_s = (options.budget_s - plan.seconds) / static_cast<double>(cheap_first.size() - done);
    PlannedPoint& point = *cheap_first[done];
    point.from = simulate_first(study, inputs, point.runs, {share_s, options.most_boundaries}, plan.work);
    plan.seconds = seconds_since(begin);
  }
}

}  // namespace

std::size_t StudyPlan::points_from(CostFrom from) const {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [&](const PlannedPoint& point) { return point.from == from; }));
}

StudyPlan plan_study(const Study& study, Inputs& inputs, const PlanOptions& options) {
  StudyPlan plan;
  for (const auto& runs : points_of(study)) plan.points.push_back({runs, CostFrom::formula});
  for (const RunPlan& run : study.runs) plan.work.push_back(work_by_formula(run, inputs.load(run)));
  simulate_points(study, inputs, options, plan);
  plan.cost = cost_of(study, inputs, plan.work);
  return plan;
}

}  // namespace palstudy
