// SPDX-License-Identifier: MIT
// Each formula of an iteration's time against a simulation of one iteration that knows nothing of the formula: workers
// that do one piece of work after the other, and pieces that wait for those before them.
#include "workload/job_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "workload/model_table.hpp"
#include "workload/models.hpp"

namespace palstudy {
namespace {

JobModel pipelined(std::uint32_t tensor, std::uint32_t pipeline, std::uint32_t microbatches,
                   std::uint32_t interleave = 1) {
  JobModel model;
  model.kind = JobModelKind::pipelined;
  model.tensor = tensor;
  model.pipeline = pipeline;
  model.microbatches = microbatches;
  model.interleave = interleave;
  return model;
}

/// All microbatches forward, with c chunks of a stage on each worker, in Megatron's order: p microbatches through the
/// first chunk, the same p through the second, and so on. A piece begins when its worker is free and the piece before
/// it (of the same microbatch, on the worker before, or on the last worker one chunk earlier) is done.
double pass(const std::vector<double>& stage_s, std::uint32_t microbatches, std::uint32_t chunks) {
  const std::size_t stages = stage_s.size();
  std::vector<std::vector<double>> done(microbatches, std::vector<double>(stages * chunks, 0.0));
  std::vector<double> free(stages, 0.0);
  const auto run = [&](std::uint32_t mb, std::size_t chunk, std::size_t stage) {
    const std::size_t piece = chunk * stages + stage;
    const double ready = piece == 0 ? 0 : done[mb][piece - 1];
    free[stage] = done[mb][piece] = std::max(ready, free[stage]) + stage_s[stage] / chunks;
  };
  // Pieces in an order in which each comes behind those that it waits for.
  const std::uint32_t together = chunks == 1 ? microbatches : static_cast<std::uint32_t>(stages);
  for (std::uint32_t first = 0; first < microbatches; first += together) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      for (std::size_t stage = 0; stage < stages; ++stage) {
        for (std::uint32_t mb = first; mb < std::min(microbatches, first + together); ++mb) run(mb, chunk, stage);
      }
    }
  }
  return *std::max_element(free.begin(), free.end());
}

/// One iteration of all replicas: forward through the stages, then backward through them in reverse, twice as long.
/// `slowdowns`: by GPU, in the order of ranks: tensor group by tensor group, replicas next to each other, stages
/// outermost.
double simulated(const JobModel& model, const std::vector<double>& slowdowns, double within) {
  const std::size_t replicas = slowdowns.size() / model.replica_gpus();
  double slowest = 0;
  for (std::size_t d = 0; d < replicas; ++d) {
    std::vector<double> stage_s;
    for (std::size_t j = 0; j < model.pipeline; ++j) {
      double max = 0;
      for (std::size_t i = 0; i < model.tensor; ++i)
        max = std::max(max, slowdowns[(j * replicas + d) * model.tensor + i]);
      stage_s.push_back((1 - model.tensor_share) * max + model.tensor_share * within);
    }
    std::vector<double> forward, backward;
    for (const double s : stage_s) forward.push_back(s / 3);
    for (auto s = stage_s.rbegin(); s != stage_s.rend(); ++s) backward.push_back(*s * 2 / 3);
    const auto microbatches = static_cast<std::uint32_t>(model.microbatches / replicas);
    slowest = std::max(slowest,
                       pass(forward, microbatches, model.interleave) + pass(backward, microbatches, model.interleave));
  }
  return slowest;
}

SlowdownAndPenalty computed(const JobModel& model, const std::vector<double>& slowdowns, double within, double widest) {
  PipelineTime time;
  time.begin(model, static_cast<std::uint32_t>(slowdowns.size()));
  for (std::size_t first = 0; first < slowdowns.size(); first += model.tensor) {
    const auto group = slowdowns.begin() + static_cast<std::ptrdiff_t>(first);
    time.group(*std::max_element(group, group + model.tensor));
  }
  return time.factors(within, widest);
}

/// Slowdowns from 0.9 to 2, most near 1.
std::vector<double> drawn(std::size_t gpus, std::uint64_t seed) {
  RandomStream random(seed, Purpose::job_shape, 0);
  std::vector<double> values;
  for (std::size_t i = 0; i < gpus; ++i) values.push_back(0.9 + 1.1 * std::pow(random.uniform(), 4));
  return values;
}

