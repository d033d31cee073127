// SPDX-License-Identifier: MIT
#include "analysis/overload.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// So many overloaded runs, with a backlog, and others.
NamedOverload runs_of(const std::string& name, int overloaded, int backlogs, int others) {
  NamedOverload result{name, {}};
  for (int i = 0; i < overloaded; ++i) result.runs.add(1.5, 9);
  for (int i = 0; i < backlogs; ++i) result.runs.add_backlog(-4);
  for (int i = 0; i < others; ++i) result.runs.add_other();
  return result;
}

std::string head(const std::string& text) { return text.substr(0, text.find(':')); }

// A gain says whose runs are overloaded: read as the policy's, an overload of the baseline alone would mislead.
TEST(Overload, OfAPairSaysWhoseRunsAreMeant) {
  const auto of = [](const NamedOverload& policy, const NamedOverload& baseline) {
    return head(overload_of_pair(policy, baseline));
  };
  const NamedOverload none = runs_of("pal", 0, 0, 20), some = runs_of("pal", 3, 0, 17), all = runs_of("pal", 20, 0, 0);
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
  NamedOverload policy{"pal", {}}, baseline{"sticky", {}};
  policy.runs.add(1.2, 3);
  baseline.runs.add(1.4, 9);
  EXPECT_EQ(overload_of_pair(policy, baseline).find("overloaded: offered load 1.2 to 1.4, the queue grows by 3 to 9"),
            0u);
}

// Of all runs together the policies are named where some of them are overloaded more than others.
TEST(Overload, OfAllRunsNamesThePolicies) {
  const auto of = [](const std::vector<NamedOverload>& policies) {
    Overload all;
    for (const auto& one : policies) all.add(one.runs);
    return head(all.text(all.policies_text(policies)));
  };
  EXPECT_EQ(of({runs_of("pal", 0, 0, 20), runs_of("sticky", 11, 0, 9)}), "overloaded in 11 of 40 runs (11 of sticky)");
  EXPECT_EQ(of({runs_of("pal", 2, 0, 18), runs_of("sticky", 11, 0, 9)}),
            "overloaded in 13 of 40 runs (2 of pal, 11 of sticky)");
  EXPECT_EQ(of({runs_of("pal", 3, 0, 17), runs_of("sticky", 3, 0, 17)}), "overloaded in 6 of 40 runs");
  EXPECT_EQ(of({runs_of("pal", 20, 0, 0), runs_of("sticky", 20, 0, 0)}), "overloaded");
  EXPECT_EQ(of({runs_of("a", 1, 0, 1), runs_of("b", 1, 0, 1), runs_of("c", 1, 0, 1), runs_of("d", 1, 0, 1),
                runs_of("e", 1, 0, 1), runs_of("f", 1, 0, 1), runs_of("g", 0, 0, 2)}),
            "overloaded in 6 of 14 runs (1 of a, 1 of b, 1 of c, 1 of d, and of 2 more)");
}

}  // namespace
}  // namespace palstudy
