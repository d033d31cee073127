// SPDX-License-Identifier: MIT
#include "policy/order_policy.hpp"

namespace palstudy {

void OrderPolicy::victims(const View& view, JobId job, std::span<const JobId> behind, std::vector<JobId>& out) const {
  (void)job;
  for (std::size_t i = behind.size(); i-- > 0;) {
    if (view.table.running(behind[i])) out.push_back(behind[i]);
  }
}

}  // namespace palstudy
