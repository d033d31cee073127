// SPDX-License-Identifier: MIT
#include "cluster/cabinet_counts.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.hpp"

namespace palstudy {
namespace {

/// The cabinet with the most GPUs of bins 0..bin by plain sums; ties: lowest.
CabinetCounts::Freest freest_of(const std::vector<std::vector<std::uint32_t>>& gpus, std::uint32_t bin) {
  CabinetCounts::Freest best{0, 0};
  for (std::uint32_t cabinet = 0; cabinet < gpus.size(); ++cabinet) {
    std::uint32_t sum = 0;
    for (std::uint32_t b = 0; b <= bin; ++b) sum += gpus[cabinet][b];
    if (sum > best.gpus) best = {cabinet, sum};
  }
  return best;
}

// Property: counts that go up and down, in several blocks of cabinets and bins, have the maxima of plain sums; in 16
// bits, and where one cabinet has more GPUs than these hold.
TEST(CabinetCounts, FreestIsThatOfPlainSums) {
  constexpr std::uint32_t cabinets = 40, bins = 3;
  for (const std::uint32_t largest : {60'000u, 300'000u}) {
    RandomStream stream(largest, Purpose::job_shape, 0);
    CabinetCounts counts(cabinets, bins, largest);
    std::vector<std::vector<std::uint32_t>> gpus(cabinets, std::vector<std::uint32_t>(bins, 0));
    for (int step = 0; step < 400; ++step) {
      const std::uint32_t cabinet = stream.below(cabinets), bin = stream.below(bins);
      const std::uint32_t now = stream.below(largest / bins);
      counts.add(cabinet, bin, now - gpus[cabinet][bin]);
      gpus[cabinet][bin] = now;
      if (step % 3 == 0) continue;  // changes must also pile up
      for (std::uint32_t b = 0; b < bins; ++b) {
        const auto got = counts.freest(b), expected = freest_of(gpus, b);
        ASSERT_EQ(std::pair(got.cabinet, got.gpus), std::pair(expected.cabinet, expected.gpus))
            << "of at most " << largest << ", step " << step << ", bin " << b;
      }
    }
  }
}

}  // namespace
}  // namespace palstudy