// Random shapes, slowdowns and penalties: factor = time of the iteration over its time at slowdown 1 and penalty 1,
// with the exchange behind it.
TEST(PipelineTime, IsWhatASimulationOfOneIterationTakes) {
  RandomStream random(7, Purpose::job_shape, 0);
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    const std::uint32_t tensor = 1 + random.below(4), pipeline = 1 + random.below(6), replicas = 1 + random.below(4);
    const std::uint32_t chunks = pipeline > 1 ? 1 + random.below(3) : 1;
    JobModel model = pipelined(tensor, pipeline, replicas * pipeline * (1 + random.below(5)), chunks);
    model.tensor_share = 0.3 * random.uniform();
    model.exchange_share = 0.3 * random.uniform();
    const double within = 1 + random.uniform(), widest = 1 + random.uniform();
    const auto slowdowns = drawn(std::size_t{tensor} * pipeline * replicas, trial);
    const std::vector<double> even(slowdowns.size(), 1.0);
    const double inside = 1 - model.exchange_share, ideal = simulated(model, even, 1);
    const SlowdownAndPenalty factors = computed(model, slowdowns, within, widest);
    EXPECT_NEAR(factors.slowdown, inside * simulated(model, slowdowns, 1) / ideal + model.exchange_share, 1e-9)
        << trial;
    EXPECT_NEAR(factors.slowdown * factors.penalty,
                inside * simulated(model, slowdowns, within) / ideal + model.exchange_share * widest, 1e-9)
        << trial;
  }
}

/// One replica under the schedule "one forward, one backward": worker j has at most p - j microbatches under way, and
/// does a backward piece whenever one is due after its first p - j forward ones. Slower and plainer than it need be: at
/// each turn the worker that can begin earliest begins the next piece of its own fixed sequence.
double one_forward_one_backward(const std::vector<double>& stage_s, std::uint32_t microbatches) {
  const std::size_t stages = stage_s.size();
  struct Piece {
    bool back;
    std::uint32_t mb;
  };
  std::vector<std::vector<Piece>> todo(stages);
  for (std::size_t j = 0; j < stages; ++j) {
    const auto ahead = std::min<std::uint32_t>(microbatches, static_cast<std::uint32_t>(stages - j));
    for (std::uint32_t mb = 0; mb < ahead; ++mb) todo[j].push_back({false, mb});
    for (std::uint32_t mb = 0; mb < microbatches; ++mb) {
      todo[j].push_back({true, mb});
      if (mb + ahead < microbatches) todo[j].push_back({false, mb + ahead});
    }
  }
  constexpr double never = 1e300;
  std::vector<std::vector<double>> forward(stages, std::vector<double>(microbatches, never)), back = forward;
  std::vector<double> free(stages, 0.0);
  std::vector<std::size_t> next(stages, 0);
  for (std::size_t left = stages * 2 * microbatches; left > 0; --left) {
    std::size_t who = stages;
    double when = never;
    for (std::size_t j = 0; j < stages; ++j) {
      if (next[j] == todo[j].size()) continue;
      const auto [is_back, mb] = todo[j][next[j]];
      const double ready = is_back  ? (j + 1 == stages ? forward[j][mb] : back[j + 1][mb])
                           : j == 0 ? 0
                                    : forward[j - 1][mb];
      if (std::max(ready, free[j]) < when) {
        who = j;
        when = std::max(ready, free[j]);
      }
    }
    const auto [is_back, mb] = todo[who][next[who]++];
    free[who] = when + stage_s[who] * (is_back ? 2.0 / 3 : 1.0 / 3);
    (is_back ? back : forward)[who][mb] = free[who];
  }
  return *std::max_element(free.begin(), free.end());
}

