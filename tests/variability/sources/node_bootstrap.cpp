// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "core/error.hpp"
#include "stats/descriptive.hpp"
#include "variability/carried.hpp"
#include "variability/common_nodes.hpp"
#include "variability/drawn.hpp"
#include "variability/made_up.hpp"
#include "variability/sources/class_kernels.hpp"
#include "variability/sources/cluster_check.hpp"
#include "variability/sources/reliability.hpp"

namespace palstudy {
namespace {

using made_up::cluster;
using made_up::machine;

std::vector<double> of(const Slowdowns& slowdowns, std::size_t cls) {
  const auto values = slowdowns.of(ClassId(cls));
  return {values.begin(), values.end()};
}

struct Donated {
  const char* name;
  std::uint32_t size;  // GPUs a node
  double ks;
};
// The acceptance bound of the statistical model is 0.04 for smoothed draws. Longhorn BERT cannot meet it: its GPUs are
// alike within nodes (0.98), so its 136 values are in truth 34, and the noise that breaks their ties moves the
// distribution by a step or two of 1/34.
constexpr Donated donated[] = {{"longhorn-sgemm", 4, 0.04},    {"longhorn-resnet50", 4, 0.04},
                               {"longhorn-bert", 4, 0.06},     {"longhorn-pagerank", 4, 0.04},
                               {"frontera-resnet50", 4, 0.04}, {"frontera-bert", 4, 0.04},
                               {"frontera-pagerank", 4, 0.04}, {"lonestar6-resnet50", 3, 0.04}};

// The 200,000 GPUs are as many as the tails need: drawing 5,000 whole nodes of 34 to 86 alone moves p99 of the machines
// with two faulty nodes by more than the bounds below.
Slowdowns large(const Measurements& m, std::uint32_t size) {
  return draw_cluster("block", {{"A", &m}}, cluster(200000 / size, size), 1).slowdowns;
}

// Distribution, p99 within 0.5 %, the share over 1.05 within what a draw of as many nodes as were measured gives in 99
// % of cases (normal approximation, 2.58 standard errors), the median within 0.2 %.
TEST(Block, HasTheDistributionOfItsSource) {
  for (const Donated& d : donated) {
    const Measurements m = carried(d.name);
    const auto source = source_nodes(m, d.size);
    const auto made = of(large(m, d.size), 0);
    const ClassCheck check = check_class(made, cluster(200000 / d.size, d.size), source);
    EXPECT_LT(check.ks, d.ks) << d.name;
    const auto figure = [&](const std::string& name) {
      return *std::find_if(check.figures.begin(), check.figures.end(), [&](const auto& f) { return f.name == name; });
    };
    EXPECT_NEAR(figure("p99").generated, figure("p99").source, 0.005) << d.name;
    const double share = figure("share over 1.05").source;
    EXPECT_NEAR(figure("share over 1.05").generated, share,
                2.58 * std::sqrt(share * (1 - share) / static_cast<double>(check.source_nodes)))
        << d.name;
    EXPECT_NEAR(figure("p50").generated, 1, 0.002) << d.name;
  }
}

// The correlation within nodes lies in the interval of the measurement. The negative control: the same GPUs dealt to
// nodes at random have none, and fail for ResNet-50.
TEST(Block, KeepsTheCorrelationWithinNodes) {
  for (const Donated& d : donated) {
    const Measurements m = carried(d.name);
    const Reliability r = measure_reliability(m);
    const auto check = check_class(of(large(m, d.size), 0), cluster(200000 / d.size, d.size), source_nodes(m, d.size));
    const auto& icc = check.figures.back();
    EXPECT_EQ(icc.name, "correlation within nodes");
    EXPECT_GE(icc.generated, r.node_icc_low) << d.name;
    EXPECT_LE(icc.generated, r.node_icc_high) << d.name;
  }
  const Measurements resnet = carried("longhorn-resnet50");
  auto dealt = of(large(resnet, 4), 0);
  std::vector<double> columns;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t g = i; g < dealt.size(); g += 4) columns.push_back(dealt[g]);
  }
  const auto shuffled = check_class(columns, cluster(50000, 4), source_nodes(resnet, 4)).figures.back();
  EXPECT_LT(shuffled.generated, measure_reliability(resnet).node_icc_low);
}

