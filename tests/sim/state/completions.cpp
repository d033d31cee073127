// SPDX-License-Identifier: MIT
#include "sim/state/completions.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace palstudy {
namespace {

// A random history of pushes, changes and pops against a plain vector.
TEST(Completions, EqualsALinearScan) {
  RandomStream random(3, Purpose::job_shape, 1);
  Completions completions;
  std::vector<double> twin;
  for (int step = 0; step < 20000; ++step) {
    const std::uint32_t what = random.below(10);
    if (twin.empty() || what < 4) {
      twin.push_back(random.below(1000));
      completions.push_back(twin.back());
    } else if (what < 8) {
      const std::uint32_t slot = random.below(static_cast<std::uint32_t>(twin.size()));
      twin[slot] = random.below(1000);
      completions.set(slot, twin[slot]);
    } else {
      twin.pop_back();
      completions.pop_back();
    }
    double least = std::numeric_limits<double>::infinity();
    for (const double time : twin) least = std::min(least, time);
    ASSERT_EQ(completions.earliest(), least);
    if (step % 50 == 0) {
      std::vector<std::uint32_t> due, expected;
      completions.due(200, due);
      for (std::uint32_t i = 0; i < twin.size(); ++i) {
        if (twin[i] <= 200) expected.push_back(i);
      }
      ASSERT_EQ(due, expected);
    }
  }
}

}  // namespace
}  // namespace palstudy
