// SPDX-License-Identifier: MIT
#include "sim/state/delay_causes.hpp"

#include <utility>

namespace palstudy {

void DelayCauses::enqueue(JobId job, double now_s) {
  const std::size_t j = job.index();
  if (j >= cause_.size()) {
    for (auto& seconds : delays_.seconds) seconds.resize(j + 1, 0.0);
    changed_s_.resize(j + 1, 0.0);
    cause_.resize(j + 1, DelayCause::none);
    tried_before_s_.resize(j + 1, 0.0);
  }
  tried_before_s_[j] = attempts_s(j);
  changed_s_[j] = now_s;
}

void DelayCauses::settle(std::size_t job, double now_s) {
  if (cause_[job] != DelayCause::none) {
    delays_.seconds[static_cast<std::size_t>(cause_[job])][job] += now_s - changed_s_[job];
  }
  changed_s_[job] = now_s;
}

void DelayCauses::set(JobId job, DelayCause cause, double now_s) {
  const std::size_t j = job.index();
  if (cause_[j] == cause) return;
  settle(j, now_s);
  cause_[j] = cause;
}

double DelayCauses::tried_s(JobId job, double now_s) const {
  const std::size_t j = job.index();
  const bool tries = cause_[j] != DelayCause::none && cause_[j] != DelayCause::fair_share;
  return attempts_s(j) - tried_before_s_[j] + (tries ? now_s - changed_s_[j] : 0.0);
}

DelayRows DelayCauses::close(double end_s) {
  for (std::size_t j = 0; j < cause_.size(); ++j) settle(j, end_s);
  return std::move(delays_);
}

}  // namespace palstudy
