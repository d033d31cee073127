// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "policy/placement_policy.hpp"

namespace palstudy {
namespace {

class RandomChoice : public testing::Test {
 protected:
  std::unique_ptr<PlacementPolicy> make(const char* name, std::uint64_t seed) const {
    return placements().at(name).make({topology_, bins_, LocalityPenalty{}, seed}, {});
  }
  GpuSet choose(std::uint64_t seed, std::uint32_t job, double now_s, std::uint32_t n, FreeGpus& free) {
    const auto policy = make("random-nonsticky", seed);
    GpuSet out;
    EXPECT_TRUE(policy->choose({JobId(job), ClassId(0), n, now_s}, free, out));
    canonicalize(out);
    return out;
  }
  Topology topology_{std::vector<NodeGroup>{{20, 4}, {10, 8}}, 16};  // 160 GPUs
  Bins bins_{std::vector<ClassBins>{}};
};

// Each of n chosen GPUs is free and counted once, from a nearly free cluster to one of which all free GPUs are wanted
// (the two methods of drawing meet in between); one more than there are does not fit.
TEST_F(RandomChoice, ChoosesFreeGpusOnce) {
  FreeGpus free(topology_, bins_, {});
  for (std::uint32_t node = 0; node < topology_.nodes(); node += 2) free.take({NodeId(node), 0b0101});
  const std::uint32_t total = free.total();
  for (std::uint32_t n : {1u, 2u, 7u, total / 2, total - 3, total - 1, total}) {
    for (std::uint32_t job = 0; job < 20; ++job) {
      const GpuSet chosen = choose(1, job, 300, n, free);
      EXPECT_EQ(count(chosen), n);
      for (const NodeGpus& part : chosen) EXPECT_EQ(part.mask & ~free.mask(part.node), 0u);
    }
  }
  const auto policy = make("random-sticky", 1);
  GpuSet out;
  EXPECT_FALSE(policy->choose({JobId(0), ClassId(0), total + 1, 0}, free, out));
  EXPECT_TRUE(out.empty());
}

// The same seed, job and time give the same GPUs; another of any of them gives others (160 over 8 choices: a chance
// agreement is one in 10^12).
TEST_F(RandomChoice, DependsOnSeedJobAndTime) {
  FreeGpus free(topology_, bins_, {});
  const GpuSet chosen = choose(1, 5, 300, 8, free);
  EXPECT_EQ(choose(1, 5, 300, 8, free), chosen);
  EXPECT_NE(choose(2, 5, 300, 8, free), chosen);
  EXPECT_NE(choose(1, 6, 300, 8, free), chosen);
  EXPECT_NE(choose(1, 5, 600, 8, free), chosen);
}

// One object serves all jobs: what it chose for one leaves no trace for the next, by either method of drawing.
TEST_F(RandomChoice, KeepsNothingOfTheJobBefore) {
  FreeGpus free(topology_, bins_, {});
  const auto policy = make("random-sticky", 1);
  for (const std::uint32_t n : {8u, free.total() - 1}) {
    for (std::uint32_t job = 0; job < 3; ++job) {
      GpuSet out;
      ASSERT_TRUE(policy->choose({JobId(job), ClassId(0), n, 300}, free, out));
      canonicalize(out);
      EXPECT_EQ(out, choose(1, job, 300, n, free)) << n;
    }
  }
}

// Every free GPU is equally likely, by either method of drawing: chi-square over the free GPUs with fixed seeds. Its
// mean is (free - 1) and its standard deviation sqrt(2 (free - 1)) at most; the bound lies 5 of these above.
TEST_F(RandomChoice, IsUniform) {
  FreeGpus free(topology_, bins_, {});
  for (std::uint32_t node = 0; node < topology_.nodes(); node += 3)
    free.take({NodeId(node), topology_.full(NodeId(node)) >> 1});
  const std::uint32_t total = free.total();
  for (const std::uint32_t n : {3u, total / 2, total - 2}) {
    const std::uint32_t draws = 4000;
    std::vector<double> hits(topology_.gpus(), 0);
    for (std::uint32_t job = 0; job < draws; ++job) {
      for (const NodeGpus& part : choose(7, job, 300.0 * job, n, free)) {
        for (GpuMask rest = part.mask; rest != 0; rest &= rest - 1) {
          hits[topology_.first_gpu(part.node).index() + static_cast<std::size_t>(std::countr_zero(rest))] += 1;
        }
      }
    }
    const double expected = static_cast<double>(draws) * n / total;
    double chi_square = 0;
    for (std::uint32_t gpu = 0; gpu < topology_.gpus(); ++gpu) {
      const NodeId node = topology_.node_of(GpuId(gpu));
      const bool is_free = (free.mask(node) >> (gpu - topology_.first_gpu(node).value) & 1) != 0;
      if (is_free) {
        chi_square += (hits[gpu] - expected) * (hits[gpu] - expected) / expected;
      } else {
        EXPECT_EQ(hits[gpu], 0);
      }
    }
    EXPECT_LT(chi_square, (total - 1) + 5 * std::sqrt(2.0 * (total - 1))) << n;
  }
}

}  // namespace
}  // namespace palstudy
