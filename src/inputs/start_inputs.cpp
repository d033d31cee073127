// SPDX-License-Identifier: MIT
#include "inputs/start_inputs.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {
namespace {

/// What a run does to jobs that no link outlives; "" if nothing.
std::string cuts_links(const RunPlan& run) {
  if (run.workload.resampling != Resampling::none) return keys::resampling.name;
  if (run.workload.copies.copies > 1) return keys::copies.name;
  return run.cluster.partitions > 1 ? std::string(keys::partitions.name) : "";
}

}  // namespace

const StartRules* StartInputs::of(const RunPlan& run, const Workload& workload) {
  const JobLinks& links = workload.links;
  if (links.empty()) return nullptr;
  if (!backfill_of(run.policy)->plans_nodes()) {
    const std::string key = std::string(keys::backfill.name) + " = \"slurm\"";
    if (!links.after.empty()) files_.note_column("after", key, false, true);
    if (!links.tasks.empty()) files_.note_column("array", key, false, true);
    return nullptr;
  }
  if (const std::string key = cuts_links(run); !key.empty()) {
    throw data_error(
        fmt::format("jobs wait for others (columns after and array), which {} does not keep together", key),
        jobs_of(run), fmt::format("leave these columns out of the trace, or {}", key));
  }
  return &memoize(rules_, workload_text(run), [&] { return StartRules(workload); });
}

}  // namespace palstudy
