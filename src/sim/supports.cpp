// SPDX-License-Identifier: MIT
#include "sim/supports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "sim/state/effect.hpp"

namespace palstudy {
namespace {

/// Properties of a run.
enum Feature : unsigned {
  event_start = 1,       // jobs start between boundaries
  ordered = 2,           // a job that does not fit holds up those behind it
  starvation = 4,        // jobs that have waited long go first
  preemptive_order = 8,  // the order stops running jobs
  repacking = 16,        // the placement moves running jobs at every boundary
  reservations = 32,     // jobs that do not fit are promised GPUs
  observing_order = 64,  // the order keeps a state
  shares = 128,          // the scheduler serves jobs by no order
};

constexpr std::pair<Feature, std::string_view> names[] = {
    {event_start, "jobs that start between boundaries"},
    {ordered, "jobs that wait for those before them"},
    {starvation, "jobs that starve"},
    {preemptive_order, "an order that stops running jobs"},
    {repacking, "a placement that is not sticky"},
    {reservations, "a backfill with reservations"},
    {observing_order, "an order that keeps a state"},
    {shares, "a scheduler that serves jobs by no order"},
};

/// A part of the engine that is in use, and the features that it does not work with.
struct Part {
  std::string_view name;
  bool used;
  unsigned without;
};

unsigned features_of(const World& world, const Policies& policies) {
  const bool sticky = policies.placement.sticky();
  unsigned features = 0;
  if (world.engine.start == Start::event) features |= event_start;
  if (world.engine.backfill == Backfill::none) features |= ordered;
  if (world.engine.starvation_s < infinity) features |= starvation;
  if (sticky && policies.order.preemptive()) features |= preemptive_order;
  if (!sticky) features |= repacking;
  if (policies.backfill != nullptr) features |= reservations;
  if (policies.order.for_partition() != nullptr) features |= observing_order;
  if (!policies.by_order) features |= shares;
  return features;
}

std::vector<Part> parts_of(const World& world, const Policies& policies) {
  const TenantRules none, &rules = world.tenants != nullptr ? *world.tenants : none;
  return {
      {"tenants", world.tenants != nullptr,
       event_start | ordered | starvation | preemptive_order | reservations | shares},
      {"a backfill with reservations", policies.backfill != nullptr, starvation | preemptive_order | repacking},
      {"a scheduler that serves jobs by no order", !policies.by_order, starvation | reservations | observing_order},
      {"a ladder", rules.ladder(), repacking},
      {"gangs", rules.gangs(), repacking},
      {"preemption by tenants", rules.preempts(), repacking},
      {"dedicated nodes", rules.dedicated, repacking},
  };
}

void check_wide_job(const World& world, const Job& job) {
  const auto refuse = [&](const char* where, const char* advice) {
    throw usage_error(fmt::format("job {} wants {} GPUs, more than a partition has", job.id, job.gpus), where, advice);
  };
  if (world.interference.on()) refuse("interference", "such jobs feel no neighbours yet: use fewer partitions");
  if (world.elastic != nullptr) refuse("workload", "such jobs are not elastic yet: use fewer partitions");
  if (world.tenants != nullptr && world.tenants->dedicated)
    refuse("tenants.dedicated", "such jobs cannot have nodes of their own yet: use fewer partitions");
  if (world.energy != nullptr) refuse("power", "the energy of such jobs is not accounted yet: use fewer partitions");
  if (traits_of_effects(world).act_between_boundaries())
    refuse("cluster", "such jobs cannot wait for nodes that are down or off yet: use fewer partitions");
}

}  // namespace

void check_supports(const World& world, const Policies& policies) {
  const unsigned features = features_of(world, policies);
  for (const Part& part : parts_of(world, policies)) {
    for (const auto& [feature, name] : names) {
      if (part.used && (part.without & features & feature) != 0)
        throw fault(fmt::format("{} with {}", part.name, name));
    }
  }
  if (world.tenants != nullptr) {
    if (world.tenants->quota.size() != world.workload.tenants.size()) throw fault("not one quota for each tenant");
    if (traits_of_effects(world).act_between_boundaries()) throw fault("tenants with nodes that go down");
  }
  if (world.engine.kills_overruns && (world.failures != nullptr || world.elastic != nullptr)) {
    throw fault("jobs that outlive their expected end and are killed, with failures or elastic jobs");
  }
  if (world.power != nullptr && !world.outages.empty())
    throw fault("nodes that are powered off and nodes that go down");
  const bool plain = std::all_of(world.job_models.begin(), world.job_models.end(),
                                 [](const JobModel& model) { return model.kind == JobModelKind::plain; });
  if (world.elastic != nullptr && (!plain || world.tenants != nullptr || world.failures != nullptr)) {
    throw fault("elastic jobs with tenants, failures or models of parallelism");
  }
  if (world.partitioning.partitions() > 1 && policies.routing == nullptr) throw fault("several partitions, no routing");
  for (const Job& job : world.workload.jobs) {
    if (job.gpus > world.topology.gpus()) {
      throw data_error(fmt::format("job {} wants {} GPUs, the cluster has {}", job.id, job.gpus, world.topology.gpus()),
                       "workload", "enlarge the cluster or drop the job");
    }
    if (job.gpus > world.partitioning.widest()) check_wide_job(world, job);
  }
}

}  // namespace palstudy
