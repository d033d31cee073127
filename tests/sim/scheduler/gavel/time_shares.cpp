// SPDX-License-Identifier: MIT
#include "sim/scheduler/gavel/time_shares.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "optimize/linear_program.hpp"

namespace palstudy {
namespace {

constexpr ShareObjective every_objective[] = {ShareObjective::max_min, ShareObjective::water_filling,
                                              ShareObjective::sum, ShareObjective::makespan,
                                              ShareObjective::finish_time_fairness};

/// Up to 20 jobs of up to `widest` GPUs and two classes on up to 5 types, the first class slower from type to type.
ShareProblem random_shares(std::uint64_t seed, std::uint32_t widest) {
  RandomStream random(seed, Purpose::job_shape, 0);
  ShareProblem problem;
  const std::uint32_t types = 1 + random.below(5);
  for (std::uint32_t k = 0; k < types; ++k) problem.gpus.push_back(widest + random.below(6));
  double slowdown = 0.9;
  for (std::uint32_t k = 0; k < types; ++k) problem.speeds.push_back(1 / (slowdown += 0.3 * random.uniform()));
  for (std::uint32_t k = 0; k < types; ++k) problem.speeds.push_back(1 / (1 + 0.1 * random.uniform()));
  const std::uint32_t jobs = 1 + random.below(20);
  for (std::uint32_t j = 0; j < jobs; ++j) {
    const double remaining_s = 100 + 1e4 * random.uniform(), age_s = 5e3 * random.uniform();
    problem.jobs.push_back({random.below(2), 1 + random.below(widest), 1.0 + random.below(2), remaining_s, age_s,
                            age_s * random.uniform()});
  }
  return problem;
}

void expect_feasible(const ShareProblem& problem, const std::vector<double>& x) {
  const std::size_t types = problem.types();
  std::vector<double> used(types);
  for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
    double time = 0;
    for (std::size_t k = 0; k < types; ++k) {
      EXPECT_GE(x[j * types + k], 0);
      if (problem.jobs[j].gpus > problem.reach(k)) {
        EXPECT_EQ(x[j * types + k], 0);
      }
      time += x[j * types + k];
      used[k] += problem.jobs[j].gpus * x[j * types + k];
    }
    EXPECT_LE(time, 1 + 1e-8);
  }
  for (std::size_t k = 0; k < types; ++k) {
    if (problem.nested && k > 0) used[k] += used[k - 1];
    EXPECT_LE(used[k], problem.reach(k) + 1e-6);
  }
}

// Types of one GPU each with speeds 1 and 0.5, so T_equal = 0.75; two 1-GPU jobs with 300 and 150 s of work. All speed
// is 1.5: half each is 0.75, 1 in terms of T_equal. Makespan: speeds in the ratio 2 : 1 are 1 and 0.5, 300 s. Isolated
// shares, half of each type, are the same division, so that rho is 1 for both and neither can fall without the other's
// rising.
TEST(TimeShares, OfTwoJobsByHand) {
  const ShareProblem problem{{1, 1}, {1, 0.5}, {{0, 1, 1, 300, 0, 0}, {0, 1, 1, 150, 0, 0}}};
  EXPECT_NEAR(divide_time(ShareObjective::max_min, problem).primal, 1, 1e-9);
  EXPECT_NEAR(divide_time(ShareObjective::water_filling, problem).primal, 1, 1e-9);
  EXPECT_NEAR(divide_time(ShareObjective::sum, problem).primal, 1.5, 1e-9);
  EXPECT_NEAR(divide_time(ShareObjective::makespan, problem).primal, 300, 1e-6);
  EXPECT_NEAR(divide_time(ShareObjective::finish_time_fairness, problem).primal, 1, 1e-8);
  const TimeShares fair = divide_time(ShareObjective::max_min, problem);
  EXPECT_EQ(fair.x, std::vector<double>({0.5, 0.5, 0.5, 0.5}));
}

// A job of 3 GPUs fits on neither of two types of 2, but on both together where they are nested: then it runs at the
// speed of the slower.
TEST(TimeShares, AGangThatFitsNowhereGetsNothing) {
  ShareProblem problem{{2, 2}, {1, 0.5}, {{0, 3, 1, 100, 0, 0}, {0, 1, 1, 100, 0, 0}}};
  for (const ShareObjective objective : every_objective) {
    const TimeShares shares = divide_time(objective, problem);
    EXPECT_EQ(speed_on(problem, shares.x, 0), 0);
    EXPECT_NEAR(speed_on(problem, shares.x, 1), 1, 1e-8);
  }
  problem.nested = true;
  EXPECT_NEAR(speed_on(problem, divide_time(ShareObjective::water_filling, problem).x, 0), 0.5, 1e-8);
}

// The dual value is a bound that the row prices prove; where the primal one equals it, both are optimal.
TEST(TimeShares, AreFeasibleAndProvenOptimal) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    ShareProblem problem = random_shares(seed, 1 + seed % 4);
    problem.nested = seed % 3 == 0;
    for (const ShareObjective objective : every_objective) {
      SCOPED_TRACE(fmt::format("seed {} objective {}", seed, static_cast<int>(objective)));
      const TimeShares shares = divide_time(objective, problem);
      expect_feasible(problem, shares.x);
      EXPECT_LT(gap_of(shares.primal, shares.dual), 1e-7);
    }
  }
}

