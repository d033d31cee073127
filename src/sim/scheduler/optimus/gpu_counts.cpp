// SPDX-License-Identifier: MIT
#include "sim/scheduler/optimus/gpu_counts.hpp"

#include <algorithm>

#include "workload/elastic/batch_tuning.hpp"

namespace palstudy {

std::vector<std::uint32_t> gpu_counts(std::span<const OptimusJob> jobs, std::uint32_t gpus, const StepOf& step_s) {
  const std::size_t served = std::min<std::size_t>(jobs.size(), gpus);
  std::vector<std::uint32_t> counts(jobs.size());
  std::fill_n(counts.begin(), served, 1u);
  std::vector<double> saved(served);
  const auto weigh = [&](std::size_t job) {
    const std::uint32_t k = counts[job];
    saved[job] = k < jobs[job].most ? (step_s(job, k) - step_s(job, k + 1)) * jobs[job].iterations : 0;
  };
  for (std::size_t job = 0; job < served; ++job) weigh(job);
  for (std::size_t left = gpus - served; left > 0 && served > 0; --left) {
    const auto most = std::ranges::max_element(saved);
    if (!(*most > 0)) break;
    const auto job = static_cast<std::size_t>(most - saved.begin());
    ++counts[job];
    weigh(job);
  }
  return counts;
}

double packed_step_s(const BatchLimits& limits, const TypeTime& type, double samples, std::uint32_t gpus,
                     std::uint32_t gpus_per_node) {
  const JobShape packed{gpus, (gpus + gpus_per_node - 1) / gpus_per_node};
  return iteration_s(type.step, packed, batch_of(limits, type.max_local, gpus, samples));
}

double iterations_after(const ElasticModel& model, double samples, std::uint32_t epoch) {
  double iterations = 0;
  for (std::uint32_t next = epoch + 1; next < model.epochs.count; ++next) {
    iterations += model.epochs.iterations / gain(model.noise_in(next), model.limits.initial, samples);
  }
  return std::max(1.0, iterations);
}

}  // namespace palstudy
