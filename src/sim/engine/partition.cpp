// SPDX-License-Identifier: MIT
#include "sim/engine/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "policy/tensor_groups.hpp"
#include "sim/observers/energy.hpp"
#include "sim/observers/node_use.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

std::unique_ptr<Scheduler> make_scheduler(const Policies& policies, PartitionState& state) {
  const SchedulerContext context{state, policies.order, policies.placement, policies.backfill};
  return policies.scheduler ? policies.scheduler(context) : schedulers().at("list").make(context, {});
}

Intervals::Observers make_observers(const PartitionState& state) {
  const World& world = state.world;
  Intervals::Observers observers;
  if (world.tenants != nullptr) observers.push_back(std::make_unique<NodeUse>());
  if (world.energy != nullptr) observers.push_back(std::make_unique<Energy>(state));
  for (const MakeObserver& make : world.observers) observers.push_back(make(state));
  return observers;
}

void count_free_by_bin(const PartitionState& state, Summaries& summaries) {
  const PartitionId p = state.resources.id;
  const Bins& bins = state.resources.bins;
  std::int64_t largest = 0;
  for (std::size_t c = 0; c < bins.classes(); ++c) {
    const auto counts = summaries.free_by_bin(p, ClassId(c));
    std::fill(counts.begin(), counts.end(), 0);
    const auto& of_gpu = bins.of(ClassId(c)).of_gpu;
    for (std::uint32_t n = 0; n < state.topology().nodes(); ++n) {
      const GpuMask free = state.free.mask(NodeId(n));
      largest = std::max<std::int64_t>(largest, std::popcount(free));
      for_each_gpu(state.topology(), NodeGpus{NodeId(n), free}, [&](std::uint32_t gpu) { ++counts[of_gpu[gpu]]; });
    }
  }
  summaries.set(p, Summaries::largest_node, largest);
}

/// The part of a job among those held; the end if it has none.
template <class Parts>
auto part_of(JobId job, Parts& parts) {
  return std::find_if(parts.begin(), parts.end(), [&](const HeldPart& part) { return part.job == job; });
}

/// GPUs in whole groups on nodes that take no jobs now. While nodes are powered off these are all without jobs.
std::int64_t withdrawn_in_groups(std::uint32_t group, const FreeGpus& free) {
  std::int64_t sum = 0;
  const Topology& topology = free.topology();
  for (std::uint32_t n = 0; free.any_withdrawn() && n < topology.nodes(); ++n) {
    if (free.any_withdrawn({{NodeId(n), topology.full(NodeId(n))}})) sum += topology.gpus_of(NodeId(n)) / group * group;
  }
  return sum;
}

class Checks {
 public:
  Checks(const PartitionState& state, double now_s) : state_(state), now_s_(now_s) {}

  void must(bool true_thing, const char* what) const {
    if (true_thing) return;
    throw fault(fmt::format("{} at {} s", what, now_s_), fmt::format("partition {}", state_.resources.id.value));
  }

  /// No GPU is held twice, and what is not held is free.
  void gpus(const std::vector<GpuMask>& kept_free) const {
    const Topology& topology = state_.topology();
    std::vector<GpuMask> taken = kept_free;
    taken.resize(topology.nodes(), 0);
    const auto take = [&](const GpuSet& gpus) {
      for (const NodeGpus& part : gpus) {
        must((taken[part.node.index()] & part.mask) == 0, "a GPU is held twice");
        taken[part.node.index()] |= part.mask;
      }
    };
    for (std::size_t slot = 0; slot < state_.running.size(); ++slot) take(state_.running.allocation[slot].gpus);
    for (const HeldPart& part : state_.wide_parts) take(part.gpus);
    for (const HeldPart& part : state_.idle_parts) take(part.gpus);
    for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
      const GpuMask free = state_.free.mask(NodeId(n)), rest = topology.full(NodeId(n)) & ~taken[n];
      must(free == rest || (free == 0 && state_.effects.act_between_boundaries()), "a GPU is neither free nor held");
    }
  }

  /// No job is lost or runs twice, and the sums are those of the jobs.
  void jobs() const {
    std::uint64_t demand_gpus = 0;
    const std::vector<JobId>& waiting = state_.queue.waiting();
    for (const JobId job : waiting) {
      demand_gpus += state_.width(job);
      must(state_.table.waiting(job), "a job waits that does not");
    }
    must(std::adjacent_find(waiting.begin(), waiting.end(), std::greater_equal<>()) == waiting.end(),
         "a job waits twice");
    must(waiting.size() == state_.queue.size(), "a job is lost");
    for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
      const JobId job = state_.running.job[slot];
      demand_gpus += state_.width(job);
      must(state_.table.running(job), "a job runs that does not");
      must(state_.running.slot_of(job) == slot, "a job runs twice");
      must(count(state_.running.allocation[slot].gpus) == state_.width(job), "a job does not hold what it asked for");
    }
    must(demand_gpus == state_.queue.demand_gpus(), "the demand is not that of the jobs");
  }

  /// What was allocated is accounted: GPU-seconds by intervals are those by launches and ends.
  void gpu_seconds(const Recorder& recorder) const {
    double open_s = 0, launched_s = 0;
    for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
      const double gpus = state_.width(state_.running.job[slot]);
      open_s += gpus * (now_s_ - state_.running.progress[slot].launched_s);
      launched_s += gpus * now_s_;
    }
    const double accounted_s = recorder.allocated_s() + open_s, held_s = recorder.gpu_s_by_events() + launched_s;
    must(std::abs(accounted_s - held_s) <= 1e-9 * (1 + now_s_ * state_.topology().gpus()), "GPU-seconds are lost");
  }

 private:
  const PartitionState& state_;
  double now_s_;
};

}  // namespace