// With one type all jobs of a class have one speed, which T_equal divides out: awareness changes nothing, to the bit.
TEST(TimeShares, OfOneTypeAreThoseWithoutKnowledge) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    ShareProblem aware = random_shares(seed, 3);
    aware.gpus.resize(1);
    aware.speeds = {0.8, 0.9};
    for (ShareJob& job : aware.jobs) job.weight = 1;
    ShareProblem agnostic = aware;
    agnostic.speeds = {1, 1};
    const auto a = divide_time(ShareObjective::max_min, aware), b = divide_time(ShareObjective::max_min, agnostic);
    EXPECT_NEAR(a.primal, b.primal, 1e-9);
    for (std::size_t i = 0; i < a.x.size(); ++i) EXPECT_NEAR(a.x[i], b.x[i], 1e-8);
  }
}

/// Each type in two halves, at speeds whose mean is the type's.
ShareProblem refined(const ShareProblem& problem) {
  ShareProblem fine;
  fine.nested = problem.nested;
  fine.jobs = problem.jobs;
  for (const std::uint32_t gpus : problem.gpus) fine.gpus.insert(fine.gpus.end(), 2, gpus);
  for (const double speed : problem.speeds) {
    fine.speeds.push_back(speed * 1.05);
    fine.speeds.push_back(speed * 0.95);
  }
  return fine;
}

// What is done on a type can be done on its halves in equal parts (rivals: refinement of bins), by jobs of one GPU, and
// where types are nested by all that fit the first half. T_equal does not change.
TEST(TimeShares, ObjectivesDoNotFallUnderRefinement) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    ShareProblem coarse = random_shares(seed, seed % 2 == 0 ? 4 : 1);
    coarse.nested = seed % 2 == 0;
    for (std::uint32_t& gpus : coarse.gpus) gpus *= 2;
    ShareProblem fine = refined(coarse);
    for (std::uint32_t& gpus : fine.gpus) gpus /= 2;
    const auto value = [](ShareObjective objective, const ShareProblem& p) { return divide_time(objective, p).primal; };
    for (const ShareObjective up : {ShareObjective::max_min, ShareObjective::sum}) {
      EXPECT_GE(value(up, fine), value(up, coarse) * (1 - 1e-8));
    }
    for (const ShareObjective down : {ShareObjective::makespan, ShareObjective::finish_time_fairness}) {
      EXPECT_LE(value(down, fine), value(down, coarse) * (1 + 1e-8));
    }
  }
}

// Two classes of equal speeds change places: no value changes, nor what a job gets under water filling, which alone
// leaves nothing open. (What is left over the common level of another objective goes to one of several best divisions.)
TEST(TimeShares, OfClassesThatAreAlikeAreAlike) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    ShareProblem problem = random_shares(seed, 3);
    std::copy_n(problem.speeds.begin(), problem.types(), problem.speeds.end() - std::ptrdiff_t(problem.types()));
    ShareProblem swapped = problem;
    for (ShareJob& job : swapped.jobs) job.speeds = 1 - job.speeds;
    for (const ShareObjective objective : every_objective) {
      const TimeShares a = divide_time(objective, problem), b = divide_time(objective, swapped);
      EXPECT_NEAR(a.primal / b.primal, 1, 1e-8);
      if (objective != ShareObjective::water_filling) continue;
      for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
        EXPECT_NEAR(speed_on(problem, a.x, j), speed_on(swapped, b.x, j), 1e-6);
      }
    }
  }
}

