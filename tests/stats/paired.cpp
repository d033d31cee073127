// SPDX-License-Identifier: MIT
#include "stats/paired.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/error.hpp"
#include "stats/simulated.hpp"

namespace palstudy {
namespace {

// Ratios 1/2 and 1/8 have the geometric mean sqrt(1/16) = 1/4, so the improvement is 3/4; the single ones are 1/2 and
// 7/8.
TEST(Improvement, IsOneMinusTheGeometricMeanOfTheRatios) {
  const auto result = improvement(std::vector<Pair>{{50, 100, 0}, {1, 8, 0}});
  EXPECT_NEAR(result.mean, 0.75, 1e-15);
  EXPECT_NEAR(result.least, 0.5, 1e-15);
  EXPECT_NEAR(result.most, 0.875, 1e-15);
  EXPECT_EQ(result.pairs, 2u);
}

// Exchanging policy and baseline inverts the ratio: (1 - a)(1 - b) = 1.
TEST(Improvement, IsTheInverseWhenTheBaselineIsExchanged) {
  std::vector<Pair> there, back;
  for (std::size_t i = 0; i < 20; ++i) {
    const double a = 10.0 + static_cast<double>(i * i % 7), b = 12.0 + static_cast<double>(i % 5);
    there.push_back({a, b, i});
    back.push_back({b, a, i});
  }
  const auto one = improvement(there), other = improvement(back);
  EXPECT_NEAR((1 - one.mean) * (1 - other.mean), 1.0, 1e-12);
  EXPECT_NEAR((1 - *one.low) * (1 - *other.high), 1.0, 1e-12);
}

// With one seed there is nothing from which the spread over seeds could be told, however many traces there are.
TEST(Improvement, HasNoIntervalBelowEightReplications) {
  std::vector<Pair> pairs;
  for (int trace = 0; trace < 30; ++trace) pairs.push_back({90.0 + trace, 100, 0});
  EXPECT_FALSE(improvement(pairs).low);
  EXPECT_TRUE(improvement(pairs).no_interval);
  pairs.clear();
  for (std::size_t seed = 0; seed < 8; ++seed) pairs.push_back({90 + static_cast<double>(seed), 100, seed});
  EXPECT_TRUE(improvement(pairs).low);
  EXPECT_FALSE(improvement(pairs).no_interval);
}

// Log-ratios 1..8 by hand: mean 4.5, variance 6, standard error sqrt(6/8), t(0.975; 7) = 2.364624.
TEST(Improvement, HasStudentsIntervalOfTheLogRatios) {
  std::vector<Pair> pairs;
  for (std::size_t i = 1; i <= 8; ++i) pairs.push_back({std::exp(-static_cast<double>(i)), 1, i});
  const auto result = improvement(pairs);
  const double half = 2.364624 * std::sqrt(0.75);
  EXPECT_NEAR(*result.low, 1 - std::exp(-4.5 + half), 1e-7);
  EXPECT_NEAR(*result.high, 1 - std::exp(-4.5 - half), 1e-7);
}

// Eight traces on one cluster are not eight clusters: repeating every pair under its own replication must change
// neither the mean nor the interval.
TEST(Improvement, TakesTheMeanOfEachReplicationFirst) {
  std::vector<Pair> once, thrice;
  for (std::size_t seed = 0; seed < 10; ++seed) {
    const Pair pair{80.0 + static_cast<double>(seed), 100, seed};
    once.push_back(pair);
    thrice.insert(thrice.end(), 3, pair);
  }
  const auto a = improvement(once), b = improvement(thrice);
  EXPECT_NEAR(a.mean, b.mean, 1e-12);
  EXPECT_NEAR(*a.low, *b.low, 1e-12);
  EXPECT_EQ(b.replications, 10u);
}

// Ten seeds that give the same ratio to the last bit are one run ten times: there is no spread to learn from, and an
// interval of no width would be a lie.
TEST(Improvement, HasNoIntervalWhereTheSeedsChangeNothing) {
  std::vector<Pair> pairs;
  for (std::size_t seed = 0; seed < 10; ++seed) pairs.push_back({90, 100, seed});
  const auto result = improvement(pairs);
  EXPECT_FALSE(result.low);
  EXPECT_EQ(result.no_interval, NoInterval{Missing::no_change});
  EXPECT_NEAR(result.mean, 0.1, 1e-12);
}

// Thirty clusters by three workloads say much of clusters and little of workloads.
TEST(Improvement, HasNoIntervalBelowEightSeedsInEitherDirection) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < 30; ++i) {
    for (std::size_t j = 0; j < 3; ++j) pairs.push_back({90 + static_cast<double>(i * (j + 1) % 5), 100, i, j});
  }
  EXPECT_FALSE(improvement(pairs).low);
  EXPECT_EQ(improvement(pairs).no_interval, (NoInterval{Missing::few_workloads, 3, 8}));
}

