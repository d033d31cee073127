// SPDX-License-Identifier: MIT
#include "sim/state/running_set.hpp"

#include <algorithm>
#include <numeric>

namespace palstudy {
namespace {

/// values[i] = what was values[from[i]]; those beyond `from` stay.
template <class T>
void rearrange(std::vector<T>& values, const std::vector<std::uint32_t>& from) {
  thread_local std::vector<T> before;
  before.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) before[i] = std::move(values[i]);
  for (std::size_t i = 0; i < from.size(); ++i) values[i] = std::move(before[from[i]]);
}

}  // namespace

void RunningSet::make_room() {
  room_ = std::max<std::size_t>(16, 2 * room_);
  each([&](auto& field) { field.resize(room_); });
  allocation.resize(room_);
}

/// Keeps the iteration order apart from now on, since the slots are about to be sorted.
void RunningSet::keep_iteration_order() {
  ordered_apart_ = true;
  iteration_order_ = job;
  place_in_order_.resize(room_);
  std::iota(place_in_order_.begin(), place_in_order_.end(), 0U);
}

/// Slot i gets the job of slot order_[i].
void RunningSet::arrange() {
  rearrange(job, order_);
  each([&](auto& field) { rearrange(field, order_); });
  rearrange(allocation, order_);
  finish.rearrange(order_);
  for (std::uint32_t slot = 0; slot < size(); ++slot) slot_of_[job[slot].index()] = slot;
}

const std::vector<std::uint32_t>& RunningSet::by_job() {
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return job[a] < job[b]; };
  misplaced_slots_.clear();
  for (std::uint32_t slot = 0; slot < size(); ++slot) {
    if (misplaced_[slot] != 0) misplaced_slots_.push_back(slot);
  }
  std::sort(misplaced_slots_.begin(), misplaced_slots_.end(), before);
  order_.clear();
  auto misplaced = misplaced_slots_.begin();
  for (std::uint32_t slot = 0; slot < size(); ++slot) {
    if (misplaced_[slot] != 0) continue;
    while (misplaced != misplaced_slots_.end() && before(*misplaced, slot)) order_.push_back(*misplaced++);
    order_.push_back(slot);
  }
  order_.insert(order_.end(), misplaced, misplaced_slots_.end());
  return order_;
}

void RunningSet::sort_slots() {
  constexpr std::size_t share = 8;  // one job in so many: sorting then costs less than it saves
  if (disorder_ * share < size()) return;
  disorder_ = 0;
  if (!ordered_apart_) keep_iteration_order();
  (void)by_job();
  arrange();
  std::fill(misplaced_.begin(), misplaced_.end(), std::uint8_t{0});
}

void RunningSet::restore_order() {
  if (!ordered_apart_) return;
  order_.clear();
  for (const JobId id : iteration_order_) order_.push_back(slot_of(id));
  arrange();
  ordered_apart_ = false;
  std::fill(misplaced_.begin(), misplaced_.end(), std::uint8_t{1});
  disorder_ = size();
}

}  // namespace palstudy
