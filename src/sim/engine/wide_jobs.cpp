// SPDX-License-Identifier: MIT
#include "sim/engine/wide_jobs.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <span>

#include "policy/tensor_groups.hpp"
#include "sim/observers/node_use.hpp"
#include "sim/scheduler/list/tenant_order.hpp"
#include "sim/state/state_archive.hpp"

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

bool any_wide_job(const World& world) {
  const std::uint32_t widest = world.partitioning.widest();
  return std::any_of(world.workload.jobs.begin(), world.workload.jobs.end(),
                     [&](const Job& job) { return job.gpus > widest; });
}

namespace {

/// The whole cluster, behind its partitions.
PartitionResources whole_cluster(const World& world) {
  return {PartitionId(world.partitioning.partitions()), GpuId(0),
          world.topology.slice(NodeId(0), world.topology.nodes()),
          world.believed.slice(GpuId(0), world.topology.gpus())};
}

/// Tells the partitions of this rank what happened to the parts that they have.
class EveryPart final : public Observer {
 public:
  explicit EveryPart(RankPartitions& parts) : parts_(parts) {}
  void ran(const EndedInterval& interval, const GpuSet& /*gpus*/, bool /*slowed*/) override {
    for (const auto& [p, part] : parts_.own()) part->part_ran(interval);
  }
  void close(PartitionRecord& /*record*/, double /*end_s*/) override {}

 private:
  RankPartitions& parts_;
};

Intervals::Observers make_observers(const World& world, RankPartitions& parts) {
  Intervals::Observers observers;
  if (world.tenants != nullptr) observers.push_back(std::make_unique<NodeUse>());
  observers.push_back(std::make_unique<EveryPart>(parts));
  return observers;
}

}  // namespace

WideJobs::WideJobs(const World& world, const Policies& policies, Exchange& exchange, RankPartitions& parts,
                   JobStates& states, RunRows& rows)
    : world_(world),
      order_(policies.order),
      exchange_(exchange),
      parts_(parts),
      slot_of_(world.workload.jobs.size(), RunningSet::no_slot),
      state_(world, whole_cluster(world), policies.placement, states.table, slot_of_, states.sizes, rows),
      transaction_(state_, policies.placement, states.placement_of),
      dispatcher_(state_, scheduler_, make_effects(state_, states.attempts, &EffectMaker::make_wide),
                  make_observers(world, parts)),
      reserved_(world.partitioning.partitions(), 0) {
  if (world.power != nullptr) power_waits_.emplace();
}

void WideJobs::complete(double now_s) {
  const std::size_t before = state_.running.size();
  parts_.guarded([&] { dispatcher_.complete(now_s); });
  if (state_.running.size() < before) summary_stale_ = true;
}

void WideJobs::advance(double now_s) {
  parts_.guarded([&] { (void)dispatcher_.advance(now_s); });
}

void WideJobs::admit(JobId job, double now_s) {
  if (!dispatcher_.admit(job, now_s)) summary_stale_ = true;
}

std::uint64_t WideJobs::summarize() {
  summary_stale_ = false;
  return queued_gpus();
}

