// SPDX-License-Identifier: MIT
#include "campaign/cost.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <compare>
#include <optional>
#include <set>
#include <string>

#include "campaign/execute.hpp"
#include "core/error.hpp"
#include "core/host.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "inputs/cluster_inputs.hpp"
#include "sim/state/checkpoints.hpp"
#include "sim/state/exchange.hpp"
#include "sim/state/stands_still.hpp"
#include "study/study.hpp"

namespace palstudy {

namespace {

// Seconds of one core of a 2 GHz server: of each GPU before the run begins; of each job; and, where policies repack all
// running jobs, of each running job in each round.
constexpr double gpu_s = 0.25e-6, job_s = 2e-6, placed_s = 0.3e-6;

// Memory of a process that has read its libraries and data; of each job, of each GPU there for each class, and of both
// while a run goes on.
constexpr double base_mib = 21, job_input_bytes = sizeof(Job) + 8, slowdown_memory_bytes = 18;
constexpr double job_run_bytes = 220, gpu_run_bytes = 84;
// Rows while a run goes on, in arrays that have room to grow; once it has ended they lie in its result, its record and
// its frame. And what the study itself takes of each run.
constexpr double growing_rows = 1.5, ended_rows = 3, plan_mib = 2000 / mib;

// Bytes of an empty archive, of one measured time of its profile, of one cluster, and of one slowdown.
constexpr double archive_bytes = 60e3, measured_time_bytes = 12, cluster_bytes = 3e3, slowdown_bytes = 8.5;

double mib_of(const std::map<TableId, double>& rows, double Table::*row_bytes) {
  double bytes = 0;
  for (const auto& [table, count] : rows) bytes += count * table_of(table).*row_bytes;
  return bytes / mib;
}

bool repacks_all(const RunPlan& run, const Inputs::Loaded& inputs) {
  const PlacementContext context{inputs.topology, inputs.believed, inputs.believed_penalty, run.policy.seed};
  return !placements().at(run.policy.placement).make(context, run.policy.placement_params)->sticky();
}

// The jobs that a run certainly sees: those that arrive until the last measured one has.
struct CertainJobs {
  double jobs = 0, measured = 0, gpus = 0;  // gpus: the sum of their widths
  double held_s = 0;                        // how long they run on median GPUs, summed
};

CertainJobs certain_jobs(const RunPlan& run, const Inputs::Loaded& inputs) {
  CertainJobs all;
  double last_arrival_s = 0;
  for (const Job& job : inputs.workload.jobs) {
    if (!run.measure.takes(job)) continue;
    all.measured += 1;
    last_arrival_s = std::max(last_arrival_s, job.submit_s);
  }
  for (const Job& job : inputs.workload.jobs) {
    if (job.submit_s > std::min(last_arrival_s, run.measure.end_s)) break;
    all.jobs += 1;
    all.gpus += job.gpus;
    all.held_s += job.ideal_s();
  }
  return all;
}

// Every job is launched once and ends once.
RunWork work_by_formula(const RunPlan& run, const Inputs::Loaded& inputs) {
  const CertainJobs certain = certain_jobs(run, inputs);
  RunWork work;
  work.core_s = gpu_s * inputs.topology.gpus() + job_s * certain.jobs;
  if (repacks_all(run, inputs)) work.core_s += placed_s * certain.held_s / run.engine.round_s;
  if (run.output.jobs) work.rows[TableId::jobs] = certain.jobs;
  if (run.output.jobs && inputs.tenants) work.rows[TableId::delays] = certain.jobs;
  if (inputs.energy != nullptr) {
    work.rows[TableId::power] = static_cast<double>(inputs.truth.classes() + power_states);
  }
  if (run.output.events) work.rows.insert({{TableId::events, 2 * certain.jobs}, {TableId::event_gpus, certain.gpus}});
  return work;
}

std::vector<RunWork> work_by_formula(const Study& study, Inputs& inputs) {
  std::vector<RunWork> work;
  for (const RunPlan& run : study.runs) work.push_back(work_by_formula(run, inputs.load(run)));
  return work;
}

// The cost of all runs; inputs that several runs share count once.
StudyCost cost_of(const Study& study, Inputs& inputs, const std::vector<RunWork>& work) {
  StudyCost all;
  std::set<const void*> seen;
  const auto is_new = [&](const auto& input) { return seen.insert(&input).second; };
  double common_bytes = archive_bytes, inputs_mib = 0, largest_run_mib = 0;
  for (std::size_t i = 0; i < work.size(); ++i) {
    const Inputs::Loaded loaded = inputs.load(study.runs[i]);
    const auto jobs = static_cast<double>(loaded.workload.jobs.size());
    const double gpus = loaded.topology.gpus(), slowdowns = gpus * static_cast<double>(loaded.truth.classes());
    std::map<TableId, double> rows = work[i].rows;
    rows[TableId::runs] = 1;
    if (loaded.topology.nodes() <= nodes_table_limit) rows[TableId::nodes] = loaded.topology.nodes();
    const double rows_mib = mib_of(rows, &Table::shard_bytes);
    const double run_mib = (job_run_bytes * jobs + gpu_run_bytes * gpus) / mib + growing_rows * rows_mib;
    const double jobs_mib = job_input_bytes * jobs / mib, cluster_mib = slowdown_memory_bytes * slowdowns / mib;
    const bool whole = archived_whole(study.runs[i]);
    if (is_new(loaded.workload)) inputs_mib += jobs_mib;
    if (is_new(loaded.believed)) inputs_mib += cluster_mib;
    if (is_new(loaded.truth)) common_bytes += cluster_bytes + (whole ? slowdown_bytes * slowdowns : 0);
    all.runs.push_back(
        {work[i].core_s, base_mib + jobs_mib + cluster_mib + run_mib, mib_of(rows, &Table::archive_bytes)});
    all.core_s += work[i].core_s;
    all.shards_mib += rows_mib;
    inputs_mib += plan_mib;
    largest_run_mib = std::max({largest_run_mib, run_mib, ended_rows * rows_mib});
  }
  for (const Measurements* profile : inputs.measurements()) {
    common_bytes += measured_time_bytes * static_cast<double>(profile->runs());
  }
  for (RunCost& run : all.runs) {
    run.disk_mib += common_bytes / static_cast<double>(all.runs.size()) / mib;
    all.disk_mib += run.disk_mib;
  }
  all.memory_mib = base_mib + inputs_mib + largest_run_mib;
  constexpr double most_chunks_mib = 100;  // the merge holds one run, and a chunk of each column
  all.merge_mib = all.memory_mib + std::min(all.shards_mib, most_chunks_mib);
  return all;
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Counts what a run does, and ends it at a limit.
class RunLimit final : public Checkpoints {
 public:
  RunLimit(double limit_s, std::uint64_t most_boundaries) : limit_s_(limit_s), most_boundaries_(most_boundaries) {}
  void instant_ended(const StepReport& next) override {
    report = next;
    ++boundaries;
  }
  [[nodiscard]] CheckpointRequest request() override {
    if (boundaries < most_boundaries_ && seconds_since(begin_) < limit_s_) return CheckpointRequest::none;
    if (!stopped_s_) stopped_s_ = processor_s() - begin_processor_s_;  // what follows is no part of the run
    return CheckpointRequest::stop;
  }
  void save(const RunState&) override {}
  [[nodiscard]] std::optional<std::vector<double>> saved_costs() override { return std::nullopt; }
  [[nodiscard]] RunState read(const std::vector<PartitionId>&) override { return {}; }
  void unusable(const std::string&) override {}

  [[nodiscard]] double core_s() const { return stopped_s_.value_or(processor_s() - begin_processor_s_); }

  std::uint64_t boundaries = 0;  // so far
  StepReport report;             // at the last of them

 private:
  double limit_s_, begin_processor_s_ = processor_s();
  std::uint64_t most_boundaries_;
  Clock::time_point begin_ = Clock::now();
  std::optional<double> stopped_s_;
};

// The rows that a run has written.
std::map<TableId, double> rows_of(const RunRecord& record) {
  std::map<TableId, double> rows;
  for (const Table& table : all_tables()) rows[table.id] = static_cast<double>((record.*table.data).rows());
  return rows;
}

// The share of a run that is done: the geometric mean of the share of jobs that have arrived, which runs ahead where a
// queue grows, and of measured jobs that have finished, which lags; at least the share of the run's longest time.
double share_reached(const RunPlan& run, const CertainJobs& certain, const StepReport& report) {
  const double come = std::min(1.0, static_cast<double>(report.arrived) / certain.jobs);
  const double finished = (certain.measured - static_cast<double>(report.measured_left) + 1) / (certain.measured + 1);
  return std::clamp(std::max(std::sqrt(come * finished), report.time_s / run.measure.end_s), 1e-6, 1.0);
}

// The least work of a run that was cut: rows of jobs by formula, the rest divided by the share reached.
RunWork extrapolated(const RunPlan& run, const CertainJobs& certain, const RunLimit& limit, const RunWork& formula) {
  const double share = share_reached(run, certain, limit.report);
  const auto whole = [&](std::uint64_t so_far) { return static_cast<double>(so_far) / share; };
  RunWork work{limit.core_s() / share, formula.rows};
  work.rows[TableId::events] = whole(limit.report.events);
  work.rows[TableId::event_gpus] = whole(limit.report.event_gpus);
  work.rows[TableId::failures] = whole(limit.report.failures);
  if (run.output.rounds) work.rows[TableId::rounds] = whole(limit.boundaries);
  return work;
}

// Simulates one seed of a point up to the limit, and scales its cost to the other seeds by their jobs.
CostFrom simulate_one_seed(const Study& study, Inputs& inputs, const std::vector<std::size_t>& runs, RunLimit limit,
                           StudyPlan& plan) {
  std::vector<RunWork>& work = plan.work;
  const RunPlan& run = study.runs[runs.front()];
  LocalExchange alone;
  const SimulatedRun end = simulate_run(study, run, inputs, alone, limit);
  const CertainJobs certain = certain_jobs(run, inputs.load(run));
  const RunWork seen = end.stopped ? extrapolated(run, certain, limit, work[runs.front()])
                                   : RunWork{limit.core_s(), rows_of(end.record())};
  if (!end.stopped) plan.outcomes.add(study, run, inputs.load(run), *end.result);
  for (const std::size_t other : runs) {
    const CertainJobs its = certain_jobs(study.runs[other], inputs.load(study.runs[other]));
    const double times = its.jobs / std::max(1.0, certain.jobs);
    work[other].core_s = times * seen.core_s;
    for (const auto& [table, count] : seen.rows) work[other].rows[table] = times * count;
  }
  return end.stopped ? CostFrom::at_least : CostFrom::ended;
}

}  // namespace

StudyCost cost_by_formula(const Study& study, Inputs& inputs) {
  return cost_of(study, inputs, work_by_formula(study, inputs));
}

std::vector<std::size_t> most_expensive_first(const StudyCost& known, std::vector<std::size_t> runs) {
  std::ranges::stable_sort(runs, [&](std::size_t left, std::size_t right) {
    return std::is_gt(std::weak_order(known.runs[left].core_s, known.runs[right].core_s));
  });
  return runs;
}

std::size_t StudyPlan::points_from(CostFrom from) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(points, [&](const PlannedPoint& point) { return point.from == from; }));
}

