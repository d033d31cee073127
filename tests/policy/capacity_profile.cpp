// SPDX-License-Identifier: MIT
// The profile of planned capacity against a list of the free GPUs in each second.
#include "policy/capacity_profile.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/numbers.hpp"
#include "core/random.hpp"

namespace palstudy {
namespace {

constexpr std::size_t seconds = 200;

/// Infinity if there are never enough; what is free at the end stays free.
double slow_earliest(const std::vector<std::int64_t>& free, std::int64_t gpus, std::size_t length, std::size_t round) {
  for (std::size_t start = 0; start < 2 * seconds; start += round) {
    bool fits = true;
    for (std::size_t s = start; s < start + length; ++s) fits = fits && free[std::min(s, free.size() - 1)] >= gpus;
    if (fits) return static_cast<double>(start);
  }
  return infinity;
}

// Intervals at random are taken and given; the earliest start of jobs of any width and length is that of the twin, at
// any second and at multiples of 7 s.
TEST(CapacityProfile, TheEarliestStartIsThatOfEachSecond) {
  RandomStream random(3, Purpose::job_shape, 0);
  for (int round = 0; round < 200; ++round) {
    CapacityProfile profile(0, 8);
    std::vector<std::int64_t> free(seconds, 8);
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t from = random.below(100), to = from + random.below(60);
      const std::int64_t gpus = std::int64_t{random.below(9)} - 6;
      const bool forever = random.below(5) == 0;
      profile.add(from, forever ? infinity : to, gpus);
      for (std::size_t s = from; s < (forever ? seconds : to); ++s) free[s] += gpus;
    }
    for (std::size_t s = 0; s < seconds; ++s) ASSERT_EQ(profile.free_at(static_cast<double>(s)), free[s]);
    for (int ask = 0; ask < 20; ++ask) {
      const std::int64_t gpus = 1 + random.below(10);
      const std::uint32_t length = 1 + random.below(50);
      ASSERT_EQ(profile.earliest(gpus, length, Rounds(0)), slow_earliest(free, gpus, length, 1));
      ASSERT_EQ(profile.earliest(gpus, length, Rounds(7)), slow_earliest(free, gpus, length, 7));
    }
  }
}

}  // namespace
}  // namespace palstudy
