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

// Marks of changed blocks of 16 cabinets stand 64 in a word: of 1,100 cabinets the last ones have theirs in a second
// word, and are found, and forgotten, like the first.
TEST(CabinetCounts, TheLastOfManyCabinetsIsFound) {
  CabinetCounts counts(1100, 2, 100);
  const auto freest = [&](std::uint32_t bin) {
    const auto found = counts.freest(bin);
    return std::pair(found.cabinet, found.gpus);
  };
  counts.add(1099, 1, 7);
  EXPECT_EQ(freest(1), std::pair(1099u, 7u));
  EXPECT_EQ(freest(0), std::pair(0u, 0u)) << "none has any of bin 0";
  counts.add(3, 0, 9);
  EXPECT_EQ(freest(1), std::pair(3u, 9u));
  counts.add(1030, 0, 9);
  EXPECT_EQ(freest(1), std::pair(3u, 9u)) << "of two the lowest";
  counts.add(3, 0, 0u - 9);
  EXPECT_EQ(freest(0), std::pair(1030u, 9u));
}

// 40 cabinets are three blocks of 16: of three bins 144 counts, 9 maxima and one word of marks. Counts take 16 bits up
// to 65,535 GPUs a cabinet, which they hold, and 32 above. 1,040 cabinets are 65 blocks, with two words of marks, 1,024
// are 64 with one.
TEST(CabinetCounts, CountsTakeSixteenBitsWhereTheyFit) {
  CabinetCounts most(40, 3, 65'535);
  EXPECT_EQ(most.bytes(), 144u * 2 + 8 + 9 * 4);
  most.add(17, 0, 65'535);
  EXPECT_EQ(most.freest(2).gpus, 65'535u);
  CabinetCounts wide(40, 3, 65'536);
  EXPECT_EQ(wide.bytes(), 144u * 4 + 8 + 9 * 4);
  wide.add(17, 0, 65'536);
  EXPECT_EQ(wide.freest(2).gpus, 65'536u);
  EXPECT_EQ(CabinetCounts(1024, 1, 8).bytes(), 64u * 16 * 2 + 8 + 64 * 4);
  EXPECT_EQ(CabinetCounts(1040, 1, 8).bytes(), 65u * 16 * 2 + 2 * 8 + 65 * 4);
}

}  // namespace
}  // namespace palstudy
