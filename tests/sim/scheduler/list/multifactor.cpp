// SPDX-License-Identifier: MIT
// Priorities by age, fair share and size, as whole runs of the engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/numbers.hpp"
#include "sim/tenant_world.hpp"

namespace palstudy {
namespace {

using Reals = std::vector<double>;

struct Weights {
  double age = 0, fair_share = 0, size = 0;
  double max_age_s = 1000;
  bool favor_small = false;
  double half_life_s = 100, period_s = 10;
  bool tree = false;
};

/// Boundaries at whole seconds, 4 GPUs; a job that does not fit holds up those behind it.
SmallWorld priority_world(const Weights& weights) {
  SmallWorld world;
  world.order = "multifactor";
  world.engine.round_s = 1;
  world.penalty = {1, 1, 1};
  world.set_params = [=](ParamValues& params) {
    params.set("PriorityWeightAge", weights.age);
    params.set("PriorityWeightFairshare", weights.fair_share);
    params.set("PriorityWeightJobSize", weights.size);
    params.set("PriorityMaxAge", weights.max_age_s / minute_s);
    params.set("PriorityFavorSmall", weights.favor_small ? 1.0 : 0.0);
    params.set("PriorityDecayHalfLife", weights.half_life_s / minute_s);
    params.set("PriorityCalcPeriod", weights.period_s / minute_s);
    params.set("PriorityFlags", std::string(weights.tree ? "FAIR_TREE" : "NO_FAIR_TREE"));
  };
  return world;
}

void add_by(SmallWorld& world, double submit_s, std::uint32_t gpus, double seconds, std::uint16_t tenant = 0) {
  world.add(submit_s, gpus, seconds);
  world.jobs.back().tenant = tenant;
  world.tenant_names = {"a", "b", "c"};
  world.measure.last = world.jobs.back().id;
}

// Job 0 holds all GPUs until 100, a tick. Then job 1 (1 GPU, age 90) has 100 x 90 / 1000 + 100 x (1 + 1/4) / 2 = 71,
// job 2 (4 GPUs, age 20) 2 + 100 = 102, and goes first. With a weight of age of 1000: 152 against 120.
TEST(Multifactor, WeighsAgeAgainstSize) {
  for (const double age : {100.0, 1000.0}) {
    SmallWorld world = priority_world({.age = age, .size = 100});
    add_by(world, 0, 4, 100), add_by(world, 10, 1, 30), add_by(world, 80, 4, 50);
    EXPECT_EQ(world.run().jobs.start_s, age == 100 ? (Reals{0, 150, 100}) : (Reals{0, 100, 130}));
  }
}

// The same jobs at 100, ages 90 and 20. Where no more than 20 s count, both have the whole 1000, and the wider one goes
// first; up to 90 s it is 1000 + 62 against 222 + 100.
TEST(Multifactor, AgeCountsUpToTheLargest) {
  for (const double max_age_s : {20.0, 90.0}) {
    SmallWorld world = priority_world({.age = 1000, .size = 100, .max_age_s = max_age_s});
    add_by(world, 0, 4, 100), add_by(world, 10, 1, 30), add_by(world, 80, 4, 50);
    EXPECT_EQ(world.run().jobs.start_s, max_age_s == 20 ? (Reals{0, 150, 100}) : (Reals{0, 100, 130}));
  }
}

// Ages count at ticks, here at 50 and 100. Until 100 job 1 has an age of 1 and 1 + 12, job 2 none and 20, so that it
// goes first at 99. At 100 it is 51 + 12 against 40 + 20.
TEST(Multifactor, AgesChangeAtTicks) {
  for (const double seconds : {99.0, 100.0}) {
    SmallWorld world = priority_world({.age = 1000, .size = 20, .period_s = 50});
    add_by(world, 0, 4, seconds), add_by(world, 49, 1, 10), add_by(world, 60, 4, 10);
    EXPECT_EQ(world.run().jobs.start_s, seconds == 99 ? (Reals{0, 109, 99}) : (Reals{0, 100, 110}));
  }
}

// Widest first, or narrowest first, ties by submission: 87 for 3 GPUs, 75 for 2.
TEST(Multifactor, SizeFavorsTheWideOrTheNarrow) {
  for (const bool small : {false, true}) {
    SmallWorld world = priority_world({.size = 100, .favor_small = small});
    add_by(world, 0, 4, 10), add_by(world, 1, 3, 10), add_by(world, 2, 4, 10), add_by(world, 3, 2, 10),
        add_by(world, 4, 2, 10);
    EXPECT_EQ(world.run().jobs.start_s, small ? (Reals{0, 20, 30, 10, 10}) : (Reals{0, 20, 10, 30, 30}));
  }
}

// A waiting job of the tenant that has used less goes first; by age the one that came first. Tenant a has held all GPUs
// until 20, b nothing. At 20 the usage of the tick at 10 counts: F is 2^-3 against 1, since a has a third of the
// shares.
TEST(Multifactor, FairShareServesWhoHasUsedLess) {
  for (const bool fair : {false, true}) {
    SmallWorld world = priority_world(fair ? Weights{.fair_share = 1000} : Weights{.age = 1000});
    add_by(world, 0, 4, 20, 0), add_by(world, 1, 4, 10, 0), add_by(world, 2, 4, 10, 1);
    EXPECT_EQ(world.run().jobs.start_s, fair ? (Reals{0, 30, 20}) : (Reals{0, 20, 30}));
  }
}

// Usage halves in 100 s. a holds 4 GPUs until 20: 40 x 2^-0.1 at ticks 10 and 20, some 72 at 20, 9 at 320. b holds 1
// GPU from 300 on: 9 at 310, 18 at 320. At 330 that of 320 counts: a has used less and goes first; without decay, 80
// against 20, b.
TEST(Multifactor, UsageDecaysByHalfLives) {
  for (const double half_life_s : {100.0, 0.0}) {
    SmallWorld world = priority_world({.fair_share = 1000, .half_life_s = half_life_s});
    add_by(world, 0, 4, 20, 0), add_by(world, 300, 1, 30, 1);
    add_by(world, 301, 4, 10, 1), add_by(world, 302, 4, 10, 0);
    EXPECT_EQ(world.run().jobs.start_s, half_life_s > 0 ? (Reals{0, 300, 340, 330}) : (Reals{0, 300, 330, 340}));
  }
}

// What a job uses after its last tick is charged to nobody: with a tick at 10 alone b's job of 0 to 5 is free, a's of
// 10 to 14 not yet counted, and job 2 came first. With a tick a second a has used 12 at 13, b 10: b goes first.
TEST(Multifactor, UsageIsCountedAtTicks) {
  for (const double period_s : {10.0, 1.0}) {
    SmallWorld world = priority_world({.fair_share = 1000, .half_life_s = 0, .period_s = period_s});
    add_by(world, 0, 2, 5, 1), add_by(world, 10, 4, 4, 0);
    add_by(world, 11, 4, 10, 0), add_by(world, 12, 4, 10, 1);
    EXPECT_EQ(world.run().jobs.start_s, period_s == 10 ? (Reals{0, 10, 14, 24}) : (Reals{0, 10, 24, 14}));
  }
}

// By Fair Tree a factor is a rank. Root's user is first of four, then who has used least of two accounts with equal
// shares: at 20 b has used nothing and is equal to root, 1000; c has used 10 and has 2/4, a has used 40 and has 1/4.
// The usage of the tick itself counts.
TEST(Multifactor, FairTreeRanksTenants) {
  SmallWorld world = priority_world({.fair_share = 1000, .half_life_s = 0, .tree = true});
  add_by(world, 0, 3, 20, 0), add_by(world, 0, 1, 20, 2);
  add_by(world, 1, 4, 10, 0), add_by(world, 2, 4, 10, 2), add_by(world, 3, 4, 10, 1);
  EXPECT_EQ(world.run().jobs.start_s, (Reals{0, 0, 40, 30, 20}));
}

// Ticks change the order though nobody comes or goes. Job 1 is first in the queue and wants all GPUs until at 20 the
// use of a at the tick before is counted: then job 2 of b is, which fits.
TEST(Multifactor, TicksServeTheOtherOfTwoTenants) {
  SmallWorld world = priority_world({.fair_share = 1000});
  add_by(world, 0, 3, 100, 0), add_by(world, 1, 4, 10, 0), add_by(world, 2, 1, 5, 1);
  EXPECT_EQ(world.run().jobs.start_s, (Reals{0, 100, 20}));
}

/// 24 GPUs, 120 jobs of three tenants, in one partition or two.
SmallWorld random_world(std::uint64_t seed, const Weights& weights) {
  SmallWorld world = random_tenants(seed);
  const SmallWorld priorities = priority_world(weights);
  world.tenants.reset();
  world.order = priorities.order;
  world.set_params = priorities.set_params;
  world.placement = seed % 2 == 0 ? "packed-sticky" : "pal";
  world.engine.backfill = seed % 3 == 0 ? Backfill::greedy : Backfill::none;
  // No two priorities are equal by chance, so that rounding decides nothing.
  for (Job& job : world.jobs) job.submit_s += 1e-3 * std::sqrt(2.0 + static_cast<double>(job.id));
  return world;
}

// With the age alone, who came first goes first, however old the jobs are.
TEST(Multifactor, AgeAloneIsFifo) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const double max_age_s : {60.0, 1e6}) {
      SmallWorld age = random_world(seed, {.age = 1000, .max_age_s = max_age_s});
      age.placement = "packed-sticky";  // under others running jobs may come after waiting ones in fifo
      SmallWorld fifo = age;
      fifo.order = "fifo";
      EXPECT_EQ(age.run().jobs.start_s, fifo.run().jobs.start_s);
    }
  }
}

