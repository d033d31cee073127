// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/list_scheduler.hpp"

#include <algorithm>
#include <limits>

namespace palstudy {

/// All jobs of the partition, also where it is reserved and none of those that wait may start.
void ListScheduler::observe(const View& view) {
  active_ = state_.queue.waiting();
  active_.insert(active_.end(), state_.running.job.begin(), state_.running.job.end());
  std::sort(active_.begin(), active_.end());
  own_order_->observe(view, active_);
}

/// Where no running job can be stopped, only those that wait are of interest.
void ListScheduler::put_in_order(const View& view, Transaction& transaction) {
  if (own_order_) observe(view);
  const bool starved = state_.queue.any_starved();
  if (!state_.reserved && placement_.sticky() && !order_.preemptive() && !starved) {
    ordered_ = state_.queue.waiting();
  } else {
    transaction.find_active();
    ordered_.clear();
    for (const ActiveJob& job : transaction.active) ordered_.push_back(job.job);
  }
  order_.order(view, ordered_);
  staying_.clear();
  order_.staying(view, staying_);
  if (!starved) return;
  std::stable_partition(ordered_.begin(), ordered_.end(), [&](JobId job) { return state_.table.starved(job); });
}

bool ListScheduler::may_change_any_time() const {
  return state_.world.engine.visit_every_boundary || !placement_.repeatable();
}

double ListScheduler::next_turn_s(const View& view) const {
  return std::min(order_.next_change_s(view, ordered_), state_.queue.next_starvation_s());
}

/// A turn is of no use to jobs that fit nowhere though nothing runs, unless a gang holds GPUs idle.
double ListScheduler::next_start_s(const View& view, Transaction& transaction) {
  const std::vector<JobId>& waiting = state_.queue.waiting();
  const bool any = !state_.idle_parts.empty() ||
                   std::any_of(waiting.begin(), waiting.end(), [&](JobId job) { return transaction.fits(job); });
  return idle() || !any ? std::numeric_limits<double>::infinity() : next_turn_s(view);
}

double ListScheduler::next_change_s(const View& view) {
  if (idle()) return std::numeric_limits<double>::infinity();
  if (may_change_any_time()) return view.now_s;
  return std::min(order_.next_change_s(view, ordered_), state_.queue.next_starvation_s());
}

}  // namespace palstudy
