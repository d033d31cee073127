// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "message_of.hpp"
#include "stats/descriptive.hpp"
#include "variability/carried.hpp"
#include "variability/common_nodes.hpp"
#include "variability/drawn.hpp"
#include "variability/made_up.hpp"
#include "variability/sources/class_kernels.hpp"

namespace palstudy {
namespace {

using made_up::cluster;
using made_up::machine;

// Which host each node stands for: made-up times tell it. `measured` holds hosts of `per_node` GPUs.
std::vector<int> hosts(const Slowdowns& slowdowns, ClassId cls, const Measurements& measured, std::uint32_t per_node,
                       double scale = 1) {
  std::vector<double> medians;
  for (const auto& gpu : measured.gpus) medians.push_back(gpu.median);
  const double middle = median(medians);
  std::vector<int> found;
  for (std::uint32_t g = 0; g < slowdowns.gpus(); g += per_node) {
    const auto time = std::lround(slowdowns.at(cls, GpuId(g)) * middle / scale);
    found.push_back(static_cast<int>((time - 1000) / 10));
    for (std::uint32_t l = 0; l < per_node; ++l) {
      EXPECT_NEAR(slowdowns.at(cls, GpuId(g + l)) * middle / scale, 1000 + 10 * found.back() + static_cast<int>(l),
                  1e-6)
          << "GPUs of a node are those of one host, by local index";
    }
  }
  return found;
}

// All of a machine drawn: every host once, in another order than the file's; a slowdown is the GPU's median over the
// median GPU, so the true median of the whole is 1.
TEST(Measured, DrawsWholeNodesOnce) {
  const Measurements m = machine("m", 0, 25, 4);
  const auto drawn = draw_cluster("measured", {{"A", &m}}, cluster(25, 4), 1);
  const auto order = hosts(drawn.slowdowns, ClassId(0), m, 4);
  EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 25U);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  const auto values = drawn.slowdowns.of(ClassId(0));
  EXPECT_DOUBLE_EQ(median({values.begin(), values.end()}), 1.0);
  EXPECT_TRUE(drawn.notes.empty());
}

// A smaller cluster is the beginning of a larger one of the same seed, and is not renormalised to its own median.
TEST(Measured, DoesNotDependOnTheSize) {
  const Measurements m = machine("m", 0, 40, 4);
  const auto small = draw_cluster("measured", {{"A", &m}}, cluster(5, 4), 9).slowdowns;
  const auto large = draw_cluster("measured", {{"A", &m}}, cluster(40, 4), 9).slowdowns;
  const auto first = small.of(ClassId(0));
  EXPECT_TRUE(std::equal(first.begin(), first.end(), large.of(ClassId(0)).begin()));
}

// Every host comes first equally often: of 2,000 seeds each of 10 hosts has 200 with a standard deviation of 13.4; five
// of these are allowed.
TEST(Measured, IsARandomPermutation) {
  const Measurements m = machine("m", 0, 10, 2);
  std::vector<int> count(10, 0);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto drawn = draw_cluster("measured", {{"A", &m}}, cluster(1, 2), seed).slowdowns;
    ++count[static_cast<std::size_t>(hosts(drawn, ClassId(0), m, 2).front())];
  }
  for (const int c : count) EXPECT_NEAR(c, 200, 67);
}

// 16 common nodes are enough to draw jointly: node by node the same host in both, never one that is not in both.
TEST(Measured, DrawsJointlyFromSixteenCommonNodes) {
  const Measurements m = machine("m", 0, 30, 4);
  const Measurements n = machine("n", 14, 30, 4, 7.0);
  const auto drawn = draw_cluster("measured", {{"A", &m}, {"B", &n}}, cluster(16, 4), 1);
  const auto a = hosts(drawn.slowdowns, ClassId(0), m, 4);
  EXPECT_EQ(a, hosts(drawn.slowdowns, ClassId(1), n, 4, 7.0));
  EXPECT_EQ(std::set<int>(a.begin(), a.end()).size(), 16U);
  EXPECT_EQ(*std::min_element(a.begin(), a.end()), 14);
  EXPECT_EQ(common_nodes(drawn.notes, "joint-classes"), 16u);
}

