// SPDX-License-Identifier: MIT
#include "inputs/node_weights.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <set>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "study/keys/key_names.hpp"
#include "study/slurm_conf.hpp"

namespace palstudy {
namespace {

/// Those of a slurm.conf, which has all nodes.
std::vector<double> weights_in_conf(const std::filesystem::path& path, std::uint32_t nodes) {
  const SlurmConf conf = read_slurm_conf(path);
  if (conf.nodes.size() != nodes) {
    throw data_error(fmt::format("has {} nodes with GPUs, and the cluster has {}", conf.nodes.size(), nodes),
                     path.string(), "give the nodes of both alike, or weights in a CSV");
  }
  std::vector<double> weights;
  for (const SlurmNode& node : conf.nodes) weights.push_back(node.weight);
  return weights;
}

std::vector<double> read_weights(const std::filesystem::path& path, std::uint32_t nodes) {
  constexpr double most = 4294967280;  // Slurm's
  const CsvTable table = CsvTable::read(path);
  std::vector<double> weights(nodes, 1);
  std::set<long long> seen;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto node = table.integer(row, table.column("node"), 0, nodes - 1);
    if (!seen.insert(node).second) {
      throw data_error(fmt::format("node {} is given twice", node), table.where(row, table.column("node")),
                       "keep one of its rows");
    }
    weights[static_cast<std::size_t>(node)] = table.number(row, table.column("weight"), 0, most);
  }
  return weights;
}

}  // namespace

const std::vector<double>& NodeWeightInputs::of(const RunPlan& run, const Topology& topology) {
  const std::string& written = run.cluster.weights;
  return memoize(weights_, written + "\n" + std::to_string(topology.nodes()), [&] {
    if (written.empty()) return std::vector<double>();
    const auto path = files_.named(keys::node_weights, written);
    auto weights =
        is_slurm_conf(written) ? weights_in_conf(path, topology.nodes()) : read_weights(path, topology.nodes());
    files_.add(written, path);
    return weights;
  });
}

}  // namespace palstudy
