// SPDX-License-Identifier: MIT
// The schedulers of rivals: 160 measured jobs on 64 GPUs under each, as engine.cpp runs them, and one solution of
// Gavel's program for 10,000 jobs on 16 types. Engine time only. Counters repeat exactly on every machine.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>

#include "core/random.hpp"
#include "policy/backfill_policy.hpp"
#include "sim/scheduler/gavel/gavel_scheduler.hpp"
#include "sim/simulation.hpp"
#include "sim/state/state_archive.hpp"
#include "variability/slowdowns.hpp"
#include "workload/model_table.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

/// The defaults of registered parameters.
ParamValues defaults_of(const std::vector<Param>& params) {
  ParamValues values;
  for (const Param& param : params) {
    const std::string& text = param.default_value;
    if (text.empty()) continue;
    if (param.type == ParamType::text) {
      values.set(param.name, text.substr(1, text.size() - 2));
    } else {
      values.set(param.name, param.type == ParamType::boolean ? (text == "true" ? 1.0 : 0.0) : std::stod(text));
    }
  }
  return values;
}

struct Rival {
  std::string order = "fifo", placement = "packed-sticky", backfill = {};
  MakeScheduler scheduler = {};
};

/// Trace 1 on the carried cluster, whose bins are the types of Gavel. Users' estimates are the ideal times.
void run_rival(benchmark::State& state, const Rival& rival) {
  const std::filesystem::path source = PALSTUDY_SOURCE_DIR;
  const std::vector<NodeGroup> groups = {{16, 4}};
  const Topology topology(groups, 16);
  const Slowdowns truth = read_slowdown_table(source / "experiments/data/cluster-64.csv", topology);
  const Bins bins(truth, {4, false});
  Workload workload = read_trace(source / "jobs/traces/sia-philly/continued/sia1.csv", "native", ModelTable{});
  bind_classes(workload, truth.class_names(), "");
  for (Job& job : workload.jobs) job.estimate_s = job.ideal_s();
  const LocalityPenalty penalty;
  const EngineOptions engine;
  const auto& order = orders().at(rival.order);
  const auto& placement = placements().at(rival.placement);
  std::unique_ptr<BackfillPolicy> backfill;
  if (!rival.backfill.empty()) {
    const auto& chosen = backfills().at(rival.backfill);
    backfill = chosen.make(defaults_of(chosen.params));
  }
  RunResult result;
  for (auto _ : state) {
    const auto order_policy = order.make(defaults_of(order.params));
    const auto placement_policy = placement.make({topology, bins, penalty, 1}, defaults_of(placement.params));
    Policies policies{*order_policy, *placement_policy};
    policies.backfill = backfill.get();
    policies.by_order = rival.scheduler.by_order;
    if (rival.scheduler.make) {
      policies.scheduler = [&](const SchedulerContext& context) { return rival.scheduler(context, {}); };
    }
    LocalExchange alone;
    result = simulate({topology, truth, bins, workload, penalty, penalty, engine, {}, {}}, policies, alone);
    benchmark::DoNotOptimize(result);
  }
  state.counters["boundaries"] = static_cast<double>(result.counts.boundaries);
  state.counters["solutions"] = static_cast<double>(result.solves.size());
}

void order(benchmark::State& state, const std::string& name) { run_rival(state, {.order = name}); }
void backfill(benchmark::State& state, const std::string& name) { run_rival(state, {.backfill = name}); }
void placement(benchmark::State& state, const std::string& name) {
  run_rival(state, {.order = "las2d", .placement = name});
}
void gavel(benchmark::State& state, ShareObjective objective) {
  GavelOptions options;
  options.objective = objective;
  const auto make = [options](const SchedulerContext& context, const ParamValues&) {
    return std::make_unique<GavelScheduler>(context, options);
  };
  run_rival(state, {.scheduler = {make, false}});
}

/// 10,000 jobs of 3 classes and 5 sizes on 16 types of 200 GPUs, so that the program has 15 groups.
void grouped_solution(benchmark::State& state, ShareObjective objective) {
  constexpr std::uint32_t sizes[] = {1, 2, 4, 8, 16};
  ShareProblem problem;
  problem.gpus.assign(16, 200);
  RandomStream random(1, Purpose::job_shape, 0);
  for (std::uint32_t row = 0; row < 15; ++row) {
    double slowdown = 0.9;
    for (int type = 0; type < 16; ++type)
      problem.speeds.push_back(1 / (slowdown += 0.02 * (1 + row / 5) * random.uniform()));
  }
  for (int j = 0; j < 10'000; ++j) {
    const std::uint32_t row = random.below(15);
    problem.jobs.push_back({row, sizes[row % 5], 1, 100 + 9e4 * random.uniform(), 5e4 * random.uniform(), 0});
  }
  TimeShares shares;
  for (auto _ : state) {
    shares = divide_time(objective, problem);
    benchmark::DoNotOptimize(shares);
  }
  state.counters["groups"] = shares.groups;
  state.counters["iterations"] = shares.iterations;
  state.counters["gap"] = gap_of(shares.primal, shares.dual);
}

constexpr auto ms = benchmark::kMillisecond;
BENCHMARK_CAPTURE(order, las2d, "las2d")->Unit(ms);
BENCHMARK_CAPTURE(order, rho, "rho")->Unit(ms);
BENCHMARK_CAPTURE(placement, las2d_tiresias, "tiresias")->Unit(ms);
BENCHMARK_CAPTURE(backfill, easy, "easy")->Unit(ms);
BENCHMARK_CAPTURE(backfill, conservative, "conservative")->Unit(ms);
BENCHMARK_CAPTURE(backfill, slurm, "slurm")->Unit(ms);
BENCHMARK_CAPTURE(gavel, max_min, ShareObjective::max_min)->Unit(ms);
BENCHMARK_CAPTURE(gavel, sum, ShareObjective::sum)->Unit(ms);
BENCHMARK_CAPTURE(gavel, makespan, ShareObjective::makespan)->Unit(ms);
BENCHMARK_CAPTURE(gavel, water_filling, ShareObjective::water_filling)->Unit(ms);
BENCHMARK_CAPTURE(gavel, ftf, ShareObjective::finish_time_fairness)->Unit(ms);
BENCHMARK_CAPTURE(grouped_solution, max_min, ShareObjective::max_min)->Unit(ms);
BENCHMARK_CAPTURE(grouped_solution, makespan, ShareObjective::makespan)->Unit(ms);
BENCHMARK_CAPTURE(grouped_solution, ftf, ShareObjective::finish_time_fairness)->Unit(ms);

}  // namespace
}  // namespace palstudy

BENCHMARK_MAIN();
