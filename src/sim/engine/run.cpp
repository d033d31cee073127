// SPDX-License-Identifier: MIT
#include "sim/engine/run.hpp"

#include <algorithm>
#include <chrono>
#include <type_traits>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "sim/engine/queue_balancing.hpp"
#include "sim/state/metrics.hpp"

namespace palstudy {
namespace {

PartitionSite site_of(const World& world, PartitionId p) {
  const NodeId node = world.partitioning.first_node(p);
  const GpuId gpu = world.topology.first_gpu(node);
  return {p, gpu, world.topology.slice(node, world.partitioning.nodes(p)),
          world.believed.slice(gpu, world.partitioning.gpus(p))};
}

}  // namespace

Run::Run(const World& world, const Policies& policies, Exchange& exchange, std::vector<int> owner,
         Checkpoints* checkpoints)
    : world_(world),
      policies_(policies),
      exchange_(exchange),
      owner_(std::move(owner)),
      checkpoints_(checkpoints),
      rows_(world),
      states_(world),
      summaries_(world.partitioning, world.believed, world.routing.max_moves,
                 policies.routing != nullptr && policies.routing->needs_bins(), wide_group_sizes(world)),
      wide_(world, policies.order, states_, rows_),
      parts_(world.partitioning.partitions()),
      cost_s_(world.partitioning.partitions(), 0.0) {
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    if (owner_[p] != exchange.rank()) continue;
    parts_[p] = std::make_unique<Partition>(world, site_of(world, PartitionId(p)), policies.order, policies.placement,
                                            states_, rows_);
  }
  now_s_ = std::min(instant_of(next_arrival_s()), give_up_s());
}

/// Does a rank's own part of an instant. What it throws is kept until all ranks can be told, so that none waits for a
/// rank that is gone.
template <class Work>
void Run::guarded(Work work) {
  if (failure_) return;
  try {
    work();
  } catch (...) {
    failure_ = std::current_exception();
  }
}

template <class Work>
void Run::for_mine(Work work) {
  guarded([&] {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (!parts_[p]) continue;
      if (exchange_.ranks() == 1) {  // nobody to deal partitions to, so nobody asks what each costs
        work(*parts_[p]);
        continue;
      }
      const auto begin = std::chrono::steady_clock::now();
      work(*parts_[p]);
      cost_s_[p] += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      exchange_.tick();
    }
  });
}

bool Run::step() {
  ++instants_;
  complete();
  speak();
  admit_arrivals();
  level();
  place_wide();
  schedule();
#ifndef NDEBUG
  guarded([&] { check_invariants(); });
#endif
  if (checkpoints_ != nullptr) checkpoints_->instant(pulse());
  if (ended()) return false;
  const double next_s = next_instant();
  if (!(next_s < infinity)) {
    if (failure_) throw_if_failed();
    throw fault("the run stands still with measured jobs unfinished");
  }
  now_s_ = next_s;
  exchange_.tick();
  return true;
}

void Run::complete() {
  wide_.instant(now_s_);
  for_mine([&](Partition& part) { part.instant(now_s_); });
  for_mine([&](Partition& part) { part.complete(now_s_); });
  guarded([&] {
    for (const auto& [job, length_s] : wide_.complete(now_s_)) {
      for (const auto& part : parts_) {
        if (part && part->holds(job)) part->give_part(job, length_s);
      }
    }
  });
}

/// What this rank has to tell beside its partitions: that it has failed, or its wish. 0 for neither.
std::int64_t Run::flags() const {
  if (failure_) return Summaries::failed;
  return checkpoints_ == nullptr ? 0 : static_cast<std::int64_t>(checkpoints_->wish());
}

