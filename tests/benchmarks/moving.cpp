// SPDX-License-Identifier: MIT
// A day of a machine of 37,632 GPUs, rounds of 300 s, three quarters of the GPUs busy from the start: what it costs to
// ask about 6,500 running jobs at every boundary whether they should move (pal-sticky), beside asking nobody
// (packed-sticky) and placing everybody afresh (pal, pal-levels). 8 GPUs a node, 16 nodes a cabinet, 4 classes of about
// 8 bins. The argument is `engine.migration_s`. Engine time only; counters repeat exactly on every machine.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.hpp"
#include "sim/simulation.hpp"

namespace palstudy {
namespace {

constexpr std::uint32_t nodes = 4704;
constexpr double day_s = 86400, load = 0.75;
constexpr double median_s = 3600, sigma = 1.8;  // lognormal durations

struct Size {
  std::uint32_t gpus;
  double share;
};
constexpr Size sizes[] = {{1, .5}, {2, .1}, {4, .15}, {8, .2}, {16, .03}, {32, .01}, {64, .01}};

double normal(RandomStream& random) {
  return std::sqrt(-2 * std::log(1 - random.uniform())) * std::cos(2 * std::numbers::pi * random.uniform());
}

Slowdowns slowdowns() {
  RandomStream random(1, Purpose::cluster_draw, 0);
  std::vector<double> values;
  for (std::uint32_t i = 0; i < 4 * nodes * 8; ++i) values.push_back(std::exp(0.05 * normal(random)));
  return {{"A", "B", "C", "D"}, nodes * 8, std::move(values)};
}

Job job(RandomStream& random, double submit_s, double seconds) {
  Job made;
  made.submit_s = submit_s;
  made.iterations = seconds;
  made.iteration_s = 1;
  made.cls = ClassId(random.below(4));
  double rest = random.uniform();
  std::size_t i = 0;
  while (i + 1 < std::size(sizes) && rest >= sizes[i].share) rest -= sizes[i++].share;
  made.gpus = sizes[i].gpus;
  return made;
}

/// Jobs that run already, with what is left of them, and those that come in a day.
Workload workload() {
  RandomStream random(2, Purpose::job_shape, 0);
  double gpus = 0;
  for (const Size& size : sizes) gpus += size.gpus * size.share;
  const double busy = load * nodes * 8;
  const double mean_s = median_s * std::exp(sigma * sigma / 2);
  Workload all;
  for (int i = 0; i < busy / gpus; ++i) {
    const double whole_s = median_s * std::exp(sigma * sigma + sigma * normal(random));  // by length
    all.jobs.push_back(job(random, 0, random.uniform() * whole_s));
  }
  for (double at_s = 0; at_s < day_s; at_s -= std::log(1 - random.uniform()) * gpus * mean_s / busy)
    all.jobs.push_back(job(random, at_s, median_s * std::exp(sigma * normal(random))));
  for (std::size_t j = 0; j < all.jobs.size(); ++j) all.jobs[j].id = static_cast<std::int64_t>(j);
  all.classes = {"A", "B", "C", "D"};
  all.models = all.tenants = {""};
  return all;
}

void moving(benchmark::State& state, const std::string& placement) {
  const std::vector<NodeGroup> groups = {{nodes, 8}};
  const Topology topology(groups, 16);
  const Slowdowns truth = slowdowns();
  const Bins bins(truth, {8, false});
  const Workload jobs = workload();
  const LocalityPenalty penalty{1.0, 1.3, 1.7};
  EngineOptions engine;
  engine.round_s = 300;
  engine.migration_s = static_cast<double>(state.range(0));
  MeasureOptions measure;
  measure.last = static_cast<std::int64_t>(jobs.jobs.size());
  measure.end_s = day_s;
  RunResult result;
  for (auto _ : state) {
    const auto order_policy = orders().at("fifo").make({});
    const auto placement_policy = placements().at(placement).make({topology, bins, penalty, 1}, {});
    result = simulate({topology, truth, bins, jobs, penalty, penalty, engine, measure, {}}, *order_policy,
                      *placement_policy);
    benchmark::DoNotOptimize(result);
  }
  state.counters["boundaries"] = static_cast<double>(result.counts.boundaries);
  state.counters["placements"] = static_cast<double>(result.counts.placements);
  state.counters["migrations"] = result.metric(Metric::migrations);
  state.counters["index_queries"] = static_cast<double>(result.counts.index_queries);
  state.counters["index_moves"] = static_cast<double>(result.counts.index_moves);
}

BENCHMARK_CAPTURE(moving, packed_sticky, "packed-sticky")->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(moving, pal_sticky, "pal-sticky")->Arg(0)->Arg(60)->Arg(600)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(moving, pal, "pal")->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(moving, pal_levels, "pal-levels")->Arg(0)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace palstudy

BENCHMARK_MAIN();