// Of size alone with narrow jobs favored fewest GPUs go first, whatever the weight.
TEST(Multifactor, SizeAloneIsFewestGpusFirst) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SmallWorld size = random_world(seed, {.size = 1e6, .favor_small = true});
    size.placement = "packed-sticky";  // others place jobs that started together in another order than fewest-gpus
    SmallWorld fewest = size;
    fewest.order = "fewest-gpus";
    EXPECT_EQ(size.run().jobs.finish_s, fewest.run().jobs.finish_s);
  }
}

/// The formula as it is written, computed again at every boundary from what each job has held in each round so far.
class SlowMultifactor final : public OrderPolicy {
 public:
  explicit SlowMultifactor(const Weights& weights) : weights_(weights) {}

  [[nodiscard]] std::unique_ptr<OrderPolicy> for_partition() const override {
    return std::make_unique<SlowMultifactor>(weights_);
  }
  [[nodiscard]] bool observes_ends() const override { return true; }
  void observe(const View& view, std::span<const JobId> active) override {
    for (const JobId job : seen_) {  // started at the boundary before or earlier, and held until now
      const bool held =
          view.table.here(job) && !view.table.waiting(job) && view.table.course(job).held_since_s < view.now_s;
      if (held) rounds_.push_back({view.job(job), view.now_s});
    }
    seen_.assign(active.begin(), active.end());
    now_s_ = view.now_s;
  }
  void order(const View& view, std::span<JobId> jobs) const override {
    const double tick_s = std::floor(now_s_ / weights_.period_s) * weights_.period_s;
    const auto& factors = factors_at(view, tick_s);
    const auto priority = [&](JobId id) {
      const Job& job = view.job(id);
      const double nodes = std::ceil(static_cast<double>(job.gpus) / view.gpus_per_node);
      const double part = std::min(1.0, (nodes / view.nodes + static_cast<double>(job.gpus) / view.gpus) / 2);
      return std::floor(weights_.age * std::clamp((tick_s - job.submit_s) / weights_.max_age_s, 0.0, 1.0) +
                        weights_.fair_share * factors.at(job.tenant) +
                        weights_.size * (weights_.favor_small ? 1 - part : part));
    };
    std::stable_sort(jobs.begin(), jobs.end(), [&](JobId a, JobId b) {
      const bool first = view.table.running(a), second = view.table.running(b);
      if (first != second) return first;
      const auto since_s = [&](JobId job) { return view.table.course(job).held_since_s; };
      if (first) return since_s(a) < since_s(b);
      return priority(a) > priority(b);
    });
  }
  [[nodiscard]] bool preemptive() const override { return false; }
  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId>) const override { return view.now_s; }

 private:
  /// Of each tenant, tick by tick from 0 on. Each is an account with one of the shares, and root has one more.
  const std::map<std::uint16_t, double>& factors_at(const View& view, double last_s) const {
    if (factors_.empty()) {
      for (const Job& job : view.jobs) used_[job.tenant] = before_[job.tenant] = 0, factors_[job.tenant] = 1;
    }
    for (; (ticks_ + 1) * weights_.period_s <= last_s; ++ticks_)
      add_tick(view.round_s, (ticks_ + 1) * weights_.period_s);
    return factors_;
  }
  void add_tick(double round_s, double tick_s) const {
    const auto decay = [&](double seconds) {
      return weights_.half_life_s > 0 ? std::pow(1 - 0.693 / weights_.half_life_s, seconds) : 1.0;
    };
    std::map<std::int64_t, std::pair<Job, double>> held_s;  // by jobs that run at the tick, since the one before
    for (const auto& [job, end_s] : rounds_) {
      if (end_s >= tick_s && end_s - round_s < tick_s) held_s.try_emplace(job.id, job, 0.0);
    }
    for (const auto& [job, end_s] : rounds_) {
      const double from_s = std::max(end_s - round_s, tick_s - weights_.period_s);
      const auto held = held_s.find(job.id);
      if (held != held_s.end()) held->second.second += std::max(0.0, std::min(end_s, tick_s) - from_s);
    }
    double all = 0;
    for (auto& [tenant, usage] : used_) usage *= decay(weights_.period_s);
    for (const auto& [id, held] : held_s)
      used_[held.first.tenant] += held.first.gpus * held.second * decay(held.second);
    for (const auto& [tenant, usage] : used_) all += usage;
    for (auto& [tenant, factor] : factors_) {
      factor = std::exp2(-before_[tenant] * static_cast<double>(factors_.size() + 1));
      before_[tenant] = all > 0 ? used_[tenant] / all : 0;
    }
  }

  Weights weights_;
  std::vector<JobId> seen_;
  std::vector<std::pair<Job, double>> rounds_;  // held to that time
  double now_s_ = 0;
  mutable int ticks_ = 0;  // that have passed
  mutable std::map<std::uint16_t, double> used_, before_, factors_;
};

