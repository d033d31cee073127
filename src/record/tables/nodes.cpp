// SPDX-License-Identifier: MIT
#include "core/numbers.hpp"
#include "record/record.hpp"
#include "record/table_builder.hpp"

namespace palstudy {
namespace {

using enum ColumnType;

constexpr ColumnInfo nodes_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"node", "1", "Node.", integer},
    {"partition", "1", "Partition of the node.", integer},
    {"cabinet", "1", "Cabinet of the node.", integer},
    {"busy_s", "{GPU}.s", "GPU-seconds of the node that were allocated.", real},
    {"faults", "1", "Failed attempts that the node is at fault for (failures.faults).", integer}};

double mean_slowdown(const Slowdowns& truth, const Topology& topology, ClassId cls, NodeId node) {
  const std::uint32_t first = topology.first_gpu(node).value, gpus = topology.gpus_of(node);
  double sum = 0;
  for (std::uint32_t g = first; g < first + gpus; ++g) sum += truth.at(cls, GpuId(g));
  return sum / gpus;
}

TableData make_nodes(const RecordInput& run) {
  const Topology& topology = *run.topology;
  const Slowdowns& truth = *run.truth;
  const RunResult& result = *run.result;
  if (topology.nodes() > nodes_table_limit) return {};
  const std::size_t n = topology.nodes();
  TableBuilder nodes(TableId::nodes, n, run.label.run);
  nodes.integers("node", [](std::size_t i) { return i; });
  nodes.integers("partition", [&](std::size_t i) { return run.partitioning->of(NodeId(i)).value; });
  nodes.integers("cabinet", [&](std::size_t i) { return topology.cabinet_of(NodeId(i)).value; });
  for (std::size_t c = 0; c < truth.classes(); ++c) {
    std::vector<double> means(n);
    for (std::size_t i = 0; i < n; ++i) means[i] = mean_slowdown(truth, topology, ClassId(c), NodeId(i));
    nodes.add(slowdown_column(truth.class_names()[c]), std::move(means));
  }
  const std::vector<double>& busy_s = result.node_busy_s;
  nodes.reals("busy_s", [&](std::size_t i) { return i < busy_s.size() ? busy_s[i] : nan; });
  std::vector<std::int64_t> faults(n, 0);
  for (const std::int64_t node : result.failures.node) {
    if (node >= 0) ++faults[static_cast<std::size_t>(node)];
  }
  nodes.add("faults", std::move(faults));
  return nodes.take();
}

}  // namespace

void register_table_nodes(TableRegistry& tables) {
  tables.push_back(
      {TableId::nodes, "/nodes", "/nodes", &RunRecord::nodes,
       "a node of a run, on clusters of at most 16384 nodes; slowdown_<class> stands between cabinet and busy_s",
       "run the study on at most 16384 nodes", false, 96, 5, nodes_columns, make_nodes});
}

}  // namespace palstudy
