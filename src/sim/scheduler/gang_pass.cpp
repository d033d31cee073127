// SPDX-License-Identifier: MIT
// Gangs that are acquired piece by piece: a job within quota for which too few GPUs are free takes those that are,
// holds them idle for a while in the hope of the rest, then gives them back and backs off (Jeon et al., ATC'19,
// section 2.3).
#include <algorithm>

#include "sim/engine/partition.hpp"
#include "sim/scheduler/tenant_state.hpp"

namespace palstudy {

/// Parts whose time is over go back before anybody is served; the timers end at the next boundary.
void Partition::expire_parts(double now_s) {
  Tenancy& t = *tenancy_;
  if (t.parts.empty()) return;
  const Boundary k = boundary_at_or_after(now_s, world_.engine.round_s);
  std::vector<JobId> over;
  for (std::size_t i = 0; i < t.parts.size(); ++i) {
    if (t.parts[i].expires <= k) over.push_back(held_[i].first);
  }
  for (const JobId job : over) {
    if (t.book.holds(job) == 0) continue;  // it had several parts
    for (const auto& [holder, gpus] : held_) {
      if (holder != job) continue;
      for (const NodeGpus& part : gpus) free_.give(part);
    }
    let_parts_go(job, now_s);
    t.book.back_off(job, boundary_at_or_after(now_s + t.rules.gang_backoff_s, world_.engine.round_s));
    touched_ = true;
  }
}

/// Forgets the parts of a job, whose GPUs have been given back.
void Partition::let_parts_go(JobId job, double now_s) {
  Tenancy& t = *tenancy_;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (held_[i].first == job) {
      recorder_.idle(held_[i].second, boundary_s(t.parts[i].since, world_.engine.round_s), now_s);
      continue;
    }
    if (kept != i) held_[kept] = std::move(held_[i]), t.parts[kept] = t.parts[i];
    ++kept;
  }
  held_.resize(kept);
  t.parts.resize(kept);
  t.book.let_go(job);
}

void Partition::serve_gang(const View& view, JobId id, bool borrowing) {
  Tenancy& t = *tenancy_;
  const Boundary k = boundary_at_or_after(view.now_s, view.round_s);
  if (k < t.book.tried_again(id)) return;
  const std::uint16_t tenant = t.book.tenant(id);
  const std::uint32_t gpus = view.job(id).gpus, holds = t.book.holds(id);
  const auto each_part = [&](auto work) {
    if (holds == 0) return;
    for (const auto& [holder, part] : held_) {
      if (holder == id) std::for_each(part.begin(), part.end(), work);
    }
    t.ladder.forget();
  };
  each_part([&](const NodeGpus& part) { free_.give(part); });
  if (place_or_reclaim(view, id, borrowing)) {
    if (holds > 0) let_parts_go(id, view.now_s), t.freed = true;  // it may have got others
    t.turns.use(tenant, std::int64_t{gpus} - holds);
    return;
  }
  each_part([&](const NodeGpus& part) { free_.take(part); });
  const std::uint32_t part = free_.total();
  if (borrowing || part == 0 || holds + part >= gpus) return;
  auto& [owner, taken] = held_.emplace_back(id, GpuSet{});
  ++placements_;
  if (!placement_.choose({id, view.job(id).cls, part, view.now_s}, free_, taken)) {
    held_.pop_back();
    return;
  }
  canonicalize(taken);
  for (const NodeGpus& on_node : taken) free_.take(on_node);
  Boundary expires = boundary_at_or_after(view.now_s + t.rules.gang_timeout_s, view.round_s);
  for (std::size_t i = 0; i < t.parts.size(); ++i) {
    if (held_[i].first == id) expires = t.parts[i].expires;  // counted from the first part
  }
  t.parts.push_back({k, expires});
  t.book.hold(id, part);
  t.turns.use(tenant, part);
  t.held = touched_ = true;
}

/// The end of the run: parts that are still held, and the delays.
DelayRows Partition::close_tenancy(double end_s) {
  Tenancy& t = *tenancy_;
  while (!held_.empty()) let_parts_go(held_.front().first, end_s);
  return t.book.close(end_s);
}

}  // namespace palstudy
