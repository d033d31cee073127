// SPDX-License-Identifier: MIT
#include "variability/slowdowns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "topology/topology.hpp"

namespace palstudy {
namespace {

// Beyond these a slowdown is a slip of units and not a GPU.
constexpr double least_slowdown = 1e-6;
constexpr double most_slowdown = 1e6;

struct Columns {
  std::size_t gpu, node, cls, score;
};

/// One row: its place in `Slowdowns`, and where it stands in the file.
struct TableEntry {
  std::size_t place;
  std::size_t row;
  double slowdown;
};

// Views into the table's text.
using ClassIndex = std::map<std::string_view, std::size_t>;

ClassIndex find_classes(const CsvTable& table, std::size_t column) {
  ClassIndex classes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string_view name = table.text(row, column);
    if (name.empty()) throw data_error("a class without a name", table.where(row, column), "give the class a name");
    classes.emplace(name, 0);
  }
  std::size_t position = 0;
  for (auto& [name, index] : classes) index = position++;
  return classes;
}

GpuId read_gpu_id(const CsvTable& table, std::size_t row, const Columns& columns, const Topology& topology) {
  const long long gpu = table.integer(row, columns.gpu);
  if (gpu < 0 || gpu >= topology.gpus()) {
    throw data_error(fmt::format("GPU {} is beyond the cluster, whose GPUs are 0 to {}", gpu, topology.gpus() - 1),
                     table.where(row, columns.gpu), "set cluster.gpus to what the table has, or cut the table");
  }
  const GpuId id(static_cast<std::uint32_t>(gpu));
  const long long node = table.integer(row, columns.node);
  const NodeId expected = topology.node_of(id);
  if (node != static_cast<long long>(expected.value)) {
    throw data_error(
        fmt::format("GPU {} is in node {} here, but in node {} of the study's cluster", gpu, node, expected.value),
        table.where(row, columns.node), "set cluster.gpus_per_node to what the table has, or number its nodes so");
  }
  return id;
}

double read_slowdown(const CsvTable& table, std::size_t row, std::size_t column) {
  const double value = table.number(row, column);
  if (!(value >= least_slowdown && value <= most_slowdown)) {
    throw data_error(fmt::format("a slowdown of {} is not within [{}, {}]", value, least_slowdown, most_slowdown),
                     table.where(row, column), "it is time on this GPU / time on the median GPU: positive, near 1");
  }
  return value;
}

std::vector<TableEntry> read_entries(const CsvTable& table, const Columns& columns, const ClassIndex& classes,
                                     const Topology& topology) {
  std::vector<TableEntry> entries;
  entries.reserve(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const GpuId gpu = read_gpu_id(table, row, columns, topology);
    const std::size_t cls = classes.find(table.text(row, columns.cls))->second;
    entries.push_back({cls * topology.gpus() + gpu.index(), row, read_slowdown(table, row, columns.score)});
  }
  return entries;
}

std::string pair_name(const CsvTable& table, const TableEntry& entry, const Columns& columns) {
  return fmt::format("GPU {}, class \"{}\"", table.integer(entry.row, columns.gpu), table.text(entry.row, columns.cls));
}

// `entries` sorted by place, then row.
void refuse_doubled(const CsvTable& table, const std::vector<TableEntry>& entries, const Columns& columns) {
  const TableEntry* second = nullptr;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    const bool doubled = entries[i].place == entries[i - 1].place;
    if (doubled && (second == nullptr || entries[i].row < second->row)) second = &entries[i];
  }
  if (second == nullptr) return;
  throw data_error(fmt::format("{} is there twice; first at {}", pair_name(table, *second, columns),
                               table.where((second - 1)->row, columns.gpu)),
                   table.where(second->row, columns.gpu), "keep one row for each GPU and class");
}

// `entries` sorted and distinct. Compares without a table of all pairs: a broken file could ask for a huge one.
void refuse_missing(const CsvTable& table, const std::vector<TableEntry>& entries, const ClassIndex& classes,
                    std::uint32_t gpus) {
  std::vector<std::size_t> present;
  for (const TableEntry& entry : entries) present.push_back(entry.place % gpus);
  std::ranges::sort(present);
  const auto distinct = static_cast<std::size_t>(std::unique(present.begin(), present.end()) - present.begin());
  if (distinct < gpus) {
    throw data_error(fmt::format("the table has {} GPUs, the study needs {}", distinct, gpus), table.name(),
                     "set cluster.gpus (or cluster.nodes) to what the table has, or name another table");
  }
  std::size_t place = 0;
  while (place < entries.size() && entries[place].place == place) ++place;
  if (place == classes.size() * gpus) return;
  const auto cls = std::next(classes.begin(), static_cast<std::ptrdiff_t>(place / gpus));
  throw data_error(fmt::format("no row for GPU {}, class \"{}\"", place % gpus, cls->first), table.name(),
                   "every GPU needs a slowdown for every class");
}

Slowdowns from_csv(const CsvTable& table, const Topology& topology) {
  const Columns columns{table.column("gpu_id"), table.column("node_id"), table.column("class"), table.column("score")};
  if (table.rows() == 0) throw data_error("no rows", table.name(), "give one row for each GPU and class");
  const ClassIndex classes = find_classes(table, columns.cls);
  std::vector<TableEntry> entries = read_entries(table, columns, classes, topology);
  std::ranges::sort(entries, [](const TableEntry& a, const TableEntry& b) {
    return std::pair(a.place, a.row) < std::pair(b.place, b.row);
  });
  refuse_doubled(table, entries, columns);
  refuse_missing(table, entries, classes, topology.gpus());

  std::vector<std::string> names;
  for (const auto& [name, index] : classes) names.emplace_back(name);
  std::vector<double> values;
  values.reserve(entries.size());
  for (const TableEntry& entry : entries) values.push_back(entry.slowdown);
  return {std::move(names), topology.gpus(), std::move(values)};
}

}  // namespace

Slowdowns read_slowdown_table(const std::filesystem::path& path, const Topology& topology) {
  return from_csv(CsvTable::read(path), topology);
}

Slowdowns parse_slowdown_table(std::string text, const std::string& name, const Topology& topology) {
  return from_csv(CsvTable::parse(std::move(text), name), topology);
}

}  // namespace palstudy
