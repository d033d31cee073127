// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/tenant_order.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace palstudy {

void TenantOrder::begin(std::vector<std::uint64_t> used) {
  used_ = std::move(used);
  for (const std::uint16_t tenant : present_) queues_[tenant].jobs.clear();
  present_.clear();
}

void TenantOrder::add(std::uint16_t tenant, JobId job) {
  Queue& queue = queues_[tenant];
  if (queue.jobs.empty()) present_.push_back(tenant);
  queue.jobs.push_back(job);
  queue.kept = queue.jobs.size();
}

void TenantOrder::begin_round() {
  heap_.clear();
  for (const std::uint16_t tenant : present_) {
    Queue& queue = queues_[tenant];
    queue.jobs.resize(queue.kept);
    queue.next = queue.kept = 0;
    push(tenant);
  }
}

void TenantOrder::push(std::uint16_t tenant) {
  heap_.emplace_back(rules_.share(tenant, used_[tenant]), tenant);
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

std::optional<std::uint16_t> TenantOrder::next_tenant() {
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const auto [share, tenant] = heap_.back();
    heap_.pop_back();
    const Queue& queue = queues_[tenant];
    if (queue.next < queue.jobs.size() && share == rules_.share(tenant, used_[tenant])) return tenant;
  }
  return std::nullopt;
}

std::optional<JobId> TenantOrder::next_job(std::uint16_t tenant) {
  Queue& queue = queues_[tenant];
  if (queue.next == queue.jobs.size()) return std::nullopt;
  return queue.jobs[queue.next++];
}

void TenantOrder::keep(std::uint16_t tenant, JobId job) {
  Queue& queue = queues_[tenant];
  queue.jobs[queue.kept++] = job;  // not after the place of the next one
}

void TenantOrder::use(std::uint16_t tenant, std::int64_t gpus) {
  used_[tenant] += static_cast<std::uint64_t>(gpus);
  if (queues_[tenant].next < queues_[tenant].jobs.size()) push(tenant);
}

}  // namespace palstudy
