// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"

namespace palstudy {

/// What an elastic job runs with: the GPUs that it holds and its batch size (0: that of the job). A rigid job always
/// has {job.gpus, 0}.
struct Shape {
  std::uint32_t gpus = 0, batch = 0;
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// How the rate of a job depends on its shape.
class ElasticJobs {
 public:
  virtual ~ElasticJobs() = default;
  /// Seconds per iteration at slowdown 1 and penalty 1.
  [[nodiscard]] virtual double iteration_s(JobId job, Shape shape) const = 0;
};

/// By JobId; empty in a run without elastic jobs.
using Shapes = std::vector<Shape>;

}  // namespace palstudy