// Gangs of 4 on 4 fast and 4 slow GPUs. In halves of 2 no type holds one, so Gavel gives them nothing, beyond a number
// of types at which refinement no longer gains; nested, the first two halves hold a gang, at the speed of the slower.
TEST(TimeShares, GangsLoseWhereTypesAreTooSmall) {
  const ShareProblem coarse{{4, 4}, {1, 0.5}, {{0, 4, 1, 300, 0, 0}, {0, 4, 1, 150, 0, 0}}};
  for (const ShareObjective objective : {ShareObjective::max_min, ShareObjective::water_filling, ShareObjective::sum}) {
    ShareProblem fine = refined(coarse);
    for (std::uint32_t& gpus : fine.gpus) gpus /= 2;
    EXPECT_GT(divide_time(objective, coarse).primal, 0.9);
    EXPECT_EQ(divide_time(objective, fine).primal, 0);
    fine.nested = true;
    EXPECT_GT(divide_time(objective, fine).primal, 0.9);
  }
}

// Shares are the jobs', not their places'; and jobs told apart by weights that differ by nothing that matters reach the
// same level as the group of them.
TEST(TimeShares, DoNotDependOnTheOrderOfJobsNorOnGroups) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ShareProblem problem = random_shares(seed, 3);
    ShareProblem reversed = problem, apart = problem;
    std::reverse(reversed.jobs.begin(), reversed.jobs.end());
    for (std::size_t j = 0; j < apart.jobs.size(); ++j) apart.jobs[j].weight *= 1 + 1e-13 * static_cast<double>(j);
    for (const ShareObjective objective : every_objective) {
      const TimeShares shares = divide_time(objective, problem);
      const auto other = divide_time(objective, reversed).x;
      const std::size_t types = problem.types(), jobs = problem.jobs.size();
      for (std::size_t j = 0; j < jobs; ++j) {
        for (std::size_t k = 0; k < types; ++k) EXPECT_EQ(shares.x[j * types + k], other[(jobs - 1 - j) * types + k]);
      }
      EXPECT_NEAR(divide_time(objective, apart).primal / shares.primal, 1, 1e-8);
    }
  }
}

/// Half a thousand jobs and more whose needs depend on rho in different ways: at the least rho, which a small old job
/// sets, they are near each other, at the best one up to ten times apart. Several times as many as can run.
ShareProblem fair_shares(std::uint64_t seed) {
  constexpr double life_s = 1e6;
  RandomStream random(seed, Purpose::job_shape, 2);
  ShareProblem problem;
  for (std::uint32_t k = 0; k < 2 + seed % 3; ++k) problem.gpus.push_back(25 + random.below(50));
  for (int row = 0; row < 2; ++row) {
    double slowdown = 0.9;
    for (std::size_t k = 0; k < problem.types(); ++k)
      problem.speeds.push_back(1 / (slowdown += 0.3 * random.uniform()));
  }
  problem.jobs.resize(600);
  for (ShareJob& job : problem.jobs) {
    job.speeds = random.below(2);
    job.age_s = 0.6 * random.uniform() * life_s;
    job.remaining_s = (0.65 * life_s - job.age_s) * (0.4 + 0.4 * random.uniform());
  }
  problem.jobs[0].age_s = 0.62 * life_s;
  problem.jobs[0].remaining_s = 1000;
  for (ShareJob& job : problem.jobs) job.isolated_s = life_s - job.remaining_s / isolated_speed(problem, job);
  return problem;
}

/// Each job twice, on twice the GPUs: shares are what they were.
ShareProblem doubled(const ShareProblem& problem) {
  ShareProblem twice = problem;
  for (std::uint32_t& gpus : twice.gpus) gpus *= 2;
  twice.jobs.insert(twice.jobs.end(), problem.jobs.begin(), problem.jobs.end());
  return twice;
}