// A busy fraction of 0.6 instead of 0.5 is 20 % better, not 20 % worse; the interval turns with it.
TEST(Improvement, IsTheRatioLessOneWhereLargerIsBetter) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < 10; ++i) pairs.push_back({0.6 + 0.001 * static_cast<double>(i), 0.5, i});
  const auto smaller = improvement(pairs), larger = improvement(pairs, {false, true});
  EXPECT_NEAR(larger.mean, larger.ratio - 1, 1e-15);
  EXPECT_NEAR(larger.mean, -smaller.mean, 1e-15);
  EXPECT_NEAR(*larger.low, -*smaller.high, 1e-15);
  EXPECT_EQ(larger.wins, 10u);
  EXPECT_EQ(smaller.wins, 0u);
}

TEST(Improvement, CountsWinsAndTies) {
  const auto result = improvement(std::vector<Pair>{{1, 2, 0}, {2, 2, 1}, {3, 2, 2}, {1, 2, 3}});
  EXPECT_EQ(result.wins, 2u);
  EXPECT_EQ(result.ties, 1u);
  EXPECT_EQ(result.pairs, 4u);
}

// The same data give the same interval, and bootstrap-t of many symmetric log-ratios is near Student's: the two agree
// to a tenth of the width.
TEST(Improvement, HasABootstrapThatAgreesWithStudentWhereBothHold) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < 200; ++i) {
    pairs.push_back({std::exp(0.1 * std::sin(static_cast<double>(i * i))), 1.1, i});
  }
  const auto student = improvement(pairs), bootstrap = improvement(pairs, {true, false});
  const double width = *student.high - *student.low;
  EXPECT_NEAR(*bootstrap.low, *student.low, 0.1 * width);
  EXPECT_NEAR(*bootstrap.high, *student.high, 0.1 * width);
  EXPECT_EQ(*bootstrap.low, *improvement(pairs, {true, false}).low);
  EXPECT_LT(*student.p_value, 1e-10);
  EXPECT_LT(*bootstrap.p_value, 0.002);  // 2,000 resamples cannot say less than 2 of 2,001
}

// Most ratios are 1, one is tiny beside them and one large: many resamples have next to no spread, so that
// bootstrap-t's ends are nowhere. That is no interval, and it is said why; the mean ratio stays.
TEST(Improvement, HasNoIntervalWhereFewReplicationsDecide) {
  std::vector<Pair> pairs;
  for (std::size_t seed = 0; seed < 20; ++seed) pairs.push_back({seed == 0 ? 3.0 : seed == 1 ? 1.001 : 1.0, 1, seed});
  Comparing how;
  how.by_bootstrap = true;
  const auto result = improvement(pairs, how);
  EXPECT_NEAR(result.ratio, std::pow(3 * 1.001, 0.05), 1e-12);
  EXPECT_FALSE(result.low);
  EXPECT_FALSE(result.p_value);
  EXPECT_EQ(result.no_interval, NoInterval{Missing::few_decide});
}

// A NaN is an unfinished or failed run, an improvement over zero is not defined; nothing over nothing is no change.
TEST(Improvement, SaysWhatCannotBeCompared) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(comparable(nan, 1));
  EXPECT_FALSE(comparable(1, 0));
  EXPECT_FALSE(comparable(-1, 1));
  EXPECT_TRUE(comparable(1, 2));
  EXPECT_TRUE(comparable(0, 0));
  EXPECT_EQ(improvement(std::vector<Pair>{{0, 0, 0}}).mean, 0.0);
  EXPECT_THROW((void)improvement({}), Error);
}