StudyPlan plan_study(const Study& study, Inputs& inputs, const PlanOptions& options) {
  StudyPlan plan;
  for (const auto& runs : points_of(study)) plan.points.push_back({runs, CostFrom::formula});
  plan.work = work_by_formula(study, inputs);
  std::vector<PlannedPoint*> cheap_first;
  for (PlannedPoint& point : plan.points) cheap_first.push_back(&point);
  std::ranges::stable_sort(cheap_first, [&](const PlannedPoint* a, const PlannedPoint* b) {
    return plan.work[a->runs.front()].core_s < plan.work[b->runs.front()].core_s;
  });
  const Clock::time_point begin = Clock::now();
  for (std::size_t done = 0; done < cheap_first.size() && plan.seconds < options.budget_s; ++done) {
    if (options.on_progress) options.on_progress(done, cheap_first.size());
    const double share_s = (options.budget_s - plan.seconds) / static_cast<double>(cheap_first.size() - done);
    PlannedPoint& point = *cheap_first[done];
    try {
      point.from = simulate_one_seed(study, inputs, point.runs, {share_s, options.most_boundaries}, plan);
    } catch (const StandsStill& still) {  // as the run itself will: the others go on
      plan.outcomes.add(study, study.runs[point.runs.front()], still);
    }
    plan.seconds = seconds_since(begin);
  }
  plan.cost = cost_of(study, inputs, plan.work);
  return plan;
}

