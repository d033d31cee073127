// SPDX-License-Identifier: MIT
// The energy account of a run: nodes worked out by hand, and what must hold of any run.
#include "sim/observers/energy.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "sim/expect_runs.hpp"
#include "sim/small_world.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Base 300 W, 8 GPUs of 44 W idle and 300 W busy, off 10 W, up to an hour.
EnergyModel by_hand() {
  EnergyModel model;
  model.classes = {{300, 300, 0}};
  model.idle_w = 44;
  model.base_w = 300;
  model.off_w = 10;
  model.horizon_s = 3600;
  return model;
}

/// Two nodes of eight GPUs and one job of eight for 1,000 s.
SmallWorld one_node_at_work() {
  SmallWorld world;
  world.nodes = 2;
  world.gpus_per_node = 8;
  world.engine.round_s = 100;
  world.energy = by_hand();
  world.add(0, 8, 1000);
  world.measure.last = 0;
  return world;
}

double metric(const RunResult& run, Metric which) { return run.metric(which); }

// Node 0: 1000 x (300 + 8 x 300) + 2600 x (300 + 8 x 44) = 4,395,200 J; node 1: 3600 x 652 = 2,347,200 J.
TEST(Energy, TwoNodesThatAreAlwaysOn) {
  const RunResult run = one_node_at_work().run();
  EXPECT_EQ(metric(run, Metric::energy_j), 6742400);
  EXPECT_EQ(metric(run, Metric::energy_delay), 6742400.0 * 1000);
  EXPECT_EQ(metric(run, Metric::joules_per_gpu_hour), 6742400 / (8 * 1000 / 3600.0));
  ASSERT_EQ(run.power.size(), 6U);
  EXPECT_EQ(run.power.cls, (std::vector<std::int32_t>{0, -1, -1, -1, -1, -1}));
  EXPECT_EQ(run.power.node_s, (std::vector<double>{1000, 0, 6200, 0, 0, 0}));
  EXPECT_EQ(run.power.gpu_s, (std::vector<double>{8000, 0, 8 * 6200, 0, 0, 0}));
  EXPECT_EQ(run.power.energy_j, (std::vector<double>{2700000, 0, 6200 * 652, 0, 0, 0}));
  EXPECT_EQ(run.job_energy_j, (std::vector<double>{2700000}));
}

// The same with a factor on all of it.
TEST(Energy, TheSiteDrawsMoreThanItsNodes) {
  SmallWorld world = one_node_at_work();
  world.energy->pue = 1.5;
  const RunResult run = world.run();
  EXPECT_EQ(metric(run, Metric::energy_j), 1.5 * 6742400);
  EXPECT_EQ(run.job_energy_j, (std::vector<double>{1.5 * 2700000}));
}

// One of the eight GPUs takes 1.1 times as long, so that the job takes 1,100 s. Power-capped GPUs draw the cap all the
// time: 8 x 300 x 1100 = 2.64 MJ. In lockstep, seven wait for 100 s at 172 W: 2.64 MJ - 7 x 100 x 128 J.
TEST(Energy, ASlowGpuCostsTheOthersTheirWaiting) {
  SmallWorld world = one_node_at_work();
  world.slowdown_values.assign(16, 1.0);
  world.slowdown_values[3] = 1.1;
  world.slowdown_values[12] = 1.1;
  const double base_j = 300 * 1100;
  EXPECT_NEAR(world.run().job_energy_j[0], 2640000 + base_j, 1e-3);
  world.energy->classes[0].wait_w = 172;
  EXPECT_NEAR(world.run().job_energy_j[0], 2640000 - 7 * 100 * 128 + base_j, 1e-3);
}

