// SPDX-License-Identifier: MIT
// What a Slurm job says of itself in its environment.
#include "parallel/slurm_job.hpp"

#include <gtest/gtest.h>

#include <map>

#include "with_environment.hpp"

namespace palstudy {
namespace {

// An element of an array is named by both numbers: the number of the array alone, which the last element has as its job
// id, would mean all of them.
TEST(SlurmJob, IsNamedAsSqueueTakesIt) {
  const WithEnvironment outside{{"SLURM_JOB_ID", ""}, {"SLURM_ARRAY_JOB_ID", ""}, {"SLURM_ARRAY_TASK_ID", ""}};
  EXPECT_EQ(slurm_job_id(), "");
  {
    const WithEnvironment job{{"SLURM_JOB_ID", "4711"}};
    EXPECT_EQ(slurm_job_id(), "4711");
  }
  {
    const WithEnvironment element{{"SLURM_JOB_ID", "12"}, {"SLURM_ARRAY_JOB_ID", "12"}, {"SLURM_ARRAY_TASK_ID", "0"}};
    EXPECT_EQ(slurm_job_id(), "12_0");
  }
  // It goes into a command line, so nothing but digits passes.
  const WithEnvironment odd{{"SLURM_JOB_ID", "1; true"}};
  EXPECT_EQ(slurm_job_id(), "");
}

// Two nodes of 72 and one of 36: 180. What is no such list is nothing, not a part of it.
TEST(SlurmJob, AddsUpItsProcessors) {
  const std::map<std::string, std::optional<std::int64_t>> expected = {{"4", 4},
                                                                       {"72(x2),36", 180},
                                                                       {"1,2,3", 6},
                                                                       {"", std::nullopt},
                                                                       {"x", std::nullopt},
                                                                       {"4(x", std::nullopt},
                                                                       {"4(x2", std::nullopt},
                                                                       {"4,,4", std::nullopt},
                                                                       {"4(x0)", std::nullopt},
                                                                       {"-4", std::nullopt}};
  for (const auto& [text, cpus] : expected) EXPECT_EQ(parse_cpus_per_node(text), cpus) << text;
}

// The variables of a Slurm client outside of a job are not those of a job.
TEST(SlurmJob, HasNodesOnlyInsideOfAJob) {
  const WithEnvironment outside{{"SLURM_JOB_ID", ""},
                                {"SLURM_ARRAY_JOB_ID", ""},
                                {"SLURM_JOB_NUM_NODES", "3"},
                                {"SLURM_JOB_CPUS_PER_NODE", "8(x3)"}};
  EXPECT_FALSE(slurm_nodes());
  EXPECT_FALSE(slurm_cpus());
  const WithEnvironment job{{"SLURM_JOB_ID", "5"}};
  EXPECT_EQ(slurm_nodes(), 3);
  EXPECT_EQ(slurm_cpus(), 24);
}

}  // namespace
}  // namespace palstudy
