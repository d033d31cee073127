// SPDX-License-Identifier: MIT
// A day of a machine of 37,632 GPUs, three quarters of the GPUs busy from the start, about 6,500 jobs running: 8 GPUs a
// node, 16 nodes a cabinet, 4 classes of about 8 bins.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.hpp"
#include "sim/simulation.hpp"

namespace palstudy::large_machine {

constexpr std::uint32_t nodes = 4704;
constexpr double day_s = 86400, load = 0.75;
constexpr double median_s = 3600, sigma = 1.8;  // lognormal durations

struct Size {
  std::uint32_t gpus;
  double share;
};
constexpr Size sizes[] = {{1, .5}, {2, .1}, {4, .15}, {8, .2}, {16, .03}, {32, .01}, {64, .01}};

inline double normal(RandomStream& random) {
  return std::sqrt(-2 * std::log(1 - random.uniform())) * std::cos(2 * std::numbers::pi * random.uniform());
}

inline Slowdowns slowdowns() {
  RandomStream random(1, Purpose::cluster_draw, 0);
  std::vector<double> values;
  for (std::uint32_t i = 0; i < 4 * nodes * 8; ++i) values.push_back(std::exp(0.05 * normal(random)));
  return {{"A", "B", "C", "D"}, nodes * 8, std::move(values)};
}

inline Job job(RandomStream& random, double submit_s, double seconds) {
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
inline Workload workload() {
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

/// The same for every benchmark: only the placement, the cost of a move and what is recorded change.
struct Machine {
  Topology topology{std::vector<NodeGroup>{{nodes, 8}}, 16};
  Slowdowns truth = slowdowns();
  Bins bins{truth, {8, false}};
  Workload jobs = workload();
  LocalityPenalty penalty{1.0, 1.3, 1.7};

  [[nodiscard]] RunResult run(const std::string& placement, double migration_s, bool events = false) const {
    EngineOptions engine;
    engine.round_s = 300;
    engine.migration_s = migration_s;
    MeasureWindow measure;
    measure.last = static_cast<std::int64_t>(jobs.jobs.size());
    measure.end_s = day_s;
    const auto order_policy = orders().at("fifo").make({});
    const auto placement_policy = placements().at(placement).make({topology, bins, penalty, 1}, {});
    return simulate({topology, truth, bins, jobs, penalty, penalty, engine, measure, {events, false}}, *order_policy,
                    *placement_policy);
  }
};

}  // namespace palstudy::large_machine
