// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "sim/state/world.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {

/// Which jobs of several GPUs share nodes. Costs a look at the nodes of a job whenever it comes or goes, whatever the
/// number of jobs elsewhere.
class Neighbours {
 public:
  Neighbours(const InterferenceRules& rules, std::uint32_t nodes) : rules_(rules), on_node_(nodes) {}

  /// A job, of any number of GPUs, gets these, or leaves them.
  void enter(JobId job, const GpuSet& gpus);
  void leave(JobId job, const GpuSet& gpus);

  /// What a job suffers from those that share its nodes; `inter` goes before `intra`, and they do not add up.
  [[nodiscard]] double factor(JobId job, const GpuSet& gpus) const;

  /// The jobs that got or lost a neighbour since the last call, and those that came: ascending, each once.
  void take_disturbed(std::vector<JobId>& out);

 private:
  struct Guest {  // of a node
    JobId job;
    bool spans;
  };
  InterferenceRules rules_;
  std::vector<std::vector<Guest>> on_node_;
  std::vector<JobId> disturbed_;
};

}  // namespace palstudy
