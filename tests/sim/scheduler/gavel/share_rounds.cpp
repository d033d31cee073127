// SPDX-License-Identifier: MIT
#include "sim/scheduler/gavel/share_rounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

#include "core/numbers.hpp"
#include "core/random.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

constexpr std::array<std::uint32_t, 2> both = {0, 1}, one_each = {1, 1};

RoundPick pick(std::uint32_t job, std::uint32_t type) { return {JobId(job), type}; }

// Two jobs with half of the time of each of two types. Round 0: equal priorities, so job 0 comes first on type 0 and
// job 1 gets type 1. After 360 s they have had 540 and 180 s of 720 there: priorities 0.5 / (540 / 720) = 0.67 and 2,
// so they change places.
TEST(ShareRounds, JobsTakeTurns) {
  ShareRounds rounds(2, 360, 1920);
  rounds.add(JobId(0), 1);
  rounds.add(JobId(1), 1);
  ASSERT_TRUE(rounds.due(0));
  rounds.reset(0, {0.5, 0.5, 0.5, 0.5});
  EXPECT_FALSE(rounds.due(360));
  EXPECT_EQ(rounds.fill(both, one_each), std::vector<RoundPick>({pick(0, 0), pick(1, 1)}));
  rounds.ran(pick(0, 0), 360);
  rounds.ran(pick(1, 1), 360);
  EXPECT_EQ(rounds.fill(both, one_each), std::vector<RoundPick>({pick(1, 0), pick(0, 1)}));
}

// Job 1 arrives after the reset at 100 s. Until 2020 s it has no share; it takes a place behind job 0, in which nobody
// runs.
TEST(ShareRounds, ANewcomerWaitsForTheReset) {
  ShareRounds rounds(2, 360, 1920);
  rounds.add(JobId(0), 1);
  rounds.reset(100, {1, 0});
  rounds.add(JobId(1), 1);
  EXPECT_FALSE(rounds.due(2019));
  EXPECT_TRUE(rounds.due(2020));
  EXPECT_EQ(rounds.fill(both, one_each), std::vector<RoundPick>({pick(0, 0)}));
  rounds.reset(2020, {1, 0, 0, 1});
  EXPECT_EQ(rounds.fill(both, one_each), std::vector<RoundPick>({pick(0, 0), pick(1, 1)}));
}

// A job without a share of a type fills it up if nobody else wants it, unless told otherwise.
TEST(ShareRounds, FillsUp) {
  for (const bool fills_up : {true, false}) {
    ShareRounds rounds(2, 360, 1920, false, fills_up);
    rounds.add(JobId(0), 1);
    rounds.reset(0, {0, 1});
    const auto& picks = rounds.fill(both, one_each);
    EXPECT_EQ(picks, std::vector<RoundPick>({pick(0, fills_up ? 0 : 1)}));
  }
}

// A gang that does not fit is passed over, and those after it are not held up.
TEST(ShareRounds, PassesOverWhatDoesNotFit) {
  ShareRounds rounds(1, 360, 1920);
  for (const std::uint32_t job : {0u, 1u, 2u}) rounds.add(JobId(job), job == 1 ? 3 : 2);
  rounds.reset(0, {0.5, 0.4, 0.3});
  const std::array<std::uint32_t, 1> type = {0}, four = {4};
  EXPECT_EQ(rounds.fill(type, four), std::vector<RoundPick>({pick(0, 0), pick(2, 0)}));
}

// Nested, what type 0 leaves counts for type 1: a job of 3 GPUs has one of the first type and two of the second.
TEST(ShareRounds, NestedTypesUseWhatFasterOnesLeave) {
  ShareRounds rounds(2, 360, 1920, true, false);
  rounds.add(JobId(0), 1);
  rounds.add(JobId(1), 3);
  rounds.reset(0, {1, 0, 0, 1});
  const std::array<std::uint32_t, 2> two_each = {2, 2};
  EXPECT_EQ(rounds.fill(both, two_each), std::vector<RoundPick>({pick(0, 0), pick(1, 1)}));
}

/// The round mechanism as its authors describe it, slow and by job: the reference for the tests below.
class SlowRounds {
 public:
  SlowRounds(std::size_t types, double round_s, double reset_s, bool nested, bool fills_up)
      : round_s_(round_s), reset_s_(reset_s), nested_(nested), fills_up_(fills_up), all_s_(types, 0.0) {}