// At a fixed clock, a GPU that is 1.1 times as slow under a cap draws 1.1^1.15 times as much, and computes as fast.
TEST(Energy, WhatIsSlowUnderACapDrawsMoreWithoutOne) {
  SmallWorld world = one_node_at_work();
  world.classes = {"A", "B"};
  world.slowdown_values.assign(32, 1.0);
  for (const std::size_t gpu : {3, 12}) world.slowdown_values[gpu] = 1.1;
  world.jobs[0].cls = ClassId(1);
  world.energy->classes.push_back({80, 80, 1.15});
  world.energy->leaky = ClassId(0);
  EXPECT_NEAR(world.run().job_energy_j[0], (7 + std::pow(1.1, 1.15)) * 80 * 1000 + 300 * 1000, 1e-3);
}

// Jobs of 2 and of 4 GPUs share a node for 500 s, then the larger has it alone: the base power is shared 1 : 2, then
// not.
TEST(Energy, JobsShareTheBasePowerOfTheirNode) {
  SmallWorld world = one_node_at_work();
  world.nodes = 1;
  world.jobs.clear();
  world.add(0, 2, 500);
  world.add(0, 4, 1000);
  world.measure.last = 1;
  const RunResult run = world.run();
  EXPECT_NEAR(run.job_energy_j[0], 2 * 300 * 500 + 300 * 500 / 3.0, 1e-6);
  EXPECT_NEAR(run.job_energy_j[1], 4 * 300 * 1000 + 300 * 500 * 2 / 3.0 + 300 * 500, 1e-6);
  EXPECT_NEAR(run.power.energy_j[1], 44 * (2 * 500 + 4 * 500 + 2 * 0), 1e-6) << "GPUs without a job on a busy node";
}

// What runs beyond the horizon is not counted.
TEST(Energy, NothingIsCountedBeyondTheHorizon) {
  SmallWorld world = one_node_at_work();
  world.energy->horizon_s = 400;
  const RunResult run = world.run();
  EXPECT_EQ(metric(run, Metric::energy_j), 400 * (2700 + 652));
  EXPECT_EQ(metric(run, Metric::joules_per_gpu_hour), 400 * (2700 + 652) / (8 * 400 / 3600.0));
}

/// Random jobs of two classes that fail, move and disturb each other, on one partition or on four, some of them wider
/// than these.
SmallWorld two_classes_at_work(std::uint64_t seed) {
  SmallWorld world;
  world.nodes = 8;
  world.classes = {"A", "B"};
  RandomStream random(seed, Purpose::cluster_draw, 0);
  for (int i = 0; i < 64; ++i) world.slowdown_values.push_back(0.9 + 0.05 * random.below(8));
  world.bins.bins = 3;
  world.partitions = seed % 2 == 0 ? 1 : 4;
  world.engine.round_s = 30;
  world.engine.migration_s = 7;
  world.placement = seed % 3 == 0 ? "pal" : "packed-sticky";
  world.order = seed % 3 == 0 ? "las" : "fifo";
  world.interference = {1.3, 1.5};
  add_random_jobs(world, seed, 30, 400, 300);
  world.measure.last = 29;
  world.energy = by_hand();
  world.energy->classes = {{297, 297, 0}, {81, 60, 1.15}};
  world.energy->leaky = ClassId(0);
  world.energy->horizon_s = 2000;
  return world;
}

/// A relative difference of at most 1e-9.
void expect_close(double a, double b) { EXPECT_NEAR(a, b, 1e-9 * std::max(std::abs(a), std::abs(b))); }

// Node-seconds are nodes x horizon and GPU-seconds GPUs x horizon, whatever happened; the energies of the jobs are
// those of the classes; computing is what /jobs says, where all of it is within the horizon.
TEST(Energy, TheRowsAddUp) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = two_classes_at_work(seed);
    world.energy->horizon_s = seed % 4 == 0 ? 150 : 20000;
    const RunResult run = world.run();
    expect_close(sum(run.power.node_s), 8 * world.energy->horizon_s);
    expect_close(sum(run.power.gpu_s), 32 * world.energy->horizon_s);
    for (const double node_s : run.power.node_s) EXPECT_GE(node_s, -1e-6);
    expect_close(sum(run.power.energy_j), metric(run, Metric::energy_j));
    expect_close(sum(run.job_energy_j), run.power.energy_j[0] + run.power.energy_j[1]);
    if (seed % 4 == 0) continue;
    double held_s = 0, work_s = 0;
    for (std::size_t j = 0; j < run.jobs.size(); ++j) {
      held_s += world.jobs[j].gpus * run.jobs.exec_s[j];
      work_s += world.jobs[j].gpus * world.jobs[j].ideal_s();
    }
    expect_close(run.power.gpu_s[0] + run.power.gpu_s[1], held_s);
    expect_close(sum(run.power.work_s), work_s);
  }
}

