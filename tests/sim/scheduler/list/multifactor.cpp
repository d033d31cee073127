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
};

/// Boundaries at whole seconds, 4 GPUs; a job that does not fit holds up those behind it.
SmallWorld priority_world(const Weights& weights) {
  SmallWorld world;
  world.order = "multifactor";
  world.engine.round_s = 1;
  world.penalty = {1, 1, 1};
  world.set_params = [=](ParamValues& params) {
    params.set("age_weight", weights.age);
    params.set("fair_share_weight", weights.fair_share);
    params.set("size_weight", weights.size);
    params.set("max_age_s", weights.max_age_s);
    params.set("favor_small", weights.favor_small ? 1.0 : 0.0);
    params.set("half_life_s", weights.half_life_s);
    params.set("usage_period_s", weights.period_s);
  };
  return world;
}

void add_by(SmallWorld& world, double submit_s, std::uint32_t gpus, double seconds, std::uint16_t tenant = 0) {
  world.add(submit_s, gpus, seconds);
  world.jobs.back().tenant = tenant;
  world.tenant_names = {"a", "b", "c"};
  world.measure.last = world.jobs.back().id;
}

// Job 0 holds all GPUs until 100. Then 1 (1 GPU, age 90) has 100 x 90 / 1000 + 10 x 1/4 = 11.5, 2 (4 GPUs, age 20) has
// 2 + 10 = 12, and goes first, though the older one has the larger age. With a weight of age of 200: 20.5 against 14.
TEST(Multifactor, WeighsAgeAgainstSize) {
  for (const double age : {100.0, 200.0}) {
    SmallWorld world = priority_world({.age = age, .size = 10});
    add_by(world, 0, 4, 100), add_by(world, 10, 1, 30), add_by(world, 80, 4, 50);
    EXPECT_EQ(world.run().jobs.start_s, age == 100 ? (Reals{0, 150, 100}) : (Reals{0, 100, 130}));
  }
}

// The same jobs at 100, ages 90 and 20. Where no more than 20 s count, both have the whole 100, and the wider one goes
// first; up to 90 s it is 100 + 2.5 against 22.2 + 10.
TEST(Multifactor, AgeCountsUpToTheLargest) {
  for (const double max_age_s : {20.0, 90.0}) {
    SmallWorld world = priority_world({.age = 100, .size = 10, .max_age_s = max_age_s});
    add_by(world, 0, 4, 100), add_by(world, 10, 1, 30), add_by(world, 80, 4, 50);
    EXPECT_EQ(world.run().jobs.start_s, max_age_s == 20 ? (Reals{0, 150, 100}) : (Reals{0, 100, 130}));
  }
}

// Widest first, or narrowest first, ties by submission: 3 of 2 GPUs came before 4 of 2.
TEST(Multifactor, SizeFavorsTheWideOrTheNarrow) {
  for (const bool small : {false, true}) {
    SmallWorld world = priority_world({.size = 1, .favor_small = small});
    add_by(world, 0, 4, 10), add_by(world, 1, 3, 10), add_by(world, 2, 4, 10), add_by(world, 3, 2, 10),
        add_by(world, 4, 2, 10);
    EXPECT_EQ(world.run().jobs.start_s, small ? (Reals{0, 20, 30, 10, 10}) : (Reals{0, 20, 10, 30, 30}));
  }
}

// A waiting job of the tenant that has used less goes first; without a weight the one that came first. Tenant a has
// held all GPUs until 20, b nothing: F is 2^-2 against 1.
TEST(Multifactor, FairShareServesWhoHasUsedLess) {
  for (const double weight : {0.0, 1.0}) {
    SmallWorld world = priority_world({.fair_share = weight});
    add_by(world, 0, 4, 20, 0), add_by(world, 1, 4, 10, 0), add_by(world, 2, 4, 10, 1);
    EXPECT_EQ(world.run().jobs.start_s, weight == 0 ? (Reals{0, 20, 30}) : (Reals{0, 30, 20}));
  }
}

// Usage halves in 100 s. a holds 4 GPUs until 20: 40 + 40 at ticks 10 and 20, the first times 2^-0.1: 77.32 at 20. At
// 320, after three half-lives, it counts 9.66. b holds 1 GPU from 300 to 320: 10 x 2^-0.1 + 10 = 19.33, so that a has
// used less now and goes first; without decay, 80 against 20, b.
TEST(Multifactor, UsageDecaysByHalfLives) {
  for (const double half_life_s : {100.0, 0.0}) {
    SmallWorld world = priority_world({.fair_share = 1, .half_life_s = half_life_s});
    add_by(world, 0, 4, 20, 0), add_by(world, 300, 1, 20, 1);
    add_by(world, 301, 4, 10, 1), add_by(world, 302, 4, 10, 0);
    EXPECT_EQ(world.run().jobs.start_s, half_life_s > 0 ? (Reals{0, 300, 330, 320}) : (Reals{0, 300, 320, 330}));
  }
}

