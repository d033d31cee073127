// SPDX-License-Identifier: MIT
// What must be true of tenants after every boundary. Debug builds check it; each failure is a fault of the engine.
#include <fmt/format.h>

#include "core/error.hpp"
#include "sim/engine/partition.hpp"

namespace palstudy {

/// Usage is what jobs and parts of gangs hold; no part is a whole; and whoever waits within quota could not use what is
/// free, so that nobody beyond quota holds it instead.
void Partition::check_tenants(double now_s) const {
  if (!tenancy_) return;
  const Tenancy& t = *tenancy_;
  const auto must = [&](bool true_thing, const char* what, JobId job) {
    if (!true_thing) throw fault(fmt::format("{}: job {} at {} s", what, world_.workload.jobs[job.index()].id, now_s));
  };
  std::vector<std::uint64_t> used(t.rules.quota.size(), 0), parts(world_.workload.jobs.size(), 0);
  for (const JobId job : running_.job) used[t.book.tenant(job)] += t.book.width(job);
  for (const auto& [job, gpus] : held_) {
    used[t.book.tenant(job)] += count(gpus);
    parts[job.index()] += count(gpus);
    must(table_.waiting(job), "a job that does not wait holds a part of a gang", job);
  }
  if (used != t.book.used()) throw fault(fmt::format("a tenant uses other GPUs than its jobs at {} s", now_s));
  const Boundary k = boundary_at_or_after(now_s, world_.engine.round_s);
  Ladder ladder(site_.topology);
  for (const JobId job : queue_.waiting()) {
    const std::uint32_t gpus = t.book.width(job);
    must(parts[job.index()] == t.book.holds(job) && parts[job.index()] < gpus, "a gang is not all or nothing", job);
    const bool tensor = rates_.uncommon_model(job) != nullptr;  // may want whole groups
    const Rung at = rung(job, k);
    if (at != Rung::anywhere && placement_.moves_running()) continue;  // a move after the walk may have made room
    if (dedicates(job)) continue;  // free GPUs are not enough, and a search for whole nodes is the walk itself
    if (tensor || t.book.holds(job) > 0 || k < t.book.tried_again(job) || t.freed) continue;
    const std::uint16_t tenant = t.book.tenant(job);
    if (!t.rules.within(tenant, used[tenant] + gpus)) continue;
    must(!ladder.possible(free_, gpus, at), "a job within quota waits for GPUs that it could use", job);
  }
}

}  // namespace palstudy
