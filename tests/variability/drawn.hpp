// SPDX-License-Identifier: MIT
// Clusters as the registered sources draw them.
#pragma once
#include <string>

#include "variability/sources/cluster_source.hpp"

namespace palstudy {

inline DrawnCluster draw_cluster(const std::string& source, const ClassMeasurements& classes, const Topology& topology,
                                 std::uint64_t seed, RunsUsed runs = RunsUsed::all) {
  return cluster_sources().at(source).make.draw({topology, classes, seed, runs}, {});
}

}  // namespace palstudy
