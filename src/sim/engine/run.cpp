// SPDX-License-Identifier: MIT
#include "sim/engine/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/error.hpp"
#include "sim/engine/queue_balancing.hpp"
#include "sim/engine/standstill.hpp"
#include "sim/output/run_result.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {

Run::Run(const World& world, const Policies& policies, Exchange& exchange, std::vector<int> owner,
         Checkpoints* checkpoints)
    : world_(world),
      policies_(policies),
      exchange_(exchange),
      checkpoints_(checkpoints),
      rows_(world),
      states_(world),
      summaries_(world.partitioning, world.believed, world.routing.max_moves,
                 policies.routing != nullptr && policies.routing->needs_bins(), wide_group_sizes(world),
                 world.tenants != nullptr ? world.tenants->quota.size() : 0,
                 world.power != nullptr && any_wide_job(world)),
      parts_(world, policies, exchange, std::move(owner), states_, rows_),
      wide_(any_wide_job(world) ? std::make_unique<WideJobs>(world, policies, exchange, parts_, states_, rows_)
                                : nullptr) {
  // Nodes may be powered off before the first arrival.
  now_s_ = world.power != nullptr ? 0.0 : std::min(instant_of(next_arrival_s()), give_up_s());
}

bool Run::step() {
  ++instants_;
  complete();
  if (between_boundaries()) {
    request_ = CheckpointRequest::none;
    return advance();
  }
  exchange_summaries();
  admit_arrivals();
  balance_queues();
  if (wide_) wide_->place(now_s_, summaries_);
  schedule();
#ifndef NDEBUG
  parts_.guarded([&] { check_invariants(); });
#endif
  if (checkpoints_ != nullptr) checkpoints_->instant_ended(report());
  return !ended() && advance();
}

/// Goes on to the next instant.
bool Run::advance() {
  const double next_s = stands_still() ? give_up_s() : next_instant();
  if (!(next_s < infinity)) throw StandsStill(standing_job(world_, parts_, wide_.get(), exchange_));
  now_s_ = next_s;
  exchange_.tick();
  return true;
}

/// Between boundaries only nodes without jobs change, unless effects may stop jobs then: jobs that are due end at the
/// next boundary, as in a run without power states.
bool Run::nodes_alone() const { return between_boundaries() && !effects_.jobs; }

/// Nothing runs, arrives or moves, and no clock can bring a job its turn or its GPUs: asked at boundaries at which all
/// ranks know the first. What clocks record meanwhile matters to a run that goes on to an end of its own.
bool Run::stands_still() {
  const bool records = effects_.act_between_boundaries() || world_.tenants != nullptr;
  if (next_arrival_s() < infinity || between_boundaries() || (give_up_s() < infinity && records)) return false;
  if (!single() && summaries_.sum(Summaries::running_jobs) > 0) return false;
  if ((wide_ && wide_->next_finish_s() < infinity) || (balances() && !levelled_in_vain_)) return false;
  const bool wide_waits = wide_ && wide_->may_change();
  double next_s = wide_ ? wide_->next_change_s(now_s_) : infinity;
  parts_.for_each([&](Partition& part) { next_s = std::min(next_s, part.next_start_s(now_s_, wide_waits)); });
  return !(exchange_.earliest(parts_.failed() ? now_s_ : next_s) < infinity);
}

void Run::complete() {
  bool jobs_end = !nodes_alone();
  if (jobs_end) parts_.for_each([&](Partition& part) { part.instant(now_s_); });
  if (wide_) {
    if (jobs_end) {
      wide_->instant(now_s_);
      parts_.for_each([&](Partition& part) { part.complete(now_s_); });
      wide_->complete(now_s_);
      jobs_end = false;
    }
    wide_->advance(now_s_);
  }
  parts_.for_each([&](Partition& part) {
    if (jobs_end) part.complete(now_s_);
    part.advance(now_s_);
  });
}

/// What this rank reports beside its partitions: that it has failed, or its request. 0 for neither.
std::int64_t Run::flags() const {
  if (parts_.failed()) return Summaries::failed;
  return checkpoints_ == nullptr ? 0 : static_cast<std::int64_t>(checkpoints_->request());
}

