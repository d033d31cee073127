// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"

namespace palstudy {

/// What an infrastructure reason belongs to: `failures.faults`.
enum class Faults { job, node, gpu };

/// How prone to faults each node or GPU is, as a factor of mean 1 on the share of attempts that fail by what is of the
/// place. A factor is drawn for (seed, node or GPU) from the exponential distribution of mean 1, so that few places
/// have most of the faults and hit every job there; with `slow` it is that times how much slower a GPU is than the
/// fastest one, over the mean of that (a mean over the classes; over the GPUs of a node). No distribution of faults
/// over machines was published with the counts that are carried: this one is ours.
class FaultyPlaces {
 public:
  FaultyPlaces(const Topology& topology, const Slowdowns& truth, Faults faults, bool slow, std::uint64_t seed);

  [[nodiscard]] Faults faults() const { return faults_; }
  /// Of a GPU of the cluster; 1 where faults are of jobs.
  [[nodiscard]] double factor(std::uint32_t gpu) const { return factor_.empty() ? 1.0 : factor_[gpu]; }

 private:
  Faults faults_;
  std::vector<double> factor_;  // by GPU
};

}  // namespace palstudy
