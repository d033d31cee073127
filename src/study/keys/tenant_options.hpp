// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/state/tenant_rules.hpp"

namespace palstudy {

/// `[tenants]`, `[ladder]` and `[gang]` of one run; off unless quotas are given.
struct TenantOptions {
  bool on = false;
  std::string quotas;                                ///< a CSV, as written; or
  std::vector<std::pair<std::string, double>> gpus;  ///< quotas in the study itself
  bool scale = false;                                ///< quotas are in proportion: their sum becomes the cluster
  std::string unlisted = "refuse";                   ///< what jobs of tenants without a quota do
  TenantRules rules;                                 ///< but for the quotas
};

}  // namespace palstudy
