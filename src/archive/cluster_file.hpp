// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "archive/archive.hpp"
#include "topology/topology.hpp"
#include "variability/sources/cluster_check.hpp"

namespace palstudy {

inline constexpr const char* cluster_schema_name = "palstudy-cluster";
inline constexpr const char* cluster_schema_version = "1.2.0";

/// A cluster of a study, with how it compares with its source (nothing for a table).
struct CheckedCluster {
  ClusterRecord cluster;
  const Topology* topology;
  std::vector<ClassCheck> checks;
};

/// What `palstudy cluster` writes: `path.part`, fsync, rename. hdf5-schemas/cluster.md describes it.
/// Errors (data): a full disk, an unwritable directory; nothing is left behind.
void write_cluster_file(const std::filesystem::path& path, const std::vector<CheckedCluster>& clusters,
                        const Provenance& provenance);

/// Whether it is an HDF5 file with the schema of one.
[[nodiscard]] bool is_cluster_file(const std::filesystem::path& path);
/// Datasets, scales and checksum; empty if all holds, else one finding a line.
[[nodiscard]] std::vector<std::string> verify_cluster_file(const std::filesystem::path& path);

}  // namespace palstudy
