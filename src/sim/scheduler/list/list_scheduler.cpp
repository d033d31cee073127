// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/list_scheduler.hpp"

#include <algorithm>
#include <limits>

namespace palstudy {

/// Where no running job can be stopped, only those that wait are of interest.
void ListScheduler::put_in_order(const View& view, Transaction& transaction) {
  const bool starved = state_.queue.any_starved();
  if (!state_.reserved && placement_.sticky() && !order_.preemptive() && !starved) {
    ordered_ = state_.queue.waiting();
  } else {
    transaction.find_active();
    ordered_.clear();
    for (const ActiveJob& job : transaction.active) ordered_.push_back(job.job);
  }
  order_.order(view, ordered_);
  if (!starved) return;
  std::stable_partition(ordered_.begin(), ordered_.end(),
                        [&](JobId job) { return state_.table.starved[job.index()] != 0; });
}

bool ListScheduler::may_change_any_time() const {
  return state_.world.engine.visit_every_boundary || !placement_.repeatable();
}

double ListScheduler::next_change_s(const View& view) {
  if (idle()) return std::numeric_limits<double>::infinity();
  if (may_change_any_time()) return view.now_s;
  return std::min(order_.next_change_s(view, ordered_), state_.queue.next_starvation_s());
}

}  // namespace palstudy