/// The one message of an instant: every partition's summary to every rank.
void Run::exchange_summaries() {
  if (single()) {
    parts_.throw_failure();
    request_ = static_cast<CheckpointRequest>(flags());
    demand_gpus_ = parts_.mine(PartitionId(0))->state().demand_gpus();
    return;
  }
  const bool count_bins = summaries_.with_bins() && next_arrival_s() <= now_s_;
  parts_.for_each([&](Partition& part) { part.summarize(summaries_, count_bins); });
  const std::int64_t own = flags();
  for (const auto& [p, part] : parts_.own()) summaries_.set(p, Summaries::flags, own);
  exchange_.gather(summaries_.table(), summaries_.width(), parts_.owner());
  demand_gpus_ = wide_ ? wide_->summarize() : 0;
  std::int64_t strongest = 0;  // a request counts once all know of it, so not from a rank without partitions
  for (std::uint32_t p = 0; p < parts_.count(); ++p) {
    demand_gpus_ += static_cast<std::uint64_t>(summaries_.at(PartitionId(p), Summaries::demand_gpus));
    strongest = std::max(strongest, summaries_.at(PartitionId(p), Summaries::flags));
  }
  if (parts_.failed() || strongest >= Summaries::failed) parts_.throw_failure();
  request_ = static_cast<CheckpointRequest>(strongest);
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
    wide_->admit(id, now_s_);
    return;
  }
  PartitionId to(0);
  if (!single()) {
    to = policies_.routing->route(id, job, summaries_);
    summaries_.assign(to, job);
  }
  rows_.rows.partition[id.index()] = static_cast<std::int32_t>(to.value);
  if (Partition* part = parts_.mine(to)) parts_.guarded([&] { part->admit(id, now_s_); });
}

/// At boundaries alone, also where partitions act in between.
void Run::balance_queues() {
  levelled_in_vain_ = false;
  if (!balances()) return;
  const Rounds rounds = world_.engine.rounds();
  if (!rounds.is_boundary(now_s_) || rounds.at_or_after(now_s_) % world_.routing.rebalance_rounds != 0) return;
  const auto moves = level_queues(summaries_, world_.workload.jobs, world_.routing.max_moves);
  levelled_in_vain_ = moves.empty();
  for (const JobMove& move : moves) {
    rows_.rows.partition[move.job.index()] = static_cast<std::int32_t>(move.to.value);
    parts_.guarded([&] {
      if (Partition* from = parts_.mine(move.from)) from->move_out(move.job, now_s_);
      if (Partition* to = parts_.mine(move.to)) to->move_in(move.job, rows_.arrival_s(move.job));
    });
  }
}

void Run::schedule() {
  if (!single() && world_.tenants != nullptr) {
    std::vector<std::int64_t> used = summaries_.tenant_use();
    if (wide_) wide_->add_tenant_use(used);
    parts_.for_each([&](Partition& part) { part.tell_tenants(used, summaries_); });
  }
  parts_.for_each([&](Partition& part) { part.schedule(now_s_, wide_ && wide_->reserved(part.state().resources.id)); });
  if (wide_) wide_->settle(now_s_);
}

std::int64_t Run::measured_left() const {
  if (single()) return rows_.measured_jobs() - parts_.mine(PartitionId(0))->recorder().finished();
  return rows_.measured_jobs() - (wide_ ? wide_->recorder().finished() : 0) - summaries_.sum(Summaries::finished);
}

StepReport Run::report() const {
  StepReport report{.time_s = now_s_, .arrived = next_job_, .measured_left = measured_left()};
  const auto add = [&](const auto& jobs) {
    const PartitionRecord& recorded = jobs.recorder().recorded();
    report.events += recorded.events.size();
    report.event_gpus += recorded.events.gpus.size();
    report.failures += jobs.effect_rows();
  };
  for (const auto& [p, part] : parts_.own()) add(*part);
  if (wide_) add(*wide_);
  return report;
}

bool Run::ended() const { return measured_left() == 0 || now_s_ >= world_.measure.end_s; }

/// Whether this is an instant of effects alone: jobs end and rates change, but no job arrives, starts or stops.
bool Run::between_boundaries() const {
  return effects_.act_between_boundaries() && world_.engine.start == Start::round &&
         !world_.engine.rounds().is_boundary(now_s_);
}

