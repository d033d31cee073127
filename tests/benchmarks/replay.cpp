// SPDX-License-Identifier: MIT
// Where the floor is: a day's decisions of a large machine, recorded once, are carried out again without being made.
// The free masks, the rate of every segment and its finish are worked out as the engine does; nothing is ordered,
// chosen or recorded. `simulate_over_replay` is the time of the simulation, recording off, over that of the replay.
#include <benchmark/benchmark.h>

#include <bit>
#include <ctime>

#include "large_machine.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {
namespace {

/// A decision with its GPUs as the engine holds them: node by node.
struct Decision {
  double time_s;
  EventKind kind;
  JobId job;
  std::uint32_t begin, end;  // in Log::gpus
};
struct Log {
  std::vector<Decision> decisions;
  std::vector<NodeGpus> gpus;
};

Log log_of(const EventRows& events, const Topology& topology) {
  Log log;
  GpuSet set;
  for (std::size_t i = 0; i < events.size(); ++i) {
    set.clear();
    for (std::uint32_t g = 0; g < events.gpu_count[i]; ++g) {
      const GpuId gpu(events.gpus[events.gpu_begin[i] + g]);
      const NodeId node = topology.node_of(gpu);
      set.push_back({node, GpuMask{1} << (gpu.value - topology.first_gpu(node).value)});
    }
    canonicalize(set);
    const auto begin = static_cast<std::uint32_t>(log.gpus.size());
    log.gpus.insert(log.gpus.end(), set.begin(), set.end());
    log.decisions.push_back(
        {events.time_s[i], events.kind[i], events.job[i], begin, static_cast<std::uint32_t>(log.gpus.size())});
  }
  return log;
}

class Replay {
 public:
  explicit Replay(const large_machine::Machine& machine)
      : machine_(machine), held_(machine.jobs.jobs.size()), finish_s_(machine.jobs.jobs.size(), 0) {
    for (std::uint32_t n = 0; n < machine.topology.nodes(); ++n) free_.push_back(machine.topology.full(NodeId(n)));
  }
  double run(const Log& log) {
    double sum_s = 0;
    for (const Decision& decision : log.decisions) {
      auto& [begin, end] = held_[decision.job.index()];
      for (std::uint32_t i = begin; i < end; ++i) free_[log.gpus[i].node.index()] |= log.gpus[i].mask;
      begin = decision.begin;
      end = decision.end;
      if (decision.kind != EventKind::launch) continue;
      sum_s += launch(decision, log);
    }
    return sum_s;
  }

 private:
  double launch(const Decision& decision, const Log& log) {
    const Job& job = machine_.jobs.jobs[decision.job.index()];
    const auto values = machine_.truth.of(job.cls);
    double slowdown = 0;
    for (std::uint32_t i = decision.begin; i < decision.end; ++i) {
      const NodeGpus part = log.gpus[i];
      free_[part.node.index()] &= ~part.mask;
      const std::uint32_t first = machine_.topology.first_gpu(part.node).value;
      for (GpuMask rest = part.mask; rest != 0; rest &= rest - 1) {
        slowdown = std::max(slowdown, values[first + static_cast<std::uint32_t>(std::countr_zero(rest))]);
      }
    }
    const bool one_node = decision.end - decision.begin == 1;
    const double rate = slowdown * (one_node ? machine_.penalty.node : machine_.penalty.cluster) * job.iteration_s;
    finish_s_[decision.job.index()] = decision.time_s + job.iterations * rate;
    return finish_s_[decision.job.index()];
  }

  const large_machine::Machine& machine_;
  std::vector<GpuMask> free_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> held_;  // by job: in Log::gpus
  std::vector<double> finish_s_;
};

/// Of this process, so that others on the machine do not count.
double processor_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double seconds_to_simulate(const large_machine::Machine& machine, const std::string& placement) {
  const double begin_s = processor_s();
  benchmark::DoNotOptimize(machine.run(placement, 0));
  return processor_s() - begin_s;
}

void replay(benchmark::State& state, const std::string& placement) {
  const large_machine::Machine machine;
  const Log log = log_of(machine.run(placement, 0, true).events, machine.topology);
  const double simulated_s = seconds_to_simulate(machine, placement);
  double replayed_s = 0;
  for (auto _ : state) {
    Replay again(machine);
    const double begin_s = processor_s();
    benchmark::DoNotOptimize(again.run(log));
    const double took_s = processor_s() - begin_s;
    state.SetIterationTime(took_s);
    replayed_s += took_s;
  }
  state.counters["decisions"] = static_cast<double>(log.decisions.size());
  state.counters["simulate_over_replay"] = simulated_s * static_cast<double>(state.iterations()) / replayed_s;
}

BENCHMARK_CAPTURE(replay, packed_sticky, "packed-sticky")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay, pal_sticky, "pal-sticky")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay, pal, "pal")->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace palstudy

BENCHMARK_MAIN();
