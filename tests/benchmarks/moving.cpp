// SPDX-License-Identifier: MIT
// What it costs to ask about 6,500 running jobs at every boundary of a day whether they should move (pal-sticky),
// beside asking nobody (packed-sticky) and placing all jobs again (pal, pal-levels), in rounds of 300 s. The argument
// is `engine.migration_s`. Engine time only; counters repeat exactly on every machine.
#include <benchmark/benchmark.h>

#include "large_machine.hpp"

namespace palstudy {
namespace {

void moving(benchmark::State& state, const std::string& placement) {
  const large_machine::Machine machine;
  RunResult result;
  for (auto _ : state) {
    result = machine.run(placement, static_cast<double>(state.range(0)));
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
