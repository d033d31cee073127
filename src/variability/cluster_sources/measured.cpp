// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "variability/sources/class_kernels.hpp"
#include "variability/sources/cluster_source.hpp"
#include "variability/sources/source_nodes.hpp"

namespace palstudy {
namespace {

/// The donors of one kernel for nodes of one size.
struct DonorPool {
  Donors donors;
  std::vector<std::string> order;  // the r-th node of that size is order[r]
};

/// The pools of all kernels for nodes of one size.
struct DonorPools {
  std::vector<DonorPool> of_kernel;
  bool joint = false;
};

DonorPools make_pools(const std::vector<Kernel>& kernels, std::uint32_t gpus_per_node, std::uint64_t seed) {
  DonorPools pools;
  for (const Kernel& kernel : kernels) pools.of_kernel.push_back({donor_hosts(*kernel.measured, gpus_per_node), {}});
  std::vector<const Donors*> all;
  for (const DonorPool& pool : pools.of_kernel) all.push_back(&pool.donors);
  const auto common = common_hosts(all);
  pools.joint = kernels.size() > 1 && common.size() >= least_joint_nodes;
  std::uint32_t stream = 0;
  for (DonorPool& pool : pools.of_kernel) {
    pool.order = pools.joint ? shuffled(common, seed, 0) : shuffled(common_hosts({&pool.donors}), seed, stream++);
  }
  return pools;
}

std::size_t common_to(const DonorPools& pools) {
  std::vector<const Donors*> all;
  for (const DonorPool& pool : pools.of_kernel) all.push_back(&pool.donors);
  return common_hosts(all).size();
}

std::vector<Note> make_notes(const std::vector<Kernel>& kernels, const std::map<std::uint32_t, DonorPools>& by_size) {
  std::vector<Note> notes;
  for (const auto& [size, pools] : by_size) {
    if (kernels.size() > 1) notes.push_back(joint_note(kernels, pools.joint, common_to(pools), size));
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      const auto& [donors, order] = pools.of_kernel[k];
      if (auto note = donors_note(*kernels[k].measured, donors, order, pools.joint, size)) notes.push_back(*note);
    }
  }
  return notes;
}

// How many nodes of each size the cluster has.
std::map<std::uint32_t, std::size_t> count_sizes(const Topology& topology) {
  std::map<std::uint32_t, std::size_t> sizes;
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) ++sizes[topology.gpus_of(NodeId(node))];
  return sizes;
}

// How many nodes a cluster can have at most.
std::size_t most_nodes(const DonorPools& pools) {
  std::size_t most = pools.of_kernel.front().order.size();
  for (const DonorPool& pool : pools.of_kernel) most = std::min(most, pool.order.size());
  return most;
}

// "4 GPUs (at most 34 nodes)", for every size that a cluster can have nodes of.
std::string sizes_there_are(const std::vector<Kernel>& kernels, std::uint64_t seed) {
  std::map<std::uint32_t, std::size_t> most;
  for (const auto& [host, size] : gpus_by_host(*kernels.front().measured)) {
    if (!most.contains(size)) most[size] = most_nodes(make_pools(kernels, size, seed));
  }
  std::vector<std::string> sizes;
  for (const auto& [size, nodes] : most) {
    if (nodes > 0) sizes.push_back(fmt::format("{} GPUs (at most {} nodes)", size, nodes));
  }
  return join(sizes, " or ");
}

void refuse_too_many(const std::vector<Kernel>& kernels, const DonorPools& pools, std::uint32_t size,
                     std::size_t wanted, const SourceContext& from) {
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const std::size_t there = pools.of_kernel[k].order.size();
    if (wanted <= there) continue;
    const std::size_t most = most_nodes(pools);
    const std::string sizes = most > 0 ? "" : sizes_there_are(kernels, from.seed);
    const std::string advice =
        most > 0 ? fmt::format("ask for at most {} nodes of {} GPUs", most, size)
        : !sizes.empty()
            ? fmt::format("there are nodes of {}: set cluster.gpus_per_node, or cluster.nodes, to such", sizes)
            : "no cluster can be drawn from whole nodes of this profile: choose another";
    // `block` has nodes for any size where some can be drawn, and draws no single runs as GPUs, as `bootstrap` does.
    const char* other_source = most > 0 || !sizes.empty()
                                   ? ", or use source = \"block\", which makes nodes for any size"
                                   : ", or use source = \"bootstrap\", which draws GPUs one by one";
    throw usage_error(
        fmt::format("{} nodes of {} GPUs are wanted, {} has {}{}", wanted, size,
                    pools.joint ? "the profile" : kernels[k].name, there, pools.joint ? " that carry all classes" : ""),
        from.where, advice + other_source);
  }
}

// The measured GPUs of the kernel in this place that stand for the GPUs of the cluster.
SourceGpus sources_of(const std::map<std::uint32_t, DonorPools>& by_size, std::size_t place, const Topology& topology) {
  SourceGpus sources;
  sources.reserve(topology.gpus());
  std::map<std::uint32_t, std::size_t> used;
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    const std::uint32_t size = topology.gpus_of(NodeId(node));
    const DonorPool& pool = by_size.at(size).of_kernel[place];
    const Donor& donor = pool.donors.at(pool.order[used[size]++]);
    for (const std::size_t gpu : donor.gpus) sources.push_back(static_cast<std::uint32_t>(gpu));
  }
  return sources;
}

/// Per-GPU medians over the median GPU, whole measured nodes drawn by seed without replacement. Classes are drawn
/// jointly only if at least 16 nodes carry all of them, else each kernel from its own nodes (classes that name one
/// kernel share its values). Donors of a node of n GPUs are the hosts with exactly n measured GPUs. Errors (usage):
/// more nodes wanted than a class has donors, with the number of donors by size.
DrawnCluster draw_nodes(const SourceContext& from, const ParamValues& /*params*/) {
  const Topology& topology = from.topology;
  const std::vector<Kernel> kernels = distinct_kernels(from.classes, from.runs);
  std::map<std::uint32_t, DonorPools> by_size;
  for (const auto& [size, wanted] : count_sizes(topology)) {
    const DonorPools& pools = by_size.emplace(size, make_pools(kernels, size, from.seed)).first->second;
    refuse_too_many(kernels, pools, size, wanted, from);
  }
  std::vector<SourceGpus> of_kernel;
  for (std::size_t k = 0; k < kernels.size(); ++k) of_kernel.push_back(sources_of(by_size, k, topology));

  std::vector<std::string> names;
  std::vector<double> values;
  SourceGpus sources;
  for (const auto& [cls, measured] : from.classes) names.push_back(cls);
  for (const std::size_t k : kernel_of_class(from.classes, kernels)) {
    for (const std::uint32_t gpu : of_kernel[k]) values.push_back(kernels[k].slowdowns[gpu]);
    sources.insert(sources.end(), of_kernel[k].begin(), of_kernel[k].end());
  }
  return {Slowdowns(std::move(names), topology.gpus(), std::move(values)), make_notes(kernels, by_size),
          std::move(sources)};
}

}  // namespace

void register_cluster_source_measured(ClusterSourceRegistry& registry) {
  registry.add({"measured",
                "Whole measured nodes, drawn without replacement.",
                {},
                {.keys = {"profile", "classes", "seed"},
                 .measured = Measured::gpus,
                 .scope = ClusterScope::measured_nodes,
                 .draw = draw_nodes}});
}

}  // namespace palstudy