/// An instant of arrivals and decisions may lie between boundaries only with `start = "event"`.
double Run::instant_of(double time_s) const {
  return world_.engine.start == Start::event ? time_s : world_.engine.rounds().start_s(time_s);
}

double Run::next_arrival_s() const {
  return next_job_ < world_.workload.jobs.size() ? world_.workload.jobs[next_job_].submit_s : infinity;
}

/// As far as this rank can tell; or the next event of an effect.
double Run::own_next(bool events_alone) {
  double next_s = infinity;
  parts_.for_each([&](Partition& part) {
    if (next_s = std::min(next_s, part.next_event_s()); events_alone) return;
    next_s = std::min({next_s, instant_of(part.next_finish_s()), part.next_instant_s(now_s_)});
    next_s = std::min(next_s, world_.engine.rounds().time_s(part.next_change(now_s_)));
    if (balances() && !part.state().queue.empty()) next_s = std::min(next_s, next_balancing_s());
  });
  return parts_.failed() ? now_s_ : next_s;
}

double Run::next_balancing_s() const {
  const Boundary period = world_.routing.rebalance_rounds, after = world_.engine.rounds().after(now_s_);
  return world_.engine.rounds().time_s((after + period - 1) / period * period);
}

double Run::next_instant() {
  const double following_s = world_.engine.rounds().time_s(world_.engine.rounds().after(now_s_));
  double known_s = std::min(instant_of(next_arrival_s()), give_up_s());
  if (wide_) {
    known_s = std::min({known_s, instant_of(wide_->next_finish_s()), wide_->may_change() ? following_s : infinity});
  }
  // Only events of effects lie before the next boundary, so the ranks need not agree on more where that is due anyway.
  const bool due = world_.engine.start == Start::round && known_s <= following_s;
  return due && !effects_.act_between_boundaries() ? known_s : std::min(known_s, exchange_.earliest(own_next(due)));
}

/// The jobs of each partition, by partition, and last those that are on several.
std::vector<std::vector<JobId>> Run::jobs_by_partition() const {
  std::vector<std::vector<JobId>> jobs(parts_.count() + 1);
  for (std::size_t j = 0; j < rows_.arrived(); ++j) {
    const std::int32_t p = rows_.rows.partition[j];
    jobs.at(p < 0 ? parts_.count() : static_cast<std::size_t>(p)).push_back(JobId(j));
  }
  return jobs;
}

/// Those that have arrived and are, or were, in this rank's partitions.
std::vector<JobId> Run::own_jobs() const {
  std::vector<JobId> jobs;
  for (std::size_t j = 0; j < rows_.arrived(); ++j) {
    const std::int32_t p = rows_.rows.partition[j];
    if (p >= 0 && parts_.mine(PartitionId(static_cast<std::uint32_t>(p))) != nullptr) jobs.emplace_back(j);
  }
  return jobs;
}

