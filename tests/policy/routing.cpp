// SPDX-License-Identifier: MIT
// Where arriving jobs are sent, against what the words of the policies say.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "core/random.hpp"
#include "policy/routing_policy.hpp"

namespace palstudy {
namespace {

/// Of the partitions that are large enough the first of the least share, with shares compared as fractions of integers.
PartitionId least_share(const std::vector<std::int64_t>& wanted, const Partitioning& partitioning, std::uint32_t gpus) {
  std::optional<PartitionId> best;
  for (std::uint32_t p = 0; p < wanted.size(); ++p) {
    const std::int64_t size = partitioning.gpus(PartitionId(p));
    if (size < gpus) continue;
    if (!best || wanted[p] * partitioning.gpus(*best) < wanted[best->index()] * size) best = PartitionId(p);
  }
  return best.value();
}

// Partitions of one size and of two, loads that are often equal, jobs that fit in all and jobs that fit in the larger
// ones alone.
TEST(LeastLoaded, TakesTheFirstOfTheLeastShare) {
  const Bins bins(std::vector<ClassBins>{});
  RandomStream random(1, Purpose::job_shape, 0);
  bool alike = false, of_two_sizes = false;
  for (int round = 0; round < 4000; ++round) {
    const std::uint32_t nodes = 1 + random.below(24), partitions = 1 + random.below(nodes);
    const Topology topology(std::vector<NodeGroup>{{nodes, 4}}, 8);
    const Partitioning partitioning(topology, partitions);
    (partitioning.alike() ? alike : of_two_sizes) = true;
    EXPECT_EQ(partitioning.alike(), nodes % partitions == 0);
    Summaries summaries(partitioning, bins, 0, false);
    std::vector<std::int64_t> wanted;
    for (std::uint32_t p = 0; p < partitions; ++p) {
      wanted.push_back(random.below(2 * partitioning.widest()));
      summaries.set(PartitionId(p), Summaries::demand_gpus, wanted.back());
    }
    Job job;
    job.gpus = 1 + random.below(partitioning.widest());
    const auto routing = routings().at("least-loaded").make({bins, {}, 1}, {});
    EXPECT_EQ(routing->route(JobId(0), job, summaries), least_share(wanted, partitioning, job.gpus)) << round;
  }
  EXPECT_TRUE(alike && of_two_sizes);
}

// A job that a partition has been given takes GPUs of its class from the fastest bin on, so that the next job of the
// same instant finds what is left: of 3 and 4 free GPUs 5 leave 0 and 2. A job that does not fit only waits.
TEST(Summaries, AnAssignedJobTakesFreeGpusFromTheFastestBinOn) {
  ClassBins two;
  two.values = {1.0, 1.2};
  two.of_gpu = {0, 0, 0, 1, 1, 1, 1, 1};
  two.appearance = {0, 1};
  const Bins bins({two});
  const Topology topology(std::vector<NodeGroup>{{2, 4}}, 8);
  const Partitioning partitioning(topology, 1);
  const PartitionId only(0);
  Summaries summaries(partitioning, bins, 0, true);
  summaries.set(only, Summaries::free_gpus, 7);
  summaries.free_by_bin(only, ClassId(0))[0] = 3;
  summaries.free_by_bin(only, ClassId(0))[1] = 4;
  Job job;
  job.gpus = 5;
  summaries.assign(only, job);
  EXPECT_EQ(summaries.at(only, Summaries::free_gpus), 2);
  EXPECT_EQ(summaries.free_by_bin(only, ClassId(0))[0], 0);
  EXPECT_EQ(summaries.free_by_bin(only, ClassId(0))[1], 2);
  summaries.assign(only, job);
  EXPECT_EQ(summaries.at(only, Summaries::demand_gpus), 10);
  EXPECT_EQ(summaries.free_by_bin(only, ClassId(0))[1], 2);
}

// The fewest queued jobs, of equals the most free GPUs, of these the lowest.
TEST(ShortestQueue, TakesTheFewestQueuedThenTheMostFree) {
  const Bins bins(std::vector<ClassBins>{});
  const Topology topology(std::vector<NodeGroup>{{6, 4}}, 8);
  const Partitioning partitioning(topology, 3);
  const auto routing = routings().at("shortest-queue").make({bins, {}, 1}, {});
  Job job;
  job.gpus = 1;
  const auto route = [&](const std::vector<std::int64_t>& queued, const std::vector<std::int64_t>& free) {
    Summaries summaries(partitioning, bins, 0, false);
    for (std::uint32_t p = 0; p < 3; ++p) {
      summaries.set(PartitionId(p), Summaries::queued_jobs, queued[p]);
      summaries.set(PartitionId(p), Summaries::free_gpus, free[p]);
    }
    return routing->route(JobId(0), job, summaries);
  };
  EXPECT_EQ(route({2, 1, 1}, {8, 3, 5}), PartitionId(2));
  EXPECT_EQ(route({1, 1, 1}, {5, 5, 3}), PartitionId(0));
  EXPECT_EQ(route({0, 1, 0}, {0, 8, 1}), PartitionId(2));
}

// Bins of 0.9 and 1.5. The first partition has two free GPUs of 0.9 on two nodes, the second one of 0.9 and three of
// 1.5 on one node: two GPUs come to 0.9 x the penalty there, to 1.5 here, three fit here alone. Where all wait, the
// load decides.
TEST(VariabilityAware, WeighsTheSlowestBinAgainstThePenalty) {
  const Bins bins(std::vector<ClassBins>{{{0.9, 1.5}, std::vector<std::uint16_t>(16, 0), {0, 1}}});
  const Topology topology(std::vector<NodeGroup>{{4, 4}}, 8);
  const Partitioning partitioning(topology, 2);
  const PartitionId first(0), second(1);
  Summaries summaries(partitioning, bins, 0, true);
  summaries.free_by_bin(first, ClassId(0))[0] = 2;
  summaries.free_by_bin(second, ClassId(0))[0] = 1;
  summaries.free_by_bin(second, ClassId(0))[1] = 3;
  summaries.set(first, Summaries::largest_node, 1);
  summaries.set(second, Summaries::largest_node, 4);
  summaries.set(first, Summaries::demand_gpus, 5);
  summaries.set(second, Summaries::demand_gpus, 3);
  const auto route = [&](std::uint32_t gpus, double across) {
    Job job;
    job.gpus = gpus;
    const auto routing = routings().at("variability-aware").make({bins, LocalityPenalty{1, across, across}, 1}, {});
    EXPECT_TRUE(routing->needs_bins());
    return routing->route(JobId(0), job, summaries);
  };
  EXPECT_EQ(route(2, 1.7), second);  // 1.53 > 1.5
  EXPECT_EQ(route(2, 1.6), first);   // 1.44 < 1.5
  EXPECT_EQ(route(3, 1.6), second);
  summaries.set(first, Summaries::queued_jobs, 1);
  EXPECT_EQ(route(2, 1.6), second);
  summaries.set(second, Summaries::queued_jobs, 1);
  EXPECT_EQ(route(2, 1.6), second);  // 3 of its 8 GPUs are wanted, of the other's 5
}

// A row is a fixed number of cells, and no figure stands in the cell of another. Job 0 can be moved like any other.
TEST(Summaries, EachFigureHasItsOwnCell) {
  ClassBins two;
  two.values = {1.0, 1.2};
  const Bins bins(std::vector<ClassBins>{two, two});
  const Topology topology(std::vector<NodeGroup>{{4, 4}}, 8);
  const Partitioning partitioning(topology, 2);
  Summaries summaries(partitioning, bins, 2, true, {2, 4}, 3);
  ASSERT_EQ(summaries.width(), Summaries::cells + 2 + 4 + 2 + 3);
  EXPECT_EQ(summaries.table().size(), 2 * summaries.width());
  EXPECT_EQ(summaries.candidate(PartitionId(1), 0), std::nullopt);
  for (std::uint32_t i = 0; i < 2; ++i) {
    const PartitionId p(i);
    std::int64_t next = 100 * i;
    for (std::size_t j = 0; j < 2; ++j) summaries.set_candidate(p, j, JobId(static_cast<std::uint32_t>(next++)));
    for (std::size_t cell = 0; cell < Summaries::cells; ++cell) summaries.set(p, Summaries::Cell(cell), next++);
    for (std::size_t cls = 0; cls < 2; ++cls) {
      for (std::int64_t& bin : summaries.free_by_bin(p, ClassId(cls))) bin = next++;
    }
    for (std::size_t j = 0; j < 2; ++j) summaries.set_free_in_groups(p, j, next++);
    for (std::int64_t& use : summaries.tenant_use(p)) use = next++;
    EXPECT_EQ(next, 100 * i + 2 + std::int64_t{Summaries::cells} + 4 + 2 + 3);
  }
  const Summaries& seen = summaries;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const PartitionId p(i);
    std::int64_t next = 100 * i;
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_EQ(seen.candidate(p, j), JobId(static_cast<std::uint32_t>(next++)));
    }
    for (std::size_t cell = 0; cell < Summaries::cells; ++cell) EXPECT_EQ(seen.at(p, Summaries::Cell(cell)), next++);
    for (std::size_t cls = 0; cls < 2; ++cls) {
      for (const std::int64_t bin : seen.free_by_bin(p, ClassId(cls))) EXPECT_EQ(bin, next++);
    }
    for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(seen.free_in_groups(p, j), next++);
    for (const std::int64_t use : seen.tenant_use(p)) EXPECT_EQ(use, next++);
  }
  summaries.set_candidate(PartitionId(0), 0, std::nullopt);
  EXPECT_EQ(seen.candidate(PartitionId(0), 0), std::nullopt);
  EXPECT_EQ(seen.candidate(PartitionId(0), 1), JobId(1));
}

}  // namespace
}  // namespace palstudy
