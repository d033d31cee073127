// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/tenancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"

namespace palstudy {
namespace {

/// The level of a job that has failed to get GPUs at so many boundaries.
RelaxationLevel level_after(Boundary failed, std::uint32_t attempts) {
  return static_cast<RelaxationLevel>(
      std::min<Boundary>(failed / attempts, static_cast<Boundary>(RelaxationLevel::anywhere)));
}

}  // namespace

void Tenancy::notify(const JobEvent& event) {
  const auto is = [&](auto... changes) { return ((event.change == changes) || ...); };
  if (is(JobChange::started)) accounting.on_start(event.job);
  if (is(JobChange::stopped, JobChange::failed, JobChange::ended)) accounting.on_end(event.job);
  if (is(JobChange::arrived, JobChange::moved_in, JobChange::stopped, JobChange::failed)) {
    accounting.on_enqueue(event.job, event.now_s);
  }
}

std::vector<std::uint64_t> Tenancy::used_elsewhere() const {
  std::vector<std::uint64_t> used = state_.used_elsewhere;
  used.resize(rules.quota.size(), 0);
  return used;
}

std::vector<std::uint64_t> Tenancy::used() const {
  std::vector<std::uint64_t> used = used_elsewhere();
  for (std::size_t tenant = 0; tenant < used.size(); ++tenant) used[tenant] += accounting.used()[tenant];
  return used;
}

/// At how many boundaries a job has failed to get GPUs that its tenant could have had. A job that waits for its share
/// does not try, and so relaxes nothing.
Boundary Tenancy::failed(JobId id, Boundary k) const {
  const Rounds rounds = state_.world.engine.rounds();
  return rounds.count(state_.causes->tried_s(id, rounds.time_s(k)));
}

/// The boundary before which a job is patient.
Boundary Tenancy::patient_until(JobId id) const {
  const double patience_s = std::min(rules.patience * state_.job(id).ideal_s(), rules.patience_most_s);
  return state_.boundary(accounting.since_s(id) + patience_s);
}

RelaxationLevel Tenancy::level(JobId id, Boundary k) const {
  if (!rules.ladder() || accounting.width(id) == 1) return RelaxationLevel::anywhere;
  if (rules.patience > 0 && k < patient_until(id)) return RelaxationLevel::fewest_nodes;
  return level_after(failed(id, k), rules.ladder_attempts);
}

DelayCause Tenancy::cause(JobId id, Boundary k, const std::vector<std::uint64_t>& used) const {
  const std::uint32_t gpus = accounting.width(id), free = state_.free.total();
  const std::uint16_t tenant = accounting.tenant(id);
  if (accounting.held(id) > 0 || k < accounting.retry_from(id)) return DelayCause::gang;
  const bool over = !rules.within(tenant, used[tenant] + gpus);
  if (over && (free < gpus || freed)) return DelayCause::fair_share;
  const bool relaxed =
      rules.ladder() && rules.patience > 0 && level_after(failed(id, k), rules.ladder_attempts) > level(id, k);
  return relaxed && free >= gpus ? DelayCause::locality : DelayCause::fragmentation;
}

void Tenancy::note_delays(const View& view, Transaction& transaction) {
  const Boundary k = state_.boundary(view.now_s);
  const std::vector<std::uint64_t> now_used = used();
  Boundary next = never;
  const auto at = [&](Boundary change) {
    if (change > k) next = std::min(next, change);
  };
  for (const JobId job : state_.queue.waiting()) {
    transaction.because(job, cause(job, k, now_used));
    at(accounting.retry_from(job));
    if (!rules.ladder() || accounting.width(job) == 1) continue;
    if (state_.causes->cause(job) != DelayCause::fair_share) {
      const Boundary tried = failed(job, k), relaxes = (tried / rules.ladder_attempts + 1) * rules.ladder_attempts;
      if (relaxes <= static_cast<Boundary>(RelaxationLevel::anywhere) * rules.ladder_attempts)
        at(k + (relaxes - tried));
    }
    if (rules.patience > 0) at(patient_until(job));
  }
  for (const HeldPart& part : state_.idle_parts) at(accounting.held_until(part.job));
  // A job that has borrowed may be stopped again, and one that was stopped may borrow.
  const bool changed = transaction.changes() || freed || held;
  if (changed && (rules.preempts() || rules.gangs()) && !state_.queue.empty()) at(k + 1);
  next_change_ = next;
}

double Tenancy::next_change_s() const { return state_.world.engine.rounds().time_s(next_change_); }

void Tenancy::check_usage(double now_s) const {
  std::vector<std::uint64_t> used(rules.quota.size(), 0);
  std::map<JobId, std::uint64_t> parts;  // few jobs hold some, of all that there are
  for (const JobId job : state_.running.job) used[accounting.tenant(job)] += accounting.width(job);
  for (const HeldPart& part : state_.idle_parts) {
    used[accounting.tenant(part.job)] += count(part.gpus);
    parts[part.job] += count(part.gpus);
    if (state_.table.waiting(part.job)) continue;
    throw fault(fmt::format("job {} holds a part of a gang and does not wait at {} s", state_.job(part.job).id, now_s));
  }
  if (used != accounting.used()) throw fault(fmt::format("a tenant uses other GPUs than its jobs at {} s", now_s));
  for (const JobId job : state_.queue.waiting()) {
    const auto own = parts.find(job);
    const std::uint64_t own_gpus = own == parts.end() ? 0 : own->second;
    if (own_gpus == accounting.held(job) && own_gpus < accounting.width(job)) continue;
    throw fault(fmt::format("the gang of job {} is not all or nothing at {} s", state_.job(job).id, now_s));
  }
}

}  // namespace palstudy
