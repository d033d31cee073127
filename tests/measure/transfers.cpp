// SPDX-License-Identifier: MIT
#include "measure/transfers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace palstudy {
namespace {

struct Machine {
  std::vector<RankPlace> places;
  std::vector<std::string> cabinets;
};

Machine machine(int cabinets, int hosts_of_cabinet, int gpus) {
  Machine made;
  for (int c = 0; c < cabinets; ++c) {
    for (int h = 0; h < hosts_of_cabinet; ++h) {
      for (int g = 0; g < gpus; ++g) {
        made.places.push_back({"c" + std::to_string(c) + "-" + std::to_string(h), g});
        made.cabinets.push_back("c" + std::to_string(c));
      }
    }
  }
  return made;
}

std::string slow_level(const Machine& m, const std::vector<int>& ranks) {
  std::set<std::string> hosts, cabinets;
  for (const int rank : ranks) {
    hosts.insert(m.places[static_cast<std::size_t>(rank)].host);
    cabinets.insert(m.cabinets[static_cast<std::size_t>(rank)]);
  }
  return hosts.size() == 1 ? "node" : cabinets.size() == 1 && !cabinets.contains("") ? "cabinet" : "cluster";
}

// Of every machine: levels are what the ranks span, ranks ascend, no group is there twice, pairs are at most four of a
// level, and every level that the machine has is measured both ways.
TEST(TransferGroups, EveryLevelOnceAndFewPairs) {
  for (const auto& [cabinets, hosts, gpus] : {std::array{1, 1, 4}, {1, 4, 2}, {3, 2, 4}, {2, 30, 8}}) {
    const Machine m = machine(cabinets, hosts, gpus);
    const auto groups = groups_to_measure(m.places, m.cabinets, true, true, 1);
    std::map<std::pair<std::string, std::string>, int> count;
    std::set<std::pair<std::string, std::vector<int>>> seen;
    for (const TransferGroup& group : groups) {
      EXPECT_EQ(group.level, slow_level(m, group.ranks));
      EXPECT_TRUE(std::is_sorted(group.ranks.begin(), group.ranks.end()));
      EXPECT_GE(group.ranks.size(), 2U);
      EXPECT_TRUE(seen.insert({group.kernel, group.ranks}).second);
      ++count[{group.kernel, group.level}];
      EXPECT_TRUE(group.kernel == "allreduce" || group.ranks.size() == 2);
    }
    for (const char* kernel : {"link", "allreduce"}) {
      EXPECT_GT((count[{kernel, "node"}]), 0);
      EXPECT_EQ((count[{kernel, "cabinet"}]) > 0, hosts > 1);
      EXPECT_EQ((count[{kernel, "cluster"}]) > 0, cabinets > 1);
    }
    for (const char* level : {"node", "cabinet", "cluster"}) EXPECT_LE((count[{"link", level}]), 4);
  }
}

// Hosts without a cabinet are a level apart, and one rank alone has nobody to send to.
TEST(TransferGroups, WithoutCabinets) {
  const std::vector<RankPlace> two_hosts = {{"a", 0}, {"b", 0}};
  const auto groups = groups_to_measure(two_hosts, {"", ""}, true, true, 1);
  ASSERT_EQ(groups.size(), 2U);
  for (const TransferGroup& group : groups) {
    EXPECT_EQ(group.level, "cluster");
    EXPECT_EQ(group.ranks, (std::vector<int>{0, 1}));
  }
  EXPECT_TRUE(groups_to_measure({{"a", 0}}, {""}, true, true, 1).empty());
  EXPECT_TRUE(groups_to_measure(two_hosts, {"", ""}, false, false, 1).empty());
}

TEST(TransferGroups, SizesAreFourTimesTheOneBefore) {
  const auto gpu = transfer_sizes(Backend::cuda), core = transfer_sizes(Backend::host);
  EXPECT_EQ(gpu.front(), 4096U);
  EXPECT_EQ(gpu.back(), 256U << 20U);
  EXPECT_EQ(core.back(), 4U << 20U);
}

}  // namespace
}  // namespace palstudy