Partition::Partition(const World& world, PartitionResources resources, const Policies& policies, JobStates& states,
                     RunRows& rows)
    : state_(world, std::move(resources), policies.placement, states.table, states.slot_of, states.sizes, rows),
      transaction_(state_, policies.placement, states.placement_of),
      scheduler_(make_scheduler(policies, state_)),
      dispatcher_(state_, *scheduler_, watched(make_effects(state_, states.attempts, &EffectMaker::make)),
                  make_observers(state_)) {}

Intervals::Effects Partition::watched(Intervals::Effects effects) {
  for (const auto& effect : effects) effects_.push_back(effect.get());
  return effects;
}

void Partition::admit(JobId job, double now_s) {
  if (!dispatcher_.admit(job, now_s)) summary_stale_ = state_.world.partitioning.partitions() > 1;
}

void Partition::schedule(double now_s, bool reserved) {
  state_.reserved = reserved;
  capacity_changed_ = false;
  if (!scheduler_->idle()) {
    state_.queue.mark_starved(now_s);
    const View view = state_.view(now_s);
    transaction_.begin(now_s);
    scheduler_->decide(view, transaction_);
    dispatcher_.commit(now_s, transaction_);
    scheduler_->committed(view, transaction_);
    if (tenant_use_changed()) summary_stale_ = true;
  }
  dispatcher_.settle(now_s);
  dispatcher_.recorder().state(now_s, state_.queue.size(), static_cast<std::uint32_t>(state_.running.size()),
                               state_.free.total(), state_.demand_gpus());
}

/// Whether tenants may use other GPUs here after a decision than the other partitions were told before it. (After a job
/// has taken a part of a gang the next boundary is visited anyway.)
bool Partition::tenant_use_changed() const {
  if (state_.used_elsewhere.empty()) return false;
  return transaction_.changes() || !transaction_.ended_holds().empty();
}

void Partition::tell_tenants(std::span<const std::int64_t> everywhere, const Summaries& each) {
  const std::span<const std::int64_t> here = each.tenant_use(state_.resources.id);
  state_.used_elsewhere.assign(everywhere.begin(), everywhere.end());
  for (std::size_t tenant = 0; tenant < here.size(); ++tenant) {
    state_.used_elsewhere[tenant] -= static_cast<std::uint64_t>(here[tenant]);
  }
}

PartitionRecord Partition::close(double end_s, double horizon_s) {
  PartitionRecord record = dispatcher_.close(end_s, horizon_s, state_.running.iteration_order());
  const IndexCounts index = index_counts();
  record.solves = std::move(state_.solves);
  record.counts = {0, transaction_.requests(), index.queries, index.updates, index.moves};
  return record;
}

void Partition::summarize(Summaries& summaries, bool count_bins) {
  const PartitionId p = state_.resources.id;
  summaries.set(p, Summaries::free_gpus, state_.free.total());
  summaries.set(p, Summaries::queued_jobs, state_.queue.size());
  summaries.set(p, Summaries::demand_gpus, static_cast<std::int64_t>(state_.demand_gpus()));
  summaries.set(p, Summaries::running_jobs, state_.running.size());
  summaries.set(p, Summaries::finished, recorder().finished());
  summary_stale_ = false;
  std::size_t named = 0;
  const std::vector<JobId>& waiting = state_.queue.waiting();
  for (auto job = waiting.rbegin(); job != waiting.rend() && named < summaries.candidates(); ++job) {
    if (!state_.table.waiting(*job) || state_.rows.ever_launched(*job) ||
        part_of(*job, state_.idle_parts) != state_.idle_parts.end())
      continue;
    summaries.set_candidate(p, named++, *job);
  }
  for (; named < summaries.candidates(); ++named) summaries.set_candidate(p, named, std::nullopt);
  if (count_bins && summaries.with_bins()) count_free_by_bin(state_, summaries);
  for (std::size_t i = 0; i < summaries.group_sizes().size(); ++i) {
    summaries.set_free_in_groups(p, i, free_in_groups(summaries.group_sizes()[i], state_.free));
  }
  if (const auto off = summaries.off(p); !off.empty()) {
    off[0] = state_.off_gpus;
    for (std::size_t i = 1; i < off.size(); ++i)
      off[i] = withdrawn_in_groups(summaries.group_sizes()[i - 1], state_.free);
  }
  if (state_.world.tenants == nullptr) return;
  std::fill(summaries.tenant_use(p).begin(), summaries.tenant_use(p).end(), 0);
  state_.add_tenant_use(summaries.tenant_use(p));
}

