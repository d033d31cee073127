// SPDX-License-Identifier: MIT
#include "workload/synthetic/job_sources.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace palstudy {
namespace {

// Large training jobs are made on clusters from 10,000 GPUs on, however wide jobs may be, and only if asked for; all of
// them are as wide as the file says, from 512 GPUs on.
TEST(JobSources, LargeTrainingJobsNeedALargeCluster) {
  const auto numbers = read_trace_statistics(PALSTUDY_SOURCE_DIR "/jobs/generators/philly.toml", "philly");
  const auto large = [&](std::uint32_t gpus, double llm_share) {
    TraceLikeOptions options;
    options.widest_share = 1;
    options.llm_share = llm_share;
    const auto sources = job_sources(numbers, options, gpus);
    for (const JobSource& source : sources) EXPECT_TRUE(!source.llm || source.gpus >= 512);
    return std::ranges::count_if(sources, [](const JobSource& source) { return source.llm; });
  };
  EXPECT_EQ(large(9999, 0.3), 0);
  EXPECT_EQ(large(10000, 0.3), 7) << "all sizes of the file up to 8,192 GPUs";
  EXPECT_EQ(large(37632, 0.3), 8);
  EXPECT_EQ(large(37632, 0), 0);
}

}  // namespace
}  // namespace palstudy
