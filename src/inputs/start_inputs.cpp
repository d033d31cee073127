// SPDX-License-Identifier: MIT
#include "inputs/start_inputs.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {
namespace {

/// What of a run keeps jobs from waiting for others; "" if nothing.
std::string cuts_links(const RunPlan& run, const Workload& workload) {
  if (!workload.lost_links.empty()) {
    return run.workload.resampling != Resampling::none ? keys::resampling.name : keys::copies.name;
  }
  return run.cluster.partitions > 1 ? std::string(keys::partitions.name) : "";
}

}  // namespace

const StartRules* StartInputs::of(const RunPlan& run, const Workload& workload) {
  std::vector<std::string> columns = workload.lost_links;
  if (!workload.links.after.empty()) columns.emplace_back("after");
  if (!workload.links.tasks.empty()) columns.emplace_back("array");
  if (columns.empty()) return nullptr;
  if (!backfill_of(run.policy)->plans_nodes()) {
    const std::string key = std::string(keys::backfill.name) + " = \"slurm\"";
    for (const std::string& column : columns) files_.note_column(column.c_str(), key, false, true);
    return nullptr;
  }
  if (const std::string key = cuts_links(run, workload); !key.empty()) {
    throw data_error(
        fmt::format("jobs wait for others (columns after and array), which {} does not keep together", key),
        jobs_of(run), fmt::format("leave these columns out of the trace, or {}", key));
  }
  return &memoize(rules_, workload_text(run), [&] { return StartRules(workload); });
}

}  // namespace palstudy
