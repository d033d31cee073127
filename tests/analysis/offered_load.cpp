// SPDX-License-Identifier: MIT
#include "analysis/offered_load.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// Queues that grow below capacity are those of jobs behind one that does not fit: the advice to let them pass is for
// such runs alone, not for a cluster that is offered more than it can do.
TEST(Overload, KnowsQueuesThatGrowBelowCapacity) {
  Overload below, above, none;
  below.add(0.8, 5);
  above.add(0.8, 5);
  above.add(1.3, 9);
  none.add_other();
  EXPECT_TRUE(below.below_capacity());
  EXPECT_FALSE(above.below_capacity());
  EXPECT_FALSE(none.below_capacity());
  EXPECT_EQ(none.text(), "");
}

}  // namespace
}  // namespace palstudy
