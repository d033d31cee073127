// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/topology.hpp"
#include "variability/sources/class_kernels.hpp"
#include "variability/sources/source_nodes.hpp"

namespace palstudy {

/// Whether host `a` comes before `b`: numbers in names go by value, so that gpu9 comes before gpu10.
[[nodiscard]] bool host_before(std::string_view a, std::string_view b);

/// Which host each node of a cluster is; none for a node that was not measured. With `names`, of the nodes in order,
/// the host of that name. Without, hosts in the order of `host_before`: each goes to the next node of its size, the
/// number of GPUs that were measured on it. Errors (usage at `where`; data): as many names as nodes; a host that no
/// node is; a host whose node has fewer GPUs than were measured.
[[nodiscard]] std::vector<std::optional<std::string>> hosts_of_nodes(const std::vector<Kernel>& kernels,
                                                                     const Topology& topology,
                                                                     const std::vector<std::string>& names,
                                                                     const std::string& where);

}  // namespace palstudy
