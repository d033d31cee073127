// SPDX-License-Identifier: MIT
#include "sim/engine/wide_jobs.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <span>

#include "policy/tensor_groups.hpp"
#include "sim/scheduler/list/tenant_order.hpp"

namespace palstudy {

std::vector<std::pair<PartitionId, std::uint32_t>> allot(std::uint32_t gpus, std::vector<std::uint32_t>& free) {
  if (std::accumulate(free.begin(), free.end(), std::uint64_t{0}) < gpus) return {};
  std::vector<std::uint32_t> by_free(free.size());
  std::iota(by_free.begin(), by_free.end(), 0U);
  std::stable_sort(by_free.begin(), by_free.end(), [&](auto a, auto b) { return free[a] > free[b]; });
  std::vector<std::pair<PartitionId, std::uint32_t>> parts;
  for (const std::uint32_t p : by_free) {
    const std::uint32_t taken = std::min(gpus, free[p]);
    if (taken == 0) break;
    parts.emplace_back(PartitionId(p), taken);
    free[p] -= taken;
    gpus -= taken;
  }
  std::sort(parts.begin(), parts.end());
  return parts;
}

WideJobs::WideJobs(const World& world, const OrderPolicy& order, JobStates& states, RunRows& rows)
    : world_(world),
      order_(order),
      table_(OwnJobs::on_several_partitions(states.table)),
      expected_slowdown_(world.believed),
      recorder_(world, rows, world.topology, GpuId(0)),
      progress_(world.engine.completion, world.engine.round_s),
      held_(world.partitioning.partitions(), 0),
      reserved_(world.partitioning.partitions(), 0) {
  if (world.failures != nullptr) failures_.emplace(world, states.attempts, rows);
  if (world.tenants == nullptr) return;
  causes_.emplace();
  node_s_.resize(world.workload.jobs.size(), 0.0);
}

void WideJobs::admit(JobId job, double now_s) {
  if (!failures_ || failures_->admits(job, now_s)) {
    table_.change(job, JobChange::arrived);
    return begin_waiting(job, now_s);
  }
  recorder_.end_waiting(now_s, job);
  table_.change(job, JobChange::turned_away);
  turned_away_ = true;
}

void WideJobs::begin_waiting(JobId job, double now_s) {
  table_.course(job).waiting_since_s = now_s;
  waiting_.insert(std::lower_bound(waiting_.begin(), waiting_.end(), job), job);
  queued_gpus_ += world_.workload.jobs[job.index()].gpus;
  if (causes_) causes_->enqueue(job, now_s);
}

std::vector<std::uint32_t> wide_group_sizes(const World& world) {
  std::set<std::uint32_t> sizes;
  for (const Job& job : world.workload.jobs) {
    if (job.gpus <= world.partitioning.widest() || world.job_models.empty()) continue;
    if (const std::uint32_t tensor = world.job_models[job.model].tensor; tensor > 1) sizes.insert(tensor);
  }
  return {sizes.begin(), sizes.end()};
}

namespace {

/// The GPUs of each partition that are free while wide jobs are placed, also in whole tensor groups.
class FreeParts {
 public:
  explicit FreeParts(const Summaries& summaries) : sizes_(summaries.group_sizes()), in_groups_(sizes_.size()) {
    for (std::uint32_t p = 0; p < summaries.partitions(); ++p) {
      gpus.push_back(static_cast<std::uint32_t>(summaries.at(PartitionId(p), Summaries::free_gpus)));
      for (std::size_t i = 0; i < sizes_.size(); ++i) {
        in_groups_[i].push_back(static_cast<std::uint32_t>(summaries.free_in_groups(PartitionId(p), i)));
      }
    }
  }

  std::vector<std::uint32_t> gpus;

