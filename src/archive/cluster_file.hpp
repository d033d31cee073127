// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "archive/file_checks.hpp"
#include "archive/provenance.hpp"
#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"
#include "variability/sources/cluster_check.hpp"

namespace palstudy {

inline constexpr const char* cluster_schema_name = "palstudy-cluster";
inline constexpr const char* cluster_schema_version = "1.3.0";

/// Clusters of more GPUs are archived as their recipe, if they were drawn: their slowdowns would be larger than the
/// rest.
inline constexpr std::uint32_t archived_slowdowns_limit = 65536;

/// A distinct cluster of the study, for /cluster: the slowdowns of its GPUs, or none and how they are made.
struct ClusterRecord {
  std::string key;  ///< hash of the cluster part of the resolved point
  Slowdowns slowdowns;
  std::vector<std::string> recipe = {};  ///< lines of TOML, of [cluster]; empty for one that was read from a table
};

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
/// Datasets, scales and checksum; empty if all holds, else the findings.
[[nodiscard]] Found verify_cluster_file(const std::filesystem::path& path);

}  // namespace palstudy