// Usage counts from the next tick on: at 15 a's job of 10 to 14 is not counted, only b's of 0 to 5. With a period of 1
// s a has used 4 x 4 = 16, b 2 x 5 = 10, and b goes first.
TEST(Multifactor, UsageIsCountedAtTicks) {
  for (const double period_s : {10.0, 1.0}) {
    SmallWorld world = priority_world({.fair_share = 1, .half_life_s = 0, .period_s = period_s});
    add_by(world, 0, 2, 5, 1), add_by(world, 10, 4, 4, 0);
    add_by(world, 11, 4, 10, 1), add_by(world, 12, 4, 10, 0);
    EXPECT_EQ(world.run().jobs.start_s, period_s == 10 ? (Reals{0, 10, 24, 14}) : (Reals{0, 10, 14, 24}));
  }
}

// Ticks change the order though nobody comes or goes, for two tenants as for more. Job 1 is first in the queue and
// wants all GPUs until at 10 the use of a, who holds three, is counted: then job 2 of b is, which fits.
TEST(Multifactor, TicksServeTheOtherOfTwoTenants) {
  SmallWorld world = priority_world({.fair_share = 1});
  add_by(world, 0, 3, 100, 0), add_by(world, 1, 4, 10, 0), add_by(world, 2, 1, 5, 1);
  EXPECT_EQ(world.run().jobs.start_s, (Reals{0, 100, 10}));
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
      SmallWorld age = random_world(seed, {.age = 1, .max_age_s = max_age_s});
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
    SmallWorld size = random_world(seed, {.size = 3, .favor_small = true});
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
    std::map<std::uint16_t, double> used;
    double all = 0;
    const double tick_s = std::floor(now_s_ / weights_.period_s) * weights_.period_s;
    for (const auto& [job, end_s] : rounds_) {
      const double counted_s = std::ceil(end_s / weights_.period_s) * weights_.period_s;
      if (counted_s > tick_s) continue;
      const double decayed = job.gpus * view.round_s * std::exp2(-(tick_s - counted_s) / weights_.half_life_s);
      used[job.tenant] += decayed;
      all += decayed;
    }
    std::set<std::uint16_t> tenants;
    for (const Job& job : view.jobs) tenants.insert(job.tenant);
    const auto priority = [&](JobId id) {
      const Job& job = view.job(id);
      const double share = all > 0 ? used[job.tenant] / all * static_cast<double>(tenants.size()) : 0;
      const double part = static_cast<double>(job.gpus) / view.gpus;
      return weights_.age * std::min(1.0, (view.now_s - job.submit_s) / weights_.max_age_s) +
             weights_.fair_share * std::exp2(-share) + weights_.size * (weights_.favor_small ? 1 - part : part);
    };
    std::stable_sort(jobs.begin(), jobs.end(), [&](JobId a, JobId b) {
      const bool first = view.table.running(a), second = view.table.running(b);
      if (first != second) return first;
      const auto since_s = [&](JobId job) { return view.table.course(job).held_since_s; };
      if (first) return since_s(a) < since_s(b);
      const double apart = priority(a) - priority(b);
      return std::abs(apart) > 1e-9 * (weights_.age + weights_.fair_share + weights_.size) && apart > 0;
    });
  }
  [[nodiscard]] bool preemptive() const override { return false; }
  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId>) const override { return view.now_s; }

 private:
  Weights weights_;
  std::vector<JobId> seen_;
  std::vector<std::pair<Job, double>> rounds_;  // held to that time
  double now_s_ = 0;
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
         {Weights{.age = 1000, .fair_share = 700, .size = 300, .max_age_s = 500, .half_life_s = 400, .period_s = 120},
          Weights{.age = 1000, .size = 900, .max_age_s = 700, .favor_small = true},
          Weights{.fair_share = 1, .half_life_s = 150, .period_s = 30}}) {
      const SmallWorld world = random_world(seed, weights);
      EXPECT_EQ(world.run().jobs.finish_s, run_slowly(world, weights).jobs.finish_s) << seed << ' ' << weights.age;
    }
  }
}

}  // namespace
}  // namespace palstudy
