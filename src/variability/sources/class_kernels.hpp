// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/note.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// With fewer nodes that carry all classes, drawing them jointly would represent those few nodes rather than the
/// machine.
inline constexpr std::size_t least_joint_nodes = 16;

/// What stands for one or more classes.
struct Kernel {
  std::string name;
  const Measurements* measured;
  std::vector<double> slowdowns;  ///< of each measured GPU: median over the runs used / median GPU
};

/// The distinct measurements of the classes, by name.
[[nodiscard]] std::vector<Kernel> distinct_kernels(const ClassMeasurements& classes, RunsUsed runs);

/// The place of each class's kernel in `kernels`, by class.
[[nodiscard]] std::vector<std::size_t> kernel_of_class(const ClassMeasurements& classes,
                                                       const std::vector<Kernel>& kernels);

/// Whether classes are drawn jointly ("joint-classes") or apart ("split-classes"), where so many nodes of so many GPUs
/// carry all kernels.
[[nodiscard]] Note joint_note(const std::vector<Kernel>& kernels, bool joint, std::size_t common,
                              std::uint32_t gpus_per_node);

/// Slowdowns of each measured GPU. Of one run both halves have it.
[[nodiscard]] std::vector<double> measured_gpu_slowdowns(const Measurements& measured, RunsUsed runs);

}  // namespace palstudy
