// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "study/run_plan.hpp"

namespace palstudy {

/// What the engine needs to power nodes off as the run says; nothing if all nodes stay on. By `power.off_order` the
/// node that goes off first is the last one (index), the one whose slowest GPU is believed to be slowest in the mean
/// over the classes (slowest), or a drawn one (random, by policy.seed).
[[nodiscard]] std::optional<PowerWorld> power_world(const RunPlan& run, const Topology& topology, const Bins& believed);

}  // namespace palstudy