// Up to 1,000 jobs are told apart, so half of a problem gives the exact value of the whole. What the program claims
// holds: the primal value is that of the shares, and the dual one bounds all divisions, not only those of buckets.
TEST(TimeShares, OfManyJobsAreWithinOnePercent) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const ShareObjective objective : {ShareObjective::makespan, ShareObjective::finish_time_fairness}) {
      SCOPED_TRACE(fmt::format("seed {} objective {}", seed, static_cast<int>(objective)));
      const ShareProblem few = fair_shares(seed), many = doubled(few);
      const double exact = divide_time(objective, few).primal;
      const TimeShares shares = divide_time(objective, many);
      EXPECT_LT(shares.groups, many.jobs.size() / 2);
      expect_feasible(many, shares.x);
      EXPECT_GE(shares.primal, exact * (1 - 1e-8));
      EXPECT_LE(shares.primal, exact * 1.01);
      EXPECT_LE(shares.dual, exact * (1 + 1e-8));
      EXPECT_GE(shares.dual, exact * 0.99);
      EXPECT_LE(gap_of(shares.primal, shares.dual), largest_gap(objective, many.jobs.size()));
      double longest_s = 0;
      for (std::size_t j = 0; j < many.jobs.size(); ++j) {
        longest_s = std::max(longest_s, many.jobs[j].remaining_s / speed_on(many, shares.x, j));
      }
      if (objective == ShareObjective::makespan) {
        EXPECT_NEAR(longest_s / shares.primal, 1, 1e-5);
      }
    }
  }
}

// Jobs that need less than all of their time on any type are one pool for each class, which is exact. On 50 GPUs the
// work, 600 x 550 s on the average, leaves none short of time. On 1,000 the longest jobs are, and there is time that
// no job needs: a job that gets some of it still has at most all of its own time.
TEST(TimeShares, OfManyShortJobsAreExact) {
  for (const std::uint32_t times : {1U, 20U}) {
    ShareProblem few{{20 * times, 30 * times}, {1.1, 0.8}, {}};
    RandomStream random(3, Purpose::job_shape, 1);
    for (int j = 0; j < 600; ++j) few.jobs.push_back({0, 1, 1, 100 + 900 * random.uniform(), 50, 20});
    const ShareProblem many = doubled(few);
    const double exact_s = divide_time(ShareObjective::makespan, few).primal;
    const TimeShares shares = divide_time(ShareObjective::makespan, many);
    EXPECT_EQ(shares.groups == 1, times == 1);
    expect_feasible(many, shares.x);
    EXPECT_NEAR(shares.primal / exact_s, 1, 1e-8);
    EXPECT_NEAR(shares.dual / exact_s, 1, times == 1 ? 1e-8 : 1e-2);
  }
}

// Gangs of two on 1/n of 4 GPUs of speed 1 and 2 of speed 0.5. Of 12 jobs each has an eighth of 4 + 2 x 0.5 GPUs of
// speed for its pair: 5/24. Of three or one there is more than all of a job's time, which then has the mean speed, 5/6.
TEST(TimeShares, IsolatedSharesAreOfGangsAndOfAllTimeAtMost) {
  for (const std::size_t jobs : {12U, 3U, 1U}) {
    const ShareProblem problem{{4, 2}, {1, 0.5}, std::vector<ShareJob>(jobs, {0, 2, 1, 100, 0, 0})};
    EXPECT_DOUBLE_EQ(isolated_speed(problem, problem.jobs[0]), jobs == 12 ? 5.0 / 24 : 5.0 / 6) << jobs;
    EXPECT_DOUBLE_EQ(equal_share_speed(problem, problem.jobs[0]), 5.0 / 6);
  }
}

// Equals are decided by multiples of the golden section modulo 1: a job that is as fast on either of two types is on
// the first, by 0.618 against 0.236.
TEST(TimeShares, OfTwoTypesThatAreAlikeAreOnTheFirst) {
  const ShareProblem problem{{1, 1}, {1, 1}, {{0, 1, 1, 100, 0, 0}}};
  for (const ShareObjective objective : every_objective) {
    const std::vector<double> x = divide_time(objective, problem).x;
    EXPECT_NEAR(x[0], 1, 1e-7) << static_cast<int>(objective);
    EXPECT_NEAR(x[1], 0, 1e-7) << static_cast<int>(objective);
  }
}

// Shares are rounded to 1e-9, so that the last digits of a solver do not matter, and its steps are counted.
TEST(TimeShares, AreRoundedAndTheirStepsCounted) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ShareProblem problem = random_shares(seed, 1 + seed % 4);
    for (const ShareObjective objective : every_objective) {
      SCOPED_TRACE(fmt::format("seed {} objective {}", seed, static_cast<int>(objective)));
      const TimeShares shares = divide_time(objective, problem);
      for (const double share : shares.x) EXPECT_EQ(share, std::round(share * 1e9) / 1e9);
      EXPECT_GT(shares.iterations, 0U);
      EXPECT_LT(shares.iterations, 1000000U);
    }
  }
}

}  // namespace
}  // namespace palstudy
