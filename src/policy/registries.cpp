// SPDX-License-Identifier: MIT
#include "policy/backfill_policy.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "policy/routing_policy.hpp"

namespace palstudy {

void register_orders(OrderRegistry& registry);          // generated
void register_placements(PlacementRegistry& registry);  // generated
void register_routings(RoutingRegistry& registry);      // generated
void register_backfills(BackfillRegistry& registry);    // generated

const OrderRegistry& orders() {
  static const OrderRegistry registry = [] {
    OrderRegistry all("order");
    register_orders(all);
    return all;
  }();
  return registry;
}

const PlacementRegistry& placements() {
  static const PlacementRegistry registry = [] {
    PlacementRegistry all("placement");
    register_placements(all);
    return all;
  }();
  return registry;
}

const RoutingRegistry& routings() {
  static const RoutingRegistry registry = [] {
    RoutingRegistry all("routing");
    register_routings(all);
    return all;
  }();
  return registry;
}

const BackfillRegistry& backfills() {
  static const BackfillRegistry registry = [] {
    BackfillRegistry all("backfill");
    register_backfills(all);
    return all;
  }();
  return registry;
}

}  // namespace palstudy