std::uint64_t WideJobs::queued_gpus() const {
  std::uint64_t gpus = state_.queue.demand_gpus();
  for (std::size_t slot = 0; slot < state_.running.size(); ++slot) gpus -= state_.running.demand[slot].gpus;
  return gpus;
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

using Parts = std::vector<std::pair<PartitionId, std::uint32_t>>;

/// The GPUs of each partition that are free while wide jobs are placed, or would be if all nodes were on, also in whole
/// tensor groups.
class FreeParts {
 public:
  FreeParts(const Summaries& summaries, bool all_on) : sizes_(summaries.group_sizes()), in_groups_(sizes_.size()) {
    for (std::uint32_t p = 0; p < summaries.partitions(); ++p) {
      gpus.push_back(static_cast<std::uint32_t>(summaries.at(PartitionId(p), Summaries::free_gpus)));
      for (std::size_t i = 0; i < sizes_.size(); ++i) {
        in_groups_[i].push_back(static_cast<std::uint32_t>(summaries.free_in_groups(PartitionId(p), i)));
      }
      const auto off = summaries.off(PartitionId(p));
      if (!all_on || off.empty()) continue;
      gpus.back() += static_cast<std::uint32_t>(off[0]);
      for (std::size_t i = 0; i < sizes_.size(); ++i) in_groups_[i].back() += static_cast<std::uint32_t>(off[i + 1]);
    }
  }

  std::vector<std::uint32_t> gpus;

  /// Which groups are left where another job has taken GPUs at this boundary is not known: none, for a job with groups.
  [[nodiscard]] Parts take(std::uint32_t wanted, std::uint32_t tensor) {
    const auto size = std::find(sizes_.begin(), sizes_.end(), tensor);
    std::vector<std::uint32_t> whole;
    if (size != sizes_.end()) {
      whole = in_groups_[static_cast<std::size_t>(size - sizes_.begin())];
      for (std::size_t p = 0; p < whole.size(); ++p) whole[p] = std::min(whole[p], gpus[p] / tensor * tensor);
    }
    Parts parts = allot(wanted, size == sizes_.end() ? gpus : whole);
    if (size == sizes_.end()) {
      forget_groups(parts);
    } else {
      take(parts);
    }
    return parts;
  }
  void take(const Parts& parts) {
    for (const auto& [p, taken] : parts) gpus[p.index()] -= taken;
    forget_groups(parts);
  }

 private:
  void forget_groups(const Parts& parts) {
    for (const auto& [p, taken] : parts) {
      for (auto& column : in_groups_) column[p.index()] = 0;
    }
  }

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
  ordered_ = state_.queue.waiting();
  if (ordered_.empty()) return allocations;
  const View view = state_.view(now_s);
  order_.order(view, ordered_);
  FreeParts free(summaries, false);
  bool blocked = false;
  const auto place = [&](JobId job, bool may_reserve) {
    auto parts = free.take(view.job(job).gpus, tensor_of(world_, job));
    if (!parts.empty()) {
      allocations.push_back({job, std::move(parts)});
      return true;
    }
    const double waited_rounds_s = world_.routing.drain_rounds * world_.engine.round_s;
    const bool reserves = may_reserve && !blocked;
    if (reserves && now_s - state_.table.course(job).waiting_since_s >= waited_rounds_s) reserve(job, free.gpus);
    blocked = true;
    return false;
  };
  if (world_.tenants != nullptr) {
    serve_tenants(view, summaries, place);
    return allocations;
  }
  for (const JobId job : ordered_) {
    if (!place(job, true) && world_.engine.backfill == Backfill::none) break;
  }
  return allocations;
}

/// Once one has waited long enough it reserves partitions; and an order may change with time.
double WideJobs::next_change_s(double now_s) const {
  if (summary_stale_) return now_s;
  if (state_.queue.empty()) return std::numeric_limits<double>::infinity();
  double next_s = order_.next_change_s(state_.view(now_s), ordered_);
  for (const JobId job : state_.queue.waiting()) {
    const double reserves_s =
        state_.table.course(job).waiting_since_s + world_.routing.drain_rounds * world_.engine.round_s;
    if (reserves_s > now_s) next_s = std::min(next_s, reserves_s);
  }
  return next_s;
}

std::optional<Hindered> WideJobs::hindered() const {
  if (state_.queue.empty()) return std::nullopt;
  const JobId job = state_.queue.waiting().front();
  const std::uint32_t free = state_.free.total();
  const bool enough = world_.workload.jobs[job.index()].gpus <= free;
  return Hindered{job, -1, free, enough ? Hindrance::not_placeable : Hindrance::too_few_gpus};
}

/// Whether groups of so many GPUs leave none of any node of a partition over. (If not, who wants some wants all nodes.)
bool WideJobs::nodes_fit(PartitionId p, std::uint32_t tensor) const {
  const Partitioning& parts = world_.partitioning;
  return gpus_in_groups(tensor, world_.topology, parts.first_node(p), parts.nodes(p)) == parts.gpus(p);
}

/// Of the jobs that still wait, those that would fit beside each other if all nodes were on have their nodes powered
/// on, and wait for that unless they would fit on those that are.
void WideJobs::want_nodes(double now_s, const Summaries& summaries, const std::vector<WideAllocation>& placed) {
  FreeParts on(summaries, false), all(summaries, true);
  std::vector<JobId> waiting;
  std::vector<std::uint32_t> wanted(summaries.partitions(), 0);
  for (const auto& [job, parts] : placed) on.take(parts), all.take(parts);
  for (const JobId job : ordered_) {
    const bool starts = std::any_of(placed.begin(), placed.end(), [&](const auto& other) { return other.job == job; });
    const std::uint32_t gpus = world_.workload.jobs[job.index()].gpus, tensor = tensor_of(world_, job);
    const Parts parts = starts ? Parts() : all.take(gpus, tensor);
    if (parts.empty()) continue;
    if (on.take(gpus, tensor).empty()) waiting.push_back(job);
    for (const auto& [p, taken] : parts) wanted[p.index()] += nodes_fit(p, tensor) ? taken : summaries.gpus(p);
  }
  std::sort(waiting.begin(), waiting.end());
  power_waits_->set(waiting, now_s);
  for (const auto& [p, part] : parts_.own()) part->wanted_by_wide_jobs(wanted[p.index()]);
}

/// Jobs of partitions come before those that borrow, so none borrows while any of them waits.
void WideJobs::serve_tenants(const View& view, const Summaries& summaries,
                             const std::function<bool(JobId, bool)>& place) {
  TenantOrder tenants(*world_.tenants);
  std::vector<std::int64_t> used = summaries.tenant_use();
  add_tenant_use(used);
  tenants.begin({used.begin(), used.end()});
  for (const JobId job : ordered_) tenants.add(view.job(job).tenant, job);
  const auto wants = [&](JobId job) { return view.job(job).gpus; };
  const auto serve = [&](bool borrowing) {
    tenants.serve(borrowing, wants, [&](JobId job, std::uint32_t gpus) {
      if (place(job, !borrowing)) return tenants.use(view.job(job).tenant, gpus);
      state_.causes->set(job, borrowing ? DelayCause::fair_share : DelayCause::fragmentation, view.now_s);
    });
  };
  for (const JobId job : ordered_)
    state_.causes->set(job, DelayCause::fair_share, view.now_s);  // of those that are not tried
  serve(false);
  std::int64_t queued = 0;
  for (std::uint32_t p = 0; p < summaries.partitions(); ++p) {
    queued += summaries.at(PartitionId(p), Summaries::queued_jobs);
  }
  if (queued == 0) serve(true);
}

/// Lowest id first, until those reserved could hold the job once they have drained. What other wide jobs hold, or have
/// just been allotted, does not drain, and nodes that take no jobs hold none; if that leaves too few, nothing is
/// reserved yet. `free` of reserved partitions is left to no job behind.
void WideJobs::reserve(JobId job, std::vector<std::uint32_t>& free) {
  const std::uint32_t gpus = world_.workload.jobs[job.index()].gpus, tensor = tensor_of(world_, job);
  std::uint64_t could = 0;
  std::size_t needed = 0;
  for (; needed < reserved_.size() && could < gpus; ++needed) {
    const PartitionId p(needed);
    could += free_in_groups(tensor, state_.free, world_.partitioning.first_node(p), world_.partitioning.nodes(p));
  }
  if (could < gpus) return;
  for (std::size_t p = 0; p < needed; ++p) {
    reserved_[p] = 1;
    free[p] = 0;
  }
}

/// The ids of the GPUs in the cluster, plus 1, job after job: what other ranks know of is 0 here until all have said
/// theirs.
std::vector<double> WideJobs::take_parts(double now_s, const std::vector<WideAllocation>& allocations) {
  std::vector<double> ids;
  parts_.guarded([&] {
    std::vector<std::uint32_t> taken;
    for (const auto& [job, parts] : allocations) {
      for (const auto& [p, gpus] : parts) {
        taken.clear();
        if (Partition* part = parts_.mine(p))
          part->state().append_cluster_ids(part->take_part(now_s, job, gpus), taken);
        for (const std::uint32_t gpu : taken) ids.push_back(gpu + 1.0);
        ids.resize(ids.size() + gpus - taken.size(), 0.0);
      }
    }
  });
  std::size_t all = 0;
  for (const WideAllocation& allocation : allocations) all += world_.workload.jobs[allocation.job.index()].gpus;
  ids.resize(all, 0.0);
  exchange_.max(ids);
  if (std::find(ids.begin(), ids.end(), 0.0) != ids.end()) parts_.throw_failure();
  return ids;
}

void WideJobs::place(double now_s, const Summaries& summaries) {
  const std::vector<WideAllocation> allocations = plan(now_s, summaries);
  if (power_waits_) want_nodes(now_s, summaries, allocations);
  if (allocations.empty()) return;
  const std::vector<double> ids = take_parts(now_s, allocations);
  auto next = ids.begin();
  transaction_.begin(now_s);
  for (const WideAllocation& allocation : allocations) {
    const Job& job = world_.workload.jobs[allocation.job.index()];
    GpuSet gpus;
    for (std::uint32_t i = 0; i < job.gpus; ++i) {
      const GpuId gpu(static_cast<std::uint32_t>(*next++) - 1);
      const NodeId node = world_.topology.node_of(gpu);
      gpus.push_back({node, GpuMask{1} << (gpu.value - world_.topology.first_gpu(node).value)});
    }
    canonicalize(gpus);
    transaction_.take(allocation.job, gpus);
    const double slowest = state_.rates.slowest(job.cls, gpus);
    for (const auto& [p, part] : parts_.own()) part->part_begins(allocation.job, slowest);
  }
  dispatcher_.commit(now_s, transaction_);
}

/// Of all parts of a job, on whatever rank, the most that any feels.
void WideJobs::tell_what_they_feel() {
  RunningSet& running = state_.running;
  if (state_.effects.stalling == 0 || running.size() == 0) return;
  std::vector<JobId> jobs;
  for (const std::uint32_t slot : running.by_job()) jobs.push_back(running.job[slot]);
  std::vector<double> most(jobs.size(), 0.0);
  parts_.guarded([&] {
    for (const auto& [p, part] : parts_.own()) {
      for (std::size_t i = 0; i < jobs.size(); ++i) most[i] = std::max(most[i], part->part_feels(jobs[i]));
    }
  });
  exchange_.max(most);
  for (std::size_t i = 0; i < jobs.size(); ++i) dispatcher_.intervals().feels(jobs[i], most[i]);
}

/// Of GPUs only those that are waited for are counted here.
void WideJobs::settle(double now_s) {
  tell_what_they_feel();
  parts_.guarded([&] { dispatcher_.settle(now_s); });
  dispatcher_.recorder().state(now_s, state_.queue.size(), static_cast<std::uint32_t>(state_.running.size()), 0,
                               queued_gpus());
}

/// As if all jobs came to their end: in (finish, id) order.
PartitionRecord WideJobs::close(double end_s, double horizon_s) {
  const RunningSet& running = state_.running;
  std::vector<JobId> order = running.job;
  const auto end_of = [&](JobId job) { return std::pair(running.finish.at(running.slot_of(job)), job); };
  std::sort(order.begin(), order.end(), [&](JobId a, JobId b) { return end_of(a) < end_of(b); });
  PartitionRecord record = dispatcher_.close(end_s, horizon_s, order);
  if (power_waits_) power_waits_->close(record, end_s);
  return record;
}

template <class Archive>
void WideJobs::serialize(Archive& archive, unsigned /*version*/) {
  dispatcher_.serialize_running(archive);
  (archive & reserved_ & summary_stale_ & transaction_ & state_.queue & dispatcher_);
  if (power_waits_) (archive & *power_waits_);
}
template void WideJobs::serialize(StateOut&, unsigned);
template void WideJobs::serialize(StateIn&, unsigned);

}  // namespace palstudy
