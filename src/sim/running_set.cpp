// SPDX-License-Identifier: MIT
#include "sim/running_set.hpp"

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

/// Slot i gets the job of slot order_[i].
void RunningSet::arrange() {
  each([&](auto& field) { rearrange(field, order_); });
  rearrange(gpus, order_);
  finish.rearrange(order_);
  for (std::uint32_t slot = 0; slot < size(); ++slot) slot_of_[job[slot].index()] = slot;
}

void RunningSet::tidy() {
  constexpr std::size_t share = 8;  // one job in so many: sorting then costs less than it saves
  if (disorder_ * share < size()) return;
  disorder_ = 0;
  order_.resize(size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) { return job[a] < job[b]; });
  arrange();
}

void RunningSet::line_up() {
  order_.clear();
  for (const JobId id : roll_) order_.push_back(slot_of(id));
  arrange();
  disorder_ = size();
}

}  // namespace palstudy