// Twice all powers is twice every energy, and no power none; nothing else of the run changes.
TEST(Energy, ScalesWithThePowers) {
  SmallWorld world = two_classes_at_work(3);
  const RunResult once = world.run();
  for (ClassPower& power : world.energy->classes) power = {2 * power.busy_w, 2 * power.wait_w, power.exponent};
  world.energy->idle_w *= 2;
  world.energy->base_w *= 2;
  const RunResult twice = world.run();
  for (std::size_t row = 0; row < once.power.size(); ++row) {
    EXPECT_EQ(twice.power.energy_j[row], 2 * once.power.energy_j[row]);
  }
  EXPECT_EQ(twice.jobs.finish_s, once.jobs.finish_s);
  world.energy.reset();
  const RunResult without = world.run();
  EXPECT_EQ(bits(without.jobs.finish_s), bits(once.jobs.finish_s));
  EXPECT_EQ(without.power.size(), 0U);
  EXPECT_TRUE(std::isnan(metric(without, Metric::energy_j)));
}

// A node that is reported off draws 10 W then, also after the run's end.
TEST(Energy, NodesInOtherStates) {
  const SmallWorld world = one_node_at_work();
  (void)world.with_world([&](const World& of, const Policies& policies) {
    std::vector<std::uint32_t> slot_of(1, RunningSet::no_slot);
    JobTable table(1);
    JobSizes sizes;
    RunRows rows(of);
    PartitionState state(of, {PartitionId(0), GpuId(0), of.topology, of.believed}, policies.placement, table, slot_of,
                         sizes, rows);
    Energy energy(state);
    energy.node({NodeId(1), 600, 660, NodeState::stopping});
    energy.node({NodeId(1), 660, 3600, NodeState::off});
    energy.node({NodeId(0), 100, 160, NodeState::stopping});
    energy.node({NodeId(0), 160, 200, NodeState::off});
    energy.node({NodeId(0), 200, 500, NodeState::booting});
    PartitionRecord record;
    energy.close(record, 1000);
    EXPECT_EQ(record.power.node_s, (std::vector<double>{0, 0, 7200 - 120 - 40 - 2940 - 300, 120, 40 + 2940, 300}));
    EXPECT_EQ(record.power.energy_j[4], 10.0 * 2980);
    EXPECT_EQ(sum(record.power.energy_j), 10.0 * 2980 + 652.0 * (7200 - 2980));
    return 0;
  });
}

/// A timer powers nodes off after so many idle seconds; they stop for 60 s and boot for 300 s.
PowerOptions off_after(double idle_s) {
  PowerOptions options;
  options.off = "timer";
  options.rule.idle_s = idle_s;
  options.rule.boot_s = options.boot_s;
  return options;
}

// The job of the first example, and another one at 2,000 s. One node stops at 600 s, the other at 1,600 s; both are off
// when the second job comes, so that it waits for 300 s while a node boots, and ends at 3,300 s. Busy 2 x 1000 s at
// 2700 W; idle 600 + 600 + 300 s, stopping 2 x 60 s and booting 300 s at 652 W; off for the other 3,280 s at 10 W.
TEST(Energy, NodesThatATimerPowersOff) {
  SmallWorld world = one_node_at_work();
  world.add(2000, 8, 1000);
  world.measure.last = 1;
  world.power = off_after(600);
  const RunResult run = world.run();
  EXPECT_EQ(run.jobs.finish_s[1], 3300);
  EXPECT_EQ(run.power.node_s, (std::vector<double>{2000, 0, 1500, 120, 3280, 300}));
  EXPECT_EQ(metric(run, Metric::energy_j), 2000 * 2700 + 1920 * 652 + 3280 * 10);
}

