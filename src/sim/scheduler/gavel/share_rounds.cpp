// SPDX-License-Identifier: MIT
#include "sim/scheduler/gavel/share_rounds.hpp"

#include <algorithm>
#include <tuple>

#include "core/error.hpp"

namespace palstudy {

std::size_t ShareRounds::row(JobId job) const {
  const auto place = std::lower_bound(jobs_.begin(), jobs_.end(), job);
  if (place == jobs_.end() || *place != job) throw fault("a job that takes no part in the rounds");
  return static_cast<std::size_t>(place - jobs_.begin());
}

/// What the type has in common gets its part of a newcomer only with the next reset, as published.
void ShareRounds::add(JobId job, std::uint32_t gpus) {
  const auto at = std::lower_bound(jobs_.begin(), jobs_.end(), job) - jobs_.begin();
  const auto cell = at * static_cast<std::ptrdiff_t>(types_);
  jobs_.insert(jobs_.begin() + at, job);
  gpus_.insert(gpus_.begin() + at, gpus);
  has_shares_.insert(has_shares_.begin() + at, 0);
  share_.insert(share_.begin() + cell, types_, 0.0);
  received_s_.insert(received_s_.begin() + cell, types_, round_s_ / 2);
  owed_s_.insert(owed_s_.begin() + cell, types_, 0.0);
  changed_ = true;
}

void ShareRounds::remove(JobId job) {
  const auto at = static_cast<std::ptrdiff_t>(row(job));
  const auto cell = at * static_cast<std::ptrdiff_t>(types_), end = cell + static_cast<std::ptrdiff_t>(types_);
  jobs_.erase(jobs_.begin() + at);
  gpus_.erase(gpus_.begin() + at);
  has_shares_.erase(has_shares_.begin() + at);
  for (std::vector<double>* values : {&share_, &received_s_, &owed_s_}) {
    values->erase(values->begin() + cell, values->begin() + end);
  }
  changed_ = true;
}

void ShareRounds::reset(double now_s, std::vector<double> shares) {
  for (std::size_t cell = 0; cell < share_.size(); ++cell) {
    owed_s_[cell] += share_[cell] * (now_s - last_reset_s_) - (received_s_[cell] - round_s_ / 2);
    received_s_[cell] = round_s_ / 2;
  }
  std::fill(received_of_type_.begin(), received_of_type_.end(), round_s_ / 2 * static_cast<double>(jobs_.size()));
  share_ = std::move(shares);
  if (share_.size() != received_s_.size()) throw fault("shares of other jobs than take part in the rounds");
  std::fill(has_shares_.begin(), has_shares_.end(), std::uint8_t{1});
  last_reset_s_ = now_s;
  changed_ = false;
}

const std::vector<RoundPick>& ShareRounds::fill(std::span<const std::uint32_t> types,
                                                std::span<const std::uint32_t> free) {
  picks_.clear();
  picked_.assign(jobs_.size(), 0);
  std::uint32_t left = 0;
  for (const std::uint32_t type : types) left = fill_type(type, free[type] + (nested_ ? left : 0));
  return picks_;
}

std::uint32_t ShareRounds::fill_type(std::uint32_t type, std::uint32_t free) {
  candidates_.clear();
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    const std::size_t cell = job * types_ + type;
    const double share = share_[cell];
    const double priority = share > 0 ? share / (received_s_[cell] / received_of_type_[type]) : 0;
    if (picked_[job] == 0 && (fills_up_ || priority > 0)) candidates_.push_back({priority, owed_s_[cell], share, job});
  }
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(b.priority, b.owed_s, b.share, a.row) < std::tie(a.priority, a.owed_s, a.share, b.row);
  });
  for (const Candidate& candidate : candidates_) {
    if (free == 0) break;
    if (gpus_[candidate.row] > free) continue;
    free -= gpus_[candidate.row];
    picked_[candidate.row] = 1;
    if (has_shares_[candidate.row] != 0) picks_.push_back({jobs_[candidate.row], type});
  }
  return free;
}

void ShareRounds::ran(const RoundPick& pick, double time_s) {
  received_s_[row(pick.job) * types_ + pick.type] += time_s;
  received_of_type_[pick.type] += time_s;
}

}  // namespace palstudy
