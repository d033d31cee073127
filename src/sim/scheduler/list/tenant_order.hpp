// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "sim/state/tenant_rules.hpp"

namespace palstudy {

/// The order of tenants: next is the one with jobs left that uses the least share of its quota on paper; ties: the
/// lowest. Each has its jobs in the order of the order policy.
class TenantOrder {
 public:
  explicit TenantOrder(const TenantRules& rules) : rules_(rules), queues_(rules.quota.size()) {}

  /// A boundary begins with so many GPUs in use by tenant.
  void begin(std::vector<std::uint64_t> used);
  void add(std::uint16_t tenant, JobId job);
  /// Goes through the jobs of all tenants. `wants(job)`: how many GPUs more its tenant would use; `serve(job, more)`
  /// reports by `use` what has changed. A job that takes its tenant over quota is passed over unless `borrowing`, and
  /// is left for the next time; all others are gone then.
  template <class Wants, class Serve>
  void serve(bool borrowing, Wants wants, Serve serve) {
    begin_round();
    while (const auto tenant = next_tenant()) {
      const std::uint64_t used = used_[*tenant];
      while (used_[*tenant] == used) {  // until a start changes its share
        const auto job = next_job(*tenant);
        if (!job) break;
        const std::uint32_t more = wants(*job);
        borrowing || within(*tenant, more) ? serve(*job, more) : keep(*tenant, *job);
      }
    }
  }
  /// What a tenant uses has changed.
  void use(std::uint16_t tenant, std::int64_t gpus);
  [[nodiscard]] bool within(std::uint16_t tenant, std::uint32_t more) const {
    return rules_.within(tenant, used_[tenant] + more);
  }

 private:
  struct Queue {
    std::vector<JobId> jobs;
    std::size_t next = 0, kept = 0;
  };
  using Entry = std::pair<double, std::uint16_t>;  // share, tenant
  void begin_round();
  /// The tenant that is served until the next call: it goes through its jobs as long as its share stays.
  [[nodiscard]] std::optional<std::uint16_t> next_tenant();
  /// The next job of a tenant; nothing if there is none left.
  [[nodiscard]] std::optional<JobId> next_job(std::uint16_t tenant);
  void keep(std::uint16_t tenant, JobId job);
  void push(std::uint16_t tenant);

  const TenantRules& rules_;
  std::vector<Queue> queues_;
  std::vector<std::uint16_t> present_;  // tenants with jobs
  std::vector<std::uint64_t> used_;
  std::vector<Entry> heap_;  // may hold entries that are out of date
};

}  // namespace palstudy
