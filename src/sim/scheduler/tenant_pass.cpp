// SPDX-License-Identifier: MIT
// The walk where there are tenants (Jeon et al., ATC'19, section 2.3): first jobs that keep their tenants within quota,
// then those that borrow what is left; in both, the tenant that uses the least share of its quota is next, and a job
// that does not fit holds up nobody. So nobody borrows GPUs that a job within quota waits for and could use.
#include <algorithm>
#include <cmath>

#include "sim/engine/partition.hpp"
#include "sim/scheduler/tenant_state.hpp"

namespace palstudy {

void Partition::walk_tenants(const View& view) {
  Tenancy& t = *tenancy_;
  t.freed = t.held = false;
  t.unmet = t.no_room = UINT32_MAX;
  t.ladder.forget();
  expire_parts(view.now_s);
  t.turns.begin(t.book.used());
  for (const JobId job : ordered_) {
    if (table_.waiting(job)) t.turns.add(t.book.tenant(job), job);
  }
  serve_tenants(view, false);
  // What has become free in the midst may suit one within quota who was asked before: nobody borrows it yet.
  if (!t.freed) serve_tenants(view, true);
}

void Partition::serve_tenants(const View& view, bool borrowing) {
  Tenancy& t = *tenancy_;
  t.turns.deal();
  while (const auto tenant = t.turns.next()) {
    const std::uint64_t used = t.turns.used(*tenant);
    while (t.turns.used(*tenant) == used) {  // until a start changes its share
      const auto job = t.turns.job(*tenant);
      if (!job) break;
      const std::uint32_t more = t.book.width(*job) - t.book.holds(*job);
      if (!borrowing && !t.turns.within(*tenant, more)) {
        t.turns.keep(*tenant, *job);
      } else if (t.rules.gangs()) {
        serve_gang(view, *job, borrowing);
      } else if (place_or_reclaim(view, *job, borrowing)) {
        t.turns.use(*tenant, more);
      }
    }
  }
}

bool Partition::place_or_reclaim(const View& view, JobId job, bool borrowing) {
  return place_on_ladder(view, job) || (!borrowing && place_by_reclaiming(view, job));
}

namespace {

/// How far a job whose attempts have failed at so many boundaries has climbed.
Rung rung_after(Boundary failed, std::uint32_t attempts) {
  return static_cast<Rung>(std::min<Boundary>(failed / attempts, static_cast<Boundary>(Rung::anywhere)));
}

}  // namespace

/// At how many boundaries a job has failed to get GPUs that its tenant could have had. Who waits for its share does not
/// try, and so does not climb.
Boundary Partition::failed(JobId id, Boundary k) const {
  const double round_s = world_.engine.round_s;
  return static_cast<Boundary>(std::llround(tenancy_->book.tried_s(id, boundary_s(k, round_s)) / round_s));
}

/// The boundary before which a job is patient.
Boundary Partition::patient_until(JobId id) const {
  const TenantRules& rules = tenancy_->rules;
  const double patience_s =
      std::min(rules.patience * world_.workload.jobs[id.index()].ideal_s(), rules.patience_most_s);
  return boundary_at_or_after(tenancy_->book.since_s(id) + patience_s, world_.engine.round_s);
}

Rung Partition::rung(JobId id, Boundary k) const {
  const Tenancy& t = *tenancy_;
  if (!t.rules.ladder() || t.book.width(id) == 1) return Rung::anywhere;
  if (t.rules.patience > 0 && k < patient_until(id)) return Rung::fewest_nodes;
  return rung_after(failed(id, k), t.rules.ladder_attempts);
}

bool Partition::place_on_ladder(const View& view, JobId id) {
  if (!dedicates(id)) return place_at_rung(view, id);
  return place_dedicated(view, id) || place_by_clearing(view, id);
}

/// Where the policy's choice is not allowed, it chooses again among the nodes that come nearest to it.
bool Partition::place_at_rung(const View& view, JobId id) {
  Tenancy& t = *tenancy_;
  const std::uint32_t gpus = view.job(id).gpus;
  const Rung at = rung(id, boundary_at_or_after(view.now_s, view.round_s));
  if (at == Rung::anywhere) return place(view, id);
  if (gpus > free_.total() || !t.ladder.possible(free_, gpus, at) || !place(view, id)) return false;
  GpuSet& chosen = choices_[chosen_ - 1].gpus;
  if (t.ladder.allows(chosen, gpus, at)) return true;
  for (const NodeGpus& part : chosen) free_.give(part);
  choice_of_[id.index()] = 0;
  --chosen_;
  std::swap(t.wish, chosen);
  t.ladder.nodes(free_, gpus, at, t.wish, t.nodes);
  t.hidden.clear();
  for (std::uint32_t n = 0; n < site_.topology.nodes(); ++n) {
    const NodeGpus there{NodeId(n), free_.mask(NodeId(n))};
    if (there.mask != 0 && !std::binary_search(t.nodes.begin(), t.nodes.end(), there.node)) t.hidden.push_back(there);
  }
  for (const NodeGpus& part : t.hidden) free_.take(part);
  const bool placed = place(view, id);
  for (const NodeGpus& part : t.hidden) free_.give(part);
  return placed;
}

/// For a job within quota, on a cluster that is nearly full: stops jobs of tenants that are over quota, the last
/// started first, until there are enough GPUs. Nobody is stopped if that is not enough, or of no use.
bool Partition::place_by_reclaiming(const View& view, JobId id) {
  Tenancy& t = *tenancy_;
  const std::uint32_t gpus = view.job(id).gpus;
  const double in_use = site_.topology.gpus() - free_.total();
  if (!t.rules.preempts() || in_use < t.rules.preempt_occupancy * site_.topology.gpus()) return false;
  if (free_.total() >= gpus || gpus >= t.unmet) return false;
  const std::size_t first = released_jobs_.size();
  const std::vector<JobId>& started = t.book.started();
  for (auto last = started.rbegin(); last != started.rend() && free_.total() < gpus; ++last) {
    const JobId victim = *last;
    const std::uint16_t tenant = t.book.tenant(victim);
    const std::uint32_t slot = running_.slot_of(victim);
    if (running_.released[slot] != 0 || choice_of_[victim.index()] != 0 || t.turns.within(tenant, 0)) continue;
    release(slot);
    released_jobs_.push_back(victim);
    t.turns.use(tenant, -std::int64_t{t.book.width(victim)});
  }
  t.ladder.forget();
  const bool enough = free_.total() >= gpus;
  if (enough && place_on_ladder(view, id)) {
    t.freed = true;
    return true;
  }
  if (!enough) t.unmet = gpus;
  while (released_jobs_.size() > first) {
    const JobId victim = released_jobs_.back();
    take_back(running_.slot_of(victim));
    t.turns.use(t.book.tenant(victim), t.book.width(victim));
    released_jobs_.pop_back();
  }
  t.ladder.forget();
  return false;
}

/// For a placement that is made afresh: all jobs, running or not, by the same turns, from GPUs that are all free.
void Partition::merge_tenants(const View& view) {
  Tenancy& t = *tenancy_;
  t.turns.begin(std::vector<std::uint64_t>(t.rules.quota.size(), 0));
  for (const JobId job : ordered_) t.turns.add(t.book.tenant(job), job);
  ordered_.clear();
  std::uint64_t demand = 0;
  for (const bool borrowing : {false, true}) {
    t.turns.deal();
    while (const auto tenant = t.turns.next()) {
      const std::uint64_t used = t.turns.used(*tenant);
      while (t.turns.used(*tenant) == used) {
        const auto job = t.turns.job(*tenant);
        if (!job) break;
        const std::uint32_t gpus = t.book.width(*job);
        if (!borrowing && !t.turns.within(*tenant, gpus)) {
          t.turns.keep(*tenant, *job);
          continue;
        }
        ordered_.push_back(*job);
        if (demand + gpus > view.gpus) continue;
        demand += gpus;
        t.turns.use(*tenant, gpus);
      }
    }
  }
}

DelayCause Partition::cause(JobId id, Boundary k) const {
  const Tenancy& t = *tenancy_;
  const std::uint32_t gpus = t.book.width(id);
  if (t.book.holds(id) > 0 || k < t.book.tried_again(id)) return DelayCause::gang;
  const bool over = !t.rules.within(t.book.tenant(id), t.book.used()[t.book.tenant(id)] + gpus);
  if (over && (free_.total() < gpus || t.freed)) return DelayCause::fair_share;
  const bool climbed =
      t.rules.ladder() && t.rules.patience > 0 && rung_after(failed(id, k), t.rules.ladder_attempts) > rung(id, k);
  return climbed && free_.total() >= gpus ? DelayCause::locality : DelayCause::fragmentation;
}

/// After a walk: why those wait who wait, and when that could change by itself. Told from the state alone, so that it
/// does not matter how often it is looked at.
void Partition::note_delays(double now_s) {
  Tenancy& t = *tenancy_;
  const Boundary k = boundary_at_or_after(now_s, world_.engine.round_s);
  Boundary next = never;
  const auto at = [&](Boundary change) {
    if (change > k) next = std::min(next, change);
  };
  for (const JobId job : queue_.waiting()) {
    t.book.because(job, cause(job, k), now_s);
    at(t.book.tried_again(job));
    if (!t.rules.ladder() || t.book.width(job) == 1) continue;
    if (t.book.cause(job) != DelayCause::fair_share) {
      const Boundary tried = failed(job, k), climbs = (tried / t.rules.ladder_attempts + 1) * t.rules.ladder_attempts;
      if (climbs <= static_cast<Boundary>(Rung::anywhere) * t.rules.ladder_attempts) at(k + (climbs - tried));
    }
    if (t.rules.patience > 0) at(patient_until(job));
  }
  for (const GangPart& part : t.parts) at(part.expires);
  // Who has borrowed may be stopped again, and who was stopped may borrow.
  const bool changed = chosen_ > 0 || !released_jobs_.empty() || t.freed || t.held;
  if (changed && (t.rules.preempts() || t.rules.gangs()) && !queue_.empty()) at(k + 1);
  t.next_change = next;
}

}  // namespace palstudy
