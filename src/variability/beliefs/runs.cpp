// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "core/random.hpp"
#include "variability/sources/belief.hpp"
#include "variability/sources/variates.hpp"

namespace palstudy {
namespace {

constexpr std::uint32_t draws_per_stream = 1024;  // four runs each

/// The median of `runs` values of Student's t, from their uniforms: only the middle ones go through the quantile.
double median_t4(std::vector<double>& uniforms) {
  const auto middle = uniforms.begin() + static_cast<std::ptrdiff_t>(uniforms.size() / 2);
  std::nth_element(uniforms.begin(), middle, uniforms.end());
  if (uniforms.size() % 2 == 1) return student_t4(*middle);
  return (student_t4(*std::max_element(uniforms.begin(), middle)) + student_t4(*middle)) / 2;
}

/// Every GPU is measured `knowledge_runs` times and believed to be the median of that. A run's log time is off by a
/// Student-t with 4 degrees of freedom whose robust standard deviation is that of the profile's runs. Keyed by GPU:
/// what is believed of GPU i does not depend on the cluster's size.
Slowdowns believe_runs(const BeliefContext& from, const ParamValues& params) {
  const auto runs = static_cast<std::uint32_t>(params.number("knowledge_runs"));
  if (runs == 0 || runs > 4 * draws_per_stream) throw fault("simulated measurements of no or too many runs");
  std::vector<double> uniforms(runs);
  return with_noise(from, [&](const ClassSpread& spread, std::uint32_t gpu, double slowdown) {
    std::array<std::uint32_t, 4> words{};
    for (std::uint32_t run = 0; run < runs; ++run) {
      if (run % 4 == 0) {
        words = draw(from.seed, Purpose::simulated_run, gpu, spread.stream * draws_per_stream + run / 4);
      }
      uniforms[run] = uniform_of(words[run % 4]);
    }
    return slowdown * std::exp(spread.run_sd / robust_sd_of_t4 * median_t4(uniforms));
  });
}

}  // namespace

void register_belief_runs(BeliefRegistry& registry) {
  registry.add({"runs",
                "The median of some simulated measurements of each GPU, with the noise of those of the profile.",
                {{.name = "knowledge_runs",
                  .type = ParamType::integer,
                  .unit = "",
                  .summary = "For knowledge runs: how often each GPU is measured.",
                  .default_value = "5",
                  .least = 1,
                  .most = 1000}},
                {.what = "some measured runs", .needs = Measured::runs, .draws = true, .believe = believe_runs}});
}

}  // namespace palstudy
