// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "core/csv.hpp"

namespace palstudy {

/// How the power of GPUs that run an application depends on the GPU.
enum class PowerKind {
  capped,    ///< all draw the cap; a slow one takes longer for it
  uncapped,  ///< at a fixed clock: what is slow under a cap leaks, and draws more
  lockstep   ///< GPUs of one job draw less while they wait for its slowest
};

/// No GPU and no node draws more.
inline constexpr double most_watts = 1e6;

/// What one application draws.
struct PowerRow {
  PowerKind kind = PowerKind::capped;
  double watts = 0;     ///< of the median GPU
  double exponent = 0;  ///< uncapped: watts x (slowdown under a cap)^exponent
};

/// What GPUs of one model draw, as in kernels/measurements/power/v100.csv.
struct PowerTable {
  std::map<std::string, PowerRow> busy;  ///< by class, measurements or application
  double idle_w = 0;                     ///< a GPU without a job

  /// The row of a class: by its own name, that of the measurements that stand for it, or the application of these
  /// (what follows the machine's name: "sgemm" of "longhorn-sgemm"). Null if there is none.
  [[nodiscard]] const PowerRow* find(const std::string& cls, const std::string& measurements) const;
};

/// The power in a table with the columns name, kind (capped, uncapped, lockstep or idle), watts and exponent
/// (uncapped only); one row is of kind idle. Other columns are ignored. Errors (data, file:line:column).
[[nodiscard]] PowerTable power_table(const CsvTable& table);

}  // namespace palstudy
