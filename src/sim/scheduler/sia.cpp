// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/scheduler/sia/sia_scheduler.hpp"

namespace palstudy {

void register_scheduler_sia(SchedulerRegistry& registry) {
  registry.add(
      {"sia",
       "Sia (SOSP'23): an integer program gives each elastic job a type of GPUs and their number.",
       {{"power", ParamType::number, "", "p: goodputs count as goodput^p; below 0 slow jobs weigh more.", "-0.5", -10,
         -0.01},
        {"left_out", ParamType::number, "", "What a job without GPUs costs (lambda_n).", "1.1", 0, 100}},
       {[](const SchedulerContext& context, const ParamValues& params) -> std::unique_ptr<Scheduler> {
          return std::make_unique<SiaScheduler>(context, SiaOptions{params.number("power"), params.number("left_out")});
        },
        false, true}});
}

}  // namespace palstudy
