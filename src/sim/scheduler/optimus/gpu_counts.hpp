// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "workload/elastic/elastic_model.hpp"

namespace palstudy {

/// What Optimus knows of a job.
struct OptimusJob {
  double iterations = 1;   ///< left, at its batch
  std::uint32_t most = 1;  ///< GPUs that it may have
};

/// The time of an iteration of a job, by its place among the jobs, on so many GPUs; in seconds.
using StepOf = std::function<double(std::size_t job, std::uint32_t gpus)>;

/// The GPUs of each job, of so many in all. Jobs get one each, in order, while there are any. Each further one goes
/// where it saves most, (step(k) - step(k + 1)) x iterations left, until none saves any; the first of equals.
/// (Optimus, section 4.1, as ported in Pollux's artifact.)
[[nodiscard]] std::vector<std::uint32_t> gpu_counts(std::span<const OptimusJob> jobs, std::uint32_t gpus,
                                                    const StepOf& step_s);

/// The time of an iteration with a batch of so many samples, on GPUs that fill one node after the other; in seconds.
[[nodiscard]] double packed_step_s(const BatchLimits& limits, const TypeTime& type, double samples, std::uint32_t gpus,
                                   std::uint32_t gpus_per_node);

/// The iterations with a batch of so many samples that a job makes after the end of the epoch under way; at least 1.
[[nodiscard]] double iterations_after(const ElasticModel& model, double samples, std::uint32_t epoch);

}  // namespace palstudy