// helios.md 4.4: the job alone. Node 1 stops at 600-660 and is off for 2,940 s: 660 x 652 + 2940 x 10 = 459,720 J. Node
// 0 stops at 1600-1660, after the run, whose only job ends at 1,000 s, and is off for 1,940 s: 2,700,000 + 660 x 652 +
// 1940 x 10 = 3,149,720 J.
TEST(Energy, RulesGoOnAfterTheLastJob) {
  SmallWorld world = one_node_at_work();
  world.power = off_after(600);
  const RunResult run = world.run();
  EXPECT_EQ(run.power.node_s, (std::vector<double>{1000, 0, 1200, 120, 2940 + 1940, 0}));
  EXPECT_EQ(metric(run, Metric::energy_j), 3609440);
}

// The same by the other rules, with decisions every 150 s: the first one after the job is at 1,050 s. The oracle, and
// `ces` without a buffer, have one node off from the first decision on, at 150 s, and power the other off once the use
// has fallen. `low-water` keeps one idle: both are on until 1,050 s, one from then on. A job that would come at 2,000 s
// comes no more, and the oracle knows it.
TEST(Energy, EveryRuleGoesOnAfterTheLastJob) {
  SmallWorld world = one_node_at_work();
  world.add(2000, 16, 1000);
  world.power = off_after(100);
  world.power->tick_s = 150;
  world.power->rule.boot_s = 0;
  world.power->rule.ces.buffer = 0;
  const auto node_s = [&](const char* rule) {
    world.power->off = rule;
    return world.run().power.node_s;
  };
  EXPECT_EQ(node_s("oracle"), (std::vector<double>{1000, 0, 150 + 50, 120, 3390 + 2490, 0}));
  EXPECT_EQ(node_s("ces"), (std::vector<double>{1000, 0, 150 + 50, 120, 3390 + 2490, 0}));
  EXPECT_EQ(node_s("low-water"), (std::vector<double>{1000, 0, 1050 + 2600, 60, 2490, 0}));
}

// When the run ends at 1,000 s, a job that is not measured runs, another waits for a node that boots until 1,100 s, and
// a third waits for both. None is there any more: the nodes are idle for 100 s, then stop. Node 1 was off from 160 to
// 800 s; that a job came then has been seen before the end.
TEST(Energy, AfterTheRunNoJobIsLeft) {
  SmallWorld world = one_node_at_work();
  world.add(800, 8, 5000);
  world.add(900, 16, 5000);
  world.power = off_after(100);
  const RunResult waits = world.run();
  EXPECT_EQ(waits.power.node_s, (std::vector<double>{1000, 0, 200, 180, 640 + 2 * 2440, 300}));
  EXPECT_EQ(waits.power_wait_s, (std::vector<double>{0, 200, 0})) << "waits end with the run";
  world.jobs[1].submit_s = 0;
  EXPECT_EQ(world.run().power.node_s, (std::vector<double>{2000, 0, 200, 120, 2 * 2440, 0}));
}

// A horizon of 30,000 years takes no longer than any other.
TEST(Energy, AHorizonFarBeyondTheRun) {
  SmallWorld world = one_node_at_work();
  world.power = off_after(600);
  world.power->rule.spare = 1;
  world.power->tick_s = 1;
  world.energy->horizon_s = 1e12;
  EXPECT_EQ(world.run().power.node_s, (std::vector<double>{1000, 0, 1e12 - 1000 + 1600, 60, 1e12 - 1660, 0}));
}