// What schedulers feel: E[max over k GPUs] within 1 % of that of whole measured nodes, k = 4 to 256. At k = 256 there
// are 781 groups; Lonestar6's maximum has a standard deviation of 0.3 there, hence three standard errors of 0.011 more.
TEST(Block, KeepsTheExpectedMaximum) {
  for (const Donated& d : donated) {
    const Measurements m = carried(d.name);
    const auto check = check_class(of(large(m, d.size), 0), cluster(200000 / d.size, d.size), source_nodes(m, d.size));
    ASSERT_EQ(check.expected_max.size(), 7U);
    for (const auto& figure : check.expected_max) {
      const double noise = std::string(d.name) == "lonestar6-resnet50" ? 0.033 : 0;
      EXPECT_NEAR(figure.generated, figure.source, 0.01 * figure.source + noise) << d.name << ", k = " << figure.name;
    }
  }
}

// Stated for the measured nodes: SGEMM 1.017 at k = 4, 1.067 at 256; Frontera ResNet-50 1.035 at 16, 1.087 at 64 (here
// 1.0352 and 1.0847: theirs was resampled); Lonestar6 1.22 at 16.
TEST(Block, SourceHasTheStatedMaxima) {
  EXPECT_NEAR(expected_max_of_source(source_nodes(carried("longhorn-sgemm"), 4), 4), 1.017, 0.001);
  EXPECT_NEAR(expected_max_of_source(source_nodes(carried("longhorn-sgemm"), 4), 256), 1.067, 0.001);
  EXPECT_NEAR(expected_max_of_source(source_nodes(carried("frontera-resnet50"), 4), 16), 1.035, 0.001);
  EXPECT_NEAR(expected_max_of_source(source_nodes(carried("frontera-resnet50"), 4), 64), 1.087, 0.003);
  EXPECT_NEAR(expected_max_of_source(source_nodes(carried("lonestar6-resnet50"), 3), 16), 1.22, 0.01);
}

// By hand: nodes {1, 2} and {1, 4}. k = 2: (2 + 4) / 2. k = 4: 2 with 1/4, 4 with 3/4. k = 1: any of 1, 2, 1, 4.
// k = 3, a node and one GPU of another: up to 1: 0; up to 2: 1/2 x 3/4; else 4.
TEST(ClusterCheck, ExpectedMaximum) {
  const SourceNodes nodes{{1, 2}, {1, 4}};
  EXPECT_DOUBLE_EQ(expected_max_of_source(nodes, 1), 2);
  EXPECT_DOUBLE_EQ(expected_max_of_source(nodes, 2), 3);
  EXPECT_DOUBLE_EQ(expected_max_of_source(nodes, 3), 2 * 0.375 + 4 * 0.625);
  EXPECT_DOUBLE_EQ(expected_max_of_source(nodes, 4), 3.5);
  EXPECT_DOUBLE_EQ(expected_max(std::vector<double>{1, 5, 2, 3, 9}, 2), 4);
  EXPECT_TRUE(std::isnan(expected_max(std::vector<double>{1}, 2)));
}

// PageRank of Longhorn has two modes with nothing between 0.975 and 0.995, the fast one with 28 of 172 GPUs; whole
// nodes are drawn, so 16.3 % within 1 %.
TEST(Block, KeepsDiscreteModes) {
  const auto made = of(large(carried("longhorn-pagerank"), 4), 0);
  const auto between = [&](double low, double high) {
    return static_cast<double>(std::count_if(made.begin(), made.end(), [&](double v) { return v > low && v < high; })) /
           static_cast<double>(made.size());
  };
  EXPECT_EQ(between(0.975, 0.995), 0);
  EXPECT_NEAR(between(0.969, 0.975), 0.163, 0.01);
}

// Nothing is invented: PageRank of Frontera, measured within 0.9988..1.0009, stays within 0.1 % but for 1 GPU in 100.
TEST(Block, InventsNoVariability) {
  const auto made = of(large(carried("frontera-pagerank"), 4), 0);
  const auto outside = std::count_if(made.begin(), made.end(), [](double v) { return std::abs(v - 1) > 0.001; });
  EXPECT_LT(static_cast<double>(outside) / static_cast<double>(made.size()), 0.01);
  EXPECT_LT(*std::max_element(made.begin(), made.end()), 1.0015);
  EXPECT_GT(*std::min_element(made.begin(), made.end()), 0.998);
}

// On Longhorn local GPUs 1 and 3 are slower than 0 and 2 under SGEMM (by 0.9955/1.0031/0.9969/1.0047 of the node). Only
// 42 of 86 nodes say which is which, the others are in file order: half of the effect is left, in the same slots.
TEST(Block, KeepsSlots) {
  const auto made = of(large(carried("longhorn-sgemm"), 4), 0);
  double slot[4] = {};
  for (std::size_t g = 0; g < made.size(); ++g) slot[g % 4] += made[g] / static_cast<double>(made.size() / 4);
  EXPECT_GT(slot[1] + slot[3] - slot[0] - slot[2], 0.004);
}

