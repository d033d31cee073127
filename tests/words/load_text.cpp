// SPDX-License-Identifier: MIT
#include "words/load_text.hpp"

#include <gtest/gtest.h>

#include "analysis/runs_of_policy.hpp"

namespace palstudy {
namespace {

std::string pair_head(const PolicyOverload& policy, const PolicyOverload& baseline) {
  const auto note = overload_of_pair(policy, baseline);
  const std::string text = note ? overload_of_pair_text(*note) : "";
  return text.substr(0, text.find(':'));
}

// A gain says whose runs are overloaded: read as the policy's, an overload of the baseline alone would mislead.
TEST(Overload, OfAPairSaysWhoseRunsAreMeant) {
  const auto of = [](const PolicyOverload& policy, const PolicyOverload& baseline) {
    return pair_head(policy, baseline);
  };
  const PolicyOverload none = runs_of("pal", 0, 0, 20), some = runs_of("pal", 3, 0, 17), all = runs_of("pal", 20, 0, 0);
  EXPECT_EQ(of(none, runs_of("sticky", 11, 0, 9)), "overloaded in 11 of 20 runs of sticky alone");
  EXPECT_EQ(of(none, runs_of("sticky", 20, 0, 0)), "overloaded in all 20 runs of sticky alone");
  EXPECT_EQ(of(some, runs_of("sticky", 0, 0, 20)), "overloaded in 3 of 20 runs of pal alone");
  EXPECT_EQ(of(some, runs_of("sticky", 11, 0, 9)), "overloaded in 11 of 20 runs of sticky, 3 of 20 runs of pal");
  EXPECT_EQ(of(none, runs_of("sticky", 0, 5, 15)), "backlog in 5 of 20 runs of sticky alone");
  // Short where both are alike.
  EXPECT_EQ(of(some, runs_of("sticky", 3, 0, 17)), "overloaded in 3 of 20 runs of each");
  EXPECT_EQ(of(all, runs_of("sticky", 20, 0, 0)), "overloaded");
  EXPECT_EQ(of(none, runs_of("sticky", 0, 0, 20)), "");
}

// Load and slope are those of the runs that are named, wherever they stand.
TEST(Overload, OfAPairHasTheLoadsOfBoth) {
  PolicyOverload policy{"pal", {}}, baseline{"sticky", {}};
  policy.runs.add(1.2, 3);
  baseline.runs.add(1.4, 9);
  EXPECT_EQ(overload_of_pair_text(*overload_of_pair(policy, baseline))
                .find("overloaded: offered load 1.2 to 1.4, the queue grows by 3 to 9"),
            0u);
}

}  // namespace
}  // namespace palstudy
