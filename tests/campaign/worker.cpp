// SPDX-License-Identifier: MIT
#include "campaign/worker.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// By hand: a second of an hour and 2 % of ten seconds while no checkpoint has been written; twice a checkpoint of 10 s;
// and half of a limit that is shorter than what checkpoints take.
TEST(TimeLimit, LeavesTimeForCheckpoints) {
  EXPECT_DOUBLE_EQ(stops_ahead_s(3600, 0), 1);
  EXPECT_DOUBLE_EQ(stops_ahead_s(10, 0), 0.2);
  EXPECT_DOUBLE_EQ(stops_ahead_s(3600, 10), 20);
  EXPECT_DOUBLE_EQ(stops_ahead_s(30, 10), 15);
  EXPECT_DOUBLE_EQ(stops_ahead_s(0, 10), 0);
}

}  // namespace
}  // namespace palstudy
