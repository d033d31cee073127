// SPDX-License-Identifier: MIT
// The program of choices of one round of an elastic scheduler: by the dynamic program on 64 GPUs, of one type, of
// three, and of three nested ones; by the search on 2,048 GPUs of four types. Beside the time stand the objective and
// by how much it is above the bound, which are the same on every machine.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "../optimize/choice_instances.hpp"

namespace palstudy {
namespace {

void round_of(benchmark::State& state, const std::vector<std::uint32_t>& gpus, std::size_t jobs, bool nested) {
  const ChoiceInstance instance = scheduling_round(gpus, jobs, 1, nested);
  MultipleChoice program;
  MultipleChoiceSolution solution;
  for (auto _ : state) {
    instance.give_to(program);
    solution = program.solve();
    benchmark::DoNotOptimize(solution);
  }
  const auto objective = static_cast<double>(solution.objective);
  state.counters["objective"] = objective;
  state.counters["gap_percent"] = 100 * (objective - static_cast<double>(solution.bound)) / std::abs(objective);
}

using Gpus = std::vector<std::uint32_t>;
BENCHMARK_CAPTURE(round_of, 64, Gpus{64}, 160, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(round_of, 24_24_16, Gpus{24, 24, 16}, 160, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(round_of, 24_24_16_nested, Gpus{24, 24, 16}, 160, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(round_of, 2048_of_4_types, Gpus(4, 512), 1000, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(round_of, 2048_of_4_nested, Gpus(4, 512), 1000, true)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace palstudy

BENCHMARK_MAIN();
