// SPDX-License-Identifier: MIT
#include "topology/gpu_set.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/random.hpp"

namespace palstudy {
namespace {

std::vector<NodeGpus> listed(const GpuSet& gpus) { return {gpus.begin(), gpus.end()}; }

// A set behaves like a vector of its parts, whether these lie in it or elsewhere, and whatever was in it before.
TEST(GpuSet, IsAVectorOfItsParts) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomStream random(seed, Purpose::job_shape, 0);
    GpuSet set, other;
    std::vector<NodeGpus> twin, other_twin;
    for (int step = 0; step < 100; ++step) {
      const NodeGpus part{NodeId(random.below(9)), static_cast<GpuMask>(random.below(16))};
      switch (random.below(8)) {
        case 0:
          set.clear(), twin.clear();
          break;
        case 1:
          std::swap(set, other), std::swap(twin, other_twin);
          break;
        case 2:
          set = other, twin = other_twin;
          break;
        case 3: {
          const std::size_t size = random.below(6);
          set.resize(size), twin.resize(size);
          break;
        }
        case 4: {
          GpuSet moved = std::move(set);
          set = GpuSet(other);
          other = std::move(moved);
          std::swap(twin, other_twin);
          break;
        }
        default:
          set.push_back(part), twin.push_back(part);
      }
      ASSERT_EQ(listed(set), twin) << "seed " << seed << ", step " << step;
      ASSERT_EQ(listed(other), other_twin) << "seed " << seed << ", step " << step;
      ASSERT_EQ(set == other, twin == other_twin);
      if (!twin.empty()) {
        ASSERT_EQ(set.front(), twin.front());
        ASSERT_EQ(set.back(), twin.back());
      }
    }
  }
}

// Of parts in any order, with a node several times and empty ones among them, remain the nodes ascending, each once.
TEST(GpuSet, CanonicalizeSortsAndJoins) {
  GpuSet gpus = {{NodeId(5), 0b1}, {NodeId(2), 0b100}, {NodeId(5), 0b10}, {NodeId(3), 0}};
  canonicalize(gpus);
  EXPECT_EQ(gpus, (GpuSet{{NodeId(2), 0b100}, {NodeId(5), 0b11}}));
  GpuSet nothing = {{NodeId(1), 0}};
  canonicalize(nothing);
  EXPECT_TRUE(nothing.empty());
}

}  // namespace
}  // namespace palstudy