const GpuSet& Partition::take_part(double now_s, JobId id, std::uint32_t gpus) {
  GpuSet& part = state_.wide_parts.emplace_back(HeldPart{id, {}, now_s}).gpus;
  if (!transaction_.choose({id, state_.job(id).cls, gpus, now_s}, part))
    throw fault("a part of a wide job does not fit");
  for (const NodeGpus& on_node : part) state_.free.take(on_node);
  state_.wide_gpus += gpus;
  state_.free_set_changed = true;
  scheduler_->capacity_changed();
  dispatcher_.intervals().part_taken(id, part);
  return part;
}

void Partition::part_begins(JobId job, double slowest) {
  const auto part = part_of(job, state_.wide_parts);
  if (part != state_.wide_parts.end()) part->slowest = slowest;
}

void Partition::part_ran(const EndedInterval& interval) {
  const auto part = part_of(interval.job, state_.wide_parts);
  if (part == state_.wide_parts.end()) return;
  dispatcher_.intervals().part_ran(interval, *part);
  part->since_s = interval.end_s;
  if (interval.reason == EndReason::rate) return;
  for (const NodeGpus& on_node : part->gpus) state_.free.give(on_node);
  state_.wide_gpus -= count(part->gpus);
  dispatcher_.intervals().part_given(part->job, part->gpus);
  state_.wide_parts.erase(part);
  state_.free_set_changed = true;
  capacity_changed_ = true;
  scheduler_->capacity_changed();
}

double Partition::part_feels(JobId job) const {
  const auto part = part_of(job, state_.wide_parts);
  return part == state_.wide_parts.end() ? 0.0 : dispatcher_.intervals().part_feels(job, part->gpus);
}

Boundary Partition::next_change(double now_s) {
  const Rounds rounds = state_.world.engine.rounds();
  if (summary_stale_ || capacity_changed_) return rounds.after(now_s);
  return rounds.due_after(now_s, scheduler_->next_change_s(state_.view(now_s)));
}

double Partition::next_instant_s(double now_s) const {
  if (state_.world.engine.start == Start::round || scheduler_->idle()) return infinity;
  return scheduler_->next_instant_s(state_.view(now_s));
}

double Partition::next_start_s(double now_s, bool wide_waits) {
  if (state_.running.size() > 0 || summary_stale_ || capacity_changed_) return now_s;
  double next_s = infinity;
  if (state_.queue.empty() && !wide_waits) return next_s;
  for (const Effect* effect : effects_) next_s = std::min(next_s, effect->next_room_s());
  return std::min(next_s, scheduler_->next_start_s(state_.view(now_s), transaction_));
}

std::optional<Hindered> Partition::hindered() {
  std::optional<Hindered> first;
  for (const JobId job : state_.queue.waiting()) {
    const std::uint32_t free = state_.free.total();
    const Hindrance why = state_.width(job) > free ? Hindrance::too_few_gpus
                          : transaction_.fits(job) ? Hindrance::passed_over
                                                   : Hindrance::not_placeable;
    if (!first || why != Hindrance::passed_over) {
      first = Hindered{job, static_cast<std::int32_t>(state_.resources.id.value), free, why};
    }
    if (why != Hindrance::passed_over) break;
  }
  return first;
}

IndexCounts Partition::index_counts() const {
  const IndexCounts now = state_.free.counts();
  return {earlier_.queries + now.queries, earlier_.updates + now.updates, earlier_.moves + now.moves};
}

void Partition::take_held_parts() {
  for (const std::vector<HeldPart>* parts : {&state_.wide_parts, &state_.idle_parts}) {
    for (const HeldPart& part : *parts) {
      for (const NodeGpus& on_node : part.gpus) state_.free.take(on_node);
    }
  }
}

template <class Archive>
void Partition::serialize(Archive& archive, unsigned /*version*/) {
  dispatcher_.serialize_running(archive);
  (archive & state_.wide_parts & state_.idle_parts & state_.wide_gpus & state_.wide_wanted & state_.reserved);
  if constexpr (Archive::is_loading::value) take_held_parts();
  (archive & state_.free_set_changed & summary_stale_ & transaction_ & state_.queue & dispatcher_);
  scheduler_->state(archive);
  IndexCounts counts = index_counts();
  (archive & state_.solves & counts.queries & counts.updates & counts.moves);
  if constexpr (Archive::is_loading::value) earlier_ = counts;
}
template void Partition::serialize(StateOut&, unsigned);
template void Partition::serialize(StateIn&, unsigned);

void Partition::check_invariants(double now_s) const {
  const Checks checks(state_, now_s);
  checks.gpus(scheduler_->kept_free());
  checks.jobs();
  checks.gpu_seconds(recorder());
  scheduler_->check(now_s);
  dispatcher_.check(now_s);
}

}  // namespace palstudy
