// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/tenant_repack.hpp"

#include <algorithm>

namespace palstudy {

void TenantRepack::notify(const JobEvent& event) {
  Repack::notify(event);
  tenancy_.notify(event);
}

double TenantRepack::next_change_s(const View& view) {
  return idle() ? Repack::next_change_s(view) : std::min(Repack::next_change_s(view), tenancy_.next_change_s());
}

void TenantRepack::serialize(Fields& f) {
  Repack::serialize(f);
  tenancy_.serialize(f);
}

void TenantRepack::rearrange(const View& view) {
  TenantOrder& tenants = tenancy_.tenant_order;
  tenants.begin(std::vector<std::uint64_t>(tenancy_.rules.quota.size(), 0));
  for (const JobId job : ordered_) tenants.add(tenancy_.accounting.tenant(job), job);
  ordered_.clear();
  std::uint64_t demand = 0;
  for (const bool borrowing : {false, true}) {
    tenants.begin_round();
    while (const auto tenant = tenants.next_tenant()) {
      const std::uint64_t used = tenants.used(*tenant);
      while (tenants.used(*tenant) == used) {
        const auto job = tenants.next_job(*tenant);
        if (!job) break;
        const std::uint32_t gpus = tenancy_.accounting.width(*job);
        if (!borrowing && !tenants.within(*tenant, gpus)) {
          tenants.keep(*tenant, *job);
          continue;
        }
        ordered_.push_back(*job);
        if (demand + gpus > view.gpus) continue;
        demand += gpus;
        tenants.use(*tenant, gpus);
      }
    }
  }
}

}  // namespace palstudy