// Megatron's other schedule. With equal stages it takes as long; with unequal ones no longer than the formula says, and
// no less than the slowest stage needs with what it waits for at first, so the formula is out by the stages behind it
// at most.
TEST(PipelineTime, BoundsOneForwardOneBackward) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const std::uint32_t stages = 1 + static_cast<std::uint32_t>(trial % 6), microbatches = stages * 4;
    const JobModel model = pipelined(1, stages, microbatches);
    const std::vector<double> even(stages, 1.0);
    EXPECT_NEAR(one_forward_one_backward(even, microbatches), microbatches + stages - 1.0, 1e-9);
    const auto stage_s = drawn(stages, trial);
    const double formula = computed(model, stage_s, 1, 1).slowdown * (microbatches + stages - 1.0);
    const double took = one_forward_one_backward(stage_s, microbatches);
    const auto slowest = std::max_element(stage_s.begin(), stage_s.end());
    double before = 0;
    for (auto s = stage_s.begin(); s != slowest; ++s) before += *s;
    EXPECT_LE(took, formula + 1e-9) << trial;
    EXPECT_GE(took, before + microbatches * *slowest - 1e-9) << trial;
  }
}

// By hand. One GPU of 2 among 16, 2 stages, 4 replicas of 4 microbatches, 20 % of a stage's time communication: that
// stage takes 1.8, its replica 4 x 1.8 + 1 = 8.2 in place of 5.
TEST(PipelineTime, OneSlowGpuSlowsItsGroup) {
  JobModel model = pipelined(2, 2, 16);
  model.tensor_share = 0.2;
  std::vector<double> slowdowns(16, 1.0);
  slowdowns[5] = 2;
  EXPECT_NEAR(computed(model, slowdowns, 1, 1).slowdown, 8.2 / 5, 1e-12);
  EXPECT_EQ(computed(model, slowdowns, 1, 1).penalty, 1);
  // Another slow GPU in the same group costs nothing, nor does one in another replica.
  slowdowns[4] = slowdowns[0] = 2;
  EXPECT_NEAR(computed(model, slowdowns, 1, 1).slowdown, 8.2 / 5, 1e-12);
  // In the other stage of that replica (groups are in the order s0r0 s0r1 s0r2 s0r3 s1r0 ...; group 2 is s0r2, group 6
  // s1r2) it costs what the fill had hidden: 4 x 1.8 + 1.8.
  slowdowns[12] = 2;
  EXPECT_NEAR(computed(model, slowdowns, 1, 1).slowdown, 9.0 / 5, 1e-12);
}

// PAL's rule, the slowest GPU of all, is exact for one stage without communication, and never too low.
TEST(PipelineTime, IsNeverOverTheSlowestGpu) {
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const auto slowdowns = drawn(48, trial);
    const double slowest = *std::max_element(slowdowns.begin(), slowdowns.end());
    EXPECT_NEAR(computed(pipelined(4, 1, 48), slowdowns, 1, 1).slowdown, slowest, 1e-12);
    EXPECT_LE(computed(pipelined(4, 4, 48), slowdowns, 1, 1).slowdown, slowest + 1e-12);
  }
}

// A PipelineTime that has been used for a wider job says the same as a new one.
TEST(PipelineTime, DoesNotDependOnTheJobBefore) {
  PipelineTime time;
  const JobModel wide = pipelined(1, 2, 64), narrow = pipelined(2, 1, 8);
  time.begin(wide, 32);
  for (int i = 0; i < 32; ++i) time.group(3);
  time.begin(narrow, 4);
  time.group(1.5);
  time.group(1.25);
  EXPECT_EQ(time.factors(1, 1).slowdown, 1.5);
}

JobModel bulk() {
  JobModel model;
  model.kind = JobModelKind::bulk;
  model.comm = {{1, 0.15}, {2, 0.35}, {8, 0.35}, {16, 0.5}, {64, 0.6}};
  return model;
}

// 100 supersteps: every GPU computes, all wait for the last one, all communicate.
TEST(BulkTime, IsWhatASimulationOfSuperstepsTakes) {
  constexpr int steps = 100;
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const std::size_t nodes = 1 + trial;
    const auto slowdowns = drawn(4 * nodes, trial);
    const double penalty = 1 + 0.01 * static_cast<double>(trial), phi = comm_share(bulk(), 4, nodes);
    std::vector<double> clock(slowdowns.size(), 0.0);
    for (int step = 0; step < steps; ++step) {
      for (std::size_t g = 0; g < clock.size(); ++g) clock[g] += (1 - phi) / steps * slowdowns[g];
      const double last = *std::max_element(clock.begin(), clock.end());
      for (double& at : clock) at = last + phi / steps * penalty;
    }
    const double slowest = *std::max_element(slowdowns.begin(), slowdowns.end());
    const auto factors = bulk_time(bulk(), static_cast<std::uint32_t>(slowdowns.size()), nodes, slowest, penalty);
    EXPECT_NEAR(factors.slowdown * factors.penalty, clock[0], 1e-9) << trial;
    EXPECT_NEAR(factors.slowdown, (1 - phi) * slowest + phi, 1e-12) << trial;
  }
}

