// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <memory>

#include "cluster/random_bins.hpp"
#include "core/random.hpp"
#include "default_params.hpp"
#include "policy/slow_placer.hpp"

namespace palstudy {
namespace {

std::unique_ptr<PlacementPolicy> make(const std::string& name, const Topology& topology, const Bins& bins,
                                      LocalityPenalty penalty = {}) {
  const auto& entry = placements().at(name);
  return entry.make({topology, bins, penalty, 1}, default_params(entry.params));
}

Gpus ids(const Topology& topology, const GpuSet& set) {
  Gpus gpus;
  for (const NodeGpus& part : set) {
    for (std::uint32_t i = 0; i < 32; ++i) {
      if ((part.mask >> i & 1) != 0) gpus.push_back(topology.first_gpu(part.node).value + i);
    }
  }
  std::sort(gpus.begin(), gpus.end());
  return gpus;
}

struct Shape {
  std::vector<NodeGroup> nodes;
  std::vector<std::uint32_t> bins;  // by class
  LocalityPenalty penalty;
};

/// One policy and the slow placer on one random history of jobs that come and go.
class History {
 public:
  History(const std::string& policy, const Shape& shape, std::uint64_t seed)
      : name_(policy),
        stream_(seed, Purpose::job_shape, 0),
        topology_(shape.nodes, 4),
        bins_(random_bins(topology_.gpus(), shape.bins, stream_)),
        policy_(make(policy, topology_, bins_, shape.penalty)),
        slow_(topology_, bins_, shape.penalty),
        free_(topology_, bins_, policy_->needs()) {}

  /// Like a cluster of sticky jobs: some leave, one is placed.
  void sticky_step() {
    while (!running_.empty() && stream_.below(3) == 0)
      leave(stream_.below(static_cast<std::uint32_t>(running_.size())));
    const std::uint32_t sizes[] = {1, 2, 3, 4, 8, 16, topology_.widest_node(), topology_.widest_node() + 1};
    place(any_class(), sizes[stream_.below(8)]);
  }
  /// Like a boundary of a non-sticky policy: everything is given back, then jobs are placed class by class.
  void boundary() {
    free_.give_all();
    running_.clear();
    for (std::uint32_t c = 0; c < bins_.classes(); ++c) {
      free_.begin_class(ClassId(c));
      for (std::uint32_t jobs = stream_.below(6); jobs > 0 && !testing::Test::HasFatalFailure(); --jobs) {
        place(ClassId(c), 1 + stream_.below(10));
      }
    }
  }

 private:
  ClassId any_class() { return ClassId(stream_.below(static_cast<std::uint32_t>(bins_.classes()))); }
  void leave(std::uint32_t job) {
    for (const NodeGpus& part : running_[job]) free_.give(part);
    running_.erase(running_.begin() + job);
  }
  [[nodiscard]] Gpus free_gpus() const {
    GpuSet all;
    for (std::uint32_t node = 0; node < topology_.nodes(); ++node)
      all.push_back({NodeId(node), free_.mask(NodeId(node))});
    return ids(topology_, all);
  }
  void place(ClassId cls, std::uint32_t n) {
    const auto expected = slow_.place(name_, cls, n, free_gpus());
    GpuSet chosen;
    ASSERT_EQ(policy_->choose({JobId(0), cls, n, 0}, free_, chosen), expected.has_value());
    if (!expected) return;
    ASSERT_EQ(ids(topology_, chosen), *expected) << n << " GPUs for class " << cls.value;
    canonicalize(chosen);
    for (const NodeGpus& part : chosen) free_.take(part);
    running_.push_back(chosen);
  }

