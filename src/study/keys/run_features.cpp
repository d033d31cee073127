// SPDX-License-Identifier: MIT
#include "study/keys/run_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "policy/order_policy.hpp"
#include "sim/state/scheduler.hpp"
#include "study/keys/chosen_params.hpp"
#include "study/keys/key_names.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

const FeatureKey keys_of_features[] = {
    {Feature::tenants, [](const RunPlan& run) { return run.tenants.on; }, "tenants", ""},
    {Feature::ladder, [](const RunPlan& run) { return run.tenants.on && run.tenants.rules.ladder(); },
     keys::ladder_attempts, "ladder.attempts = 3"},
    {Feature::gangs, [](const RunPlan& run) { return run.tenants.on && run.tenants.rules.gangs(); }, keys::gang_timeout,
     "gang.timeout_s = 150"},
    {Feature::tenant_preemption, [](const RunPlan& run) { return run.tenants.on && run.tenants.rules.preempts(); },
     keys::preempt_occupancy, "tenants.preempt_occupancy = 0.9"},
    {Feature::dedicated_nodes, [](const RunPlan& run) { return run.tenants.on && run.tenants.rules.dedicated; },
     keys::dedicated, "tenants.dedicated = true"},
    {Feature::no_order, [](const RunPlan& run) { return !schedulers().at(run.policy.scheduler).make.by_order; },
     keys::scheduler, "policy.scheduler = \"gavel\""},
    {Feature::order_with_state, [](const RunPlan& run) { return traits_of(run.policy).keeps_state; }, keys::order,
     "policy.order = \"las2d\""},
    {Feature::stopping_order,
     [](const RunPlan& run) {
       const PolicyTraits traits = traits_of(run.policy);
       return traits.stops_jobs && traits.leaves_jobs;
     },
     keys::order, "policy.order = \"las\""},
    {Feature::starvation, [](const RunPlan& run) { return run.engine.starvation_s < infinity; }, keys::starvation,
     "engine.starvation_s = 3600"},
    {Feature::strict_order, [](const RunPlan& run) { return !backfill_of(run.policy)->tries_others(); }, keys::backfill,
     "policy.backfill = \"none\""},
    {Feature::reservations, [](const RunPlan& run) { return backfill_of(run.policy)->reserves(); }, keys::backfill,
     "policy.backfill = \"easy\""},
    {Feature::kills, [](const RunPlan& run) { return run.engine.kills_overruns; }, keys::overrun,
     "policy.overrun = \"kill\""},
    {Feature::repacking, [](const RunPlan& run) { return !traits_of(run.policy).leaves_jobs; }, keys::placement,
     "policy.placement = \"pal\""},
    {Feature::moves, [](const RunPlan& run) { return traits_of(run.policy).moves_jobs; }, keys::placement,
     "policy.placement = \"pal-sticky\""},
    {Feature::event_start, [](const RunPlan& run) { return run.engine.start == Start::event; }, keys::start,
     "engine.start = \"event\""},
    {Feature::failures, [](const RunPlan& run) { return !run.failures.model.empty(); }, keys::failure_model,
     "failures.model = \"philly\""},
    {Feature::outages, [](const RunPlan& run) { return !run.cluster.outages.empty(); }, keys::outages, ""},
    {Feature::power_off, [](const RunPlan& run) { return run.power.on(); }, keys::power_off, "power.off = \"timer\""},
    {Feature::energy, [](const RunPlan& run) { return run.energy.account; }, keys::power_account,
     "power.account = true"},
    {Feature::interference, [](const RunPlan& run) { return run.interference.on(); }, keys::interference_intra,
     "interference.intra = 1.2"},
    {Feature::partitions, [](const RunPlan& run) { return run.cluster.partitions > 1; }, keys::partitions,
     "cluster.partitions = 2"},
    {Feature::queues, [](const RunPlan& run) { return !run.slurm.queues.empty(); }, keys::queues, ""},
};

/// The place where the study gives the key, or one of its table; "" where it has a default.
std::string given_at(const FeatureKey& key, const KeyValues& values) {
  for (auto at = values.lower_bound(key.key); at != values.end() && at->first.starts_with(key.key); ++at) {
    if (const std::string& where = at->second.where; !where.empty() && where != at->first) return where;
  }
  return "";
}

std::string setting(const FeatureKey& key, const KeyValues& values) {
  const auto at = values.find(key.key);
  return at == values.end() ? key.key : fmt::format("{} = {}", key.key, to_toml(at->second));
}

}  // namespace

std::span<const FeatureKey> feature_keys() { return keys_of_features; }

const FeatureKey* key_of(Feature feature) {
  const auto at = std::ranges::find(keys_of_features, feature, &FeatureKey::feature);
  return at == std::end(keys_of_features) ? nullptr : at;
}

Features features_of(const RunPlan& run) {
  Features features;
  for (const FeatureKey& key : keys_of_features) features.set(key.feature, key.in(run));
  return features;
}

void check_together(const RunPlan& run, const KeyValues& values) {
  const Apart* const row = first_apart(features_of(run));
  if (row == nullptr) return;
  const FeatureKey &first = *key_of(row->first), &second = *key_of(row->second);
  std::string where;
  for (const FeatureKey* key : {&second, &first}) {
    if (where.empty()) where = given_at(*key, values);
  }
  throw usage_error(
      fmt::format("{} does not go together with {}: {}", setting(first, values), setting(second, values), row->why),
      where, row->advice);
}

}  // namespace palstudy
