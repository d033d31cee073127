// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace palstudy {

/// What Slurm is told of a node: it takes free nodes of the lowest weight first, so fast nodes get a low one.
struct WeighedNode {
  std::string host;
  std::int64_t weight = 1;
};

/// A node to drain: by how much the slowest of its GPUs is slower than the median, for jobs of that class.
struct DrainedNode {
  std::string host;
  std::string cls;
  double slowdown = 1;
};

/// What a site's Slurm is to be told. What is not advised is written all the same, and its file says so; users are not
/// told. `conf_text` is the site's slurm.conf, `conf_name` what messages call it.
struct SlurmAdvice {
  std::vector<WeighedNode> weights;
  std::vector<DrainedNode> drains;
  std::optional<std::string> conf_text, conf_name;
  bool weights_advised = true, drains_advised = true;
};

struct SlurmFile {
  std::string name, text;
  bool script = false;
};

inline constexpr const char *weights_file = "weights.sh", *drain_file = "drain.sh", *nodes_file = "nodes.conf",
                            *users_file = "users.txt";

/// The files that the advice makes, those without content left out: a script that sets weights, one that drains nodes,
/// the NodeName lines of the site's slurm.conf with these weights, and a text for those who submit jobs.
/// Errors (data): a name that Slurm does not take for a node, a weight out of its range, two weights of a node, a node
/// that the slurm.conf does not have; those of slurm_lines.
[[nodiscard]] std::vector<SlurmFile> slurm_files(const SlurmAdvice& advice);

}  // namespace palstudy
