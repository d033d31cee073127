// SPDX-License-Identifier: MIT
#include "workload/elastic/elastic_model.hpp"

#include <algorithm>
#include <cmath>

namespace palstudy {

std::uint32_t Epochs::at(double progress) const {
  const double whole = std::clamp(std::floor(progress / iterations), 0.0, count - 1.0);
  auto epoch = static_cast<std::uint32_t>(whole);
  // The quotient may be rounded across a bound; the bounds are what an epoch ends at.
  while (epoch + 1 < count && progress >= end(epoch)) ++epoch;
  while (epoch > 0 && progress < end(epoch - 1)) --epoch;
  return epoch;
}

double Epochs::share(std::uint32_t epoch) const { return count <= 1 ? 0 : epoch / (count - 1.0); }

double goodput(const BatchLimits& limits, const StepTime& time, JobShape shape, Batch batch, double noise,
               const SlowGpus& slow) {
  const double samples = batch.samples(shape.gpus);
  return samples / iteration_s(time, shape, batch, slow) * efficiency(noise, limits.initial, samples);
}

double iterations_per_s(const BatchLimits& limits, const StepTime& time, JobShape shape, Batch batch, double noise,
                        const SlowGpus& slow) {
  return gain(noise, limits.initial, batch.samples(shape.gpus)) / iteration_s(time, shape, batch, slow);
}

std::uint32_t growth_limit(const BatchLimits& limits, std::uint32_t most_so_far, std::uint32_t cap) {
  const std::uint32_t doubled = most_so_far > cap / 2 ? cap : 2 * most_so_far;
  return std::max(1u, std::min({doubled, cap, limits.most / limits.min_local}));
}

}  // namespace palstudy
