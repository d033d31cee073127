// SPDX-License-Identifier: MIT
#include "study/keys/unused_keys.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>

#include "study/keys/keys.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

bool from_table(const RunPlan& run) { return run.cluster.source == "table"; }

bool measured_network(const RunPlan& run) { return run.penalty_measured || run.policy.locality_measured; }

bool failing(const RunPlan& run) { return !run.failures.model.empty(); }

/// Nothing of its jobs is drawn.
bool traced(const RunPlan& run) {
  const auto& workload = run.workload;
  if (workload.trace.empty() || workload.resampling != Resampling::none) return false;
  if (workload.copies.copies > std::floor(workload.copies.copies)) return false;
  return !readers().at(workload.reader).make.draws_models;
}

}  // namespace

std::vector<UnusedKey> unused_keys(const std::vector<RunPlan>& runs) {
  std::vector<UnusedKey> unused;
  const auto unless_any = [&](auto looks, std::initializer_list<const char*> keys, const std::string& why) {
    if (std::any_of(runs.begin(), runs.end(), looks)) return;
    for (const char* key : keys) unused.push_back({key, why});
  };
  const auto knows = [](const char* how) { return [how](const RunPlan& run) { return run.policy.knowledge == how; }; };
  unless_any(from_table, {"cluster.table"}, "no run has cluster.source = \"table\"");
  unless_any(std::not_fn(from_table), {"cluster.profile", "cluster.classes"},
             "every run has cluster.source = \"table\"");
  unless_any([](const RunPlan& run) { return !from_table(run) || run.policy.knowledge_by_cluster; }, {"cluster.seed"},
             "every run has cluster.source = \"table\"");
  unless_any(knows("runs"), {"policy.knowledge_runs"}, "no run has policy.knowledge = \"runs\"");
  unless_any(knows("stale"), {"policy.knowledge_age_days"}, "no run has policy.knowledge = \"stale\"");
  unless_any([&](const RunPlan& run) { return knows("runs")(run) || knows("stale")(run); }, {"policy.knowledge_seed"},
             "no run has policy.knowledge = \"runs\" or \"stale\"");
  unless_any(measured_network, {"network.overlap", "network.profile"}, "no run has network.penalty = \"measured\"");
  if (std::none_of(runs.begin(), runs.end(), failing)) {
    for (const auto& spec : fixed_keys()) {
      if (spec.key == "failures.model" || !spec.key.starts_with("failures.")) continue;
      unused.push_back({spec.key, "no run has a failures.model"});
    }
  }
  unless_any([](const RunPlan& run) { return run.initial_jobs; }, {"measure.initial"},
             "no run has a window that begins at time 0, when jobs of a generator run already");
  unless_any(std::not_fn(traced), {"workload.seed"}, "every run has a trace");
  unless_any([](const RunPlan& run) { return run.tenants.rules.ladder(); },
             {"ladder.patience", "ladder.patience_most_s"}, "ladder.attempts is 0 in every run");
  unless_any([](const RunPlan& run) { return run.tenants.rules.gangs(); }, {"gang.backoff_s"},
             "gang.timeout_s is 0 in every run");
  return unused;
}

}  // namespace palstudy
