// SPDX-License-Identifier: MIT
// Values that are added up, or that stand for "none yet", begin at nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "workload/job.hpp"

namespace palstudy::test {
namespace {

/// But for the prediction, of which none is NaN: a trace may predict 0 s.
TEST(StartingValues, OfJobsAreZero) {
  alignas(Job) std::array<std::byte, sizeof(Job)> bytes = {};
  Job* job = ::new (bytes.data()) Job;
  EXPECT_TRUE(std::isnan(job->predicted_s));
  job->predicted_s = 0;
  EXPECT_TRUE(std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; }));
}

}  // namespace
}  // namespace palstudy::test
