// SPDX-License-Identifier: MIT
#include "sim/state/scheduler.hpp"

namespace palstudy {

void register_schedulers(SchedulerRegistry& registry);  // generated

const SchedulerRegistry& schedulers() {
  static const SchedulerRegistry registry = [] {
    SchedulerRegistry all("scheduler");
    register_schedulers(all);
    return all;
  }();
  return registry;
}

}  // namespace palstudy
