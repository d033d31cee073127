// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/place_waiting.hpp"

#include <algorithm>
#include <span>

#include "core/numbers.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {

PlaceWaiting::PlaceWaiting(const SchedulerContext& context) : WithState(context), migration_(context) {
  if (context.backfill != nullptr) backfilling_.emplace(context, *context.backfill);
}

void PlaceWaiting::notify(const JobEvent& event) {
  if (backfilling_) backfilling_->notify(event);
}

void PlaceWaiting::capacity_changed() {
  if (backfilling_) backfilling_->capacity_changed();
}

bool PlaceWaiting::idle() const {
  return (state_.queue.empty() || state_.reserved) && !migration_.may_move() && !observes_running();
}

void PlaceWaiting::decide(const View& view, Transaction& transaction) {
  put_in_order(view, transaction);
  if (!backfilling_) {
    place(view, transaction);
  } else if (!state_.reserved) {
    backfilling_->decide(view, transaction, ordered_);
  }
  migration_.move_running(view, transaction, staying_);
}

void PlaceWaiting::place(const View& view, Transaction& transaction) {
  for (std::size_t position = 0; position < ordered_.size(); ++position) {
    const JobId job = ordered_[position];
    if (state_.table.running(job) && !transaction.released(state_.running.slot_of(job))) continue;
    if (transaction.place(job) || place_by_stopping(view, transaction, position)) continue;
    if (!backfills()) return;
  }
}

/// Stops running jobs behind `position` one by one until its job fits; not those on nodes that drain, whose GPUs no job
/// gets.
bool PlaceWaiting::place_by_stopping(const View& view, Transaction& transaction, std::size_t position) {
  const JobId job = ordered_[position];
  victims_.clear();
  order_.victims(view, job, std::span<const JobId>(ordered_).subspan(position + 1), victims_);
  if (victims_.empty()) return false;
  const auto before = transaction.savepoint();
  for (const JobId victim : victims_) {
    const std::uint32_t slot = state_.running.slot_of(victim);
    if (transaction.released(slot) || state_.free.any_withdrawn(state_.running.allocation[slot].gpus)) continue;
    transaction.release(victim, StopReason::order);
    if (transaction.place(job)) return true;
  }
  if (state_.world.engine.sticky_victims == StickyVictims::give_back) transaction.rollback(before);
  return false;
}

bool PlaceWaiting::may_change_any_time() const {
  if (ListScheduler::may_change_any_time() || migration_.may_move()) return true;
  // Victims that stay stopped for a job that still does not fit are placed again behind it, time and again.
  return (order_.preemptive() || state_.queue.any_starved()) && backfills() &&
         state_.world.engine.sticky_victims == StickyVictims::stay_stopped;
}

double PlaceWaiting::next_change_s(const View& view) {
  const double change_s = ListScheduler::next_change_s(view);
  return backfilling_ && !idle() ? std::min(change_s, backfilling_->next_change_s(view.now_s)) : change_s;
}

double PlaceWaiting::next_turn_s(const View& view) const {
  const double turn_s = ListScheduler::next_turn_s(view);
  return backfilling_ ? std::min(turn_s, backfilling_->next_change_s(view.now_s)) : turn_s;
}

double PlaceWaiting::next_instant_s(const View& view) {
  if (!backfilling_) return infinity;
  const auto later = [&](double time_s) { return time_s > view.now_s ? time_s : infinity; };
  return std::min(later(backfilling_->next_change_s(view.now_s)), later(backfilling_->next_eligible_s()));
}

}  // namespace palstudy