// 15 are not: each kernel draws from all of its own nodes, independently, and the reader is told.
TEST(Measured, DrawsApartFromFewerCommonNodes) {
  const Measurements m = machine("m", 0, 30, 4);
  const Measurements n = machine("n", 15, 30, 4);
  const auto drawn = draw_cluster("measured", {{"A", &m}, {"B", &n}}, cluster(30, 4), 1);
  const auto a = hosts(drawn.slowdowns, ClassId(0), m, 4);
  auto b = hosts(drawn.slowdowns, ClassId(1), n, 4);
  for (int& host : b) host -= 15;
  EXPECT_NE(a, b);  // the same order of places would be the same stream
  EXPECT_EQ(std::set<int>(a.begin(), a.end()).size(), 30U);
  EXPECT_EQ(std::set<int>(b.begin(), b.end()).size(), 30U);
  EXPECT_EQ(drawn.notes,
            (std::vector<Note>{{"split-classes",
                                Severity::care,
                                "",
                                {{"kernels", ValueList{"m", "n"}}, {"nodes", 15}, {"gpus", 4}, {"need", 16}}}}));
}

// Classes that name one kernel share its values, drawn jointly or not.
TEST(Measured, ClassesOfOneKernelShareItsValues) {
  const Measurements m = machine("m", 0, 20, 4);
  const Measurements n = machine("n", 18, 20, 4);
  const auto s = draw_cluster("measured", {{"A", &n}, {"B", &m}, {"C", &m}}, cluster(20, 4), 4).slowdowns;
  const auto b = s.of(ClassId(1));
  EXPECT_TRUE(std::equal(b.begin(), b.end(), s.of(ClassId(2)).begin()));
  EXPECT_FALSE(std::equal(b.begin(), b.end(), s.of(ClassId(0)).begin()));
}

// Nodes of two sizes draw from hosts of their own size, wherever they stand in the cluster.
TEST(Measured, NodesOfTwoSizes) {
  Measurements m = machine("m", 0, 6, 2);
  const Measurements wide = machine("m", 6, 3, 4);
  m.gpus.insert(m.gpus.end(), wide.gpus.begin(), wide.gpus.end());
  const Topology mixed(std::vector{NodeGroup{2, 4}, NodeGroup{5, 2}, NodeGroup{1, 4}}, 16);
  const auto s = draw_cluster("measured", {{"A", &m}}, mixed, 1).slowdowns;
  ASSERT_EQ(s.gpus(), 22U);
  const std::set<double> distinct(s.of(ClassId(0)).begin(), s.of(ClassId(0)).end());
  EXPECT_EQ(distinct.size(), 22U);  // made-up times all differ, so no GPU stands for two
}

// GPUs whose host is not known, and hosts with another number of GPUs, are no donors, and the reader is told. They
// still count for the median GPU. Without local indices GPUs stay in file order.
TEST(Measured, LeavesOutWhatItCannotPlace) {
  Measurements m = machine("m", 0, 3, 2);
  m.gpus.push_back({"lost", "", -1, {5000}, 5000});
  m.gpus.push_back({"alone", "host9", 0, {5000}, 5000});
  m.gpus[0].local = -1;  // of host0, whose GPUs are listed 1, 0
  const auto drawn = draw_cluster("measured", {{"A", &m}}, cluster(3, 2), 1);
  EXPECT_EQ(drawn.notes, (std::vector<Note>{{"missing-nodes",
                                             Severity::info,
                                             "m",
                                             {{"gpus", 1},
                                              {"of_gpus", 8},
                                              {"nodes", 1},
                                              {"of_nodes", 4},
                                              {"size", 2},
                                              {"unmatched", 0},
                                              {"of_joint", 0}}}}));
  // By hand: times 1000 1001 1010 1011 1020 1021 5000 5000 have the median (1011 + 1020) / 2.
  const auto values = drawn.slowdowns.of(ClassId(0));
  const auto first = std::find(values.begin(), values.end(), 1001 / 1015.5);
  ASSERT_NE(first, values.end());
  EXPECT_EQ(*(first + 1), 1000 / 1015.5);
}

