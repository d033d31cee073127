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

// Only SIGTERM and SIGINT say that the end is near.
TEST(StopSignals, TellHowMuchTimeIsLeft) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const StopSignals signals;
    EXPECT_EQ(std::raise(SIGUSR1), 0);
    EXPECT_TRUE(signals.raised());
    EXPECT_FALSE(signals.ends_soon());
    EXPECT_EQ(std::raise(signal), 0);
    EXPECT_TRUE(signals.ends_soon());
  }
  EXPECT_FALSE(StopSignals().ends_soon());
}

// The notice of the time limit may come after the work, and must not kill the program then.
TEST(StopSignals, AreIgnoredAfterwards) {
  { const StopSignals signals; }
  EXPECT_EQ(std::raise(SIGUSR1), 0);
  EXPECT_EQ(std::raise(SIGUSR2), 0);
}

}  // namespace
}  // namespace palstudy
