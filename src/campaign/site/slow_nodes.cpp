// SPDX-License-Identifier: MIT
#include "campaign/site/slow_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "stats/descriptive.hpp"

namespace palstudy {
namespace {

/// By class, the share of the GPU hours of the jobs.
std::vector<double> shares_of_classes(const Workload& workload) {
  std::vector<double> shares(workload.classes.size(), 0);
  double all = 0;
  for (const Job& job : workload.jobs) {
    const double work_s = job.gpus * job.ideal_s();
    shares[job.cls.index()] += work_s;
    all += work_s;
  }
  for (double& share : shares) share = all > 0 ? share / all : 0;
  return shares;
}

void give_weights(std::vector<RankedNode>& nodes) {
  constexpr double step = 0.05;
  std::vector<double> costs;
  for (const RankedNode& node : nodes) costs.push_back(node.cost);
  const double usual = median(std::move(costs));
  for (RankedNode& node : nodes) {
    node.weight = 1 + static_cast<std::int64_t>(std::max(0.0, std::floor((node.cost / usual - 1) / step)));
  }
}

}  // namespace

double believed_slowdown(const Inputs::Loaded& loaded, bool truth, ClassId cls, GpuId gpu) {
  if (truth) return loaded.truth.at(cls, gpu);
  const ClassBins& bins = loaded.believed.of(cls);
  return bins.values[bins.of_gpu[gpu.index()]];
}

std::vector<RankedNode> ranked_nodes(const Inputs::Loaded& loaded, bool truth, const std::vector<SiteNode>& names) {
  const auto shares = shares_of_classes(loaded.workload);
  std::vector<RankedNode> nodes;
  for (std::uint32_t n = 0; n < loaded.topology.nodes(); ++n) {
    RankedNode node{.node = n, .slowdown = 0, .cost = 0, .gpus = loaded.topology.gpus_of(NodeId(n))};
    if (n < names.size()) node.host = names[n].name, node.measured = names[n].measured;
    double most = -1;
    for (std::size_t c = 0; c < shares.size(); ++c) {
      double slowest = 0;
      for (std::uint32_t g = 0; g < node.gpus; ++g) {
        const GpuId gpu(loaded.topology.first_gpu(NodeId(n)).value + g);
        slowest = std::max(slowest, believed_slowdown(loaded, truth, ClassId(c), gpu));
      }
      node.cost += shares[c] * slowest;
      if (shares[c] * (slowest - 1) <= most && !node.cls.empty()) continue;
      most = shares[c] * (slowest - 1);
      node.cls = loaded.workload.classes[c], node.slowdown = slowest;
    }
    nodes.push_back(std::move(node));
  }
  give_weights(nodes);
  std::ranges::stable_sort(nodes, std::greater(), &RankedNode::cost);
  return nodes;
}

GpuId slowest_gpu(const Inputs::Loaded& loaded, const RankedNode& node) {
  const auto cls = std::ranges::find(loaded.workload.classes, node.cls) - loaded.workload.classes.begin();
  GpuId slowest = loaded.topology.first_gpu(NodeId(node.node));
  for (std::uint32_t g = 1; g < node.gpus; ++g) {
    const GpuId gpu(loaded.topology.first_gpu(NodeId(node.node)).value + g);
    const ClassId of(static_cast<std::size_t>(cls));
    if (loaded.truth.at(of, gpu) > loaded.truth.at(of, slowest)) slowest = gpu;
  }
  return slowest;
}

WithoutGpu without_gpu(const Inputs::Loaded& loaded, GpuId gpu, std::uint32_t nodes_per_cabinet) {
  const Topology& topology = loaded.topology;
  const NodeId node = topology.node_of(gpu);
  if (topology.gpus_of(node) < 2) throw fault("a node without GPUs");
  std::vector<NodeGroup> groups;
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
    groups.push_back({1, topology.gpus_of(NodeId(n)) - (n == node.value ? 1 : 0)});
  }
  const Slowdowns& all = loaded.truth;
  std::vector<double> values;
  for (std::size_t c = 0; c < all.classes(); ++c) {
    for (std::size_t g = 0; g < all.gpus(); ++g) {
      if (g != gpu.index()) values.push_back(all.at(ClassId(c), GpuId(g)));
    }
  }
  return {Topology(groups, nodes_per_cabinet), Slowdowns(all.class_names(), all.gpus() - 1, std::move(values))};
}

}  // namespace palstudy
