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
  holds.resize(room_);
}

/// From now on the roll is written down, since the slots are about to be arranged otherwise.
void RunningSet::begin_roll() {
  rolled_ = true;
  roll_ = job;
  place_.resize(room_);
  std::iota(place_.begin(), place_.end(), 0U);
}

/// Slot i gets the job of slot order_[i].
void RunningSet::arrange() {
  rearrange(job, order_);
  each([&](auto& field) { rearrange(field, order_); });
  rearrange(holds, order_);
  finish.rearrange(order_);
  for (std::uint32_t slot = 0; slot < size(); ++slot) slot_of_[job[slot].index()] = slot;
}

const std::vector<std::uint32_t>& RunningSet::by_job() {
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return job[a] < job[b]; };
  strays_.clear();
  for (std::uint32_t slot = 0; slot < size(); ++slot) {
    if (stray_[slot] != 0) strays_.push_back(slot);
  }
  std::sort(strays_.begin(), strays_.end(), before);
  order_.clear();
  auto stray = strays_.begin();
  for (std::uint32_t slot = 0; slot < size(); ++slot) {
    if (stray_[slot] != 0) continue;
    while (stray != strays_.end() && before(*stray, slot)) order_.push_back(*stray++);
    order_.push_back(slot);
  }
  order_.insert(order_.end(), stray, strays_.end());
  return order_;
}

void RunningSet::tidy() {
  constexpr std::size_t share = 8;  // one job in so many: sorting then costs less than it saves
  if (disorder_ * share < size()) return;
  disorder_ = 0;
  if (!rolled_) begin_roll();
  (void)by_job();
  arrange();
  std::fill(stray_.begin(), stray_.end(), std::uint8_t{0});
}

void RunningSet::line_up() {
  if (!rolled_) return;
  order_.clear();
  for (const JobId id : roll_) order_.push_back(slot_of(id));
  arrange();
  rolled_ = false;
  std::fill(stray_.begin(), stray_.end(), std::uint8_t{1});
  disorder_ = size();
}

}  // namespace palstudy
