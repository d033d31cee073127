// SPDX-License-Identifier: MIT
#include "analysis/compared_metrics.hpp"

#include <gtest/gtest.h>

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

// A name that no metric has is refused where it was written, with all names that there are.
TEST(ComparedMetrics, AnUnknownOneNamesThoseThatThereAre) {
  try {
    (void)compared_metric("jct_men_s", "--metric");
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    const std::string message = error.what();
    for (const auto& metric : compared_metrics()) expect_parts(message, {metric.name});
    expect_parts(message, {"jct_men_s", "--metric"});
  }
}

}  // namespace
}  // namespace palstudy
