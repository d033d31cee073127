// SPDX-License-Identifier: MIT
#include <array>

#include "record/record.hpp"
#include "record/table_builder.hpp"

namespace palstudy {
namespace {

using enum ColumnType;

constexpr ColumnInfo power_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"state", "1", "State of the nodes: busy, idle, stopping, off or booting.", text},
    {"class", "1", "Class of the jobs on busy nodes; empty for GPUs and nodes without jobs.", text},
    {"node_s", "s", "Node-seconds; a busy node is shared among classes by the GPUs that they hold there.", real},
    {"gpu_s", "{GPU}.s", "GPU-seconds.", real},
    {"work_s", "{GPU}.s", "GPU-seconds of work at slowdown 1 and locality penalty 1.", real},
    {"energy_j", "J", "Energy up to power.horizon_s, times power.pue; the rows of a run add up to its energy_j.",
     real}};

TableData make_power(const RecordInput& run) {
  const PowerRows& rows = run.result->power;
  if (rows.size() == 0) return {};
  constexpr std::array<const char*, power_states> names = {"busy", "idle", "stopping", "off", "booting"};
  TableBuilder power(TableId::power, rows.size(), run.label.run);
  power.texts(
      "state", [&](std::size_t state) { return names[state]; }, [&](std::size_t i) { return rows.state[i]; });
  power.texts(
      "class", [&](std::size_t c) { return c == 0 ? std::string() : name_of(run.workload->classes, c - 1); },
      [&](std::size_t i) { return rows.cls[i] + 1; });
  power.reals("node_s", [&](std::size_t i) { return rows.node_s[i]; });
  power.reals("gpu_s", [&](std::size_t i) { return rows.gpu_s[i]; });
  power.reals("work_s", [&](std::size_t i) { return rows.work_s[i]; });
  power.reals("energy_j", [&](std::size_t i) { return rows.energy_j[i]; });
  return power.take();
}

}  // namespace

void register_table_power(TableRegistry& tables) {
  tables.push_back(
      {TableId::power, "/power", "/power", &RunRecord::power,
       "where the energy of a run went: busy nodes by class of jobs, their unused GPUs, and the other states of nodes "
       "(docs/howto/energy.md)",
       "run the study with power.account = true (docs/howto/energy.md)", true, 48, 30, power_columns, make_power});
}

}  // namespace palstudy
