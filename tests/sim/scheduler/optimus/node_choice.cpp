// SPDX-License-Identifier: MIT
#include "sim/scheduler/optimus/node_choice.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace palstudy {
namespace {

using ChosenParts = std::vector<NodePart>;

// Three nodes of 4. Job 0 keeps its 3 GPUs on node 1, although others are free. Job 2 has the smaller count of the
// other two, so it takes 2 GPUs of node 0 first; of nodes 0 and 2 with as many free ones the first. Then job 1 takes
// node 2, and one GPU of node 0.
TEST(NodeChoice, JobsOfTheSameCountStay) {
  const std::vector<ChosenParts> held = {{{1, 3}}, {{0, 2}}, {{2, 1}}, {}};
  const auto nodes = choose_nodes(std::vector<std::uint32_t>{3, 5, 2, 0}, held, {4, 4, 4});
  EXPECT_EQ(nodes, std::vector<ChosenParts>({{{1, 3}}, {{2, 4}, {0, 1}}, {{0, 2}}, {}}));
}

// More GPUs than there are cannot be counted out: a mistake of the caller.
TEST(NodeChoice, RefusesMoreThanThereAre) {
  const std::vector<ChosenParts> held = {{}};
  EXPECT_THROW((void)choose_nodes(std::vector<std::uint32_t>{9}, held, {4, 4}), Error);
}

}  // namespace
}  // namespace palstudy
