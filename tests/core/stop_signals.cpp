// SPDX-License-Identifier: MIT
#include "core/stop_signals.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace palstudy {
namespace {

// While it lives a signal sets a flag, and the one for checkpoints is counted and stops nothing.
TEST(StopSignals, SetAFlag) {
  const StopSignals signals;
  EXPECT_EQ(std::raise(SIGUSR2), 0);
  EXPECT_FALSE(signals.raised());
  EXPECT_EQ(signals.saves(), 1);
  EXPECT_EQ(std::raise(SIGUSR1), 0);
  EXPECT_TRUE(signals.raised());
}

// The notice of the time limit may come after the work, and must not kill the program then.
TEST(StopSignals, AreIgnoredAfterwards) {
  { const StopSignals signals; }
  EXPECT_EQ(std::raise(SIGUSR1), 0);
  EXPECT_EQ(std::raise(SIGUSR2), 0);
}

}  // namespace
}  // namespace palstudy
