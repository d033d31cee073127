// SPDX-License-Identifier: MIT
#include "sim/supports.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "sim/engine/wide_jobs.hpp"

namespace palstudy {
namespace {

bool uncommon_models(const World& world) {
  return std::ranges::any_of(world.job_models, [](const JobModel& how) { return how.kind != JobModelKind::plain; });
}

void set_policy_features(Features& features, const World& world, const Policies& policies) {
  const bool sticky = policies.placement.sticky();
  features.set(Feature::no_order, !policies.by_order);
  features.set(Feature::order_with_state, policies.order.for_partition() != nullptr);
  features.set(Feature::stopping_order, sticky && policies.order.preemptive());
  features.set(Feature::strict_order, world.engine.backfill == Backfill::none);
  features.set(Feature::reservations, policies.backfill != nullptr);
  features.set(Feature::repacking, !sticky);
  features.set(Feature::moves, policies.placement.moves_running());
}

void set_tenant_features(Features& features, const TenantRules* rules) {
  if (rules == nullptr) return;
  features.set(Feature::tenants);
  features.set(Feature::ladder, rules->ladder());
  features.set(Feature::gangs, rules->gangs());
  features.set(Feature::tenant_preemption, rules->preempts());
  features.set(Feature::dedicated_nodes, rules->dedicated);
}

}  // namespace

Features features_of(const World& world, const Policies& policies) {
  Features features;
  set_policy_features(features, world, policies);
  set_tenant_features(features, world.tenants);
  features.set(Feature::starvation, world.engine.starvation_s < infinity);
  features.set(Feature::event_start, world.engine.start == Start::event);
  features.set(Feature::kills, world.engine.kills_overruns);
  features.set(Feature::failures, world.failures != nullptr);
  features.set(Feature::outages, !world.outages.empty());
  features.set(Feature::power_off, world.power != nullptr);
  features.set(Feature::energy, world.energy != nullptr);
  features.set(Feature::interference, world.interference.on());
  features.set(Feature::partitions, world.partitioning.partitions() > 1);
  features.set(Feature::queues, world.queues != nullptr);
  features.set(Feature::wide_jobs, any_wide_job(world));
  features.set(Feature::elastic, world.elastic != nullptr);
  features.set(Feature::job_models, uncommon_models(world));
  return features;
}

void check_supports(const World& world, const Policies& policies) {
  for (const Job& job : world.workload.jobs) {
    if (job.gpus <= world.topology.gpus()) continue;
    throw data_error(fmt::format("job {} wants {} GPUs, the cluster has {}", job.id, job.gpus, world.topology.gpus()),
                     "workload", "enlarge the cluster or drop the job");
  }
  if (const Apart* row = first_apart(features_of(world, policies))) {
    throw fault(fmt::format("{} with {}: {}", info_of(row->first).name, info_of(row->second).name, row->why));
  }
  if (world.tenants != nullptr && world.tenants->quota.size() != world.workload.tenants.size()) {
    throw fault("not one quota for each tenant");
  }
  if (world.partitioning.partitions() > 1 && policies.routing == nullptr) throw fault("several partitions, no routing");
}

}  // namespace palstudy
