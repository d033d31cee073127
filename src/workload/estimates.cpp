// SPDX-License-Identifier: MIT
#include "workload/estimates.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/numbers.hpp"
#include "core/random.hpp"

namespace palstudy {
namespace {

constexpr double whole_day_s = 24 * hour_s;
/// The limits of a site's queues.
constexpr std::array limits_s = {hour_s / 4, hour_s, 4 * hour_s, 12 * hour_s, whole_day_s, 3 * whole_day_s};

double rounded_up(double seconds) {
  const auto limit = std::lower_bound(limits_s.begin(), limits_s.end(), seconds);
  return limit != limits_s.end() ? *limit : std::ceil(seconds / whole_day_s) * whole_day_s;
}

}  // namespace

void estimate_durations(Workload& workload, Estimates estimates, std::uint64_t seed) {
  if (estimates == Estimates::exact) return;
  for (Job& job : workload.jobs) {
    if (job.estimate_s > 0) continue;
    RandomStream random(seed, Purpose::estimate, static_cast<std::uint64_t>(job.id));
    const double estimate_s = job.ideal_s() * (1 + 2 * random.uniform());
    job.estimate_s = estimates == Estimates::classes ? rounded_up(estimate_s) : estimate_s;
  }
}

}  // namespace palstudy
