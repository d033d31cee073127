// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "sim/state/world.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {

/// What a job shares with others of several GPUs that are on its nodes: the network card as well where both are on
/// several nodes. The largest of all its nodes counts.
enum class Shared : std::uint8_t { nothing, node, network };

/// What a job suffers from that; `inter` goes before `intra`, and they do not add up.
[[nodiscard]] inline double factor_of(const InterferenceRules& rules, Shared shared) {
  return shared == Shared::nothing ? 1 : shared == Shared::node ? rules.intra : rules.inter;
}

/// Which jobs of several GPUs share nodes. Costs a look at the nodes of a job whenever it comes or goes, whatever the
/// number of jobs elsewhere.
class Neighbours {
 public:
  explicit Neighbours(std::uint32_t nodes) : on_node_(nodes) {}

  /// A job, of any number of GPUs, gets these, or leaves them.
  void enter(JobId job, const GpuSet& gpus);
  void leave(JobId job, const GpuSet& gpus);
  [[nodiscard]] Shared shared(JobId job, const GpuSet& gpus) const;

  /// The same for the GPUs that a job on several nodes has of these, beside others.
  void enter_part(JobId job, const GpuSet& part) { come(job, part, true); }
  void leave_part(JobId job, const GpuSet& part);
  [[nodiscard]] Shared shared_by_part(JobId job, const GpuSet& part) const { return shared(job, part, true); }

  /// The jobs that got or lost a neighbour since the last call, and those that came: ascending, each once.
  void take_disturbed(std::vector<JobId>& out);

 private:
  struct Guest {  // of a node
    JobId job;
    bool spans;
  };
  void come(JobId job, const GpuSet& gpus, bool spans);
  [[nodiscard]] Shared shared(JobId job, const GpuSet& gpus, bool spans) const;

  std::vector<std::vector<Guest>> on_node_;
  std::vector<JobId> disturbed_;
};

}  // namespace palstudy
