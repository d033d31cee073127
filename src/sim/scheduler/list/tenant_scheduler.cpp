// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/tenant_scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {

TenantScheduler::TenantScheduler(const SchedulerContext& context)
    : WithState(context), tenancy_(state_), dedicated_(state_), relaxation_(state_.topology()), migration_(context) {}

void TenantScheduler::notify(const JobEvent& event) {
  if (event.gpus != nullptr && dedicates(event.job)) dedicated_.release_nodes(*event.gpus);
  tenancy_.notify(event);
}

bool TenantScheduler::idle() const { return state_.queue.empty() && !migration_.may_move() && !observes_running(); }

bool TenantScheduler::may_change_any_time() const {
  return ListScheduler::may_change_any_time() || migration_.may_move();
}

double TenantScheduler::next_change_s(const View& view) {
  return idle() ? ListScheduler::next_change_s(view)
                : std::min(ListScheduler::next_change_s(view), tenancy_.next_change_s());
}

void TenantScheduler::decide(const View& view, Transaction& transaction) {
  put_in_order(view, transaction);
  now_s_ = view.now_s;
  now_ = state_.boundary(now_s_);
  tenancy_.freed = tenancy_.held = false;
  unmet_ = no_room_ = UINT32_MAX;
  relaxation_.forget();
  end_late_holds(transaction);
  tenancy_.tenant_order.begin(tenancy_.used());
  for (const JobId job : ordered_) {
    if (state_.table.waiting(job)) tenancy_.tenant_order.add(tenancy_.accounting.tenant(job), job);
  }
  serve(transaction, false);
  // GPUs that became free meanwhile may suit a job within quota that came before: no job borrows them yet.
  if (!tenancy_.freed) serve(transaction, true);
  migration_.move_running(view, transaction, staying_);
}

void TenantScheduler::serve(Transaction& transaction, bool borrowing) {
  const auto wants = [&](JobId job) { return state_.job(job).gpus - tenancy_.accounting.held(job); };
  tenancy_.tenant_order.serve(borrowing, wants, [&](JobId job, std::uint32_t more) {
    if (tenancy_.rules.gangs()) return serve_gang(transaction, job, borrowing);
    if (!place_or_reclaim(transaction, job, borrowing)) return;
    tenancy_.tenant_order.use(tenancy_.accounting.tenant(job), more);
  });
}

/// Parts of gangs whose time is over are given back before any job is served; the timers end at the next boundary.
void TenantScheduler::end_late_holds(Transaction& transaction) {
  TenantAccounting& accounting = tenancy_.accounting;
  std::vector<JobId> late;
  for (const HeldPart& part : state_.idle_parts) {
    if (accounting.held_until(part.job) <= now_) late.push_back(part.job);
  }
  for (const JobId job : late) {
    if (accounting.held(job) == 0) continue;  // it had several parts
    transaction.free_held(job);
    transaction.end_hold(job);
    accounting.let_go(job);
    accounting.back_off(job, state_.boundary(now_s_ + tenancy_.rules.gang_backoff_s));
    state_.free_set_changed = true;
  }
}

/// A job within quota for which too few GPUs are free takes those that are, holds them idle for a while until there are
/// more, then gives them back and backs off.
void TenantScheduler::serve_gang(Transaction& transaction, JobId id, bool borrowing) {
  TenantAccounting& accounting = tenancy_.accounting;
  if (now_ < accounting.retry_from(id)) return;
  const std::uint16_t tenant = accounting.tenant(id);
  const std::uint32_t gpus = state_.job(id).gpus, held = accounting.held(id);
  if (held > 0) {
    transaction.free_held(id);
    relaxation_.forget();
  }
  if (place_or_reclaim(transaction, id, borrowing)) {
    if (held > 0) {
      transaction.end_hold(id);
      accounting.let_go(id);
      tenancy_.freed = true;  // it may have got others
    }
    tenancy_.tenant_order.use(tenant, std::int64_t{gpus} - held);
    return;
  }
  if (held > 0) {
    transaction.take_held(id);
    relaxation_.forget();
  }
  const std::uint32_t part = state_.free.total();
  if (borrowing || part == 0 || held + part >= gpus || !transaction.hold(id, part)) return;
  accounting.hold(id, part, state_.boundary(now_s_ + tenancy_.rules.gang_timeout_s));
  tenancy_.tenant_order.use(tenant, part);
  tenancy_.held = true;
}

bool TenantScheduler::place_or_reclaim(Transaction& transaction, JobId job, bool borrowing) {
  return place(transaction, job) || (!borrowing && place_by_reclaiming(transaction, job));
}

bool TenantScheduler::place(Transaction& transaction, JobId job) {
  if (!dedicates(job)) return place_at_level(transaction, job);
  return place_on_free_nodes(transaction, job) || place_by_clearing(transaction, job);
}

/// Where the policy's choice is not allowed, it chooses again among the nodes that come nearest to it.
bool TenantScheduler::place_at_level(Transaction& transaction, JobId id) {
  const std::uint32_t gpus = state_.job(id).gpus;
  const RelaxationLevel at = tenancy_.level(id, now_);
  if (at == RelaxationLevel::anywhere) return transaction.place(id);
  const auto before = transaction.savepoint();
  if (gpus > state_.free.total() || !relaxation_.possible(state_.free, gpus, at) || !transaction.place(id))
    return false;
  if (relaxation_.allows(transaction.last_placement(), gpus, at)) return true;
  preferred_ = transaction.last_placement();
  transaction.rollback(before);
  relaxation_.nodes(state_.free, gpus, at, preferred_, nodes_);
  return transaction.place(id, {nodes_});
}

