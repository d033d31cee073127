// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/repack.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "sim/state/state_archive.hpp"

namespace palstudy {

/// A job that failed has to be launched again, also where the same jobs come in the same order. One that ran on a node
/// that drains had GPUs whether it was among those that fit or not.
void Repack::notify(const JobEvent& event) {
  const bool kept = event.change == JobChange::ended && state_.free.any_withdrawn();
  if (kept || event.change == JobChange::failed) previous_.clear();
}

void Repack::decide(const View& view, Transaction& transaction) {
  put_in_order(view, transaction);
  rearrange(view);
  find_places(view, transaction);
  if (!same_as_before() || !placement_.repeatable()) place(transaction);
}

/// Finds the active jobs in their order, and how many of the first of them the partition has GPUs for.
void Repack::find_places(const View& view, const Transaction& transaction) {
  const auto& active = transaction.active;
  const auto before = [](const ActiveJob& a, JobId job) { return a.job < job; };
  order_index_.clear();
  fitting_ = 0;
  std::uint64_t demand = 0;
  std::size_t next = 0;
  for (const JobId job : ordered_) {
    if (next == active.size() || active[next].job != job) {  // not by id, as in most orders
      const auto at = std::lower_bound(active.begin(), active.end(), job, before);
      next = static_cast<std::size_t>(at - active.begin());
    }
    order_index_.push_back(static_cast<std::uint32_t>(next));
    demand += active[next++].gpus;
    if (demand <= view.gpus) ++fitting_;
  }
}

/// Sorts the fitting jobs by class, stably.
void Repack::sort_by_class(const Transaction& transaction) {
  thread_local std::vector<std::uint32_t> before;
  thread_local std::vector<std::size_t> next;  // by class: where its next job goes
  const auto& active = transaction.active;
  before.assign(order_index_.begin(), order_index_.begin() + static_cast<std::ptrdiff_t>(fitting_));
  next.clear();
  for (const std::uint32_t index : before) {
    const std::size_t after = active[index].cls.index() + 1;
    if (next.size() <= after) next.resize(after + 1, 0);
    ++next[after];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const std::uint32_t index : before) order_index_[next[active[index].cls.index()]++] = index;
}

/// A repacking depends on nothing but the jobs that it places, their order, and which of them stay. That more of them
/// have to stay than last time, where they are since, changes nothing.
bool Repack::same_as_before() {
  const auto jobs = std::span<const JobId>(ordered_).first(backfills() ? ordered_.size() : fitting_);
  if (std::equal(jobs.begin(), jobs.end(), previous_.begin(), previous_.end()) &&
      std::includes(staying_.begin(), staying_.end(), stayed_.begin(), stayed_.end())) {
    return true;
  }
  previous_.assign(jobs.begin(), jobs.end());
  stayed_ = staying_;
  return false;
}

void Repack::place(Transaction& transaction) {
  transaction.repack(staying_);
  std::vector<ActiveJob>& active = transaction.active;
  const bool by_class = placement_.by_class();
  if (by_class) sort_by_class(transaction);
  for (std::size_t i = 0; i < previous_.size(); ++i) {
    ActiveJob& job = active[order_index_[i]];
    if (by_class && i < fitting_ && (i == 0 || job.cls != active[order_index_[i - 1]].cls)) {
      transaction.begin_class(job.cls);
    }
    if (!transaction.place_active(job) && !backfills()) return;
  }
}

void TenantRepack::notify(const JobEvent& event) {
  Repack::notify(event);
  tenancy_.notify(event);
}

double TenantRepack::next_change_s(const View& view) {
  return idle() ? Repack::next_change_s(view) : std::min(Repack::next_change_s(view), tenancy_.next_change_s());
}

void TenantRepack::rearrange(const View& view) {
  TenantOrder& tenants = tenancy_.tenant_order;
  const TenantAccounting& accounting = tenancy_.accounting;
  const auto others = std::stable_partition(ordered_.begin(), ordered_.end(), [&](JobId job) { return stays(job); });
  std::vector<std::uint64_t> used = tenancy_.used_elsewhere();
  std::uint64_t demand = 0;
  for (auto job = ordered_.begin(); job != others; ++job) {
    used[accounting.tenant(*job)] += accounting.width(*job);
    demand += accounting.width(*job);
  }
  tenants.begin(std::move(used));
  for (auto job = others; job != ordered_.end(); ++job) tenants.add(accounting.tenant(*job), *job);
  ordered_.erase(others, ordered_.end());
  for (const bool borrowing : {false, true}) {
    tenants.serve(
        borrowing, [&](JobId job) { return accounting.width(job); },
        [&](JobId job, std::uint32_t gpus) {
          ordered_.push_back(job);
          if (demand + gpus > view.gpus) return;
          demand += gpus;
          tenants.use(accounting.tenant(job), gpus);
        });
  }
}

}  // namespace palstudy