/// Random jobs on nodes that a rule powers off, until long after the last of them.
SmallWorld powered_off_by(const std::string& rule, std::uint64_t seed) {
  SmallWorld world = two_classes_at_work(seed);
  world.power = off_after(20);
  world.power->off = rule;
  world.power->rule.ces = {.history = 2, .future = 3, .buffer = 1, .keep = 2};
  world.power->tick_s = 15;
  world.power->boot_s = world.power->rule.boot_s = seed % 4 == 0 ? 0 : 9;
  world.power->stop_s = 4;
  world.energy->horizon_s = seed % 3 == 0 ? 200 : 5000;
  return world;
}

// Whatever is powered off, node-seconds are nodes x horizon and energies those of the rows. Nodes that draw off what
// they draw idle use the energy of nodes that are always on, where the jobs run alike.
TEST(Energy, NodeSecondsInAllStatesAddUp) {
  for (const std::string& rule : power_rules().names()) {
    double off_s = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      SCOPED_TRACE(rule + " " + std::to_string(seed));
      SmallWorld world = powered_off_by(rule, seed);
      const RunResult run = world.run();
      expect_close(sum(run.power.node_s), 8 * world.energy->horizon_s);
      expect_close(sum(run.power.gpu_s), 32 * world.energy->horizon_s);
      for (const double node_s : run.power.node_s) EXPECT_GE(node_s, -1e-6);
      off_s += run.power.node_s[5];
      world.energy->off_w = world.energy->base_w + 4 * world.energy->idle_w;
      const RunResult as_idle = world.run();
      world.power.reset();
      const RunResult on = world.run();
      if (bits(on.jobs.finish_s) == bits(as_idle.jobs.finish_s)) {
        expect_close(metric(on, Metric::energy_j), metric(as_idle, Metric::energy_j));
      }
    }
    EXPECT_GT(off_s, 0) << rule;
  }
}

// How long energy is counted changes nothing of what jobs do, their waits for power included.
TEST(Energy, TheHorizonChangesEnergyAlone) {
  for (const std::string& rule : power_rules().names()) {
    SmallWorld world = powered_off_by(rule, 5);
    const RunResult far = world.run();
    world.energy->horizon_s = 1;
    const RunResult near = world.run();
    EXPECT_EQ(bits(far.jobs.finish_s), bits(near.jobs.finish_s)) << rule;
    EXPECT_EQ(far.power_wait_s, near.power_wait_s) << rule;
    EXPECT_EQ(far.rounds.time_s, near.rounds.time_s) << rule;
    for (std::size_t m = 0; m < far.metrics.size(); ++m) {
      const auto which = static_cast<Metric>(m);
      if (which == Metric::energy_j || which == Metric::energy_delay || which == Metric::joules_per_gpu_hour) continue;
      EXPECT_EQ(std::bit_cast<std::uint64_t>(far.metrics[m]), std::bit_cast<std::uint64_t>(near.metrics[m])) << rule;
    }
  }
}

// How often stays are shared while the run goes on changes sums by rounding alone: after each instant, after a few, or
// once at the end.
TEST(Energy, DoesNotHangOnWhenItIsShared) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = seed % 2 == 0 ? two_classes_at_work(seed) : powered_off_by("timer", seed);
    const RunResult once = world.run();
    for (const std::size_t stays : {std::size_t{1}, std::size_t{7}}) {
      world.energy->stays_at_once = stays;
      const RunResult often = world.run();
      for (std::size_t row = 0; row < once.power.size(); ++row) {
        expect_close(often.power.energy_j[row], once.power.energy_j[row]);
        expect_close(often.power.node_s[row], once.power.node_s[row]);
        expect_close(often.power.gpu_s[row], once.power.gpu_s[row]);
        expect_close(often.power.work_s[row], once.power.work_s[row]);
      }
      ASSERT_EQ(often.job_energy_j.size(), once.job_energy_j.size());
      for (std::size_t j = 0; j < once.job_energy_j.size(); ++j) {
        expect_close(often.job_energy_j[j], once.job_energy_j[j]);
      }
    }
  }
}

}  // namespace
}  // namespace palstudy
