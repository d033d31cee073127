// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "inputs/input_files.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// The quotas of the tenants of a study's runs.
class TenantInputs {
 public:
  explicit TenantInputs(InputFiles& files) : files_(files) {}

  /// With `tenants.unlisted = "drop"`: removes the jobs of tenants without a quota.
  void drop_unlisted(const RunPlan& run, Workload& workload);
  /// Whether drop_unlisted removed jobs of this run's workload.
  [[nodiscard]] bool dropped_some(const RunPlan& run) const;
  /// The rules for the tenants of these jobs on so many GPUs; nothing in runs without tenants.
  [[nodiscard]] std::optional<TenantRules> rules(const RunPlan& run, const Workload& jobs, std::uint32_t gpus) const;

 private:
  [[nodiscard]] std::map<std::string, double> quotas(const RunPlan& run) const;

  InputFiles& files_;
  std::set<std::string> dropped_;  ///< texts of the workloads that lost jobs
};

}  // namespace palstudy
