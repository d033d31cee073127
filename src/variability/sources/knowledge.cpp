// SPDX-License-Identifier: MIT
#include "variability/sources/knowledge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "core/random.hpp"
#include "stats/descriptive.hpp"
#include "variability/sources/variates.hpp"

namespace palstudy {
namespace {

constexpr std::uint32_t draws_per_stream = 1024;  // four runs each
constexpr double bodies_that_drift = 3;

/// The median of `runs` values of Student's t, from their uniforms: only the middle ones go through the quantile.
double median_t4(std::vector<double>& uniforms) {
  const auto middle = uniforms.begin() + static_cast<std::ptrdiff_t>(uniforms.size() / 2);
  std::nth_element(uniforms.begin(), middle, uniforms.end());
  if (uniforms.size() % 2 == 1) return student_t4(*middle);
  return (student_t4(*std::max_element(uniforms.begin(), middle)) + student_t4(*middle)) / 2;
}

/// `change(class, gpu, slowdown)` of every slowdown.
template <class Change>
Slowdowns changed(const Slowdowns& truth, Change change) {
  std::vector<double> values;
  values.reserve(truth.classes() * truth.gpus());
  for (std::size_t c = 0; c < truth.classes(); ++c) {
    std::uint32_t gpu = 0;
    for (const double slowdown : truth.of(ClassId(c))) values.push_back(change(c, gpu++, slowdown));
  }
  return {truth.class_names(), truth.gpus(), std::move(values)};
}

void check_spreads(const Slowdowns& truth, const std::vector<ClassSpread>& spreads) {
  if (spreads.size() != truth.classes()) throw fault("spreads of another number of classes");
}

}  // namespace

Slowdowns remeasure(const Slowdowns& truth, const std::vector<ClassSpread>& spreads, std::uint32_t runs,
                    std::uint64_t seed) {
  check_spreads(truth, spreads);
  if (runs == 0 || runs > 4 * draws_per_stream) throw fault("simulated measurements of no or too many runs");
  std::vector<double> uniforms(runs);
  return changed(truth, [&](std::size_t c, std::uint32_t gpu, double slowdown) {
    std::array<std::uint32_t, 4> words{};
    uniforms.resize(runs);
    for (std::uint32_t run = 0; run < runs; ++run) {
      if (run % 4 == 0) {
        words = draw(seed, Purpose::simulated_run, gpu, spreads[c].stream * draws_per_stream + run / 4);
      }
      uniforms[run] = uniform_of(words[run % 4]);
    }
    return slowdown * std::exp(spreads[c].run_sd / robust_sd_of_t4 * median_t4(uniforms));
  });
}

Slowdowns stale_estimate(const Slowdowns& truth, const std::vector<ClassSpread>& spreads, double age_days,
                         std::uint64_t seed) {
  check_spreads(truth, spreads);
  const double rho = std::exp(-age_days / drift_days);
  const double moved = std::sqrt(1 - rho * rho) / std::numbers::sqrt2;  // a t of 4 has the standard deviation sqrt(2)
  return changed(truth, [&](std::size_t c, std::uint32_t gpu, double slowdown) {
    const double sd = spreads[c].gpu_sd;
    const double now = std::log(slowdown);
    const double body = std::clamp(now, -bodies_that_drift * sd, bodies_that_drift * sd);
    const auto words = draw(seed, Purpose::drift, gpu, spreads[c].stream);
    return std::exp(now - (1 - rho) * body + moved * sd * student_t4(uniform_of(words[0])));
  });
}

}  // namespace palstudy