// Smoothing leaves no ties, and goes beyond the sample: which a plain bootstrap of 86 nodes could not.
TEST(Block, HasNoTies) {
  const Measurements m = carried("longhorn-sgemm");
  const auto made = of(large(m, 4), 0);
  EXPECT_EQ(std::set<double>(made.begin(), made.end()).size(), made.size());
  double largest = 0;
  for (const auto& node : source_nodes(m, 4)) largest = std::max(largest, *std::max_element(node.begin(), node.end()));
  EXPECT_GT(*std::max_element(made.begin(), made.end()), largest);
}

// 10,000 GPUs are the first 10,000 of 1,000,000, and the first nodes of a cluster are those of a smaller one, in mixed
// node sizes too.
TEST(Block, DoesNotDependOnSize) {
  const Measurements m = carried("longhorn-sgemm"), n = carried("longhorn-pagerank");
  const ClassMeasurements classes = {{"A", &m}, {"D", &n}};
  const auto expect_begin = [&](const Topology& part, const Topology& whole) {
    const Slowdowns small = draw_cluster("block", classes, part, 7).slowdowns;
    const Slowdowns big = draw_cluster("block", classes, whole, 7).slowdowns;
    for (const std::size_t cls : {0U, 1U}) {
      auto begin = of(big, cls);
      begin.resize(part.gpus());
      EXPECT_EQ(of(small, cls), begin);
    }
  };
  expect_begin(cluster(2500, 4), cluster(250000, 4));
  const std::vector groups = {NodeGroup{3, 8}, NodeGroup{5, 4}, NodeGroup{4, 6}, NodeGroup{6, 1}};
  const Topology mixed(groups, 16);
  for (std::size_t size = 1; size < groups.size(); ++size) {
    expect_begin(Topology(std::span(groups).first(size), 16), mixed);
  }
  expect_begin(Topology(std::vector{NodeGroup{2, 8}}, 16), mixed);
  expect_begin(Topology(std::vector{NodeGroup{3, 8}, NodeGroup{5, 4}, NodeGroup{2, 6}}, 16), mixed);
}

// Made-up nodes of 4 whose noise is small against their distance: which host each node came from can be told. Nodes of
// 8 are two of them, of which the second is drawn again; nodes of 6 take two neighbours, going round, of a second;
// nodes of 1 each GPU equally often (2,000 of 8,000, standard deviation 39).
TEST(Block, OtherNodeSizes) {
  Measurements m = machine("m", 0, 40, 4);
  // Far apart: host h at 2^(h / 8), GPU l at + l %; one run each, so that nothing is known of noise.
  for (std::size_t g = 0; g < m.gpus.size(); ++g) {
    const auto host = static_cast<double>(g / 4);
    m.gpus[g].median = 1000 * std::exp2(host / 4) * (1 + 0.001 * m.gpus[g].local);
    m.gpus[g].times_ms = {m.gpus[g].median};
  }
  const auto check = [&](std::uint32_t size) { return draw_cluster("block", {{"A", &m}}, cluster(8000, size), 3); };
  for (const std::uint32_t size : {8u, 6u, 1u}) {
    const Note of_size{"node-size", Severity::info, "m", {{"gpus", size}, {"measured", 4}}};
    EXPECT_EQ(check(size).notes, std::vector<Note>{of_size});
  }
  EXPECT_TRUE(check(4).notes.empty());
  // One node with a fifth GPU does not make the usual node one of five.
  Measurements mixed = m;
  mixed.gpus.push_back(mixed.gpus.back());
  mixed.gpus.back().id += "-fifth";
  mixed.gpus.back().local = 4;
  const auto notes = draw_cluster("block", {{"A", &mixed}}, made_up::cluster(8000, 8), 3).notes;
  const Note* of_mixed = find(notes, "node-size", "m");
  ASSERT_NE(of_mixed, nullptr);
  EXPECT_EQ(of_mixed->values, (ValueRecord{{"gpus", 8}, {"measured", 4}}));
  const auto eight = of(check(8).slowdowns, 0);
  std::vector<std::vector<double>> halves;
  for (std::size_t g = 0; g < eight.size(); g += 4) halves.emplace_back(&eight[g], &eight[g] + 4);
  EXPECT_GT(within_group_correlation(halves), 0.9);
  std::vector<double> first, second;
  for (std::size_t n = 0; n < halves.size(); n += 2) {
    first.push_back(halves[n][0]);
    second.push_back(halves[n + 1][0]);
  }
  EXPECT_NEAR(rank_correlation(first, second), 0, 0.056);  // five standard errors of 1 / sqrt(8000)
}

