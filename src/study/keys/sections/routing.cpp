// SPDX-License-Identifier: MIT
// [routing]: which partition jobs go to, and how queues are levelled.
#include "policy/routing_policy.hpp"
#include "study/keys/chosen_params.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

constexpr KeyName<std::string> router{"routing.policy"};

void complete_routing(const KeyValues& /*given*/, KeyValues& values, const std::string& /*file*/) {
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
