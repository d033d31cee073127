// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "cluster/free_gpus.hpp"
#include "policy/placement_policy.hpp"
#include "topology/gpu_set.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// The packed choice, whatever the GPUs are worth: the node that `gpus` fill exactly, else the fullest one they fit on,
/// else the nodes with the most free GPUs; ties: lowest node. False if there are too few.
[[nodiscard]] bool choose_packed(std::uint32_t gpus, FreeGpus& free, GpuSet& out);

/// Whether a request is for a part of a job on several partitions, which must get its GPUs. `workload` null: it is not.
[[nodiscard]] inline bool is_part(const Request& request, const Workload* workload) {
  return workload != nullptr && request.gpus < workload->jobs[request.job.index()].gpus;
}

/// Both packed policies; they differ in what happens to running jobs only.
class Packed final : public PlacementPolicy {
 public:
  explicit Packed(bool is_sticky) : sticky_(is_sticky) {}
  [[nodiscard]] bool sticky() const override { return sticky_; }
  [[nodiscard]] IndexNeeds needs() const override { return {.counts = true}; }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override {
    return choose_packed(request.gpus, free, out);
  }

 private:
  bool sticky_;
};

}  // namespace palstudy
