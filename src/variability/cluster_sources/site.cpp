// SPDX-License-Identifier: MIT
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "variability/sources/class_kernels.hpp"
#include "variability/sources/cluster_source.hpp"
#include "variability/sources/site_nodes.hpp"

namespace palstudy {
namespace {

const NoteKind unmeasured_nodes("unmeasured-nodes", Severity::care);

/// The measured GPUs of each host: in their slot where it is known, else in the order of the file.
std::map<std::string, std::vector<std::size_t>> gpus_of_hosts(const Measurements& measured) {
  std::map<std::string, std::vector<std::size_t>> gpus;
  for (std::size_t g = 0; g < measured.gpus.size(); ++g) gpus[measured.gpus[g].host].push_back(g);
  return gpus;
}

/// One kernel's slowdowns by GPU of the cluster; GPUs without a measurement are as fast as the median.
std::vector<double> slowdowns_of(const Kernel& kernel, const Topology& topology,
                                 const std::vector<std::optional<std::string>>& hosts) {
  std::vector<double> slowdowns(topology.gpus(), 1.0);
  const auto of_host = gpus_of_hosts(*kernel.measured);
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    if (!hosts[node]) continue;
    const auto measured = of_host.find(*hosts[node]);
    if (measured == of_host.end()) continue;
    const std::uint32_t first = topology.first_gpu(NodeId(node)).value, gpus = topology.gpus_of(NodeId(node));
    std::vector<std::size_t> in_slot(gpus, kernel.measured->gpus.size());  // beyond all: empty
    std::vector<std::size_t> others;
    for (const std::size_t g : measured->second) {
      const int local = kernel.measured->gpus[g].local;
      const bool fits = local >= 0 && static_cast<std::uint32_t>(local) < gpus &&
                        in_slot[static_cast<std::size_t>(local)] == kernel.measured->gpus.size();
      if (fits) in_slot[static_cast<std::size_t>(local)] = g;
      if (!fits) others.push_back(g);
    }
    auto other = others.begin();
    for (std::uint32_t slot = 0; slot < gpus; ++slot) {
      if (in_slot[slot] == kernel.measured->gpus.size() && other != others.end()) in_slot[slot] = *other++;
      if (in_slot[slot] < kernel.slowdowns.size()) slowdowns[first + slot] = kernel.slowdowns[in_slot[slot]];
    }
  }
  return slowdowns;
}

/// The machine that was measured, node by node: nothing is drawn. Errors: those of `hosts_of_nodes`.
DrawnCluster take_site(const SourceContext& from, const ParamValues& /*params*/) {
  const std::vector<Kernel> kernels = distinct_kernels(from.classes, from.runs);
  const auto hosts = hosts_of_nodes(kernels, from.topology, from.hosts, from.where);
  std::vector<std::vector<double>> of_kernel;
  for (const Kernel& kernel : kernels) of_kernel.push_back(slowdowns_of(kernel, from.topology, hosts));
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& [cls, measured] : from.classes) names.push_back(cls);
  for (const std::size_t k : kernel_of_class(from.classes, kernels)) {
    values.insert(values.end(), of_kernel[k].begin(), of_kernel[k].end());
  }
  std::vector<Note> notes;
  std::size_t unmeasured = 0;
  for (const auto& host : hosts) unmeasured += host ? 0 : 1;
  if (unmeasured > 0) notes.push_back(unmeasured_nodes({{"nodes", unmeasured}, {"of", hosts.size()}}));
  return {Slowdowns(std::move(names), from.topology.gpus(), std::move(values)), std::move(notes)};
}

}  // namespace

void register_cluster_source_site(ClusterSourceRegistry& registry) {
  registry.add({"site",
                "The nodes that were measured, each as it is: nodes are the hosts of the profile in the order of their "
                "names, or as cluster.hosts names them. Nodes without a measurement are as fast as the median.",
                {},
                {.keys = {"profile", "classes", "hosts"}, .measured = Measured::gpus, .draw = take_site}});
}

}  // namespace palstudy
