// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "inputs/profile/profile_inputs.hpp"
#include "inputs/workload_inputs.hpp"
#include "policy/power/series_replay.hpp"
#include "sim/state/energy_model.hpp"
#include "workload/power_table.hpp"

namespace palstudy {

/// What the nodes of a study's runs draw: tables of power, the bundled ones by name, others by path.
class PowerInputs {
 public:
  PowerInputs(InputFiles& files, ProfileInputs& profiles, ClusterInputs& clusters, WorkloadInputs& workloads)
      : files_(files), profiles_(profiles), clusters_(clusters), workloads_(workloads) {}

  /// Null where energy is not accounted.
  const EnergyModel* of(const RunPlan& run);

 private:
  const PowerTable& table(const std::string& written);
  EnergyModel make(const RunPlan& run);
  double horizon_s(const RunPlan& run);

  InputFiles& files_;
  ProfileInputs& profiles_;
  ClusterInputs& clusters_;
  WorkloadInputs& workloads_;
  std::map<std::string, std::unique_ptr<PowerTable>> tables_;
  std::map<std::string, std::unique_ptr<EnergyModel>> models_;
};

/// Reads `tick,total,used[,forecast]`: the nodes of a cluster, those in use in each tick, at most the total, and what
/// was forecast. Further columns are ignored. Errors (data, file:line:column): no rows, a tick that is not one more
/// than the last, numbers that cannot be.
[[nodiscard]] NodeSeries read_node_series(const std::filesystem::path& file);

}  // namespace palstudy
