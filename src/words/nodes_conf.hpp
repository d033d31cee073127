// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace palstudy {

/// The NodeName lines of a slurm.conf with other weights.
struct NodesConf {
  std::string lines;  ///< in the order of the file, with the lines of name DEFAULT among them
  std::vector<std::string>
      includes;                    ///< "slurm.conf:3: /etc/slurm/more.conf": what the file includes, and was not read
  std::vector<std::string> hosts;  ///< all nodes of these lines
};

/// A line whose nodes get several weights is parted into one for each, and lists of addresses, host names and ports
/// with it; all else that it says stays. A line without a node of `weights` is kept as it is written. Errors (data,
/// file:line): those of slurm_lines and host_names.
[[nodiscard]] NodesConf nodes_with_weights(const std::string& conf, const std::string& name,
                                           const std::map<std::string, std::int64_t>& weights);

}  // namespace palstudy