  std::string name_;
  RandomStream stream_;
  Topology topology_;
  Bins bins_;
  std::unique_ptr<PlacementPolicy> policy_;
  SlowPlacer slow_;
  FreeGpus free_;
  std::vector<GpuSet> running_;
};

class Placement : public testing::TestWithParam<std::tuple<const char*, Shape>> {};

// Property: every policy chooses the GPUs that its rules name, on clusters of any shape and any history. Penalties:
// that of the paper; none, where "within" and "across" of a bin tie; and an odd one that makes spreading attractive.
TEST_P(Placement, ChoosesWhatTheRulesSay) {
  const auto& [policy, shape] = GetParam();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    History history(policy, shape, seed);
    for (int step = 0; step < 60; ++step) {
      step % 12 == 11 ? history.boundary() : history.sticky_step();
      if (HasFatalFailure()) FAIL() << policy << ", seed " << seed << ", step " << step;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Placement,
    testing::Combine(testing::Values("pal", "pal-levels", "pal-sticky", "pm-first", "packed-sticky",
                                     "packed-nonsticky"),
                     testing::Values(Shape{{{16, 4}}, {2, 3, 4, 1}, {}}, Shape{{{16, 4}}, {5, 9}, {1, 1, 1}},
                                     Shape{{{12, 8}}, {8, 12, 2}, {1, 1.1, 1.1}}, Shape{{{9, 16}}, {6, 16}, {}},
                                     Shape{{{20, 8}}, {40}, {1, 1.3, 1.3}},
                                     Shape{{{4, 1}, {10, 4}, {8, 8}, {3, 16}}, {6, 3}, {1, 1.2, 1.2}},
                                     Shape{{{70, 4}}, {7, 2}, {1.2, 1, 1}})));

/// Two nodes of 4; class 0: GPUs 0, 1, 4, 5, 6 of value 0.9, the others of 1.5.
class ByHand : public testing::Test {
 protected:
  Gpus choose(const std::string& policy, std::uint32_t n, LocalityPenalty penalty = {}) {
    const auto placement = make(policy, topology_, bins_, penalty);
    FreeGpus free(topology_, bins_, placement->needs());
    for (const NodeGpus& part : taken_) free.take(part);
    GpuSet chosen;
    return placement->choose({JobId(0), ClassId(0), n, 0}, free, chosen) ? ids(topology_, chosen) : Gpus{};
  }
  Topology topology_{std::vector<NodeGroup>{{2, 4}}, 16};
  Bins bins_{std::vector<ClassBins>{{{0.9, 1.5}, {0, 0, 1, 1, 0, 0, 0, 1}, {0, 1}}}};
  GpuSet taken_;
};

TEST_F(ByHand, PackedFillsNodesThenTheFullestThenSpreads) {
  taken_ = {{NodeId(1), 0b0001}};
  EXPECT_EQ(choose("packed-sticky", 3), (Gpus{5, 6, 7}));           // exactly 3 free on node 1
  EXPECT_EQ(choose("packed-sticky", 2), (Gpus{5, 6}));              // fewest that suffice: node 1
  EXPECT_EQ(choose("packed-sticky", 4), (Gpus{0, 1, 2, 3}));        // node 0 exactly
  EXPECT_EQ(choose("packed-sticky", 6), (Gpus{0, 1, 2, 3, 5, 6}));  // the node with most first, then the other's first
  EXPECT_EQ(choose("packed-sticky", 8), Gpus{});                    // 7 are free
}

// Seven GPUs are free, of eight in all.
TEST_F(ByHand, NoneTakesMoreThanIsFree) {
  taken_ = {{NodeId(1), 0b0001}};
  for (const auto& placement : placements().names()) {
    EXPECT_EQ(choose(placement, 8), Gpus{}) << placement;
    EXPECT_EQ(choose(placement, 9), Gpus{}) << placement;
  }
}

TEST_F(ByHand, PmFirstTakesTheFastestAndTheNodeNearestToTheDemand) {
  EXPECT_EQ(choose("pm-first", 2), (Gpus{0, 1}));              // q = 2 on node 0 is exact
  EXPECT_EQ(choose("pm-first", 3), (Gpus{4, 5, 6}));           // q = 3 on node 1 is exact
  EXPECT_EQ(choose("pm-first", 1), (Gpus{0}));                 // |2 - 1| < |3 - 1|
  EXPECT_EQ(choose("pm-first", 4), (Gpus{0, 4, 5, 6}));        // node 1 is nearer to 4; one more from node 0
  EXPECT_EQ(choose("pm-first", 6), (Gpus{0, 1, 2, 4, 5, 6}));  // all five fast ones; then q = 2 before q = 1
}

// Four fast GPUs lie on two nodes: 1.7 x 0.9 = 1.53 > 1.5, so PAL stays on one node with slow ones, lowest node first.
// If spreading cost 1.2 only, 1.08 < 1.5: the four nearest to the demand, as PM-First.
TEST_F(ByHand, PalWeighsLocalityAgainstSlowdown) {
  EXPECT_EQ(choose("pal", 4), (Gpus{0, 1, 2, 3}));
  EXPECT_EQ(choose("pal", 4, {1, 1.2, 1.2}), (Gpus{0, 4, 5, 6}));
  EXPECT_EQ(choose("pal", 2), (Gpus{4, 5}));  // most candidates of 0.9: node 1
  EXPECT_EQ(choose("pal", 6), choose("pm-first", 6));
}

// pal and pm-first place class by class; the packed policies keep the order.
TEST(ByClass, IsForThosePoliciesThatKnowClasses) {
  const Topology topology(std::vector<NodeGroup>{{2, 4}}, 16);
  const Bins bins(std::vector<ClassBins>(3, {{1.0}, std::vector<std::uint16_t>(8, 0), {0}}));
  for (const char* name : {"pal", "pal-levels", "pm-first"}) EXPECT_TRUE(make(name, topology, bins)->by_class());
  for (const char* name : {"packed-nonsticky", "random-nonsticky"}) {
    EXPECT_FALSE(make(name, topology, bins)->by_class());
  }
}

// The six policies of the paper's comparison and ours, by the names that studies use. Only a policy whose choice
// changes by itself may not be repeated.
TEST(Placements, AreThoseOfThePaperAndOurs) {
  const Topology topology(std::vector<NodeGroup>{{2, 4}}, 16);
  const Bins bins(std::vector<ClassBins>{});
  for (const std::string name : {"packed-nonsticky", "packed-sticky", "pal", "pal-levels", "pal-sticky", "pm-first",
                                 "random-nonsticky", "random-sticky"}) {
    const auto policy = make(name, topology, bins);
    EXPECT_EQ(policy->sticky(), name.ends_with("-sticky")) << name;
    EXPECT_EQ(policy->moves_running(), name == "pal-sticky") << name;
    EXPECT_EQ(policy->repeatable(), name != "random-nonsticky") << name;
  }
}

}  // namespace
}  // namespace palstudy
