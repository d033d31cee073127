// SPDX-License-Identifier: MIT
#include "kernels/bench/telemetry_cost.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "core/error.hpp"

namespace palstudy {
namespace {

/// A device whose batches take as long as the number of those before it says.
class Drifting : public BatchSource {
 public:
  explicit Drifting(double per_batch) : per_batch_(per_batch) {}
  std::vector<double> batches(std::size_t count, std::size_t) override {
    std::vector<double> seconds(count);
    for (double& s : seconds) s = 1e-3 * (1 + per_batch_ * ran_++);
    return seconds;
  }

 private:
  double per_batch_, ran_ = 0;
};

TelemetryCost of_ratios(std::size_t n) {
  TelemetryCost cost;
  cost.ratios.resize(n);
  std::iota(cost.ratios.rbegin(), cost.ratios.rend(), 1);  // n, ..., 2, 1
  set_interval(cost);
  return cost;
}

// The sign test, by hand: of 6 values the least and the largest, 2 / 2^6 = 3.1 %; of 11 the second and the tenth, since
// 2 (1 + 11) / 2^11 = 1.2 % and 2 (1 + 11 + 55) / 2^11 = 6.5 %.
TEST(TelemetryCost, TheIntervalIsThatOfTheSignTest) {
  const TelemetryCost six = of_ratios(6), eleven = of_ratios(11);
  EXPECT_EQ(six.low, 1);
  EXPECT_EQ(six.high, 6);
  EXPECT_EQ(six.median, 3.5);
  EXPECT_EQ(eleven.low, 2);
  EXPECT_EQ(eleven.high, 10);
  EXPECT_EQ(eleven.median, 6);
  EXPECT_THROW((void)of_ratios(5), Error);
}

// A device that gets slower all the time would make the half that comes second look dear; taking turns in coming first,
// the rounds lie on both sides of 1 and the interval holds it. A steady one costs nothing, exactly.
TEST(TelemetryCost, ADriftIsNotTakenForACost) {
  NoTelemetry none;
  Drifting drifting(0.001), steady(0);
  const TelemetryCost cost = telemetry_cost(drifting, none, 10, 20, 5, 1);
  EXPECT_LT(cost.low, 1);
  EXPECT_GT(cost.high, 1);
  EXPECT_NEAR(cost.median, 1, 0.005);
  for (const double ratio : telemetry_cost(steady, none, 10, 6, 5, 1).ratios) EXPECT_EQ(ratio, 1);
}

}  // namespace
}  // namespace palstudy
