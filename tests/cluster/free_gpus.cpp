// SPDX-License-Identifier: MIT
#include "cluster/free_gpus.hpp"

#include <gtest/gtest.h>

#include "cluster/random_bins.hpp"
#include "cluster/slow_free_gpus.hpp"
#include "core/error.hpp"
#include "repetitions.hpp"

namespace palstudy {
namespace {

struct Shape {
  std::vector<NodeGroup> nodes;
  std::vector<std::uint32_t> bins;  // by class
  std::uint32_t nodes_per_cabinet = 4;
};

/// FreeGpus and its slow twin, led through the same random history.
class Pair {
 public:
  Pair(const Shape& shape, std::uint64_t seed)
      : stream_(seed, Purpose::job_shape, 0),
        topology_(shape.nodes, shape.nodes_per_cabinet),
        bins_(random_bins(topology_.gpus(), shape.bins, stream_)),
        fast_(topology_, bins_, {true, true, true, true}),
        slow_(topology_, bins_) {}

  /// A change; most often one of some of a node's GPUs, sometimes of many nodes, so that the short way round is met.
  void change() {
    switch (stream_.below(12)) {
      case 0:
        fast_.give_all();
        slow_.give_all();
        enter();
        break;
      case 1:
        enter();
        break;
      case 2:
        withdraw_or_restore(any_node());
        break;
      case 3:
        for (std::uint32_t node = 0; node < topology_.nodes(); ++node) take_or_give(NodeId(node));
        break;
      default:
        for (std::uint32_t i = stream_.below(10); i > 0; --i) take_or_give(any_node());
    }
  }
  void enter() { fast_.begin_class(ClassId(stream_.below(static_cast<std::uint32_t>(bins_.classes())))); }

  void compare(std::uint32_t queries) {
    ASSERT_EQ(fast_.total(), slow_.total(GpuFilter::all()));
    for (; queries > 0; --queries) {
      const GpuFilter kind = any_kind();
      const NodeId node = any_node();
      const std::uint32_t n = 1 + stream_.below(topology_.widest_node() + 1);
      ASSERT_EQ(fast_.mask(kind, node), slow_.mask(kind, node));
      ASSERT_EQ(fast_.total(kind), slow_.total(kind));
      ASSERT_EQ(fast_.exactly(kind, n), slow_.exactly(kind, n, NodeId(0)));
      ASSERT_EQ(fast_.exactly(kind, n, node), slow_.exactly(kind, n, node));
      ASSERT_EQ(fast_.fewest_at_least(kind, n), slow_.fewest_at_least(kind, n));
      ASSERT_EQ(fast_.most(kind), slow_.most(kind));
      ASSERT_EQ(fast_.largest(kind), slow_.largest(kind));
      ASSERT_EQ(fast_.present(kind), slow_.present(kind));
      if (kind.type != GpuFilter::Type::up_to) continue;
      ASSERT_EQ(fast_.freest_cabinet(kind.cls, kind.bin_index), slow_.freest_cabinet(kind));
    }
  }

 private:
  NodeId any_node() { return NodeId(stream_.below(topology_.nodes())); }
  GpuFilter any_kind() {
    const ClassId cls(stream_.below(static_cast<std::uint32_t>(bins_.classes())));
    const std::uint32_t bin = stream_.below(bins_.bins(cls));
    const GpuFilter kinds[] = {GpuFilter::all(), GpuFilter::bin(cls, bin), GpuFilter::up_to(cls, bin)};
    return kinds[stream_.below(3)];
  }
  void take_or_give(NodeId node) {
    const GpuMask free = slow_.not_held(node);  // GPUs of withdrawn nodes are taken again by those who gave them
    const GpuMask some = topology_.full(node) & stream_.word();
    const bool take = stream_.below(5) > 1;  // mostly busy, as clusters are
    const NodeGpus gpus{node, take ? free & some : topology_.full(node) & ~free & some};
    take ? fast_.take(gpus) : fast_.give(gpus);
    take ? slow_.take(gpus) : slow_.give(gpus);
  }
  void withdraw_or_restore(NodeId node) {
    if (slow_.withdrawn(node)) {
      fast_.restore(node);
      slow_.restore(node);
    } else {
      fast_.withdraw(node);
      slow_.withdraw(node);
    }
  }

