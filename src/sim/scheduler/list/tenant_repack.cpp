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
  const TenantAccounting& accounting = tenancy_.accounting;
  const auto others = std::stable_partition(ordered_.begin(), ordered_.end(), [&](JobId job) { return stays(job); });
  std::vector<std::uint64_t> used(tenancy_.rules.quota.size(), 0);
  std::uint64_t demand = 0;
  for (auto job = ordered_.begin(); job != others; ++job) {
    used[accounting.tenant(*job)] += accounting.width(*job);
    demand += accounting.width(*job);
  }
  tenants.begin(used);
  for (auto job = others; job != ordered_.end(); ++job) tenants.add(accounting.tenant(*job), *job);
  ordered_.erase(others, ordered_.end());
  for (const bool borrowing : {false, true}) {
    tenants.begin_round();
    while (const auto tenant = tenants.next_tenant()) {
      const std::uint64_t before = tenants.used(*tenant);
      while (tenants.used(*tenant) == before) {
        const auto job = tenants.next_job(*tenant);
        if (!job) break;
        const std::uint32_t gpus = accounting.width(*job);
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
