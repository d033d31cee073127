// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/node_set.hpp"
#include "study/keys/key.hpp"

namespace palstudy {

/// Nodes by their numbers in the cluster, both ends included.
struct NodeRange {
  std::uint32_t first = 0, last = 0;
};

/// A queue of a site's Slurm (what Slurm calls a partition), before it is known which cluster it is for.
struct SlurmQueue {
  std::string name;
  std::vector<NodeRange> nodes;             ///< empty: all
  std::uint32_t tier = 1;                   ///< jobs of a higher one come first
  std::optional<double> default_s, most_s;  ///< how long a job may run that does not say, and any job
  std::string where;                        ///< file:line
};

/// A node with GPUs.
struct SlurmNode {
  std::string name;
  std::uint32_t gpus = 0;
  double weight = 1;
};

/// What a slurm.conf says of the machine and of its scheduling.
struct SlurmConf {
  std::vector<SlurmNode> nodes;     ///< in the order of the file, which is that of the cluster
  std::vector<SlurmQueue> queues;   ///< that have some of these nodes; the default one first
  KeyValues values;                 ///< settings that keys of the study stand for, by key
  std::vector<std::string> unread;  ///< the names of all other settings, ascending
};

/// The nodes of a queue on a cluster of so many. Errors (data): a node beyond them.
[[nodiscard]] NodeSet nodes_of_queue(const SlurmQueue& queue, std::uint32_t nodes);

/// Whether a path is that of a slurm.conf, and not of a table.
[[nodiscard]] inline bool is_slurm_conf(std::string_view path) { return path.ends_with(".conf"); }

/// Reads a slurm.conf (its manual page, 22.05). Errors (data, file:line): no name and value; a value of another kind; a
/// queue with a node that no line has; (data): no node with GPUs.
[[nodiscard]] SlurmConf read_slurm_conf(const std::filesystem::path& file);
[[nodiscard]] SlurmConf parse_slurm_conf(const std::string& text, const std::string& name);

}  // namespace palstudy
