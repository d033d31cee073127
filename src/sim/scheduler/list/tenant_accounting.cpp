// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/tenant_accounting.hpp"

namespace palstudy {

void TenantAccounting::on_enqueue(JobId job, double now_s) {
  const std::size_t j = job.index();
  if (j >= since_s_.size()) {
    since_s_.resize(j + 1, 0.0);
    held_.resize(j + 1, 0);
    held_until_.resize(j + 1, 0);
    retry_from_.resize(j + 1, 0);
  }
  since_s_[j] = now_s;
}

void TenantAccounting::on_start(JobId job) {
  used_[tenant(job)] += width(job);
  started_.push_back(job);
}

void TenantAccounting::on_end(JobId job) {
  used_[tenant(job)] -= width(job);
  std::erase(started_, job);
}

void TenantAccounting::hold(JobId job, std::uint32_t gpus, Boundary until) {
  if (held_[job.index()] == 0) held_until_[job.index()] = until;  // counted from the first part
  held_[job.index()] += gpus;
  used_[tenant(job)] += gpus;
}

void TenantAccounting::let_go(JobId job) {
  used_[tenant(job)] -= held_[job.index()];
  held_[job.index()] = 0;
}

/// By what has been loaded.
void TenantAccounting::count_use() {
  const std::size_t size = since_s_.size();
  for (const std::size_t length : {held_.size(), held_until_.size(), retry_from_.size()}) require_same(length, size);
  for (const JobId job : started_) used_[tenant(job)] += width(job);
  for (std::size_t j = 0; j < size; ++j) used_[jobs_[j].tenant] += held_[j];
}

}  // namespace palstudy
