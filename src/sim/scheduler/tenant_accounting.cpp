// SPDX-License-Identifier: MIT
#include "sim/scheduler/tenant_accounting.hpp"

#include <utility>

#include "core/error.hpp"

namespace palstudy {

void TenantBook::waits(JobId job, double now_s, Boundary k) {
  const std::size_t j = job.index();
  if (j >= cause_.size()) {
    for (auto& seconds : delays_.seconds) seconds.resize(j + 1, 0.0);
    delays_.node_s.resize(j + 1, 0.0);
    delays_.shared_s.resize(j + 1, 0.0);
    changed_s_.resize(j + 1, 0.0);
    cause_.resize(j + 1, DelayCause::none);
    since_.resize(j + 1, 0);
    since_s_.resize(j + 1, 0.0);
    holds_.resize(j + 1, 0);
    tried_again_.resize(j + 1, 0);
    tried_before_s_.resize(j + 1, 0.0);
  }
  tried_before_s_[j] = attempts_s(j);
  changed_s_[j] = since_s_[j] = now_s;
  since_[j] = k;
}

void TenantBook::settle(std::size_t job, double now_s) {
  if (cause_[job] != DelayCause::none) {
    delays_.seconds[static_cast<std::size_t>(cause_[job])][job] += now_s - changed_s_[job];
  }
  changed_s_[job] = now_s;
}

void TenantBook::starts(JobId job, double now_s) {
  because(job, DelayCause::none, now_s);
  used_[tenant(job)] += width(job);
  started_.push_back(job);
}

void TenantBook::ends(JobId job) {
  used_[tenant(job)] -= width(job);
  std::erase(started_, job);
}

void TenantBook::because(JobId job, DelayCause cause, double now_s) {
  const std::size_t j = job.index();
  if (cause_[j] == cause) return;
  settle(j, now_s);
  cause_[j] = cause;
}

void TenantBook::hold(JobId job, std::uint32_t gpus) {
  holds_[job.index()] += gpus;
  used_[tenant(job)] += gpus;
}

void TenantBook::let_go(JobId job) {
  used_[tenant(job)] -= holds_[job.index()];
  holds_[job.index()] = 0;
}

void TenantBook::check_sizes() const {
  const std::size_t size = cause_.size();
  bool alike = size <= jobs_.size() && changed_s_.size() == size && since_.size() == size && since_s_.size() == size &&
               holds_.size() == size && tried_again_.size() == size && tried_before_s_.size() == size &&
               delays_.node_s.size() == size && delays_.shared_s.size() == size;
  for (const auto& seconds : delays_.seconds) alike = alike && seconds.size() == size;
  if (!alike) throw fault("a state of another length");
}

DelayRows TenantBook::close(double end_s) {
  for (std::size_t j = 0; j < cause_.size(); ++j) settle(j, end_s);
  return std::move(delays_);
}

}  // namespace palstudy
