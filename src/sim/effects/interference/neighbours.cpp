// SPDX-License-Identifier: MIT
#include "sim/effects/interference/neighbours.hpp"

#include <algorithm>

namespace palstudy {
namespace {

bool has_neighbours(const GpuSet& gpus) { return count(gpus) > 1; }

}  // namespace

void Neighbours::enter(JobId job, const GpuSet& gpus) {
  if (!has_neighbours(gpus)) return;
  disturbed_.push_back(job);
  for (const NodeGpus& part : gpus) {
    auto& there = on_node_[part.node.index()];
    for (const Guest& other : there) disturbed_.push_back(other.job);
    there.push_back({job, gpus.size() > 1});
  }
}

void Neighbours::leave(JobId job, const GpuSet& gpus) {
  if (!has_neighbours(gpus)) return;
  for (const NodeGpus& part : gpus) {
    auto& there = on_node_[part.node.index()];
    std::erase_if(there, [&](const Guest& other) { return other.job == job; });
    for (const Guest& other : there) disturbed_.push_back(other.job);
  }
}

double Neighbours::factor(JobId job, const GpuSet& gpus) const {
  if (!has_neighbours(gpus)) return 1;
  double factor = 1;
  for (const NodeGpus& part : gpus) {
    for (const Guest& other : on_node_[part.node.index()]) {
      if (other.job == job) continue;
      if (gpus.size() > 1 && other.spans) return rules_.inter;
      factor = rules_.intra;
    }
  }
  return factor;
}

void Neighbours::take_disturbed(std::vector<JobId>& out) {
  out.clear();
  std::swap(out, disturbed_);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

}  // namespace palstudy