// More nodes than there are is a usage error that says how many there are; a size that was not measured has none.
TEST(Measured, RefusesMoreNodesThanThereAre) {
  const Measurements m = machine("m", 0, 30, 4);
  const Measurements n = machine("n", 14, 20, 4);
  const auto refusal = [](const ClassMeasurements& classes, const Topology& topology) -> std::string {
    return message_or_none(ErrorCode::usage,
                           [&] { static_cast<void>(draw_cluster("measured", classes, topology, 1)); });
  };
  EXPECT_NE(refusal({{"A", &m}}, cluster(31, 4)).find("31 nodes of 4 GPUs are wanted, m has 30"), std::string::npos);
  EXPECT_NE(refusal({{"A", &m}}, cluster(31, 4)).find("at most 30 nodes of 4 GPUs"), std::string::npos);
  const std::string size = refusal({{"A", &m}}, cluster(1, 8));
  EXPECT_NE(size.find("1 nodes of 8 GPUs are wanted, m has 0"), std::string::npos);
  EXPECT_NE(size.find("4 GPUs (at most 30 nodes): set cluster.gpus_per_node"), std::string::npos) << size;
  EXPECT_EQ(size.find("fewer"), std::string::npos) << "fewer GPUs in nodes of that size are no help: " << size;
  EXPECT_NE(refusal({{"A", &m}, {"B", &n}}, cluster(17, 4)).find("has 16 that carry all classes"), std::string::npos);
  // The way out is the source that makes nodes for any size; single GPUs only where no node is known.
  for (const std::string& told : {refusal({{"A", &m}}, cluster(31, 4)), size}) {
    EXPECT_NE(told.find("use source = \"block\""), std::string::npos) << told;
    EXPECT_EQ(told.find("bootstrap"), std::string::npos) << told;
  }
  Measurements nowhere = m;
  for (auto& gpu : nowhere.gpus) gpu.host = "";
  EXPECT_NE(refusal({{"A", &nowhere}}, cluster(1, 4)).find("use source = \"bootstrap\""), std::string::npos);
}

// The paper's classes on the carried measurements: ResNet-50, BERT and PageRank share 5 nodes, so each is drawn from
// its own (BERT has the fewest: 34); no ResNet-50 GPU is over 1.123, as opposed to `bootstrap`.
TEST(Measured, PapersClasses) {
  const Measurements resnet = carried("longhorn-resnet50");
  const Measurements bert = carried("longhorn-bert");
  const Measurements pagerank = carried("longhorn-pagerank");
  const ClassMeasurements classes = {{"A", &resnet}, {"B", &bert}, {"C", &bert}, {"D", &pagerank}};
  const auto drawn = draw_cluster("measured", classes, cluster(34, 4), 1);
  EXPECT_EQ(common_nodes(drawn.notes, "split-classes"), 5u);
  const auto a = drawn.slowdowns.of(ClassId(0));
  EXPECT_LT(*std::max_element(a.begin(), a.end()), 1.123);
  EXPECT_THROW(static_cast<void>(draw_cluster("measured", classes, cluster(35, 4), 1)), Error);
}

// SGEMM names no host for 48 GPUs, and no local index on 44 of its 86 hosts: with ResNet-50, which knows all, 75 nodes
// are common, and the reader is told that GPUs are matched by node only on some of them.
TEST(Measured, SgemmIsMatchedByNode) {
  const Measurements sgemm = carried("longhorn-sgemm");
  const Measurements resnet = carried("longhorn-resnet50");
  const auto drawn = draw_cluster("measured", {{"A", &sgemm}, {"B", &resnet}}, cluster(64, 4), 1);
  EXPECT_EQ(common_nodes(drawn.notes, "joint-classes"), 75u);
  const Note* missing = find(drawn.notes, "missing-nodes", "longhorn-sgemm");
  ASSERT_NE(missing, nullptr);
  EXPECT_EQ((*missing)["gpus"], Value(48));
  EXPECT_GT((*missing)["unmatched"].count(), 0u);
}