/// The one message of an instant: every partition's summary to every rank.
void Run::speak() {
  if (single()) {
    throw_if_failed();
    wish_ = static_cast<Wish>(flags());
    demand_gpus_ = parts_[0]->demand_gpus();
    return;
  }
  const bool count_bins = summaries_.with_bins() && next_arrival_s() <= now_s_;
  for_mine([&](Partition& part) { part.summarize(summaries_, count_bins); });
  const std::int64_t own = flags();
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    if (parts_[p]) summaries_.set(PartitionId(p), Summaries::flags, own);
  }
  exchange_.gather(summaries_.table(), summaries_.width(), owner_);
  demand_gpus_ = wide_.queued_gpus();
  std::int64_t told = 0;  // a wish counts once all know of it, so not from a rank without partitions
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    demand_gpus_ += static_cast<std::uint64_t>(summaries_.at(PartitionId(p), Summaries::demand_gpus));
    told = std::max(told, summaries_.at(PartitionId(p), Summaries::flags));
  }
  if (failure_ || told >= Summaries::failed) throw_if_failed();
  wish_ = static_cast<Wish>(told);
}

/// What one rank of a team alone knows of is a fault for all.
void Run::throw_if_failed() {
  if (!failure_) {
    if (!single()) throw OtherRankFailed();
    return;
  }
  if (exchange_.ranks() == 1) std::rethrow_exception(failure_);
  try {
    std::rethrow_exception(failure_);
  } catch (const std::exception& error) {
    throw fault(error.what());
  }
}

void Run::admit_arrivals() {
  const auto& jobs = world_.workload.jobs;
  for (; next_job_ < jobs.size() && jobs[next_job_].submit_s <= now_s_; ++next_job_) {
    const JobId job(next_job_);
    rows_.arrive(job, now_s_);
    demand_gpus_ += jobs[next_job_].gpus;
    route(job);
  }
  rows_.contention(now_s_, demand_gpus_);
}

void Run::route(JobId id) {
  const Job& job = world_.workload.jobs[id.index()];
  if (job.gpus > world_.partitioning.widest()) {
    rows_.rows.partition[id.index()] = -1;
    wide_.admit(id, now_s_);
    return;
  }
  PartitionId to(0);
  if (!single()) {
    to = policies_.routing->route(id, job, summaries_);
    summaries_.assign(to, job);
  }
  rows_.rows.partition[id.index()] = static_cast<std::int32_t>(to.value);
  if (Partition* part = mine(to)) guarded([&] { part->admit(id, now_s_); });
}

/// At boundaries alone, also where partitions act in between.
void Run::level() {
  if (single() || world_.routing.max_moves == 0) return;
  const Boundary k = boundary_at_or_after(now_s_, world_.engine.round_s);
  if (boundary_s(k, world_.engine.round_s) != now_s_ || k % world_.routing.rebalance_rounds != 0) return;
  for (const JobMove& move : level_queues(summaries_, world_.workload.jobs, world_.routing.max_moves)) {
    rows_.rows.partition[move.job.index()] = static_cast<std::int32_t>(move.to.value);
    guarded([&] {
      if (Partition* from = mine(move.from)) from->withdraw(move.job);
      if (Partition* to = mine(move.to)) to->receive(move.job, rows_.arrival_s(move.job));
    });
  }
}

/// Takes this rank's parts of an allotment.
void Run::take_parts(const Allotment& allotment, std::vector<RatePart>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& [p, gpus] = allotment.parts[i];
    if (Partition* part = mine(p)) {
      parts[i] = part->rate_part(allotment.job, part->take_part(now_s_, allotment.job, gpus));
    }
  }
}

/// What other ranks know of a part is 0 here, and nothing is negative, so that the largest values are those known.
void Run::share(std::vector<RatePart>& parts) {
  std::vector<double> values;
  const auto each_part = [&](auto visit) {
    for (RatePart& part : parts) {
      visit(part.slowest), visit(part.nodes), visit(part.first.value), visit(part.last.value);
      for (double& slowdown : part.groups) visit(slowdown);
    }
  };
  each_part([&](const auto& value) { values.push_back(static_cast<double>(value)); });
  exchange_.max(values);
  auto next = values.begin();
  each_part([&](auto& value) { value = static_cast<std::remove_reference_t<decltype(value)>>(*next++); });
}

