// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/tenant_repack.hpp"

#include <algorithm>
#include <utility>

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
  std::vector<std::uint64_t> used = tenancy_.used_elsewhere();
  std::uint64_t demand = 0;
  for (auto job = ordered_.begin(); job != others; ++job) {
    used[accounting.tenant(*job)] += accounting.width(*job);
    demand += accounting.width(*job);
  }
  tenants.begin(std::move(used));
  for (auto job = others; job != ordered_.end(); ++job) tenants.add(accounting.tenant(*job), *job);
  ordered_.erase(others, ordered_.end());
  for (const bool borrowing : {false, true}) {
    tenants.serve(
        borrowing, [&](JobId job) { return accounting.width(job); },
        [&](JobId job, std::uint32_t gpus) {
          ordered_.push_back(job);
          if (demand + gpus > view.gpus) return;
          demand += gpus;
          tenants.use(accounting.tenant(job), gpus);
        });
  }
}

}  // namespace palstudy
