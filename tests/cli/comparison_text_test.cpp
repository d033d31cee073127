// SPDX-License-Identifier: MIT
#include "cli/comparison_text.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

Comparison of(std::size_t clusters, std::size_t workloads, std::size_t replications) {
  Improvement gain;
  gain.pairs = gain.replications = replications;
  gain.clusters = clusters;
  gain.workloads = workloads;
  Comparison comparison;
  comparison.metric = "jct_mean_s";
  comparison.groups.push_back({{}, {}, {{"packed-sticky", "pal", "jct_mean_s", gain, 0, {}, replications}}});
  return comparison;
}

// 30 x 30 combinations of crossed seeds are 60 draws that are independent, not 900.
TEST(ComparisonBrief, CrossedSeedsAreCountedByDirection) {
  const std::string crossed = comparison_brief(of(30, 30, 900));
  EXPECT_NE(crossed.find("900 pairs, 30 cluster seeds x 30 workload seeds"), std::string::npos) << crossed;
  EXPECT_EQ(crossed.find("900 seeds"), std::string::npos) << crossed;
  EXPECT_NE(comparison_brief(of(0, 0, 20)).find("20 pairs, 20 seeds"), std::string::npos);
}

TEST(ComparisonBrief, UncalibratedModelsAreNamed) {
  Comparison comparison = of(0, 0, 20);
  EXPECT_EQ(comparison_brief(comparison).find("Uncalibrated"), std::string::npos);
  comparison.uncalibrated = "the shares of m";
  EXPECT_NE(comparison_brief(comparison).find("Uncalibrated: the shares of m"), std::string::npos);
  EXPECT_NE(comparison_text(comparison).find("Uncalibrated: the shares of m"), std::string::npos);
  EXPECT_NE(comparison_json(comparison).find("\"uncalibrated\": \"the shares of m\""), std::string::npos);
}

}  // namespace
}  // namespace palstudy
