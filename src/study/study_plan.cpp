// SPDX-License-Identifier: MIT
#include "study/study_plan.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include "core/processor_time.hpp"
#include "sim/checkpoints.hpp"
#include "sim/exchange.hpp"
#include "study/replications.hpp"
#include "study/simulated_run.hpp"

namespace palstudy {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Counts what a run does, and ends it at a limit.
class Watch final : public Checkpoints {
 public:
  Watch(double limit_s, std::uint64_t most_boundaries) : limit_s_(limit_s), most_boundaries_(most_boundaries) {}

  void of(const World&) override {
    begin_ = Clock::now();
    begin_processor_s_ = processor_s();
  }
  void instant(const Pulse& pulse) override {
    pulse_ = pulse;
    if (!std::has_single_bit(++boundaries_)) return;
    before_ = last_;
    last_ = pulse;
  }
  [[nodiscard]] Wish wish() override {
    if (boundaries_ < most_boundaries_ && seconds_since(begin_) < limit_s_) return Wish::none;
    if (!stopped_s_) stopped_s_ = processor_s() - begin_processor_s_;  // what follows is no part of the run
    return Wish::stop;
  }
  void save(const RunState&) override {}
  [[nodiscard]] std::optional<std::vector<double>> find() override { return std::nullopt; }
  [[nodiscard]] RunState read(const std::vector<PartitionId>&) override { return {}; }
  void unusable(const std::string&) override {}

  [[nodiscard]] double core_s() const { return stopped_s_.value_or(processor_s() - begin_processor_s_); }
  [[nodiscard]] double boundaries() const { return static_cast<double>(boundaries_); }
  [[nodiscard]] const Pulse& pulse() const { return pulse_; }
  /// A pulse from between a fourth and a half of the boundaries so far.
  [[nodiscard]] const Pulse& earlier() const { return before_; }

 private:
  double limit_s_, begin_processor_s_ = 0;
  std::uint64_t most_boundaries_, boundaries_ = 0;
  Clock::time_point begin_ = Clock::now();
  std::optional<double> stopped_s_;
  Pulse pulse_, last_, before_;
};

// The rows that a run has written where it was cut.
RunWork work_so_far(const RunPlan& run, const Inputs::Loaded& inputs, const Pulse& pulse, double boundaries) {
  RunWork work;
  work.jobs = static_cast<double>(pulse.arrived);
  RowCounts& rows = work.rows;
  rows.failures = static_cast<double>(pulse.failures);
  if (run.output.jobs) rows.jobs = work.jobs;
  if (run.output.jobs && inputs.tenants) rows.delays = work.jobs;
  if (run.output.rounds) rows.rounds = boundaries;
  const auto events = static_cast<double>(pulse.events);
  rows.events = std::min(events, 2 * (work.jobs + rows.failures));
  rows.moves = events - rows.events;
  rows.event_gpus = static_cast<double>(pulse.event_gpus);
  return work;
}

// How far a run is: the share of the jobs that certainly arrive, times the root of the share of the measured ones among
// them that have finished (that share alone would be right where all jobs have come, and far too little at the
// beginning); but no farther than it is in time, were there no queue. Once all have come, the end lies between that of
// a run without a queue and the one at the pace at which jobs have finished of late: their geometric mean.
double share_reached(const RunPlan& run, const Inputs::Loaded& inputs, const Pulse& pulse, const Pulse& earlier) {
  const CertainJobs certain = certain_jobs(run, inputs);
  const std::vector<Job>& jobs = inputs.workload.jobs;
  const auto arrived = std::min(static_cast<std::ptrdiff_t>(pulse.arrived), std::ssize(jobs));
  const auto measured = static_cast<double>(
      std::count_if(jobs.begin(), jobs.begin() + arrived, [&](const Job& job) { return run.measure.takes(job); }));
  const double finished = certain.measured - static_cast<double>(pulse.measured_left);
  const double by_jobs =
      static_cast<double>(arrived) / std::max(1.0, certain.jobs) * std::sqrt((finished + 1) / (measured + 1));
  double end_s = std::max(certain.end_s, 1.0);
  if (static_cast<double>(pulse.arrived) >= certain.jobs) {
    const auto of_late = static_cast<double>(std::max<std::int64_t>(earlier.measured_left - pulse.measured_left, 1));
    const double each_s = (pulse.time_s - earlier.time_s) / of_late;
    const double at_that_pace_s = pulse.time_s + each_s * static_cast<double>(pulse.measured_left);
    end_s = std::max(end_s, std::sqrt(end_s * at_that_pace_s));
  }
  const double by_time = pulse.time_s / end_s;
  return std::clamp(std::max(std::min(by_jobs, by_time), pulse.time_s / run.measure.end_s), 1e-6, 1.0);
}

class Planner {
 public:
  Planner(const Study& study, Inputs& inputs, const PlanOptions& options)
      : study_(study), inputs_(inputs), options_(options) {}

