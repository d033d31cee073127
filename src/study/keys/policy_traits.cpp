// SPDX-License-Identifier: MIT
#include "study/keys/policy_traits.hpp"

#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "study/keys/chosen_params.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {

PolicyTraits traits_of(const KeyValues& values) {
  const auto& order_entry = orders().at(keys::order.in(values));
  const auto& placement = placements().at(keys::placement.in(values));
  const Topology topology(std::vector<NodeGroup>{{1, 1}}, 1);
  const Bins bins(Slowdowns::flat({"A"}, 1), BinRule{1, false});
  const auto places =
      placement.make({topology, bins, LocalityPenalty{}, 1}, param_values(policy_section, placement.params, values));
  const auto order = order_entry.make(param_values(policy_section, order_entry.params, values));
  return {order->preemptive(), places->sticky(), places->moves_running(), order->for_partition() != nullptr};
}

}  // namespace palstudy
