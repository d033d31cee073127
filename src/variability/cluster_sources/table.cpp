// SPDX-License-Identifier: MIT
#include "stats/descriptive.hpp"
#include "variability/sources/cluster_source.hpp"

namespace palstudy {
namespace {

const NoteKind odd_table("odd-table", Severity::care);

DrawnCluster read_cluster(const SourceContext& from, const ParamValues& /*params*/) {
  DrawnCluster read{read_slowdown_table(from.table, from.topology)};
  const Slowdowns& table = read.slowdowns;
  for (std::size_t c = 0; c < table.classes(); ++c) {
    const auto values = table.of(ClassId(c));
    const double middle = median({values.begin(), values.end()});
    if (middle > 0.5 && middle < 2) continue;
    read.notes.push_back(odd_table({{"class", table.class_names()[c]}, {"median", middle}}, from.written));
  }
  return read;
}

}  // namespace

void register_cluster_source_table(ClusterSourceRegistry& registry) {
  registry.add({"table", "A CSV with the slowdown of every GPU.", {}, {.keys = {"table"}, .draw = read_cluster}});
}

}  // namespace palstudy
