// SPDX-License-Identifier: MIT
// Fair-share factors worked out by hand, over accounts with several users.
#include "policy/fair_share.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace palstudy {
namespace {

/// Account 0 (60 shares) has users 0 and 1 with 30 and 10, account 1 (39 shares) has user 2: with root 100 shares.
FairShare two_accounts(FairShareRule rule, double half_life_s = 0) {
  return {rule, {{0, 30}, {0, 10}, {1, 5}}, {60, 39}, half_life_s};
}

// User 0 has used 300 of 400 GPU seconds, user 2 the others. When the first tick began no account had used anything, so
// that UE is U less 3/4 of U for user 0, and U less U for user 2, who is alone.
TEST(FairShare, ByTheFormulaAccountsAreATickLate) {
  FairShare shares = two_accounts(FairShareRule::classic);
  shares.begin_tick(60);
  shares.add(0, 5, 60);
  shares.add(2, 2, 50);
  for (const std::size_t user : {0U, 1U, 2U}) shares.find(user);
  EXPECT_NEAR(shares.factor(0), std::exp2(-0.75 / 4 / (0.6 * 0.75)), 1e-12);
  EXPECT_EQ(shares.factor(1), 1);
  EXPECT_EQ(shares.factor(2), 1);
  // Nothing is used since: account 0 has 3/4, of which its users have UE = U + (3/4 - U) x 3/4, and x 1/4.
  shares.begin_tick(60);
  for (const std::size_t user : {0U, 1U, 2U}) shares.find(user);
  EXPECT_NEAR(shares.factor(0), std::exp2(-0.75 / (0.6 * 0.75)), 1e-12);
  EXPECT_NEAR(shares.factor(1), std::exp2(-0.75 / 4 / (0.6 * 0.25)), 1e-12);
  EXPECT_NEAR(shares.factor(2), std::exp2(-0.25 / 0.39), 1e-12);
}

// The factor of a user is that of the first waiting job: what running jobs behind it add comes a tick later.
TEST(FairShare, IsFoundOnceATick) {
  FairShare shares = two_accounts(FairShareRule::classic);
  shares.begin_tick(60);
  shares.find(1);
  shares.add(1, 1, 60);
  shares.find(1);
  EXPECT_EQ(shares.factor(1), 1);
  shares.begin_tick(60);
  shares.find(1);
  EXPECT_LT(shares.factor(1), 1);
}

// Usage of before loses 0.693 / half-life a second, and new usage as if all were as old as its first second.
TEST(FairShare, UsageDecays) {
  FairShare shares = two_accounts(FairShareRule::classic, 300);
  shares.begin_tick(60);
  shares.add(0, 1, 60);
  const double kept = std::pow(1 - 0.693 / 300, 60);
  EXPECT_NEAR(shares.state()[0], 60 * kept, 1e-9);
  shares.begin_tick(60);
  EXPECT_NEAR(shares.state()[0], 60 * kept * kept, 1e-9);
}

// By Fair Tree account 1 comes before account 0, which has used more for its shares; in account 0 user 1 has used
// nothing. Of four users with root's the ranks are 3, 2 and 1.
TEST(FairShare, ByFairTreeAccountsAreRankedThenUsers) {
  FairShare shares = two_accounts(FairShareRule::fair_tree);
  shares.begin_tick(60);
  shares.add(0, 5, 60);
  shares.add(2, 1, 50);
  shares.end_tick();
  EXPECT_EQ(shares.factor(2), 0.75);
  EXPECT_EQ(shares.factor(1), 0.5);
  EXPECT_EQ(shares.factor(0), 0.25);
}

// Who is equal shares a rank, which the next one goes on from by number: without any usage all are root's equals. Users
// 0 and 1 with 3 and 1 GPUs have used what their shares are.
TEST(FairShare, ByFairTreeEqualsShareARank) {
  FairShare shares = two_accounts(FairShareRule::fair_tree);
  shares.begin_tick(60);
  shares.end_tick();
  for (const std::size_t user : {0U, 1U, 2U}) EXPECT_EQ(shares.factor(user), 1);
  shares.begin_tick(60);
  shares.add(0, 3, 60);
  shares.add(1, 1, 60);
  shares.end_tick();
  EXPECT_EQ(shares.factor(2), 1);
  EXPECT_EQ(shares.factor(0), 0.5);
  EXPECT_EQ(shares.factor(1), 0.5);
}

}  // namespace
}  // namespace palstudy
