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
  EXPECT_EQ(summaries.at(only, Summaries::queued_gpus), 5);
  EXPECT_EQ(summaries.free_by_bin(only, ClassId(0))[1], 2);
}

}  // namespace
}  // namespace palstudy