// The measured GPU that a GPU was drawn from has its slowdown: median over the median of all.
TEST(Measured, SourcesAreTheGpusDrawn) {
  const Measurements a = machine("a", 0, 30, 4), b = machine("b", 10, 30, 4, 2);
  const ClassMeasurements classes = {{"A", &a}, {"B", &b}, {"C", &a}};
  const auto drawn = draw_cluster("measured", classes, cluster(12, 4), 5).slowdowns;
  const SourceGpus sources = draw_cluster("measured", classes, cluster(12, 4), 5).from;
  ASSERT_EQ(sources.size(), 3 * drawn.gpus());
  std::size_t place = 0;
  for (std::uint32_t c = 0; c < 3; ++c) {
    const Measurements& of = c == 1 ? b : a;
    const auto own = measured_gpu_slowdowns(of, RunsUsed::all);
    for (std::uint32_t g = 0; g < drawn.gpus(); ++g) {
      EXPECT_EQ(drawn.at(ClassId(c), GpuId(g)), own[sources[place++]]);
    }
  }
}

// Every other run in the order of the file stands for a GPU, and the one run of a GPU in both halves. By hand: medians
// of all runs 10, 11, 20; of the 1st, 3rd, ... 10, 8, 20; of the 2nd, 4th, ... 10, 14, 20; each over the middle one.
TEST(Measured, HalvesAreEveryOtherRun) {
  Measurements m;
  m.gpus.push_back({"a", "h", 0, {10}, 10});
  m.gpus.push_back({"b", "h", 1, {8, 14}, 11});
  m.gpus.push_back({"c", "h", 2, {30, 20, 10}, 20});
  EXPECT_EQ(measured_gpu_slowdowns(m, RunsUsed::all), (std::vector<double>{10.0 / 11, 1, 20.0 / 11}));
  EXPECT_EQ(measured_gpu_slowdowns(m, RunsUsed::even), (std::vector<double>{1, 0.8, 2}));
  EXPECT_EQ(measured_gpu_slowdowns(m, RunsUsed::odd), (std::vector<double>{10.0 / 14, 1, 20.0 / 14}));
}

// Where kernels are drawn jointly, a single node on which it is not known which GPU is which is told, of its kernel.
TEST(Measured, TellsOfOneNodeThatIsMatchedByNode) {
  Measurements m = machine("m", 0, 16, 4);
  const Measurements n = machine("n", 0, 16, 4, 7.0);
  m.gpus[0].local = -1;
  const auto notes = draw_cluster("measured", {{"A", &m}, {"B", &n}}, cluster(16, 4), 1).notes;
  const Note* of_m = find(notes, "missing-nodes", "m");
  ASSERT_NE(of_m, nullptr);
  EXPECT_EQ((*of_m)["unmatched"], Value(1));
  EXPECT_EQ((*of_m)["of_joint"], Value(16));
  EXPECT_EQ(find(notes, "missing-nodes", "n"), nullptr);
}

// Where one node is there, it is that one that may be asked for; sizes of which no node is there are not offered.
TEST(Measured, OffersTheOneNodeThereIs) {
  const Measurements m = machine("m", 0, 1, 4);
  const auto refusal = [&](const Topology& topology) -> std::string {
    return message_or_none(ErrorCode::usage, [&] {
      static_cast<void>(draw_cluster("measured", {{"A", &m}}, topology, 1));
    });
  };
  EXPECT_NE(refusal(cluster(2, 4)).find("ask for at most 1 nodes of 4 GPUs, or use source = \"block\""),
            std::string::npos)
      << refusal(cluster(2, 4));
  EXPECT_NE(refusal(cluster(1, 8)).find("there are nodes of 4 GPUs (at most 1 nodes): set cluster.gpus_per_node"),
            std::string::npos)
      << refusal(cluster(1, 8));
  EXPECT_EQ(refusal(cluster(1, 4)), "");
}

}  // namespace
}  // namespace palstudy
