// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "measure/devices.hpp"

namespace palstudy {
namespace {

// A thread has some of a core and never more than one, whether it was given what it asked for or its time was up first.
TEST(CoreShare, IsAShare) {
  for (const double most_s : {1e-4, 10.0}) {
    const double share = core_share(1e-3, most_s);
    EXPECT_GT(share, 0);
    EXPECT_LE(share, 1);
  }
}

}  // namespace
}  // namespace palstudy
