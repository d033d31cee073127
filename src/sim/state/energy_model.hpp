// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "core/ids.hpp"

namespace palstudy {

/// What a GPU draws for a job of one class, in watts.
struct ClassPower {
  double busy_w = 0;    ///< the median GPU, while it computes
  double wait_w = 0;    ///< any GPU, while it waits for a slower one of its job
  double exponent = 0;  ///< a computing GPU draws busy_w x (its slowdown of `EnergyModel::leaky`)^exponent
};

/// What the nodes of a cluster draw, in watts, and the time over which energy is counted. A node draws `base_w` and
/// what its GPUs draw; a node that stops or boots draws what an idle one does, and one that is off `off_w` in all.
struct EnergyModel {
  std::vector<ClassPower> classes;
  /// The power-capped class: a GPU that is slow under a cap leaks, and draws more where there is none. None: all alike.
  std::optional<ClassId> leaky;
  double idle_w = 0;     ///< a GPU that does not compute, on a node that is on
  double base_w = 0;     ///< a node without its GPUs
  double off_w = 0;      ///< a node that is off
  double pue = 1;        ///< energy of the site / energy of its nodes; every energy is multiplied by it
  double horizon_s = 0;  ///< energy is counted from time 0 to here, whenever the run ends
  /// So many times that jobs were on nodes are kept (5 MiB) before the energy of nodes is shared among them. Sums hang
  /// on it by rounding alone.
  std::size_t stays_at_once = 1 << 17;

  /// What a GPU of that slowdown of the class `leaky` draws while it computes; 1 where there is none.
  [[nodiscard]] double busy_w(ClassId cls, double leak) const {
    const ClassPower& power = classes[cls.index()];
    return power.exponent == 0 || !leaky ? power.busy_w : power.busy_w * std::pow(leak, power.exponent);
  }
  /// What a GPU draws for a job of the class, in the mean over the time of the job's slowest GPU: it computes for
  /// `share` of that time, its slowdown over that of the slowest, and waits for the rest. `own_w` is what it draws
  /// while it computes.
  [[nodiscard]] double gpu_w(ClassId cls, double share, double own_w) const {
    const double wait_w = classes[cls.index()].wait_w;
    return wait_w + (own_w - wait_w) * share;
  }
};

}  // namespace palstudy
