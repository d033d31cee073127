// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "sim/state/energy_model.hpp"
#include "study/run_plan.hpp"

namespace palstudy {

/// What is known of a cluster when the order is made in which its nodes go off.
struct OffOrderInputs {
  const Topology& topology;
  const Bins& believed;
  const EnergyModel* energy = nullptr;  ///< for `joules`
  /// Degrees Celsius by class, then GPU, `[c * gpus + g]`; for `hottest`.
  const std::vector<double>* temperatures_c = nullptr;
};

/// What the engine needs to power nodes off as the run says; nothing if all nodes stay on. The node that goes off first
/// is by `power.off_order`
/// * index: the last one,
/// * slowest: the one whose slowest GPU is believed to be slowest, in the mean over the classes,
/// * joules: the one that is believed to spend most energy per work, in the mean over the classes: W x V / n J per
///   GPU-second of ideal work, where a job of the class holds all n GPUs of the node, V is the slowdown of the slowest
///   of them over the median GPU's, and W is what the node draws meanwhile, base power included (EnergyModel),
/// * hottest: the one whose hottest GPU was hottest when it was measured, in the mean over the classes,
/// * random: a drawn one, by policy.seed.
[[nodiscard]] std::optional<PowerWorld> power_world(const RunPlan& run, const OffOrderInputs& inputs);

}  // namespace palstudy