// Ten policies over one baseline on the same twelve clusters, none of them better: all ten intervals hold 0 in about 95
// % of campaigns where each is one of ten that hold together, and far less often where each stands by itself.
TEST(Simultaneous, AllHoldTogether) {
  constexpr std::size_t policies = 10, seeds = 12;
  const auto all_hold = [&](std::size_t comparisons, bool by_bootstrap, int times) {
    return share_of_campaigns(7, times, [&](RandomStream& random) {
      bool hold = true;
      for (std::size_t p = 0; p < policies; ++p) {
        std::vector<Pair> pairs;
        for (std::size_t s = 0; s < seeds; ++s) pairs.push_back({std::exp(0.1 * normal(random)), 1, s, s});
        Comparing how;
        how.by_bootstrap = by_bootstrap;
        how.comparisons = comparisons;
        const Improvement got = improvement(pairs, how);
        hold = hold && *got.low <= 0 && 0 <= *got.high;
      }
      return hold;
    });
  };
  EXPECT_NEAR(all_hold(policies, false, campaigns), 0.95, 0.015);
  EXPECT_LT(all_hold(1, false, campaigns), 0.7);
  EXPECT_GE(all_hold(policies, true, 60), 0.85);
}

// So many seeds of clusters crossed with so many of workloads, or each with one of its own; no two ratios are alike.
std::vector<Pair> seeds_of(std::size_t clusters, std::size_t workloads, bool crossed) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < clusters; ++i) {
    for (std::size_t j = 0; j < workloads; ++j) {
      const auto place = static_cast<double>(i * workloads + j);
      if (crossed || i == j) pairs.push_back({100 + 7 * std::sin(place * place), 110, i, j});
    }
  }
  return pairs;
}

// How the interval is made follows from the design and from what is compared, and is named.
TEST(Improvement, NamesItsMethod) {
  const auto method = [](const std::vector<Pair>& pairs, bool by_bootstrap) {
    Comparing how;
    how.by_bootstrap = by_bootstrap;
    return improvement(pairs, how).method;
  };
  const auto alone = seeds_of(9, 9, false), crossed = seeds_of(8, 9, true);
  EXPECT_EQ(method(alone, false), IntervalMethod::student);
  EXPECT_EQ(method(alone, true), IntervalMethod::bootstrap);
  EXPECT_EQ(method(crossed, false), IntervalMethod::crossed_student);
  EXPECT_EQ(method(crossed, true), IntervalMethod::crossed_bootstrap);
}

// Of crossed seeds their numbers are told, and else none; pairs of seeds are the replications either way.
TEST(Improvement, CountsTheSeedsOfEachDirectionWhereTheyAreCrossed) {
  const Improvement crossed = improvement(seeds_of(8, 9, true)), alone = improvement(seeds_of(9, 9, false));
  EXPECT_EQ(crossed.by, Replicated::crossed);
  EXPECT_EQ(crossed.replications, 72u);
  EXPECT_EQ(crossed.clusters, 8u);
  EXPECT_EQ(crossed.workloads, 9u);
  EXPECT_EQ(alone.by, Replicated::together);
  EXPECT_EQ(alone.replications, 9u);
  EXPECT_EQ(alone.clusters, 0u);
  EXPECT_EQ(alone.workloads, 0u);
}

// Why there is no interval: one replication is too few, and changes nothing that could be told; eight are enough.
TEST(Improvement, SaysWhyThereIsNoInterval) {
  const auto why = [](const std::vector<Pair>& pairs) { return improvement(pairs).no_interval; };
  EXPECT_EQ(why(seeds_of(1, 1, false)), (NoInterval{Missing::few_replications, 1, 8}));
  EXPECT_EQ(why(seeds_of(7, 7, false)), (NoInterval{Missing::few_replications, 7, 8}));
  EXPECT_FALSE(why(seeds_of(8, 8, false)));
  EXPECT_EQ(why(seeds_of(7, 9, true)), (NoInterval{Missing::few_clusters, 7, 8}));
  EXPECT_EQ(why(seeds_of(9, 7, true)), (NoInterval{Missing::few_workloads, 7, 8}));
  EXPECT_FALSE(why(seeds_of(8, 8, true)));
  EXPECT_EQ(why({{90, 100, 0, 0}, {90, 100, 1, 1}}), NoInterval{Missing::no_change});
}

// Ratios of 2 and 4, so that each pair is a loss: of 100 % and of 300 %; none of them is a gain, and none a tie.
TEST(Improvement, HasLossesAsItsRangeWhereAllPairsLose) {
  const auto result = improvement(std::vector<Pair>{{2, 1, 0, 0}, {4, 1, 1, 1}});
  EXPECT_NEAR(result.least, -3, 1e-12);
  EXPECT_NEAR(result.most, -1, 1e-12);
  EXPECT_EQ(result.wins, 0u);
  EXPECT_EQ(result.ties, 0u);
}

}  // namespace
}  // namespace palstudy