  /// Which groups are left where another job has taken GPUs at this boundary is not known: none, for a job with groups.
  [[nodiscard]] std::vector<std::pair<PartitionId, std::uint32_t>> take(std::uint32_t wanted, std::uint32_t tensor) {
    const auto size = std::find(sizes_.begin(), sizes_.end(), tensor);
    std::vector<std::uint32_t> whole;
    if (size != sizes_.end()) {
      whole = in_groups_[static_cast<std::size_t>(size - sizes_.begin())];
      for (std::size_t p = 0; p < whole.size(); ++p) whole[p] = std::min(whole[p], gpus[p] / tensor * tensor);
    }
    const auto parts = allot(wanted, size == sizes_.end() ? gpus : whole);
    for (const auto& [p, taken] : parts) {
      if (size != sizes_.end()) gpus[p.index()] -= taken;
      for (auto& column : in_groups_) column[p.index()] = 0;
    }
    return parts;
  }

 private:
  std::span<const std::uint32_t> sizes_;
  std::vector<std::vector<std::uint32_t>> in_groups_;  // by size, by partition
};

std::uint32_t tensor_of(const World& world, JobId job) {
  const JobModel* model = uncommon_model(world, job);
  return model == nullptr ? 1 : model->tensor;
}

}  // namespace

std::vector<WideAllocation> WideJobs::plan(double now_s, const Summaries& summaries) {
  std::fill(reserved_.begin(), reserved_.end(), std::uint8_t{0});
  std::vector<WideAllocation> allocations;
  if (waiting_.empty()) return allocations;
  const View view{now_s,  world_.engine.round_s,   world_.topology.gpus(), world_.workload.jobs,
                  table_, world_.believed_penalty, expected_slowdown_};
  std::vector<JobId> ordered = waiting_;
  order_.order(view, ordered);
  FreeParts free(summaries);
  bool blocked = false;
  const auto place = [&](JobId job, bool may_reserve) {
    auto parts = free.take(view.job(job).gpus, tensor_of(world_, job));
    if (!parts.empty()) {
      allocations.push_back({job, std::move(parts)});
      return true;
    }
    const double waited_rounds_s = world_.routing.drain_rounds * world_.engine.round_s;
    const bool reserves = may_reserve && !blocked;
    if (reserves && now_s - table_.course(job).waiting_since_s >= waited_rounds_s) reserve(job, free.gpus);
    blocked = true;
    return false;
  };
  if (world_.tenants != nullptr) {
    serve_tenants(view, ordered, summaries, place);
    return allocations;
  }
  for (const JobId job : ordered) {
    if (!place(job, true) && world_.engine.backfill == Backfill::none) break;
  }
  return allocations;
}

std::vector<std::uint64_t> WideJobs::tenant_use(const Summaries& summaries) const {
  std::vector<std::uint64_t> used(world_.tenants->quota.size(), 0);
  for (std::uint32_t p = 0; p < summaries.partitions(); ++p) {
    const auto here = summaries.tenant_use(PartitionId(p));
    for (std::size_t tenant = 0; tenant < used.size(); ++tenant)
      used[tenant] += static_cast<std::uint64_t>(here[tenant]);
  }
  for (const Running& run : running_) {
    const Job& job = world_.workload.jobs[run.job.index()];
    used[job.tenant] += job.gpus;
  }
  return used;
}

/// Jobs of partitions come before those that borrow, so none borrows while any of them waits.
void WideJobs::serve_tenants(const View& view, const std::vector<JobId>& ordered, const Summaries& summaries,
                             const std::function<bool(JobId, bool)>& place) {
  TenantOrder tenants(*world_.tenants);
  tenants.begin(tenant_use(summaries));
  for (const JobId job : ordered) tenants.add(view.job(job).tenant, job);
  const auto wants = [&](JobId job) { return view.job(job).gpus; };
  const auto serve = [&](bool borrowing) {
    tenants.serve(borrowing, wants, [&](JobId job, std::uint32_t gpus) {
      if (place(job, !borrowing)) return tenants.use(view.job(job).tenant, gpus);
      causes_->set(job, borrowing ? DelayCause::fair_share : DelayCause::fragmentation, view.now_s);
    });
  };
  for (const JobId job : ordered) causes_->set(job, DelayCause::fair_share, view.now_s);  // of those that are not tried
  serve(false);
  std::int64_t queued = 0;
  for (std::uint32_t p = 0; p < summaries.partitions(); ++p) {
    queued += summaries.at(PartitionId(p), Summaries::queued_jobs);
  }
  if (queued == 0) serve(true);
}

/// Lowest id first, until those reserved could hold the job once they have drained. What other wide jobs hold, or have
/// just been allotted, does not drain; if that leaves too few, nothing is reserved yet. `free` of reserved partitions
/// is left to no job behind.
void WideJobs::reserve(JobId job, std::vector<std::uint32_t>& free) {
  const std::uint32_t gpus = world_.workload.jobs[job.index()].gpus, tensor = tensor_of(world_, job);
  std::uint64_t could = 0;
  std::size_t needed = 0;
  while (needed < held_.size() && could < gpus) {
    const PartitionId p(needed);
    const std::uint64_t room =
        gpus_in_groups(tensor, world_.topology, world_.partitioning.first_node(p), world_.partitioning.nodes(p));
    could += room - std::min<std::uint64_t>(room, held_[needed]);
    ++needed;
  }
  if (could < gpus) return;
  for (std::size_t p = 0; p < needed; ++p) {
    reserved_[p] = 1;
    free[p] = 0;
  }
}

void WideJobs::launch(double now_s, WideAllocation allocation, const RatePart& gpus) {
  const JobId id = allocation.job;
  const Job& job = world_.workload.jobs[id.index()];
  waiting_.erase(std::lower_bound(waiting_.begin(), waiting_.end(), id));
  queued_gpus_ -= job.gpus;
  for (const auto& [p, taken] : allocation.parts) held_[p.index()] += taken;
  const double from_s = work_begins_s(world_.engine, recorder_.rows().ever_launched(id), now_s);
  recorder_.started(now_s, id, false);
  if (failures_) failures_->start(id, gpus.gpus);
  if (causes_) causes_->set(id, DelayCause::none, now_s);
  table_.change(id, JobChange::started);
  JobCourse& course = table_.course(id);
  course.held_since_s = now_s;
  const SlowdownAndPenalty factors = merged_factors(world_, id, gpus);
  const Rate rate{factors.slowdown, factors.penalty, job.iteration_s};
  const Segment segment{from_s, course.work_done, rate.seconds_per_iteration()};
  double finish_s = progress_.finish_s(segment, work_limit(id));
  if (failures_) {
    finish_s = failures_->end_s(id, now_s, finish_s);
    failures_->began(id, now_s, segment);
  }
  running_.push_back(
      {id, now_s, finish_s, rate.slowdown, rate.penalty, gpus.nodes, segment, std::move(allocation.parts)});
}

/// Iterations after which a job is over.
double WideJobs::work_limit(JobId job) const {
  return failures_ ? failures_->work_limit(job) : world_.workload.jobs[job.index()].iterations;
}

double WideJobs::end_interval(double end_s, const Running& run, EndReason reason) {
  const Job& job = world_.workload.jobs[run.job.index()];
  const double work = end_s >= run.finish_s ? work_limit(run.job) : progress_.work_at(run.segment, end_s);
  EndedInterval interval{RunningSet::no_slot, run.job, reason, run.launched_s, end_s, run.segment.work, work, end_s};
  if (failures_) failures_->ends(interval, run.segment);
  interval.split([&](double from_s, double to_s, double kept) {
    recorder_.interval({run.job, from_s, to_s, run.slowdown, run.penalty, kept * job.iteration_s, job.gpus,
                        recorder_.rows().measured(run.job)});
  });
  if (causes_) node_s_[run.job.index()] += run.nodes * (end_s - run.launched_s);
  if (failures_) failures_->ended(interval, recorder_.rows().records[run.job.index()].sums.exec_s);
  return interval.work;
}

/// A job is due, and has its GPUs no longer.
void WideJobs::leave(double now_s, const Running& run, EndReason reason) {
  const double work = end_interval(run.finish_s, run, reason);
  for (const auto& [p, gpus] : run.parts) held_[p.index()] -= gpus;
  if (reason == EndReason::failed_again) {
    JobCourse& course = table_.course(run.job);
    course.work_done = work;
    course.attained_before_s += run.finish_s - course.held_since_s;
    recorder_.event(run.finish_s, EventKind::stop, run.job, {});
    failures_->waits_again(run.job, now_s);
    table_.change(run.job, JobChange::failed);
    return begin_waiting(run.job, now_s);
  }
  if (failures_) failures_->job_ended(run.job, run.finish_s, reason);
  table_.change(run.job, JobChange::ended);
  recorder_.finish(run.finish_s, run.job);
}

std::vector<std::pair<JobId, double>> WideJobs::complete(double now_s) {
  std::sort(running_.begin(), running_.end(), [](const Running& a, const Running& b) {
    return std::pair(a.finish_s, a.job) < std::pair(b.finish_s, b.job);
  });
  std::vector<std::pair<JobId, double>> ended;
  std::size_t count = 0;
  for (; count < running_.size() && running_[count].finish_s <= now_s; ++count) {
    const Running& run = running_[count];
    leave(now_s, run, failures_ ? failures_->end_reason(run.job) : EndReason::finished);
    ended.emplace_back(run.job, run.finish_s - run.launched_s);
  }
  running_.erase(running_.begin(), running_.begin() + static_cast<std::ptrdiff_t>(count));
  return ended;
}

PartitionRecord WideJobs::close(double end_s, double horizon_s, std::vector<std::pair<JobId, double>>& open) {
  for (const Running& run : running_) {
    (void)end_interval(end_s, run, EndReason::closed);
    open.emplace_back(run.job, end_s - run.launched_s);
  }
  PartitionRecord record = recorder_.take(end_s, horizon_s);
  if (failures_) record.failures = std::move(failures_->rows());
  if (causes_) {
    record.delays = causes_->close(end_s);
    node_s_.resize(record.delays.size());
    record.delays.shared_s.assign(record.delays.size(), 0.0);  // no neighbour slows them
    record.delays.node_s = std::move(node_s_);
  }
  return record;
}

/// The GPUs that wide jobs hold are counted by the partitions whose they are; here only those that are waited for.
void WideJobs::state(double now_s) {
  recorder_.state(now_s, static_cast<std::uint32_t>(waiting_.size()), static_cast<std::uint32_t>(running_.size()), 0,
                  queued_gpus_);
}

double WideJobs::next_finish_s() const {
  double next = std::numeric_limits<double>::infinity();
  for (const Running& run : running_) next = std::min(next, run.finish_s);
  return next;
}

void WideJobs::check(double now_s) const {
  if (!failures_) return;
  for (const JobId job : waiting_) failures_->check(now_s, job, table_.course(job).work_done, false);
  for (const Running& run : running_) failures_->check(now_s, run.job, run.segment.work, true);
}

void WideJobs::serialize(Fields& f) {
  f(waiting_), f(held_), f(reserved_), f(queued_gpus_), f(turned_away_);
  running_.resize(f.count(running_.size(), sizeof(double)));
  for (Running& run : running_) {
    f(run.job), f(run.launched_s), f(run.finish_s), f(run.slowdown), f(run.penalty), f(run.nodes), f(run.segment);
    run.parts.resize(f.count(run.parts.size(), sizeof(std::uint32_t)));
    for (auto& [partition, gpus] : run.parts) f(partition), f(gpus);
  }
  if (failures_) failures_->rows().serialize(f);
  if (causes_) causes_->serialize(f), f(node_s_);
  recorder_.serialize(f);
}

}  // namespace palstudy
