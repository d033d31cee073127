// SPDX-License-Identifier: MIT
#include "words/load_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "analysis/runs_of_policy.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

std::string pair_head(const PolicyOverload& policy, const PolicyOverload& baseline) {
  const auto note = overload_of_pair(policy, baseline);
  return note ? overload_of_pair_head(*note) : "";
}

std::string text_of_runs(const Overload& runs) { return runs.note() ? text_of(*runs.note()) : ""; }

std::string head(const std::string& text) { return text.substr(0, text.find(':')); }

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

// Of all runs together the policies are named where some of them are overloaded more than others.
TEST(Overload, OfAllRunsNamesThePolicies) {
  const auto of = [](const std::vector<PolicyOverload>& policies) {
    Overload all;
    for (const auto& one : policies) all.add(one.runs);
    return head(text_of(*all.note(policies)));
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

// The least and the most of all runs are told, in whichever order runs and sums of runs come together; a queue that
// shrinks by 4, 9 and 12 jobs an hour has a backlog, and nothing is known of a load then.
TEST(Overload, TellsTheLeastAndTheMostOfAllRuns) {
  Overload calm, steep, low, high;
  calm.add_backlog(-9);
  calm.add_backlog(-4);
  steep.add_backlog(-12);
  low.add(1.2, 3);
  high.add(1.4, 9);
  const auto both = [](Overload one, const Overload& other) {
    one.add(other);
    return text_of_runs(one);
  };
  EXPECT_EQ(text_of_runs(calm).find("backlog: the queue shrinks by 4 to 9 jobs an hour while"), 0u)
      << text_of_runs(calm);
  for (const std::string& text : {both(calm, steep), both(steep, calm)}) {
    EXPECT_EQ(text.find("backlog: the queue shrinks by 4 to 12 jobs an hour while"), 0u) << text;
  }
  for (const std::string& text : {both(low, high), both(high, low)}) {
    EXPECT_EQ(text.find("overloaded: offered load 1.2 to 1.4, the queue grows by 3 to 9 jobs an hour;"), 0u) << text;
  }
}

// What is not known is not told as a number: a load where all jobs arrive at once, or a slope; and a queue that does
// not grow in some of the runs, or in none yet, is not said to.
TEST(Overload, TellsNoNumberThatIsNotKnown) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto of = [](const std::vector<std::pair<double, double>>& runs) {
    Overload all;
    for (const auto& [load, slope] : runs) all.add(load, slope);
    const std::string text = text_of_runs(all);
    return text.substr(0, text.find(';'));
  };
  EXPECT_EQ(of({{1.5, unknown}}), "overloaded: offered load 1.5, how fast the queue grows is not known");
  EXPECT_EQ(of({{unknown, 5}}), "overloaded: the queue grows by 5 jobs an hour");
  EXPECT_EQ(of({{1.2, 0}}), "overloaded: offered load 1.2, the queue does not grow yet");
  EXPECT_EQ(of({{1.2, 0}, {1.4, 6}}), "overloaded: offered load 1.2 to 1.4, the queue grows by up to 6 jobs an hour");
}

}  // namespace
}  // namespace palstudy
