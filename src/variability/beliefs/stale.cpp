// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.hpp"
#include "variability/sources/belief.hpp"
#include "variability/sources/variates.hpp"

namespace palstudy {
namespace {

/// After how many days the correlation of a GPU's slowdown with its former one has fallen to 1/e. From the SGEMM runs
/// of Longhorn: medians of the first and second half of June 2020, whose mean times are 22.4 days apart, have a rank
/// correlation of 0.978, which is 0.980 after the noise of the medians (0.998), or 0.981 in normal scores; and
/// 22.4 / -ln 0.981 is about 1,200. Between runs 1 to 28 days apart the distance grows like the square root of time,
/// as it does here.
constexpr double drift_days = 1200;
constexpr double bodies_that_drift = 3;

/// What the GPUs were `knowledge_age_days` ago, if since then each drifted to what it is now. Log slowdowns follow a
/// mean-reverting walk (Ornstein-Uhlenbeck) with increments of Student-t with 4 degrees of freedom, which June 2020
/// shows (a tenth of the GPUs moved by over 0.52 %, half by under 0.16 %), its correlation rho = exp(-age /
/// drift_days), its spread that of the GPUs. The walk is the same read backwards, so the truth stays and the belief is
/// drawn: runs of one seed have the same truth at any age. Only the body drifts back to the median: a GPU further out
/// than three spreads (a fault, another mode) keeps its distance.
Slowdowns believe_stale(const BeliefContext& from, const ParamValues& params) {
  const double rho = std::exp(-params.number("knowledge_age_days") / drift_days);
  const double moved = std::sqrt(1 - rho * rho) / std::numbers::sqrt2;  // a t of 4 has the standard deviation sqrt(2)
  return with_noise(from, [&](const ClassSpread& spread, std::uint32_t gpu, double slowdown) {
    const double sd = spread.gpu_sd;
    const double now = std::log(slowdown);
    const double body = std::clamp(now, -bodies_that_drift * sd, bodies_that_drift * sd);
    const auto words = draw(from.seed, Purpose::drift, gpu, spread.stream);
    return std::exp(now - (1 - rho) * body + moved * sd * student_t4(uniform_of(words[0])));
  });
}

}  // namespace

void register_belief_stale(BeliefRegistry& registry) {
  registry.add({"stale",
                "What the slowdowns were some days ago, if they drift as those of Longhorn did.",
                {{.name = "knowledge_age_days",
                  .unit = "d",
                  .summary = "For knowledge stale: for how long the slowdowns have drifted since.",
                  .default_value = "",
                  .least = 0}},
                {.what = "old measurements", .draws = true, .believe = believe_stale}});
}

}  // namespace palstudy
