// SPDX-License-Identifier: MIT
// Queues whose mean waiting time is known in closed form, through the real engine: jobs of one GPU on c equal GPUs,
// first come first served, which start and end at once (`engine.start = "event"`). The formula must lie in the interval
// of the simulated waiting times, and the interval must be narrow enough to mean something.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "sim/small_world.hpp"
#include "stats/interval.hpp"

namespace palstudy {
namespace {

constexpr double service_s = 100;
constexpr int replications = 30, warm_up = 2000, jobs = 12000;

double exponential(RandomStream& random) { return -std::log(random.uniform_positive()); }
double constant(RandomStream&) { return 1; }
using Service = std::function<double(RandomStream&)>;

SmallWorld queue_of(std::uint32_t servers, double load, const Service& service, std::uint64_t seed) {
  SmallWorld world;
  world.gpus_per_node = servers;
  world.engine.start = Start::event;
  world.measure.first = warm_up;
  world.measure.last = jobs - 1;
  RandomStream arrivals(seed, Purpose::arrival, 0), services(seed, Purpose::job_duration, 0);
  double now = 0;
  for (int i = 0; i < jobs; ++i) {
    now += exponential(arrivals) * service_s / (load * servers);
    world.add(now, 1, service(services) * service_s);
  }
  return world;
}

void expect_mean_wait(std::uint32_t servers, double load, const Service& service, double formula_s) {
  std::vector<Observation> waits;
  for (std::size_t seed = 0; seed < replications; ++seed) {
    const auto result = queue_of(servers, load, service, seed).run();
    waits.push_back({result.metric(Metric::wait_mean_s), seed, seed});
  }
  const auto interval = student_interval(estimate(make_grid(waits)));
  EXPECT_LE(interval.low, formula_s) << servers << " servers";
  EXPECT_GE(interval.high, formula_s) << servers << " servers";
  EXPECT_LT(interval.high - interval.low, 0.25 * formula_s) << servers << " servers";
}

// Erlang's C: the share of arrivals that wait, (a^c / c!) / (1 - rho) / (sum over k < c of a^k / k! + that), with a = c
// rho; the mean wait is C / (c mu - lambda) (Kleinrock, Queueing Systems 1, 1975, section 3.5).
double erlang_wait_s(std::uint32_t servers, double load) {
  const double offered = servers * load;
  double term = 1, sum = 0;
  for (std::uint32_t k = 0; k < servers; ++k) {
    sum += term;
    term *= offered / (k + 1);
  }
  const double waiting = term / (1 - load);
  return waiting / (sum + waiting) * service_s / (servers * (1 - load));
}

// C of 2 servers at a load of one half is 1/3, so the wait is 1/3 of a service time: the formula itself, by hand.
TEST(Queueing, FormulaIsThatOfTheTextbook) {
  EXPECT_NEAR(erlang_wait_s(1, 0.5), service_s, 1e-12);
  EXPECT_NEAR(erlang_wait_s(2, 0.5), service_s / 3, 1e-12);
}

TEST(Queueing, MMcWaitsAsErlangSays) {
  expect_mean_wait(1, 0.6, exponential, erlang_wait_s(1, 0.6));
  expect_mean_wait(4, 0.7, exponential, erlang_wait_s(4, 0.7));
  expect_mean_wait(16, 0.8, exponential, erlang_wait_s(16, 0.8));
}

// Pollaczek and Khinchine: rho / (2 (1 - rho)) service times where all services are equal, half of M/M/1's (Kleinrock,
// section 5.6).
TEST(Queueing, MD1WaitsAsPollaczekAndKhinchineSay) {
  for (const double load : {0.5, 0.7}) expect_mean_wait(1, load, constant, service_s * load / (2 * (1 - load)));
}

}  // namespace
}  // namespace palstudy
