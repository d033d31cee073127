// SPDX-License-Identifier: MIT
#include "variability/sources/site_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

using HostOfNode = std::vector<std::optional<std::string>>;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The number at the beginning of `text`, without leading zeros, and takes it away.
std::string_view take_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

struct HostBefore {
  bool operator()(const std::string& a, const std::string& b) const { return host_before(a, b); }
};
/// Measured GPUs of each host, the most that any kernel has.
using HostSizes = std::map<std::string, std::uint32_t, HostBefore>;

HostSizes host_sizes(const std::vector<Kernel>& kernels) {
  HostSizes sizes;
  for (const Kernel& kernel : kernels) {
    for (const auto& [host, gpus] : gpus_by_host(*kernel.measured)) {
      std::uint32_t& size = sizes[host];
      size = std::max(size, gpus);
    }
  }
  return sizes;
}

Error too_small(const std::string& host, std::uint32_t measured, std::uint32_t has, const std::string& where) {
  return usage_error(fmt::format("{} GPUs were measured on {}, and its node has {}", measured, host, has), where,
                     "give the node its GPUs in cluster.nodes or cluster.gpus_per_node");
}

HostOfNode by_name(const HostSizes& hosts, const Topology& topology, const std::vector<std::string>& names,
                   const std::string& where) {
  if (names.size() != topology.nodes()) {
    throw usage_error(
        fmt::format("cluster.hosts names {}, and the cluster has {}", counted(names.size(), "node"), topology.nodes()),
        where, "give the nodes of both alike");
  }
  HostOfNode of_node(names.size());
  std::set<std::string> found;
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    const auto host = hosts.find(names[node]);
    if (host == hosts.end()) continue;
    const std::uint32_t has = topology.gpus_of(NodeId(node));
    if (host->second > has) throw too_small(host->first, host->second, has, where);
    of_node[node] = host->first;
    found.insert(host->first);
  }
  if (!found.empty()) return of_node;
  throw usage_error(fmt::format("no host of the profile is a node of cluster.hosts: {} is measured, {} is a node",
                                hosts.begin()->first, names.front()),
                    where, "give both the same names, or leave cluster.hosts out");
}

/// The smallest node that is left for a host, some of whose GPUs were not measured.
std::optional<std::uint32_t> larger_node(const HostOfNode& of_node, const Topology& topology, std::uint32_t gpus) {
  std::optional<std::uint32_t> least;
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    const std::uint32_t has = topology.gpus_of(NodeId(node));
    if (of_node[node] || has <= gpus) continue;
    if (!least || has < topology.gpus_of(NodeId(*least))) least = node;
  }
  return least;
}

HostOfNode by_size(const HostSizes& hosts, const Topology& topology, const std::string& where) {
  HostOfNode of_node(topology.nodes());
  std::map<std::uint32_t, std::uint32_t> next;  // by size: from where its nodes are not looked at yet
  std::vector<std::string> left;
  for (const auto& [host, gpus] : hosts) {
    std::uint32_t& node = next[gpus];
    while (node < topology.nodes() && topology.gpus_of(NodeId(node)) != gpus) ++node;
    if (node == topology.nodes()) {
      left.push_back(host);
    } else {
      of_node[node++] = host;
    }
  }
  for (const std::string& host : left) {
    const std::uint32_t gpus = hosts.at(host);
    const auto node = larger_node(of_node, topology, gpus);
    if (!node) {
      throw usage_error(fmt::format("{} was measured with {}, and no node is left for it", host, counted(gpus, "GPU")),
                        where, "give cluster.nodes, or --nodes, all nodes that were measured, with their GPUs");
    }
    of_node[*node] = host;
  }
  return of_node;
}

}  // namespace

bool host_before(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a, whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view x = take_number(a), y = take_number(b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      continue;
    }
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1), b.remove_prefix(1);
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;  // gpu01 and gpu1
}

std::vector<std::optional<std::string>> hosts_of_nodes(const std::vector<Kernel>& kernels, const Topology& topology,
                                                       const std::vector<std::string>& names,
                                                       const std::string& where) {
  const HostSizes hosts = host_sizes(kernels);
  if (hosts.empty()) {
    throw data_error("no GPU's host is known", kernels.empty() ? "" : kernels.front().measured->name,
                     "import the measurements with the hosts of the GPUs");
  }
  return names.empty() ? by_size(hosts, topology, where) : by_name(hosts, topology, names, where);
}

}  // namespace palstudy
