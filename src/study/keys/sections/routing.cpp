// SPDX-License-Identifier: MIT
// [routing]: which partition jobs go to, and how queues are levelled.
#include <fmt/format.h>

#include "core/error.hpp"
#include "policy/routing_policy.hpp"
#include "study/keys/chosen_params.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

constexpr KeyName<std::string> router{"routing.policy"};

/// Partitions have tenants for the policy that routes by them; another one has to be asked for.
void check_tenants(const KeyValues& given, const KeyValues& values) {
  const TomlValue& partitions = keys::partitions.at(values);
  const bool named = partitions.kind == TomlValue::Kind::table, by_tenant = router.in(values) == "tenant";
  if (by_tenant && !named) {
    throw usage_error(fmt::format("{} = \"tenant\", but no partition has a tenant", router.name),
                      router.at(values).where, fmt::format("give {} = {{ NAME = GPUS, ... }}", keys::partitions.name));
  }
  if (named && !router.given_in(given)) {
    throw usage_error(fmt::format("{} names tenants, which {} = \"{}\" ignores", keys::partitions.name, router.name,
                                  router.in(values)),
                      partitions.where, fmt::format("give {} = \"tenant\", or another one", router.name));
  }
}

void complete_routing(const KeyValues& given, KeyValues& values, const std::string& /*file*/) {
  check_tenants(given, values);
  complete_params(routing_section, routings().at(router.in(values)), router.at(values).where, values);
}

void bind_routing(const KeyValues& values, RunPlan& run) {
  run.policy.routing_params = param_values(routing_section, routings().at(run.policy.routing).params, values);
}

}  // namespace

void register_key_section_routing(KeySections& sections) {
  constexpr double most = 1e6;
  sections.push_back(
      {{Key::choice(router, "\"least-loaded\"", "Which partition an arriving job goes to.", routings().names())
            .sets(&RunPlan::policy, &PolicyOptions::routing),
        Key::integer("routing.rebalance_rounds", "round", "1", "Queues are levelled at multiples of so many rounds.", 1,
                     most)
            .sets(&RunPlan::routing, &RoutingOptions::rebalance_rounds),
        Key::integer("routing.max_moves", "job", "8",
                     "Never-started jobs that one levelling moves between partitions at most; 0: none.", 0, 1024)
            .sets(&RunPlan::routing, &RoutingOptions::max_moves),
        Key::integer("routing.drain_rounds", "round", "12",
                     "Rounds that a job wider than a partition waits before it reserves partitions.", 0, most)
            .sets(&RunPlan::routing, &RoutingOptions::drain_rounds)},
       complete_routing,
       bind_routing});
}

}  // namespace palstudy
