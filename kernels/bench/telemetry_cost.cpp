// SPDX-License-Identifier: MIT
#include "kernels/bench/telemetry_cost.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/error.hpp"

namespace palstudy {
namespace {

constexpr std::size_t least_rounds = 6;  // 2 x 0.5^6 is under 5 %

double median_batch(BatchSource& source, std::size_t batches, std::size_t launches) {
  std::vector<float> ms;
  for (const double s : source.batches(batches, launches)) ms.push_back(static_cast<float>(s * 1e3));
  return summarize(ms).median;
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

void set_interval(TelemetryCost& cost) {
  std::vector<double> sorted = cost.ratios;
  if (sorted.size() < least_rounds) throw fault("too few rounds for an interval");
  std::sort(sorted.begin(), sorted.end());
  // Both tails of a binomial distribution with p = 1/2: the median lies outside with the probability of at most k
  // heads.
  const auto n = static_cast<double>(sorted.size());
  std::size_t k = 0;
  double term = std::pow(0.5, n), tail = term;
  while (2 * (tail + term * (n - static_cast<double>(k)) / static_cast<double>(k + 1)) <= 0.05) {
    term *= (n - static_cast<double>(k)) / static_cast<double>(k + 1);
    tail += term;
    ++k;
  }
  cost.low = sorted[k];
  cost.high = sorted[sorted.size() - 1 - k];
  cost.median = median_of(sorted);
}

TelemetryCost telemetry_cost(BatchSource& source, TelemetrySource& telemetry, double hz, std::size_t rounds,
                             std::size_t batches, std::size_t launches) {
  const auto watched = [&] {
    const TelemetryThread thread(telemetry, hz);
    return median_batch(source, batches, launches);
  };
  TelemetryCost cost;
  for (std::size_t round = 0; round < rounds; ++round) {
    double with = 0, without = 0;
    if (round % 2 == 0) {
      with = watched();
      without = median_batch(source, batches, launches);
    } else {
      without = median_batch(source, batches, launches);
      with = watched();
    }
    cost.ratios.push_back(with / without);
  }
  set_interval(cost);
  return cost;
}

}  // namespace palstudy
