// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/numbers.hpp"
#include "policy/order_policy.hpp"

namespace palstudy {

/// Sorts by an ascending key, ties by id; each key is computed once.
template <class Key>
void sort_by_key(std::span<JobId> jobs, Key key) {
  thread_local std::vector<std::pair<decltype(key(JobId(0))), JobId>> keyed;
  keyed.clear();
  for (const JobId job : jobs) keyed.emplace_back(key(job), job);
  std::sort(keyed.begin(), keyed.end());
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i] = keyed[i].second;
}

/// For orders that stop nobody: the running jobs first, in the order in which they started, then the waiting ones by
/// two ascending keys, ties by id.
template <class First, class Second>
void sort_waiting(const View& view, std::span<JobId> jobs, First first, Second second) {
  sort_by_key(jobs, [&](JobId job) {
    const bool runs = view.table.running(job);
    const double since_s = runs ? view.table.course(job).held_since_s : infinity;
    return std::array<double, 3>{since_s, first(job), second(job)};
  });
}

/// When the order of `sort_waiting` changes by itself: a job that starts or stops stands elsewhere afterwards, so that
/// the next boundary may decide otherwise until the order repeats itself. The time now, or never.
inline double order_change_s(const OrderPolicy& order, const View& view, std::span<const JobId> ordered) {
  thread_local std::vector<JobId> again;
  again.assign(ordered.begin(), ordered.end());
  order.order(view, again);
  return std::equal(again.begin(), again.end(), ordered.begin()) ? infinity : view.now_s;
}

/// When the keys of running jobs move by one a second and those of waiting jobs stand still, an order can only change
/// where a running job meets a waiting neighbour. When the first one does: the least gap over such neighbours from now.
/// `catches(first, second)` says whether of two neighbours one is about to catch the other.
template <class Key, class Catches>
double next_overtaking_s(const View& view, std::span<const JobId> ordered, Key key, Catches catches) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < ordered.size(); ++i) {
    if (!catches(ordered[i - 1], ordered[i])) continue;
    least = std::min(least, key(ordered[i]) - key(ordered[i - 1]));
  }
  return view.now_s + std::max(least, 0.0);
}

}  // namespace palstudy