  void add(std::uint32_t job, std::uint32_t gpus) {
    jobs_[job].gpus = gpus;
    jobs_[job].account.resize(all_s_.size());
    for (Account& account : jobs_[job].account) account.received_s = round_s_ / 2;
    changed_ = true;
  }
  void remove(std::uint32_t job) {
    jobs_.erase(job);
    changed_ = true;
  }
  [[nodiscard]] double due_s() const { return !changed_ ? infinity : last_s_ == 0 ? 0 : last_s_ + reset_s_; }
  void reset(double now_s, const std::vector<double>& shares) {
    std::size_t cell = 0;
    for (auto& [id, job] : jobs_) {
      for (Account& account : job.account) {
        account.owed_s += account.share * (now_s - last_s_) - (account.received_s - round_s_ / 2);
        account.received_s = round_s_ / 2;
        account.share = shares[cell++];
      }
      job.newcomer = false;
    }
    std::fill(all_s_.begin(), all_s_.end(), round_s_ / 2 * static_cast<double>(jobs_.size()));
    last_s_ = now_s;
    changed_ = false;
  }
  void forget_reset() { last_s_ = 0; }
  void ran(const RoundPick& pick, double time_s) {
    jobs_.at(pick.job.value).account[pick.type].received_s += time_s;
    all_s_[pick.type] += time_s;
  }
  [[nodiscard]] std::vector<RoundPick> fill(const std::vector<std::uint32_t>& types,
                                            const std::vector<std::uint32_t>& free) const {
    std::vector<RoundPick> picks;
    std::set<std::uint32_t> placed;
    std::uint32_t room = 0;
    for (const std::uint32_t type : types) {
      room = free[type] + (nested_ ? room : 0);
      std::vector<std::tuple<double, double, double, std::int64_t>>
          order;  // the largest first; then the first to arrive
      for (const auto& [id, job] : jobs_) {
        const Account& account = job.account[type];
        const double priority = account.share > 0 ? account.share / (account.received_s / all_s_[type]) : 0;
        if (priority == 0 && !fills_up_) continue;
        order.emplace_back(-priority, -account.owed_s, -account.share, id);
      }
      std::sort(order.begin(), order.end());
      for (const auto& candidate : order) {
        const auto id = static_cast<std::uint32_t>(std::get<3>(candidate));
        const Job& job = jobs_.at(id);
        if (placed.contains(id) || job.gpus > room) continue;
        room -= job.gpus;
        placed.insert(id);
        if (!job.newcomer) picks.push_back({JobId(id), type});
      }
    }
    return picks;
  }
  [[nodiscard]] std::vector<std::uint32_t> ids() const {
    std::vector<std::uint32_t> all;
    for (const auto& [id, job] : jobs_) all.push_back(id);
    return all;
  }

 private:
  struct Account {
    double share = 0, received_s = 0, owed_s = 0;
  };
  struct Job {
    std::uint32_t gpus = 0;
    bool newcomer = true;
    std::vector<Account> account;
  };
  double round_s_, reset_s_;
  bool nested_, fills_up_;
  std::map<std::uint32_t, Job> jobs_;
  std::vector<double> all_s_;
  double last_s_ = 0;
  bool changed_ = false;
};

/// Goes through `rounds` with jobs that come, go and run at random, and holds every round against the reference.
void expect_as_described(std::uint64_t seed, bool nested, bool fills_up) {
  constexpr double round_s = 360, reset_s = 1000;
  RandomStream random(seed, Purpose::job_shape, 0);
  const std::uint32_t types = 1 + random.below(4);
  ShareRounds rounds(types, round_s, reset_s, nested, fills_up);
  SlowRounds slow(types, round_s, reset_s, nested, fills_up);
  std::uint32_t next = 0;
  for (int round = 0; round < 60; ++round) {
    const double now_s = round_s * round;
    for (std::uint32_t come = random.below(3); come > 0; --come) {
      const std::uint32_t gpus = 1 + random.below(4), job = next % 2 == 0 ? next : next + 2;  // not by ascending id
      rounds.add(JobId(job), gpus);
      slow.add(job, gpus);
      ++next;
    }
    if (const auto ids = slow.ids(); ids.size() > 4 && random.below(2) == 0) {
      const std::uint32_t job = ids[random.below(static_cast<std::uint32_t>(ids.size()))];
      rounds.remove(JobId(job));
      slow.remove(job);
    }
    ASSERT_EQ(rounds.next_reset_s(), slow.due_s());
    ASSERT_EQ(rounds.due(now_s), slow.due_s() <= now_s);
    if (rounds.due(now_s)) {
      std::vector<double> shares(slow.ids().size() * types);  // few values, so that there are ties
      for (double& share : shares) share = random.below(4) / 4.0;
      rounds.reset(now_s, shares);
      slow.reset(now_s, shares);
    }
    if (round % 7 == 3) {  // as from a checkpoint
      ShareRounds again(types, round_s, reset_s, nested, fills_up);
      from_bytes(to_bytes([&](StateOut& archive) { archive << rounds; }), [&](StateIn& archive) { archive >> again; });
      rounds = again;
    }
    std::vector<std::uint32_t> order(types), free(types);
    std::iota(order.begin(), order.end(), 0U);
    if (!nested) std::rotate(order.begin(), order.begin() + round % static_cast<int>(types), order.end());
    for (std::uint32_t& gpus : free) gpus = random.below(7);
    const std::vector<RoundPick> picks = rounds.fill(order, free);
    ASSERT_EQ(picks, slow.fill(order, free)) << "round " << round;
    if (picks.empty() && random.below(2) == 0) rounds.forget_reset(), slow.forget_reset();
    for (const RoundPick& pick : picks) {
      const double time_s = random.below(3) == 0 ? 100.0 : round_s;
      rounds.ran(pick, time_s);
      slow.ran(pick, time_s);
    }
  }
}

TEST(ShareRounds, AreAsDescribed) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_NO_FATAL_FAILURE(expect_as_described(seed, seed % 3 == 0, seed % 4 != 1));
  }
}

}  // namespace
}  // namespace palstudy