void Run::place_wide() {
  if (single()) return;
  for (Allotment& allotment : wide_.plan(now_s_, summaries_)) {
    std::vector<RatePart> parts;
    for (const auto& [p, gpus] : allotment.parts) parts.push_back(RatePart::unknown(world_, allotment.job, gpus));
    guarded([&] { take_parts(allotment, parts); });
    share(parts);
    RatePart all = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) all = merge(std::move(all), parts[i]);
    const Factors factors = merged_factors(world_, allotment.job, all);
    wide_.launch(now_s_, std::move(allotment), factors);
  }
}

void Run::schedule() {
  for_mine([&](Partition& part) { part.schedule(now_s_, !single() && wide_.reserved(part.site().id)); });
  if (!single()) wide_.state(now_s_);
}

std::int64_t Run::measured_left() const {
  if (single()) return rows_.measured_jobs() - parts_[0]->measured_finished();
  std::int64_t left = rows_.measured_jobs() - wide_.finished();
  for (std::uint32_t p = 0; p < parts_.size(); ++p) left -= summaries_.at(PartitionId(p), Summaries::finished);
  return left;
}

Pulse Run::pulse() const {
  Pulse pulse{.time_s = now_s_, .arrived = next_job_, .measured_left = measured_left()};
  for (const auto& part : parts_) {
    if (!part) continue;
    const PartitionRecord& recorded = part->recorded();
    pulse.events += recorded.events.size();
    pulse.event_gpus += recorded.events.gpus.size();
    pulse.failures += recorded.failures.size();
  }
  return pulse;
}

bool Run::ended() const { return measured_left() == 0 || now_s_ >= world_.measure.end_s; }

/// An instant may lie between boundaries only with `start = "event"`.
double Run::instant_of(double time_s) const {
  return world_.engine.start == Start::event ? time_s : boundary_not_before(time_s);
}

double Run::boundary_not_before(double time_s) const {
  const Boundary at = boundary_at_or_after(time_s, world_.engine.round_s);
  return at == never ? infinity : boundary_s(at, world_.engine.round_s);
}

double Run::next_arrival_s() const {
  return next_job_ < world_.workload.jobs.size() ? world_.workload.jobs[next_job_].submit_s : infinity;
}

/// As far as this rank can tell.
double Run::own_next() {
  double next_s = infinity;
  for_mine([&](Partition& part) {
    next_s = std::min(next_s, instant_of(part.next_finish_s()));
    const Boundary change = part.next_change(now_s_);
    if (change != never) next_s = std::min(next_s, boundary_s(change, world_.engine.round_s));
    if (!single() && part.queued() > 0) next_s = std::min(next_s, next_levelling_s());
  });
  return failure_ ? now_s_ : next_s;
}

double Run::next_levelling_s() const {
  if (world_.routing.max_moves == 0) return infinity;
  const Boundary period = world_.routing.rebalance_rounds;
  const Boundary next = (boundary_after(now_s_, world_.engine.round_s) + period - 1) / period * period;
  return boundary_s(next, world_.engine.round_s);
}

double Run::next_instant() {
  const double following_s = boundary_s(boundary_after(now_s_, world_.engine.round_s), world_.engine.round_s);
  double known_s = std::min(instant_of(next_arrival_s()), give_up_s());
  if (!single()) {
    known_s = std::min(known_s, instant_of(wide_.next_finish_s()));
    if (wide_.waiting()) known_s = std::min(known_s, following_s);
  }
  // No instant lies before the next boundary, so nobody needs to be asked where that is due anyway.
  if (world_.engine.start == Start::round && known_s <= following_s) return known_s;
  return std::min(known_s, exchange_.earliest(own_next()));
}

}  // namespace palstudy