/// Places a job where only nodes that are free as a whole count.
bool TenantScheduler::place_on_free_nodes(Transaction& transaction, JobId job) {
  dedicated_.partly_used(partly_used_);
  transaction.mask(partly_used_);
  const bool placed = place_at_level(transaction, job);
  transaction.unmask(partly_used_);
  if (placed) dedicated_.reserve_nodes(transaction.last_placement());
  return placed;
}

/// Moves jobs of one GPU together until a job of several has nodes of its own; none moves in vain.
bool TenantScheduler::place_by_clearing(Transaction& transaction, JobId job) {
  const std::uint32_t gpus = state_.job(job).gpus;
  if (!tenancy_.rules.defragment || gpus >= no_room_ || state_.free.total() < gpus) return false;
  const auto before = transaction.savepoint();
  const bool cleared = dedicated_.vacate_nodes(transaction, relaxation_.fewest(gpus), gpus);
  relaxation_.forget();
  if (cleared && place_on_free_nodes(transaction, job)) {
    tenancy_.freed = true;
    return true;
  }
  transaction.rollback(before);
  relaxation_.forget();
  no_room_ = gpus;
  return false;
}

void TenantScheduler::release(Transaction& transaction, JobId victim) {
  transaction.release(victim, StopReason::reclaimed);
  if (dedicates(victim)) dedicated_.release_nodes(gpus_of(victim));
  tenancy_.tenant_order.use(tenancy_.accounting.tenant(victim), -std::int64_t{state_.job(victim).gpus});
}

/// For a job within quota, on a partition that is nearly full: stops jobs of tenants that are over quota, the last
/// started first, until there are enough GPUs. None is stopped if that is not enough, or of no use.
bool TenantScheduler::place_by_reclaiming(Transaction& transaction, JobId id) {
  const TenantRules& rules = tenancy_.rules;
  const std::uint32_t gpus = state_.job(id).gpus, all = state_.topology().gpus();
  const double in_use = all - state_.free.total();
  if (!rules.preempts() || in_use < rules.preempt_occupancy * all) return false;
  if (state_.free.total() >= gpus || gpus >= unmet_) return false;
  const auto before = transaction.savepoint();
  const std::vector<JobId>& started = tenancy_.accounting.started();
  for (auto last = started.rbegin(); last != started.rend() && state_.free.total() < gpus; ++last) {
    if (transaction.released(state_.running.slot_of(*last)) || transaction.placed(*last)) continue;
    if (!tenancy_.tenant_order.within(tenancy_.accounting.tenant(*last), 0)) release(transaction, *last);
  }
  relaxation_.forget();
  const bool enough = state_.free.total() >= gpus;
  if (enough && place(transaction, id)) {
    tenancy_.freed = true;
    return true;
  }
  if (!enough) unmet_ = gpus;
  const std::vector<Transaction::Release> released(
      transaction.releases().begin() + static_cast<std::ptrdiff_t>(before.releases), transaction.releases().end());
  transaction.rollback(before);
  for (auto back = released.rbegin(); back != released.rend(); ++back) {
    if (dedicates(back->job)) dedicated_.reserve_nodes(gpus_of(back->job));
    tenancy_.tenant_order.use(tenancy_.accounting.tenant(back->job), state_.job(back->job).gpus);
  }
  relaxation_.forget();
  return false;
}

/// The nodes that are kept follow from the running jobs.
void TenantScheduler::reserve_nodes() {
  for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
    if (dedicates(state_.running.job[slot])) dedicated_.reserve_nodes(state_.running.allocation[slot].gpus);
  }
}

/// A job that waits within quota could not use what is free, so that no job beyond quota holds it instead.
void TenantScheduler::check(double now_s) const {
  tenancy_.check_usage(now_s);
  if (placement_.may_refuse() || state_.reserved) return;
  const TenantAccounting& accounting = tenancy_.accounting;
  const std::vector<std::uint64_t> used = tenancy_.used();
  const Boundary k = state_.boundary(now_s);
  LocalityRelaxation relaxation(state_.topology());
  for (const JobId job : state_.queue.waiting()) {
    const std::uint32_t gpus = state_.job(job).gpus;
    const bool tensor = state_.rates.uncommon_model(job) != nullptr;  // may want whole groups
    const RelaxationLevel at = tenancy_.level(job, k);
    if (at != RelaxationLevel::anywhere && placement_.moves_running()) continue;  // a later move may have made room
    if (dedicates(job)) continue;  // free GPUs are not enough, and a search for whole nodes is the decision itself
    if (tensor || accounting.held(job) > 0 || k < accounting.retry_from(job) || tenancy_.freed) continue;
    const std::uint16_t tenant = accounting.tenant(job);
    if (!tenancy_.rules.within(tenant, used[tenant] + gpus)) continue;
    if (!relaxation.possible(state_.free, gpus, at)) continue;
    throw fault(fmt::format("job {} waits within quota for GPUs that it could use at {} s", state_.job(job).id, now_s));
  }
}

}  // namespace palstudy