RunResult run_slowly(const SmallWorld& world, const Weights& weights) {
  const SlowMultifactor slow(weights);
  SmallWorld visited = world;
  visited.engine.visit_every_boundary = true;
  return visited.with_world([&](const World& whole, const Policies& policies) {
    LocalExchange alone;
    return simulate(whole, Policies{slow, policies.placement, policies.routing, policies.scheduler, policies.backfill},
                    alone);
  });
}

// Equal to the formula at every boundary, with boundaries skipped: where ages reach the largest, usage decays quickly,
// and ticks are wider than rounds. The factors all matter: other weights give other schedules.
TEST(Multifactor, EqualsTheFormulaAtEveryBoundary) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    for (const Weights& weights :
         {Weights{.age = 1e6, .fair_share = 7e5, .size = 3e5, .max_age_s = 500, .half_life_s = 400, .period_s = 120},
          Weights{.age = 1e6, .size = 9e5, .max_age_s = 700, .favor_small = true, .period_s = 30},
          Weights{.fair_share = 1e6, .half_life_s = 150, .period_s = 30}}) {
      const SmallWorld world = random_world(seed, weights);
      EXPECT_EQ(world.run().jobs.finish_s, run_slowly(world, weights).jobs.finish_s) << seed << ' ' << weights.age;
    }
  }
}

}  // namespace
}  // namespace palstudy
