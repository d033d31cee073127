// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "inputs/workload_inputs.hpp"
#include "variability/profile/locality.hpp"

namespace palstudy {

/// network.penalty = "measured": the penalties of a workload's jobs from the transfers of a profile.
class PenaltyInputs {
 public:
  PenaltyInputs(InputFiles& files, WorkloadInputs& workloads) : files_(files), workloads_(workloads) {}

  /// The penalty of every job of the run's workload, by its model and its number of GPUs.
  const Penalties& of(const RunPlan& run);

 private:
  const LocalityModel& links(const std::string& profile);

  InputFiles& files_;
  WorkloadInputs& workloads_;
  std::map<std::string, std::unique_ptr<Penalties>> penalties_;
  std::map<std::string, std::unique_ptr<LocalityModel>> links_;
};

}  // namespace palstudy
