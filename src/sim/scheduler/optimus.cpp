// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/scheduler/optimus/optimus_scheduler.hpp"

namespace palstudy {

void register_scheduler_optimus(SchedulerRegistry& registry) {
  registry.add({"optimus",
                "Optimus (EuroSys'18) as ported in Pollux's artifact: each GPU goes to the elastic job that it saves "
                "most time.",
                {},
                {[](const SchedulerContext& context, const ParamValues&) -> std::unique_ptr<Scheduler> {
                   return std::make_unique<OptimusScheduler>(context);
                 },
                 false, true}});
}

}  // namespace palstudy