namespace {

std::filesystem::path nearest_folder(const std::filesystem::path& output) {
  auto folder = std::filesystem::absolute(output).parent_path();
  while (!std::filesystem::exists(folder) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

}  // namespace

void check_memory(const std::string& study, const StudyCost& needed, int simulating,
                  std::optional<double> available_mib) {
  if (!available_mib) return;
  const double together = needed.memory_mib * simulating;
  if (std::max(together, needed.merge_mib) <= *available_mib) return;
  throw data_error(
      fmt::format(
          "memory does not suffice: {} are available, {} are needed to simulate ({} of about {}) and {} to write the "
          "archive",
          mib_text(*available_mib), mib_text(together), counted(static_cast<std::size_t>(simulating), "rank"),
          mib_text(needed.memory_mib), mib_text(needed.merge_mib)),
      study,
      together > *available_mib ? "take fewer ranks a host, a smaller cluster or a shorter [measure]"
                                : "split the study, or leave tables out of [output]");
}

void check_disk_space(const std::filesystem::path& output, double disk_mib) {
  const auto folder = nearest_folder(output);
  struct statvfs space = {};
  if (statvfs(folder.c_str(), &space) == 0 && space.f_blocks > 0) {
    const double free_mib = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize) / mib;
    if (free_mib < disk_mib) {
      throw data_error(
          fmt::format("the disk is too full: {} are free, about {} are needed", mib_text(free_mib), mib_text(disk_mib)),
          output.string(), "make room, or write elsewhere with -o");
    }
  }
  struct rlimit limit = {};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      static_cast<double>(limit.rlim_cur) / mib < disk_mib) {
    throw data_error(
        fmt::format("files may not grow beyond {} bytes here, about {} are needed", limit.rlim_cur, mib_text(disk_mib)),
        output.string(), "raise the limit with ulimit -f");
  }
}

}  // namespace palstudy
