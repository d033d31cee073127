// SPDX-License-Identifier: MIT
#include "record/record.hpp"
#include "record/table_builder.hpp"

namespace palstudy {
namespace {

using enum ColumnType;

constexpr ColumnInfo delays_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"job", "1", "Job, by the id that the trace gives it.", integer},
    {"fair_share_s", "s", "Waited because its tenant would go over quota and too few GPUs were idle.", real},
    {"fragmentation_s", "s", "Waited within quota because there was no placement at the level it could take.", real},
    {"gang_s", "s", "Waited while it held a part of its GPUs, or backed off from that.", real},
    {"locality_s", "s", "Waited for GPUs closer together than some that were free, by its patience.", real},
    {"nodes_mean", "1", "Nodes that it was on, mean over the time in which it held GPUs; NaN if it never ran.", real},
    {"shared_fraction", "1", "Share of that time in which neighbours slowed it ([interference]); NaN if it never ran.",
     real}};

TableData make_delays(const RecordInput& run) {
  const RunResult& result = *run.result;
  const std::size_t n = result.delays.size();
  if (n == 0 || !run.tables.jobs) return {};
  TableBuilder delays(TableId::delays, n, run.label.run);
  delays.integers("job", [&](std::size_t i) { return run.workload->jobs[result.jobs.job[i].index()].id; });
  const auto column = [&](const char* name, DelayCause cause) {
    const std::vector<double>& seconds = result.delays.of(cause);
    delays.reals(name, [&](std::size_t i) { return seconds.at(i); });
  };
  column("fair_share_s", DelayCause::fair_share);
  column("fragmentation_s", DelayCause::fragmentation);
  column("gang_s", DelayCause::gang);
  column("locality_s", DelayCause::locality);
  const auto mean = [&](const std::vector<double>& sums) {  // over the time in which GPUs were held; NaN: never
    return [&](std::size_t i) { return sums.at(i) / result.jobs.exec_s[i]; };
  };
  delays.reals("nodes_mean", mean(result.delays.node_s));
  delays.reals("shared_fraction", mean(result.delays.shared_s));
  return delays.take();
}

}  // namespace

void register_table_delays(TableRegistry& tables) {
  tables.push_back(
      {TableId::delays, "/delays", "/delays", &RunRecord::delays,
       "a row of /jobs, in its order, of runs with tenants (docs/howto/tenants.md): seconds of waiting by cause",
       "run the study with quotas under [tenants] (docs/howto/tenants.md)", true, 64, 1, delays_columns, make_delays});
}

}  // namespace palstudy
