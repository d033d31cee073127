// SPDX-License-Identifier: MIT
#include "event_runs.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "default_params.hpp"

namespace palstudy::replay {
namespace {

Workload read_jobs(const std::filesystem::path& file) {
  const CsvTable table = CsvTable::read(file);
  const std::size_t id = table.column("job_id"), gpus = table.column("num_gpus"), submit = table.column("submit_s"),
                    duration = table.column("duration_s");
  Workload workload;
  workload.classes = {"A"};
  workload.models = {""};
  workload.tenants = {""};
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Job job;
    job.id = table.integer(row, id);
    job.gpus = static_cast<std::uint32_t>(table.integer(row, gpus, 1, most_job_gpus));
    job.submit_s = table.number(row, submit);
    job.iterations = table.number(row, duration);
    job.iteration_s = 1;
    job.cls = ClassId(0);
    workload.jobs.push_back(job);
  }
  std::stable_sort(workload.jobs.begin(), workload.jobs.end(),
                   [](const Job& a, const Job& b) { return a.submit_s < b.submit_s; });
  return workload;
}

/// An order whose observations are watched; of one partition.
class Watched final : public OrderPolicy {
 public:
  Watched(std::unique_ptr<OrderPolicy> order, const Watch& watch) : order_(std::move(order)), watch_(watch) {}
  [[nodiscard]] std::unique_ptr<OrderPolicy> for_partition() const override {
    auto own = order_->for_partition();
    return own ? std::make_unique<Watched>(std::move(own), watch_) : nullptr;
  }
  void observe(const View& view, std::span<const JobId> active) override {
    order_->observe(view, active);
    if (watch_) watch_(view, order_->state());
  }
  void order(const View& view, std::span<JobId> jobs) const override { order_->order(view, jobs); }
  [[nodiscard]] bool preemptive() const override { return order_->preemptive(); }
  void victims(const View& view, JobId job, std::span<const JobId> behind, std::vector<JobId>& out) const override {
    order_->victims(view, job, behind, out);
  }
  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId> ordered) const override {
    return order_->next_change_s(view, ordered);
  }

 private:
  std::unique_ptr<OrderPolicy> order_;
  const Watch& watch_;
};

}  // namespace

EventRun run_by_events(const std::filesystem::path& jobs, std::uint32_t gpus, const std::string& order,
                       const EngineOptions& engine, const std::function<void(ParamValues&)>& set, const Watch& watch) {
  EventRun run{read_jobs(jobs), {}};
  const Topology topology(std::vector<NodeGroup>{{gpus, 1}}, gpus);
  const Slowdowns truth = Slowdowns::flat(run.workload.classes, gpus);
  const Bins bins(truth, {});
  const LocalityPenalty penalty{1, 1, 1};
  ParamValues params = default_params(orders().at(order).params);
  if (set) set(params);
  const Watched order_policy(orders().at(order).make(params), watch);
  const auto placement = placements().at("packed-sticky").make({topology, bins, penalty, 1}, {});
  EngineOptions by_events = engine;
  by_events.start = Start::event;
  by_events.round_s = 1;
  MeasureWindow all;
  all.first = std::numeric_limits<std::int64_t>::min();
  all.last = std::numeric_limits<std::int64_t>::max();
  run.result =
      simulate({topology, truth, bins, run.workload, penalty, penalty, by_events, all, {}}, order_policy, *placement);
  return run;
}

JobId job_of(const EventRun& run, const CsvTable& recorded, std::size_t row) {
  const std::size_t column = recorded.column("job_id");
  const long long id = recorded.integer(row, column);
  for (std::size_t j = 0; j < run.workload.jobs.size(); ++j) {
    if (run.workload.jobs[j].id == id) return JobId(j);
  }
  throw data_error("no such job", recorded.where(row, column));
}

std::string differs(const EventRun& run, const CsvTable& recorded, std::size_t row) {
  const std::size_t job = job_of(run, recorded, row).index();
  const auto& jobs = run.result.jobs;
  return differs("first_start_s", jobs.start_s[job], recorded.number(row, recorded.column("first_start_s"))) +
         differs("end_s", jobs.finish_s[job], recorded.number(row, recorded.column("end_s"))) +
         (recorded.has_column("jct_s") ? differs("jct_s", jobs.finish_s[job] - run.workload.jobs[job].submit_s,
                                                 recorded.number(row, recorded.column("jct_s")))
                                       : "") +
         differs("preemptions", jobs.preemptions[job], recorded.number(row, recorded.column("preemptions")));
}

}  // namespace palstudy::replay