  RandomStream stream_;
  Topology topology_;
  Bins bins_;
  FreeGpus fast_;
  SlowFreeGpus slow_;
};

// Property: whatever was taken, given, given back at once, withdrawn or entered before, every answer is that of a
// search over all GPUs. Shapes: one to three bitmap levels (the last by 4,200 nodes), masks of one byte and of four,
// one word of bins and several, classes of one bin (whose trees are those of all GPUs) and of two (which have no up-to
// tree); cabinets of one node and of four.
class FreeGpusHistory : public testing::TestWithParam<Shape> {};

TEST_P(FreeGpusHistory, AnswersAreThoseOfTheSlowTwin) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Pair pair(GetParam(), seed);
    for (unsigned step = 0; step < repetitions(60); ++step) {
      pair.change();
      if (step % 3 != 0) pair.compare(8);  // not always: changes must also pile up
      if (HasFatalFailure()) FAIL() << "seed " << seed << ", step " << step;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, FreeGpusHistory,
                         testing::Values(Shape{{{16, 4}}, {1, 2, 3}}, Shape{{{8, 8}}, {4, 5, 8, 12}},
                                         Shape{{{40, 4}}, {9, 16, 7}}, Shape{{{40, 16}}, {1, 6, 12}},
                                         Shape{{{5, 1}, {60, 4}, {30, 8}, {10, 16}}, {2, 6, 9}},
                                         Shape{{{3, 32}, {20, 20}}, {3, 10}}, Shape{{{300, 8}}, {6, 11}},
                                         Shape{{{80, 8}}, {40, 104}}, Shape{{{30, 16}, {40, 4}}, {40, 1}},
                                         Shape{{{4200, 1}}, {3, 2}}, Shape{{{100, 8}}, {4, 1}, 1}));

// A cabinet of 2,100 nodes of 32 GPUs, more than 16 bits count (they would hold 1,664), and one of 100 such nodes.
TEST(FreeGpus, CountsTheGpusOfAWideCabinet) {
  const Topology topology(std::vector<NodeGroup>{{2200, 32}}, 2100);
  const Bins bins(std::vector<ClassBins>{{{1.0}, std::vector<std::uint16_t>(topology.gpus(), 0), {0}}});
  FreeGpus free(topology, bins, {true, true, true, true});
  EXPECT_EQ(free.freest_cabinet(ClassId(0), 0), (CabinetFree{NodeId(0), NodeId(2100), 67'200}));
  free.take({NodeId(7), 0b11});
  EXPECT_EQ(free.freest_cabinet(ClassId(0), 0), (CabinetFree{NodeId(0), NodeId(2100), 67'198}));
}

// 2 nodes of 4 GPUs; class 0: GPUs 0, 1, 4 are of bin 0, the others of bin 1. GPU 0 and node 1 but its GPU 4 are taken:
// node 0 has 3 free (one of bin 0), node 1 one (of bin 0).
TEST(FreeGpus, AnswersByHand) {
  const Topology topology(std::vector<NodeGroup>{{2, 4}}, 16);
  const Bins bins(std::vector<ClassBins>{{{0.9, 1.1}, {0, 0, 1, 1, 0, 1, 1, 1}, {0, 1}}});
  FreeGpus free(topology, bins, {true, true, true});
  free.take({NodeId(0), 0b0001});
  free.take({NodeId(1), 0b1110});
  EXPECT_EQ(free.total(), 4u);
  EXPECT_EQ(free.mask(NodeId(0)), 0b1110u);
  EXPECT_EQ(free.total(GpuFilter::bin(ClassId(0), 0)), 2u);
  EXPECT_EQ(free.mask(GpuFilter::bin(ClassId(0), 1), NodeId(0)), 0b1100u);
  EXPECT_EQ(free.exactly(GpuFilter::all(), 1), NodeId(1));
  EXPECT_EQ(free.exactly(GpuFilter::all(), 2), std::nullopt);
  EXPECT_EQ(free.exactly(GpuFilter::bin(ClassId(0), 0), 1), NodeId(0));
  EXPECT_EQ(free.exactly(GpuFilter::bin(ClassId(0), 0), 1, NodeId(1)), NodeId(1));
  EXPECT_EQ(free.fewest_at_least(GpuFilter::all(), 1), NodeId(1));
  EXPECT_EQ(free.fewest_at_least(GpuFilter::all(), 2), NodeId(0));
  EXPECT_EQ(free.fewest_at_least(GpuFilter::all(), 4), std::nullopt);
  EXPECT_EQ(free.most(GpuFilter::up_to(ClassId(0), 1)), NodeId(0));
  EXPECT_EQ(free.largest(GpuFilter::up_to(ClassId(0), 0)), 1u);
}

// A node that is withdrawn while GPU 0 is held: what is given back there is not free until the node is restored.
TEST(FreeGpus, WithdrawnWhileHeld) {
  const Topology topology(std::vector<NodeGroup>{{2, 4}}, 16);
  const Bins bins(std::vector<ClassBins>{});
  FreeGpus free(topology, bins, {.counts = true});
  EXPECT_FALSE(free.any_withdrawn());
  free.take({NodeId(0), 0b0011});
  free.withdraw(NodeId(0));
  EXPECT_TRUE(free.any_withdrawn() && free.any_withdrawn({{NodeId(0), 1}, {NodeId(1), 1}}));
  EXPECT_FALSE(free.any_withdrawn({{NodeId(1), 1}}));
  free.withdraw(NodeId(0));  // for another reason as well
  free.give({NodeId(0), 0b0001});
  EXPECT_EQ(free.total(), 4u);
  free.restore(NodeId(0));
  EXPECT_EQ(free.mask(NodeId(0)), 0u);
  free.restore(NodeId(0));
  EXPECT_EQ(free.mask(NodeId(0)), 0b1101u);
  free.give({NodeId(0), 0b0010});
  EXPECT_EQ(free.total(), 8u);
}

// A withdrawn node is not given back by give_all, and comes back whole.
TEST(FreeGpus, WithdrawnUntilRestored) {
  const Topology topology(std::vector<NodeGroup>{{3, 4}}, 16);
  const Bins bins(std::vector<ClassBins>{});
  FreeGpus free(topology, bins, {.counts = true});
  free.withdraw(NodeId(0));
  free.take({NodeId(1), 0b1111});
  free.give_all();
  EXPECT_EQ(free.total(), 8u);
  EXPECT_EQ(free.most(GpuFilter::all()), NodeId(1));
  free.restore(NodeId(0));
  EXPECT_EQ(free.most(GpuFilter::all()), NodeId(0));
}

// Trees cost time and memory, so a policy gets only what it declared; asking for another is a fault of the program, not
// a wrong answer.
TEST(FreeGpus, RefusesKindsThatWereNotAskedFor) {
  const Topology topology(std::vector<NodeGroup>{{2, 4}}, 16);
  const Bins bins(std::vector<ClassBins>{{{0.9, 1.1}, {0, 0, 1, 1, 0, 1, 1, 1}, {0, 1}}});
  FreeGpus counts(topology, bins, {.counts = true});
  EXPECT_THROW((void)counts.largest(GpuFilter::bin(ClassId(0), 0)), std::exception);
  FreeGpus exact(topology, bins, {.exact_bins = true});
  EXPECT_THROW((void)exact.largest(GpuFilter::all()), std::exception);
  EXPECT_THROW((void)exact.largest(GpuFilter::up_to(ClassId(0), 0)), std::exception);
  EXPECT_EQ(exact.largest(GpuFilter::bin(ClassId(0), 0)), 2u);
}

// The whole index of a million GPUs, with everything saved, in at most 24 bytes a GPU: 8 GPUs a node, 16 nodes a
// cabinet, 4 classes of 8 bins. (Cabinets add 0.5 x 2 of them.)
TEST(FreeGpus, AMillionGpusTakeAtMost24BytesEach) {
  const Topology topology(std::vector<NodeGroup>{{131072, 8}}, 16);
  RandomStream stream(1, Purpose::cluster_draw, 0);
  const Bins bins = random_bins(topology.gpus(), {8, 8, 8, 8}, stream);
  const auto bytes_per_gpu = [&](const IndexNeeds& needs) {
    FreeGpus free(topology, bins, needs);
    for (std::size_t c = 0; c < bins.classes(); ++c) free.begin_class(ClassId(c));
    return static_cast<double>(free.bytes()) / topology.gpus();
  };
  const double packed = bytes_per_gpu({.counts = true});
  const double pal = bytes_per_gpu({.exact_bins = true, .bins_up_to = true});
  const double levels = bytes_per_gpu({.exact_bins = true, .bins_up_to = true, .cabinets = true});
  RecordProperty("packed", std::to_string(packed));
  RecordProperty("pal", std::to_string(pal));
  RecordProperty("pal_levels", std::to_string(levels));
  EXPECT_LE(packed, 1.6);
  EXPECT_LE(levels, 24);
  EXPECT_GT(levels, pal);
  EXPECT_LE(levels, pal + 1.2);
}

// All GPUs of a class of one bin are alike: its questions are those of all GPUs, and no index is kept for it.
TEST(FreeGpus, AClassOfOneBinTakesNoIndexOfItsOwn) {
  const Topology topology(std::vector<NodeGroup>{{100, 8}}, 16);
  const Bins one(std::vector<ClassBins>{{{1.0}, std::vector<std::uint16_t>(topology.gpus(), 0), {0}}});
  const Bins none(std::vector<ClassBins>{});
  const FreeGpus of_one(topology, one, {.counts = true, .exact_bins = true, .bins_up_to = true});
  EXPECT_EQ(of_one.bytes(), FreeGpus(topology, none, {.counts = true}).bytes());
}

// Only needed work is done: taking and giving back the same GPUs between two questions changes no tree; one GPU of a
// two-bin class moves its node in one exact tree.
TEST(FreeGpus, CountsItsWork) {
  const Topology topology(std::vector<NodeGroup>{{2, 4}}, 16);
  const Bins bins(std::vector<ClassBins>{{{0.9, 1.1}, {0, 0, 1, 1, 0, 1, 1, 1}, {0, 1}}});
  FreeGpus free(topology, bins, {.exact_bins = true});
  (void)free.largest(GpuFilter::bin(ClassId(0), 0));
  const IndexCounts before = free.counts();
  free.take({NodeId(0), 0b0011});
  free.give({NodeId(0), 0b0011});
  (void)free.largest(GpuFilter::bin(ClassId(0), 0));
  EXPECT_EQ(free.counts().moves, before.moves);
  free.take({NodeId(0), 0b0001});
  (void)free.largest(GpuFilter::bin(ClassId(0), 0));
  EXPECT_EQ(free.counts().updates, before.updates + 1);
  EXPECT_EQ(free.counts().moves, before.moves + 2);  // out of the nodes with two of bin 0, into those with one
  EXPECT_EQ(free.counts().queries, before.queries + 2);
}

// Cabinets are counted for who asked for them; who did not and asks is a mistake in the program.
TEST(FreeGpus, RefusesCabinetsThatWereNotAskedFor) {
  const Topology topology(std::vector<NodeGroup>{{2, 4}}, 16);
  const Bins bins(std::vector<ClassBins>{{{0.9, 1.1}, {0, 0, 1, 1, 0, 1, 1, 1}, {0, 1}}});
  FreeGpus without(topology, bins, {.exact_bins = true, .bins_up_to = true});
  EXPECT_THROW((void)without.freest_cabinet(ClassId(0), 0), Error);
  FreeGpus with(topology, bins, {.exact_bins = true, .bins_up_to = true, .cabinets = true});
  EXPECT_EQ(with.freest_cabinet(ClassId(0), 0), (CabinetFree{NodeId(0), NodeId(2), 3}));
}

// Of all GPUs there is one tree: a node that goes from four free GPUs to three leaves a set and enters one, from three
// to none it leaves one alone.
TEST(FreeGpus, CountsItsWorkOnAllGpus) {
  const Topology topology(std::vector<NodeGroup>{{2, 4}}, 16);
  const Bins bins(std::vector<ClassBins>{});
  FreeGpus free(topology, bins, {.counts = true});
  (void)free.largest(GpuFilter::all());
  const IndexCounts before = free.counts();
  free.take({NodeId(0), 0b0001});
  EXPECT_EQ(free.largest(GpuFilter::all()), 4u);
  EXPECT_EQ(free.counts().updates, before.updates + 1);
  EXPECT_EQ(free.counts().moves, before.moves + 2);
  free.take({NodeId(0), 0b1110});
  EXPECT_EQ(free.largest(GpuFilter::all()), 4u);
  EXPECT_EQ(free.counts().updates, before.updates + 2);
  EXPECT_EQ(free.counts().moves, before.moves + 3);
}

// What is kept, by hand: 8 bytes of masks for two nodes, 4 for each entry that the log has room for (1,024 and two a
// node), 4 for the first node of each cabinet and one more, and the indexes that were asked for.
TEST(FreeGpus, SaysWhatMemoryItTakes) {
  const Topology topology(std::vector<NodeGroup>{{2, 4}}, 1);
  const Bins bins(std::vector<ClassBins>{{{0.9, 1.1}, {0, 0, 1, 1, 0, 1, 1, 1}, {0, 1}}});
  constexpr std::size_t least = 8 + 4 * (1024 + 2 * 2);
  EXPECT_EQ(FreeGpus(topology, bins, {}).bytes(), least);
  EXPECT_EQ(FreeGpus(topology, bins, {.cabinets = true}).bytes(), least + 3 * 4);
  EXPECT_EQ(FreeGpus(topology, bins, {.counts = true, .bins_up_to = true}).bytes(),
            least + FreeCountIndex(topology).bytes() + FreeCountIndex(topology, bins.of(ClassId(0)), true).bytes());
}

// 300,000 nodes take a fourth level of summaries, beyond 64 x 64 x 64: a node behind that many is found from below, and
// not from above it; one that comes before it is found first.
TEST(FreeGpus, AThirdOfAMillionNodesAreSearched) {
  const Topology topology(std::vector<NodeGroup>{{300'000, 1}}, 16);
  const Bins bins(std::vector<ClassBins>{});
  FreeGpus free(topology, bins, {.counts = true});
  constexpr std::uint32_t far = 64 * 64 * 64 + 60;
  EXPECT_EQ(free.exactly(GpuFilter::all(), 1, NodeId(far)), NodeId(far));
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    if (node != far) free.take({NodeId(node), 1});
  }
  EXPECT_EQ(free.most(GpuFilter::all()), NodeId(far));
  EXPECT_EQ(free.exactly(GpuFilter::all(), 1, NodeId(63)), NodeId(far));
  EXPECT_EQ(free.exactly(GpuFilter::all(), 1, NodeId(far)), NodeId(far));
  EXPECT_EQ(free.exactly(GpuFilter::all(), 1, NodeId(far + 1)), std::nullopt);
  free.give({NodeId(4095), 1});
  EXPECT_EQ(free.most(GpuFilter::all()), NodeId(4095));
  EXPECT_EQ(free.exactly(GpuFilter::all(), 1, NodeId(4096)), NodeId(far));
  free.take({NodeId(far), 1});
  EXPECT_EQ(free.exactly(GpuFilter::all(), 1, NodeId(4096)), std::nullopt);
}

}  // namespace
}  // namespace palstudy