// The stated shares at the stated nodes, none on one GPU; half way between 8 and 16 in log(nodes) half way between
// theirs.
TEST(BulkTime, TakesTheShareOfTheNodes) {
  EXPECT_EQ(comm_share(bulk(), 1, 1), 0);
  EXPECT_EQ(comm_share(bulk(), 4, 1), 0.15);
  EXPECT_EQ(comm_share(bulk(), 8, 2), 0.35);
  EXPECT_EQ(comm_share(bulk(), 20, 5), 0.35);
  EXPECT_NEAR(comm_share(bulk(), 45, 11), 0.35 + 0.15 * std::log2(11.0 / 8), 1e-12);
  EXPECT_EQ(comm_share(bulk(), 256, 64), 0.6);
  EXPECT_EQ(comm_share(bulk(), 4096, 1000), 0.6);
}

struct Megatron {
  const char* name;
  double parameters, layers, hidden, tflops;
};

// The carried table is what its comment says: iteration times from the published speeds (24.8, 54.1 and 102.6 s for the
// three largest that are stated), shares from bytes and bandwidths, to the four digits that are written down.
TEST(CarriedModels, MegatronsNumbersFollowFromItsConfigurations) {
  const auto table = testing_workload::carried_models();
  constexpr double s = 2048, words = 51200;
  for (const Megatron& row : {Megatron{"1.7B", 1.7e9, 24, 2304, 137},
                              {"7.5B", 7.5e9, 36, 4096, 142},
                              {"18.4B", 18.4e9, 40, 6144, 135},
                              {"39.1B", 39.1e9, 48, 8192, 138},
                              {"76.1B", 76.1e9, 60, 10240, 140},
                              {"145.6B", 145.6e9, 80, 12288, 148},
                              {"310.1B", 310.1e9, 96, 16384, 155},
                              {"529.6B", 529.6e9, 105, 20480, 163},
                              {"1008B", 1008e9, 128, 25600, 163}}) {
    const auto& info = table.models.at(std::string("megatron-") + row.name);
    const JobModel& how = info.how;
    const double l = row.layers, h = row.hidden, n = info.gpus, t = how.tensor, p = how.pipeline, d = n / (t * p);
    const double flop = 96 * how.microbatches * s * l * h * h * (1 + s / (6 * h) + words / (16 * l * h));
    const double iteration_s = flop / (n * row.tflops * 1e12);
    EXPECT_NEAR(info.iteration_s, iteration_s, 1e-3 * iteration_s) << row.name;
    const double exchange = 2 * (d - 1) / d * 2 * row.parameters / (t * p) / 25e9 / iteration_s;
    EXPECT_NEAR(how.exchange_share, exchange, 1e-3 * exchange) << row.name;
    const double stage_s = iteration_s * (1 - exchange) / (how.microbatches / d + p - 1);
    const double tensor = 6 * l / p * 2 * (t - 1) / t * s * h * 2 / 300e9 / stage_s;
    EXPECT_NEAR(how.tensor_share, tensor, 1e-3 * tensor) << row.name;
    EXPECT_EQ(misfit(how, info.gpus), "") << row.name;
    EXPECT_FALSE(info.drawn) << row.name;
  }
}

// A pipelined job is whole replicas that share the microbatches evenly.
TEST(Misfit, SaysWhatDoesNotFit) {
  EXPECT_EQ(misfit(pipelined(8, 2, 48), 32), "");
  EXPECT_EQ(misfit(pipelined(8, 2, 48), 24), "24 GPUs are not whole replicas of 8 x 2");
  EXPECT_EQ(misfit(pipelined(8, 2, 48), 80), "48 microbatches are not shared evenly by 5 replicas");
  EXPECT_EQ(misfit(bulk(), 7), "");
}

}  // namespace
}  // namespace palstudy