// 16 common nodes are drawn jointly: where one kernel is twice as spread as the other, the same nodes are slow in both.
// With fewer each kernel draws from its own.
TEST(Block, DrawsJointlyWhereNodesCarryAll) {
  const Measurements m = machine("m", 0, 30, 4), n = machine("n", 14, 30, 4, 7.0), p = machine("p", 15, 30, 4, 7.0);
  const auto joint = draw_cluster("block", {{"A", &m}, {"B", &n}}, cluster(5000, 4), 1);
  EXPECT_EQ(common_nodes(joint.notes, "joint-classes"), 16u);
  EXPECT_GT(rank_correlation(of(joint.slowdowns, 0), of(joint.slowdowns, 1)), 0.9);
  const auto apart = draw_cluster("block", {{"A", &m}, {"B", &p}}, cluster(5000, 4), 1);
  EXPECT_EQ(common_nodes(apart.notes, "split-classes"), 15u);
  EXPECT_NEAR(rank_correlation(of(apart.slowdowns, 0), of(apart.slowdowns, 1)), 0, 0.07);  // 5 / sqrt(5000) nodes
}

TEST(Block, ClassesOfOneKernelShareItsValues) {
  const Measurements m = carried("longhorn-bert"), n = carried("longhorn-pagerank");
  const auto s = draw_cluster("block", {{"A", &n}, {"B", &m}, {"C", &m}}, cluster(20, 4), 4).slowdowns;
  EXPECT_EQ(of(s, 1), of(s, 2));
  EXPECT_NE(of(s, 0), of(s, 1));
}

// Two halves of the runs are two measurements of the same simulated GPUs: alike as the halves of the source are (SGEMM
// 0.999 in alternating halves, ResNet-50 of Longhorn 0.08).
TEST(Block, HalvesAreOfTheSameGpus) {
  const auto between_halves = [](const std::string& name) {
    const Measurements m = carried(name);
    const Topology topology = cluster(5000, 4);
    return rank_correlation(of(draw_cluster("block", {{"A", &m}}, topology, 1, RunsUsed::even).slowdowns, 0),
                            of(draw_cluster("block", {{"A", &m}}, topology, 1, RunsUsed::odd).slowdowns, 0));
  };
  EXPECT_GT(between_halves("longhorn-sgemm"), 0.99);
  EXPECT_NEAR(between_halves("longhorn-resnet50"), 0.08, 0.12);
}

TEST(Block, NeedsHosts) {
  Measurements m = machine("m", 0, 20, 4);
  for (auto& gpu : m.gpus) gpu.host.clear();
  EXPECT_THROW(static_cast<void>(draw_cluster("block", {{"A", &m}}, cluster(4, 4), 1)), Error);
}

// Longhorn's SGEMM repeats so well that smoothing moves no GPU far: each has the slowdown of the measured GPU that it
// was drawn from within 3 %, also where a node is made of two, or takes a part of one. GPUs of a measured node stay
// together.
TEST(Block, SourcesAreTheGpusDrawn) {
  const Measurements m = carried("longhorn-sgemm");
  const auto own = measured_gpu_slowdowns(m, RunsUsed::all);
  for (const std::uint32_t size : {4U, 8U, 3U}) {
    const Topology nodes = cluster(50, size);
    const ClassMeasurements classes = {{"A", &m}, {"B", &m}};
    const SourceGpus sources = draw_cluster("block", classes, nodes, 3).from;
    const Slowdowns all = draw_cluster("block", classes, nodes, 3).slowdowns;
    ASSERT_EQ(sources.size(), 2 * all.gpus());
    for (std::uint32_t g = 0; g < all.gpus(); ++g) {
      EXPECT_NEAR(all.at(ClassId(0), GpuId(g)) / own[sources[g]], 1, 0.03) << size << ", GPU " << g;
      EXPECT_EQ(sources[all.gpus() + g], sources[g]) << "classes of one kernel share its GPUs";
      const std::uint32_t of_node = g % size;
      if (of_node % 4 > 0) {
        EXPECT_EQ(m.gpus[sources[g]].host, m.gpus[sources[g - 1]].host);
      }
    }
  }
}

}  // namespace
}  // namespace palstudy