RunResult Run::take_result() {
  std::array<double, 2> last = {rows_.last_measured_finish_s(), parts_.failed() ? 1.0 : 0.0};
  exchange_.max(last);
  if (last[1] > 0) parts_.throw_failure();
  const bool whole = measured_left() == 0;
  const RunEnd end{instants_, whole ? last[0] : now_s_};

  RunPart all;
  PartitionRecord wide = wide_ ? wide_->close(now_s_, end.horizon_s) : PartitionRecord();
  const bool first = exchange_.rank() == 0;  // it makes the rows of all jobs
  const std::vector<JobId> own = first ? std::vector<JobId>() : own_jobs();
  for (const auto& [p, part] : parts_.own()) {
    all.partitions.emplace_back(p, part->close(now_s_, end.horizon_s));
    parts_.close(p);
  }
  states_.clear();
  first ? rows_.close() : rows_.close(own);
  all.jobs = std::move(rows_.rows);
  all.mean_contention = std::move(rows_.mean_contention);
  if (exchange_.ranks() > 1) {
    auto others = exchange_.collect(first ? std::string() : pack(all));
    if (!first) return {};
    for (std::size_t r = 1; r < others.size(); ++r) {
      RunPart part = unpack(std::move(others[r]));
      take_rows(all, part);
      std::move(part.partitions.begin(), part.partitions.end(), std::back_inserter(all.partitions));
    }
  }
  std::sort(all.partitions.begin(), all.partitions.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  if (!single()) all.partitions.emplace_back(PartitionId(all.partitions.size()), std::move(wide));
#ifndef NDEBUG
  check_littles_law(all, rows_, now_s_, [&](double finish_s) { return instant_of(finish_s); });
#endif
  return join(world_, rows_, std::move(all), end);
}

void Run::check_invariants() const {
  for (const auto& [p, part] : parts_.own()) part->check_invariants(now_s_);
  if (wide_) wide_->check(now_s_);
  if (exchange_.ranks() > 1) return;  // other ranks know of other jobs
  std::size_t known = 0;
  for (std::size_t j = 0; j < next_job_; ++j) known += states_.table.cells[j].state() != JobState::future ? 1 : 0;
  if (known != rows_.arrived()) throw fault(fmt::format("a job is lost between partitions at {} s", now_s_));
}

template <class Archive>
void Run::serialize_shared(Archive& archive) {
  (archive & now_s_ & next_job_ & instants_ & demand_gpus_);
  rows_.serialize_shared(archive);
  if (!wide_) return;
  if constexpr (Archive::is_saving::value) wide_->write_back();
  states_.serialize(archive, jobs_by_partition().back(), rows_);
  (archive & *wide_);
}

/// As it stands between two instants: no interval ends, so that a saved run goes on to the same last bit as others.
template <class Archive>
void Run::serialize_partition(Archive& archive, Partition& part, const std::vector<JobId>& jobs) {
  if constexpr (Archive::is_saving::value) part.write_back();
  states_.serialize(archive, jobs, rows_);
  (archive & part);
}

RunState Run::own_state() {
  RunState state{now_s_, instants_, {}, {}};
  if (exchange_.rank() == 0) state.shared = to_bytes([&](StateOut& archive) { serialize_shared(archive); });
  const auto jobs = jobs_by_partition();
  for (const auto& [p, part] : parts_.own()) {
    SavedPartition saved{p, parts_.cost_s()[p.index()], {}};
    saved.bytes =
        to_bytes([&, &own = *part, i = p.index()](StateOut& archive) { serialize_partition(archive, own, jobs[i]); });
    state.partitions.push_back(std::move(saved));
    exchange_.tick();
  }
  return state;
}

RunState Run::state() {
  RunState state;
  parts_.guarded([&] { state = own_state(); });
  if (exchange_.ranks() == 1) {
    if (parts_.failed()) parts_.throw_failure();
    return state;
  }
  std::array<double, 1> failed = {parts_.failed() ? 1.0 : 0.0};
  exchange_.max(failed);
  if (failed[0] > 0) parts_.throw_failure();
  const bool first = exchange_.rank() == 0;
  auto others =
      exchange_.collect(first ? std::string() : to_bytes([&](StateOut& archive) { archive << state.partitions; }));
  for (std::size_t r = 1; r < others.size(); ++r) {
    RunState part;
    from_bytes(std::move(others[r]), [&](StateIn& archive) { archive >> part.partitions; });
    std::move(part.partitions.begin(), part.partitions.end(), std::back_inserter(state.partitions));
  }
  std::sort(state.partitions.begin(), state.partitions.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return state;
}

void Run::restore(RunState state) {
  from_bytes(std::move(state.shared), [&](StateIn& archive) { serialize_shared(archive); });
  if (next_job_ != rows_.arrived()) throw fault("a state in which a job is lost");
  const auto jobs = jobs_by_partition();
  std::vector<std::uint8_t> there(parts_.count(), 0);
  for (SavedPartition& saved : state.partitions) {
    const std::size_t p = saved.id.index();
    Partition* part = p < parts_.count() ? parts_.mine(saved.id) : nullptr;
    if (part == nullptr) continue;
    from_bytes(std::move(saved.bytes), [&](StateIn& archive) { serialize_partition(archive, *part, jobs[p]); });
    parts_.cost_s()[p] = saved.cost_s;
    there[p] = 1;
  }
  for (const auto& [p, part] : parts_.own()) {
    if (there[p.index()] == 0) throw fault("a state without one of its partitions");
  }
}

}  // namespace palstudy
