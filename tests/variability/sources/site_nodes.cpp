// SPDX-License-Identifier: MIT
// Cluster source "site": the nodes that were measured, each as it is (variability/sources/site_nodes.hpp).
#include "variability/sources/site_nodes.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "message_of.hpp"
#include "variability/made_up.hpp"
#include "variability/sources/cluster_source.hpp"

namespace palstudy {
namespace {

using Hosts = std::vector<std::optional<std::string>>;

/// GPUs on hosts, each with one time in ms.
struct TimedGpu {
  std::string host;
  int local;
  double ms;
};
Measurements measured(const std::vector<TimedGpu>& gpus) {
  Measurements made;
  made.name = "m";
  for (const TimedGpu& gpu : gpus) {
    made.gpus.push_back({.id = gpu.host + "-" + std::to_string(gpu.local),
                         .host = gpu.host,
                         .local = gpu.local,
                         .times_ms = {gpu.ms},
                         .median = gpu.ms});
  }
  return made;
}

Topology topology(const std::vector<NodeGroup>& groups) { return Topology(groups, 16); }

Hosts hosts(const Measurements& measurements, const std::vector<NodeGroup>& groups,
            const std::vector<std::string>& names = {}) {
  return hosts_of_nodes(distinct_kernels({{"A", &measurements}}, RunsUsed::all), topology(groups), names, "here");
}

const std::vector<TimedGpu> two_hosts = {{"gpu10", 0, 100}, {"gpu10", 1, 100}, {"gpu9", 0, 100}, {"gpu9", 1, 150}};

TEST(SiteNodes, TakesNumbersInNamesByValue) {
  EXPECT_TRUE(host_before("gpu9", "gpu10"));
  EXPECT_FALSE(host_before("gpu10", "gpu9"));
  EXPECT_TRUE(host_before("a2-n9", "a10-n1"));
  EXPECT_TRUE(host_before("gpu", "gpu1"));
  EXPECT_TRUE(host_before("gpu01", "gpu1") != host_before("gpu1", "gpu01"));
}

TEST(SiteNodes, GivesNodesTheHostsInTheOrderOfTheirNames) {
  const Measurements m = measured(two_hosts);
  EXPECT_EQ(hosts(m, {{3, 2}}), (Hosts{"gpu9", "gpu10", std::nullopt}));
}

// A host goes to the next node of as many GPUs: on a machine of nodes of two sizes.
TEST(SiteNodes, GivesHostsToNodesOfTheirSize) {
  auto gpus = two_hosts;
  gpus.push_back({"big1", 0, 100}), gpus.push_back({"big1", 1, 100}), gpus.push_back({"big1", 2, 100});
  const Measurements m = measured(gpus);
  EXPECT_EQ(hosts(m, {{1, 2}, {1, 3}, {1, 2}}), (Hosts{"gpu9", "big1", "gpu10"}));
}

// Of a host with fewer GPUs than any node some were not measured: it gets the smallest node that no other host is.
TEST(SiteNodes, GiveHostsWithUnmeasuredGpusLargerNodes) {
  auto gpus = two_hosts;
  gpus.push_back({"gpu7", 0, 100});
  const Measurements m = measured(gpus);
  EXPECT_EQ(hosts(m, {{1, 8}, {3, 2}}), (Hosts{std::nullopt, "gpu9", "gpu10", "gpu7"}));
  EXPECT_EQ(hosts(m, {{1, 8}, {2, 2}}), (Hosts{"gpu7", "gpu9", "gpu10"}));
}

TEST(SiteNodes, GoByTheNamesOfASlurmConf) {
  const Measurements m = measured(two_hosts);
  EXPECT_EQ(hosts(m, {{3, 4}}, {"gpu8", "gpu9", "gpu10"}), (Hosts{std::nullopt, "gpu9", "gpu10"}));
}

TEST(SiteNodes, RefusesHostsThatNoNodeIs) {
  const Measurements m = measured(two_hosts);
  const auto code_of = [&](const std::vector<NodeGroup>& groups, const std::vector<std::string>& names) {
    return message_or_none(ErrorCode::usage, [&] { (void)hosts(m, groups, names); });
  };
  EXPECT_NE(code_of({{1, 2}}, {}), "") << "fewer nodes than hosts";
  EXPECT_NE(code_of({{2, 1}}, {}), "") << "no node has so many GPUs";
  EXPECT_NE(code_of({{2, 2}}, {"a", "b"}), "") << "no host has such a name";
  EXPECT_NE(code_of({{3, 2}}, {"gpu9", "gpu10"}), "") << "a name too few";
  EXPECT_NE(code_of({{2, 1}}, {"gpu9", "gpu10"}), "") << "more GPUs measured than there are";
}

// GPUs stand in their slots, and what is not measured is as fast as the median: 100 ms of 100, 100, 100, 150.
TEST(SiteNodes, GiveEachGpuItsOwnSlowdown) {
  const Measurements m = measured({{"n2", 1, 150}, {"n2", 0, 100}, {"n1", -1, 100}, {"n1", -1, 100}});
  const ClassMeasurements classes = {{"A", &m}};
  const Topology nodes = topology({{3, 2}});
  const auto drawn = cluster_sources().at("site").make.draw({nodes, classes}, {});
  const auto slowdowns = drawn.slowdowns.of(ClassId(0));
  EXPECT_EQ(std::vector<double>(slowdowns.begin(), slowdowns.end()), (std::vector<double>{1, 1, 1, 1.5, 1, 1}));
  ASSERT_EQ(drawn.notes.size(), 1U);
  EXPECT_EQ(drawn.notes[0].id, "unmeasured-nodes");
  EXPECT_EQ(drawn.notes[0]["nodes"].count(), 1U);
}

}  // namespace
}  // namespace palstudy
