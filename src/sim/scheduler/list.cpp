// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/place_waiting.hpp"
#include "sim/scheduler/list/repack.hpp"
#include "sim/scheduler/list/tenant_scheduler.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

std::unique_ptr<Scheduler> make_list(const SchedulerContext& context, const ParamValues&) {
  const bool sticky = context.placement.sticky();
  if (context.state.world.tenants != nullptr) {
    if (sticky) return std::make_unique<TenantScheduler>(context);
    return std::make_unique<TenantRepack>(context);
  }
  if (sticky) return std::make_unique<PlaceWaiting>(context);
  return std::make_unique<Repack>(context);
}

}  // namespace

void register_scheduler_list(SchedulerRegistry& registry) {
  registry.add({"list",
                "Serves the jobs one after the other in the order of `policy.order`, each on the GPUs that "
                "`policy.placement` chooses.",
                {},
                {make_list, true}});
}

}  // namespace palstudy
