// SPDX-License-Identifier: MIT
#include "sim/scheduler/sia/configurations.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// Of 3 nodes of 4: 1, 2 and 4 GPUs on a node, then 2 and 3 whole nodes. Of 5 nodes of 8, of which a job has 2 at most:
// 1, 2, 4, 8, 16. A type without nodes has none; so many as nodes + log2(GPUs of a node).
TEST(Configurations, ArePowersOfTwoThenWholeNodes) {
  const std::vector<TypeNodes> types = {{3, 4}, {0, 8}, {5, 8, 2}};
  const std::vector<Configuration> expected = {{0, {1, 1}}, {0, {2, 1}}, {0, {4, 1}}, {0, {8, 2}}, {0, {12, 3}},
                                               {2, {1, 1}}, {2, {2, 1}}, {2, {4, 1}}, {2, {8, 1}}, {2, {16, 2}}};
  EXPECT_EQ(configurations(types), expected);
}

// A node of 6 is no power of two: 1, 2, 4, and the whole node.
TEST(Configurations, EndWithTheWholeNode) {
  const std::vector<Configuration> expected = {{0, {1, 1}}, {0, {2, 1}}, {0, {4, 1}}, {0, {6, 1}}};
  EXPECT_EQ(configurations(std::vector<TypeNodes>{{1, 6}}), expected);
  EXPECT_EQ(packed_shape(13, 6), (JobShape{13, 3}));
}

}  // namespace
}  // namespace palstudy
