// SPDX-License-Identifier: MIT
#include "sim/effects/interference/neighbours.hpp"

#include <algorithm>

namespace palstudy {
namespace {

bool has_neighbours(const GpuSet& gpus) { return count(gpus) > 1; }

}  // namespace

void Neighbours::enter(JobId job, const GpuSet& gpus) {
  if (has_neighbours(gpus)) come(job, gpus, gpus.size() > 1);
}

void Neighbours::leave(JobId job, const GpuSet& gpus) {
  if (has_neighbours(gpus)) leave_part(job, gpus);
}

Shared Neighbours::shared(JobId job, const GpuSet& gpus) const {
  return has_neighbours(gpus) ? shared(job, gpus, gpus.size() > 1) : Shared::nothing;
}

void Neighbours::come(JobId job, const GpuSet& gpus, bool spans) {
  disturbed_.push_back(job);
  for (const NodeGpus& part : gpus) {
    auto& there = on_node_[part.node.index()];
    for (const Guest& other : there) disturbed_.push_back(other.job);
    there.push_back({job, spans});
  }
}

void Neighbours::leave_part(JobId job, const GpuSet& gpus) {
  for (const NodeGpus& part : gpus) {
    auto& there = on_node_[part.node.index()];
    std::erase_if(there, [&](const Guest& other) { return other.job == job; });
    for (const Guest& other : there) disturbed_.push_back(other.job);
  }
}

Shared Neighbours::shared(JobId job, const GpuSet& gpus, bool spans) const {
  Shared most = Shared::nothing;
  for (const NodeGpus& part : gpus) {
    for (const Guest& other : on_node_[part.node.index()]) {
      if (other.job == job) continue;
      if (spans && other.spans) return Shared::network;
      most = Shared::node;
    }
  }
  return most;
}

void Neighbours::take_disturbed(std::vector<JobId>& out) {
  out.clear();
  std::swap(out, disturbed_);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

}  // namespace palstudy