  StudyPlan make() {
    for (const auto& runs : points_of(study_)) plan_.points.push_back({runs, CostFrom::formula});
    for (const RunPlan& run : study_.runs) plan_.work.push_back(work_by_formula(run, inputs_.load(run)));
    const Clock::time_point begin = Clock::now();
    if (!options_.quick) simulate_points();
    plan_.seconds = seconds_since(begin);
    plan_.cost = cost_of(study_, inputs_, plan_.work);
    return std::move(plan_);
  }

 private:
  void simulate_points() {
    std::vector<std::size_t> order(plan_.points.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto formula_s = [&](std::size_t point) { return plan_.work[plan_.points[point].runs.front()].core_s; };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return formula_s(a) < formula_s(b); });
    double left_s = options_.budget_s;
    for (std::size_t i = 0; i < order.size() && left_s > 0; ++i) {
      if (options_.told) options_.told(i, order.size());
      left_s -= simulate_first(plan_.points[order[i]], left_s / static_cast<double>(order.size() - i));
    }
  }

  // Seconds that it took.
  double simulate_first(PlannedPoint& point, double limit_s) {
    const RunPlan& run = study_.runs[point.runs.front()];
    const Inputs::Loaded inputs = inputs_.load(run);
    const auto begin = Clock::now();
    Watch watch(limit_s, options_.most_boundaries);
    LocalExchange alone;
    const SimulatedRun end = simulate_run(study_, run, inputs_, alone, watch);
    const CertainJobs certain = certain_jobs(run, inputs);
    point.from = end.stopped ? CostFrom::at_least : CostFrom::ended;
    RunWork seen =
        end.stopped ? work_so_far(run, inputs, watch.pulse(), watch.boundaries()) : work_of(run, *end.result);
    seen.core_s = watch.core_s();
    seen.boundaries = watch.boundaries();
    if (end.stopped) seen = seen * (1 / share_reached(run, inputs, watch.pulse(), watch.earlier()));
    for (const std::size_t other : point.runs) {
      const Inputs::Loaded loaded = inputs_.load(study_.runs[other]);
      const CertainJobs its = certain_jobs(study_.runs[other], loaded);
      RunWork& work = plan_.work[other] = seen * (its.jobs / std::max(1.0, certain.jobs));
      for (double* jobs : {&work.jobs, &work.rows.jobs, &work.rows.delays}) {
        *jobs = std::min(*jobs, static_cast<double>(loaded.workload.jobs.size()));
      }
    }
    return seconds_since(begin);
  }

  const Study& study_;
  Inputs& inputs_;
  const PlanOptions& options_;
  StudyPlan plan_;
};

}  // namespace

std::string_view name_of(CostFrom from) {
  if (from == CostFrom::ended) return "ended";
  return from == CostFrom::at_least ? "at least" : "formula";
}

std::size_t StudyPlan::points_from(CostFrom from) const {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [&](const PlannedPoint& point) { return point.from == from; }));
}

StudyPlan plan_study(const Study& study, Inputs& inputs, const PlanOptions& options) {
  return Planner(study, inputs, options).make();
}

}  // namespace palstudy
