// SPDX-License-Identifier: MIT
// One run of the paper's kind: 160 measured jobs on 64 GPUs, trace and cluster as carried, engine time only (reading
// inputs and writing results left out). Counters repeat exactly on every machine.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>

#include "sim/simulation.hpp"
#include "variability/slowdowns.hpp"
#include "workload/model_table.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

void sia_philly(benchmark::State& state, int trace, const std::string& order, const std::string& placement) {
  const std::filesystem::path source = PALSTUDY_SOURCE_DIR;
  const std::vector<NodeGroup> groups = {{16, 4}};
  const Topology topology(groups, 16);
  const Slowdowns truth = read_slowdown_table(source / "experiments/data/cluster-64.csv", topology);
  const Bins bins(truth, {2, true});
  Workload workload = read_trace(source / ("jobs/traces/sia-philly/continued/sia" + std::to_string(trace) + ".csv"),
                                 "native", ModelTable{});
  bind_classes(workload, truth.class_names(), "");
  const LocalityPenalty penalty;
  EngineOptions engine;
  engine.completion = Completion::round;
  engine.sticky_victims = StickyVictims::stay_stopped;
  engine.starvation_s = 3600000;
  RunResult result;
  for (auto _ : state) {
    const auto order_policy = orders().at(order).make({});
    const auto placement_policy = placements().at(placement).make({topology, bins, penalty, 1}, {});
    result =
        simulate({topology, truth, bins, workload, penalty, penalty, engine, {}, {}}, *order_policy, *placement_policy);
    benchmark::DoNotOptimize(result);
  }
  state.counters["boundaries"] = static_cast<double>(result.counts.boundaries);
  state.counters["placements"] = static_cast<double>(result.counts.placements);
  state.counters["index_queries"] = static_cast<double>(result.counts.index_queries);
  state.counters["index_moves"] = static_cast<double>(result.counts.index_moves);
}

BENCHMARK_CAPTURE(sia_philly, 1_fifo_pal, 1, "fifo", "pal")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sia_philly, 4_fifo_pal, 4, "fifo", "pal")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sia_philly, 1_fifo_pm_first, 1, "fifo", "pm-first")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sia_philly, 1_fifo_packed_sticky, 1, "fifo", "packed-sticky")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sia_philly, 1_fifo_pal_levels, 1, "fifo", "pal-levels")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sia_philly, 1_fifo_pal_sticky, 1, "fifo", "pal-sticky")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sia_philly, 4_las_pal, 4, "las", "pal")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sia_philly, 4_srtf_pal, 4, "srtf", "pal")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace palstudy

BENCHMARK_MAIN();
