// SPDX-License-Identifier: MIT
// Nodes that are powered off in whole runs: an example by hand, and what must hold of every rule.
#include <fmt/format.h>

#include <bit>

#include "sim/expect_runs.hpp"
#include "sim/state/observer.hpp"

namespace palstudy {
namespace {

/// What a run's nodes and jobs did, as an observer sees it.
struct Seen {
  struct Held {
    double begin_s, end_s;
    NodeId node;
  };
  std::vector<NodeInterval> states;
  std::vector<Held> held;
};

class Watcher final : public Observer {
 public:
  explicit Watcher(Seen& seen) : seen_(seen) {}
  void ran(const EndedInterval& interval, const GpuSet& gpus, bool /*slowed*/) override {
    for (const NodeGpus& part : gpus) seen_.held.push_back({interval.begin_s, interval.end_s, part.node});
  }
  void node(const NodeInterval& interval) override { seen_.states.push_back(interval); }
  void close(PartitionRecord& /*record*/, double /*end_s*/) override {}

 private:
  Seen& seen_;
};

RunResult watch(SmallWorld world, Seen& seen) {
  world.observers = {[&](const PartitionState&) { return std::make_unique<Watcher>(seen); }};
  return world.run();
}

PowerOptions timer(double idle_s) {
  PowerOptions power;
  power.off = "timer";
  power.rule.idle_s = idle_s;
  return power;
}

/// Whole nodes of 8 GPUs, jobs that start at once, all measured.
SmallWorld whole_nodes(std::uint32_t nodes) {
  SmallWorld world;
  world.nodes = nodes;
  world.gpus_per_node = 8;
  world.engine.start = Start::event;
  world.penalty = {1, 1, 1};
  return world;
}

std::vector<std::string> texts(const std::vector<NodeInterval>& states) {
  static constexpr const char* names[] = {"on", "stopping", "off", "booting"};
  std::vector<std::string> all;
  for (const NodeInterval& at : states) {
    all.push_back(fmt::format("{} {} {}-{}", at.node.value, names[static_cast<int>(at.state)], at.from_s, at.to_s));
  }
  return all;
}

// helios.md 4.4: node 1 is idle from 0 and stops at 600; node 0 stops at 1,600. At 2,000 a job finds both off and waits
// 300 s for the one that went off last: all of its wait is for power.
TEST(PowerStates, SecondJobWaitsForANodeToBoot) {
  SmallWorld world = whole_nodes(2);
  world.add(0, 8, 1000);
  world.add(2000, 8, 1000);
  world.measure.last = 1;
  world.power = timer(600);
  Seen seen;
  const RunResult result = watch(world, seen);
  EXPECT_EQ(result.jobs.start_s[1], 2300);
  EXPECT_EQ(result.jobs.finish_s[1], 3300);
  EXPECT_EQ(result.power_wait_s, (std::vector<double>{0, 300}));
  EXPECT_EQ(result.metrics[static_cast<std::size_t>(Metric::power_wait_mean_s)], 150);
  EXPECT_EQ(texts(seen.states), (std::vector<std::string>{"1 stopping 600-660", "0 stopping 1600-1660",
                                                          "0 off 1660-2000", "0 booting 2000-2300", "1 off 660-3300"}));
}

// With boundaries every 360 s the job of 2,000 s is seen at 2,160, and starts at the first one after 2,460.
TEST(PowerStates, JobsStartAtTheBoundaryAfterTheBoot) {
  SmallWorld world = whole_nodes(2);
  world.engine.start = Start::round;
  world.add(0, 8, 1000);
  world.add(2000, 8, 1000);
  world.measure.last = 1;
  world.power = timer(600);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s[1], 2520);
  EXPECT_EQ(result.power_wait_s[1], 300) << "the rest is for boundaries";
}

// Who waits for a job that runs, or for one that the only node boots for, waits for no power.
TEST(PowerStates, OnlyWaitsThatNodesEndAreForPower) {
  SmallWorld world = whole_nodes(1);
  world.add(0, 8, 700);
  world.add(100, 8, 100);   // waits for the first: its node is on
  world.add(2000, 8, 100);  // the node stops at 1,400
  world.add(2100, 8, 100);  // the node would be taken if it were on
  world.measure.last = 3;
  world.power = timer(600);
  EXPECT_EQ(world.run().power_wait_s, (std::vector<double>{0, 0, 300, 0}));
}

/// Takes all GPUs of one node, and refuses every other.
class OneNodeAlone final : public PlacementPolicy {
 public:
  explicit OneNodeAlone(NodeId node) : node_(node) {}
  [[nodiscard]] bool sticky() const override { return true; }
  [[nodiscard]] bool may_refuse() const override { return true; }
  [[nodiscard]] IndexNeeds needs() const override { return {.counts = true}; }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override {
    const GpuMask mask = free.mask(node_);
    if (std::popcount(mask) != static_cast<int>(request.gpus)) return false;
    out.push_back({node_, mask});
    return true;
  }

 private:
  NodeId node_;
};

// Node 0 stays on as the spare one and has GPUs enough for the job, but the placement refuses it. So node 1 is powered
// on, and all 300 s for which the job waits are for power, though no more nodes are needed than are on.
TEST(PowerStates, AJobRefusedOnFreeGpusWaitsForPowerWhileOthersBoot) {
  SmallWorld world = whole_nodes(2);
  world.add(2000, 8, 100);
  world.measure.last = 0;
  world.power = timer(600);
  world.power->rule.spare = 1;
  LocalExchange alone;
  const RunResult result = world.with_world([&](const World& of, const Policies& policies) {
    OneNodeAlone placement(NodeId(1));
    const Policies refusing{policies.order, placement, policies.routing};
    return simulate(of, refusing, alone);
  });
  EXPECT_EQ(result.jobs.start_s[0], 2300);
  EXPECT_EQ(result.power_wait_s, (std::vector<double>{300}));
}

// Four nodes are off. A job of two nodes has two powered on; one of one node, while they boot, has one more: nodes that
// boot already count.
TEST(PowerStates, BootingNodesCountAgainstTheNeed) {
  SmallWorld world = whole_nodes(4);
  world.add(5000, 16, 1000);
  world.add(5100, 3, 1000);
  world.add(5150, 4, 1000);
  world.measure.last = 2;
  world.power = timer(600);
  Seen seen;
  const RunResult result = watch(world, seen);
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{5300, 5400, 5400}));
  EXPECT_EQ(result.power_wait_s, (std::vector<double>{300, 300, 250}));
  std::set<std::uint32_t> booted;
  for (const NodeInterval& at : seen.states) {
    if (at.state != NodeState::booting) continue;
    EXPECT_TRUE(booted.insert(at.node.value).second) << "woken twice";
  }
  EXPECT_EQ(booted, (std::set<std::uint32_t>{0, 1, 2}));
}

/// Loads with idle times, in which nodes go off and on.
SmallWorld bursts(std::uint64_t seed, const std::string& rule, const std::string& forecast) {
  SmallWorld world;
  world.nodes = 5;
  world.nodes_per_cabinet = 2;
  world.classes = {"A", "B"};
  RandomStream random(seed, Purpose::cluster_draw, 0);
  for (int i = 0; i < 40; ++i) world.slowdown_values.push_back(0.9 + 0.05 * random.below(8));
  world.bins.bins = 3;
  world.engine.round_s = 30;
  world.engine.backfill = seed % 2 == 0 ? Backfill::greedy : Backfill::none;
  world.engine.start = seed % 3 == 0 ? Start::event : Start::round;
  add_random_jobs(world, seed, 40, 6000, 200);
  world.measure.last = 39;
  PowerOptions power;
  power.off = rule;
  power.forecast = forecast;
  power.rule.idle_s = 90;
  power.rule.spare = seed % 2;
  power.rule.ces = {.history = 2, .future = 3, .keep = 2};
  power.tick_s = 45;
  power.boot_s = power.rule.boot_s = 40;
  power.stop_s = 10;
  world.power = power;
  return world;
}

/// The intervals of each node ascend and do not overlap, and no job holds GPUs of a node in one of them; so with the
/// time on, which is the rest, node-seconds add up to nodes x end.
void expect_states_apart(const SmallWorld& world, const Seen& seen, double end_s) {
  std::vector<double> until_s(world.nodes, 0.0);
  for (const NodeInterval& at : seen.states) {
    ASSERT_GE(at.from_s, until_s[at.node.index()]);
    ASSERT_GE(at.to_s, at.from_s);
    ASSERT_LE(at.to_s, end_s);
    until_s[at.node.index()] = at.to_s;
    for (const Seen::Held& held : seen.held) {
      if (held.node != at.node || held.end_s == held.begin_s || at.to_s == at.from_s) continue;
      ASSERT_TRUE(held.end_s <= at.from_s || held.begin_s >= at.to_s)
          << "node " << at.node.value << ", job " << held.begin_s << "-" << held.end_s << ", state " << at.from_s << "-"
          << at.to_s;
    }
  }
}

double seconds_in(const Seen& seen, NodeState state) {
  double sum_s = 0;
  for (const NodeInterval& at : seen.states) sum_s += at.state == state ? at.to_s - at.from_s : 0.0;
  return sum_s;
}

TEST(PowerStates, NoJobIsOnANodeThatIsNotOn) {
  double off_s = 0, waited_s = 0;
  std::uint64_t seed = 0;
  for (const auto& rule : power_rules().names()) {
    for (const auto& forecast : forecasts().names()) {
      for (const char* placement : {"packed-sticky", "pal", "pal-sticky"}) {
        SmallWorld world = bursts(++seed, rule, forecast);
        world.placement = placement;
        world.order = orders().names()[seed % orders().names().size()];
        SCOPED_TRACE(fmt::format("{} {} {} {}", rule, forecast, placement, world.order));
        Seen seen;
        const RunResult result = watch(world, seen);
        expect_sound(world, result);
        ASSERT_NO_FATAL_FAILURE(expect_states_apart(world, seen, 1e9));
        for (std::size_t j = 0; j < result.jobs.size(); ++j) {
          ASSERT_FALSE(std::isnan(result.jobs.finish_s[j]));
          const double wait_s = result.jobs.finish_s[j] - world.jobs[j].submit_s - result.jobs.exec_s[j];
          ASSERT_GE(result.power_wait_s[j], 0);
          ASSERT_LE(result.power_wait_s[j], wait_s + 1e-6) << "job " << j;
          waited_s += result.power_wait_s[j];
        }
        off_s += seconds_in(seen, NodeState::off);
      }
    }
  }
  EXPECT_GT(off_s, 0);
  EXPECT_GT(waited_s, 0);
}

// Where booting takes no time, jobs never wait for a node: every time is that of a run without power-off, bit for bit.
// (With start = "event" also under an order that stops no job; others may stop jobs at any instant.)
TEST(PowerStates, WithoutBootTimeNothingChanges) {
  std::uint64_t seed = 100;
  double off_s = 0;
  for (const auto& rule : power_rules().names()) {
    for (const char* placement : {"packed-sticky", "pal", "pm-first"}) {
      SmallWorld world = bursts(++seed, rule, "ewma");
      world.placement = placement;
      if (world.engine.start == Start::round) world.order = orders().names()[seed % orders().names().size()];
      world.power->boot_s = world.power->rule.boot_s = 0;
      Seen seen;
      const RunResult with = watch(world, seen);
      expect_states_apart(world, seen, 1e9);
      off_s += seconds_in(seen, NodeState::off);
      world.power.reset();
      SCOPED_TRACE(fmt::format("{} {}", rule, placement));
      const RunResult without = world.run();
      EXPECT_EQ(bits(with.jobs.finish_s), bits(without.jobs.finish_s));
      EXPECT_EQ(with.events.time_s, without.events.time_s);
      EXPECT_EQ(with.events.gpus, without.events.gpus);
      EXPECT_EQ(with.node_busy_s, without.node_busy_s);
      EXPECT_EQ(bits(with.metrics), bits(without.metrics));  // the run with power states has a row at time 0 more
    }
  }
  EXPECT_GT(off_s, 0);
}

// Jobs on whole nodes that are all alike cannot tell which of them are off.
TEST(PowerStates, OfEqualNodesAnyMayBeOff) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SmallWorld world = bursts(seed, "timer", "none");
    world.slowdown_values.clear();
    world.nodes_per_cabinet = 16;
    for (Job& job : world.jobs) job.gpus = (job.gpus + 3) / 4 * 4;
    world.off_first = {0, 1, 2, 3, 4};
    Seen first, second;
    const RunResult by_index = watch(world, first);
    world.off_first = {2, 4, 0, 3, 1};
    const RunResult other = watch(world, second);
    EXPECT_EQ(bits(by_index.jobs.finish_s), bits(other.jobs.finish_s));
    EXPECT_NEAR(seconds_in(first, NodeState::off), seconds_in(second, NodeState::off), 1e-6);
    EXPECT_GT(seconds_in(first, NodeState::off), 0);
  }
}

// The node with the largest value goes off first and comes on last.
TEST(PowerStates, OrderOfNodes) {
  SmallWorld world = whole_nodes(3);
  world.add(0, 16, 1000);
  world.add(5000, 8, 100);
  world.measure.last = 1;
  world.power = timer(600);
  world.off_first = {1, 9, 5};
  Seen seen;
  (void)watch(world, seen);
  std::vector<std::uint32_t> stopped, booted;
  for (const NodeInterval& at : seen.states) {
    if (at.state == NodeState::stopping) stopped.push_back(at.node.value);
    if (at.state == NodeState::booting) booted.push_back(at.node.value);
  }
  EXPECT_EQ(stopped, (std::vector<std::uint32_t>{2, 1, 0}));  // 2 is the only idle one while the first job runs
  EXPECT_EQ(booted, (std::vector<std::uint32_t>{0}));
}

// 9 GPUs are more than one of three nodes: an oracle foresees two, which are on when the job comes at 1,000 s, since it
// powers them on 300 s before, in the tick that begins at 700 s. With `power.spare` one more is.
TEST(PowerStates, AnOracleForeseesWholeNodes) {
  SmallWorld world = whole_nodes(3);
  world.add(1000, 9, 500);
  world.measure.last = 0;
  world.power = timer(100);
  world.power->off = "oracle";
  world.power->tick_s = 100;
  world.power->rule.boot_s = 300;
  Seen seen;
  const RunResult result = watch(world, seen);
  EXPECT_EQ(result.jobs.start_s[0], 1000);
  EXPECT_EQ(result.power_wait_s, (std::vector<double>{0}));
  EXPECT_EQ(seconds_in(seen, NodeState::booting), 2 * 300);
  world.power->rule.spare = 1;
  Seen spared;
  (void)watch(world, spared);
  EXPECT_EQ(seconds_in(spared, NodeState::booting), 2 * 300) << "one has never been off";
}

// No node is in use before the first job comes. `ces` with all of the past as its history powers the node off only when
// fewer are in use than 0.45 on average: at 1,200 s the job of 750 s, which had the node booted and ran up to 1,150 s,
// has used it in 5 of the 12 ticks before. So it is on when the next job comes.
TEST(PowerStates, NoNodeIsInUseBeforeTheFirstJob) {
  SmallWorld world = whole_nodes(1);
  world.add(750, 8, 100);
  world.add(3000, 8, 100);
  world.measure.last = 1;
  world.power = timer(600);
  world.power->off = "ces";
  world.power->tick_s = 100;
  world.power->rule.ces = {.history = 50, .future = 2, .his_threshold = 0.45, .buffer = 0, .keep = 1};
  EXPECT_EQ(world.run().jobs.start_s, (std::vector<double>{1050, 3000}));
}

// Where booting takes no time a job takes a node that is off, once: the node goes off again when it has been idle for
// 600 s.
TEST(PowerStates, ANodeThatWasTakenMayGoOffAgain) {
  SmallWorld world = whole_nodes(1);
  for (const double submit_s : {0.0, 2000.0, 4000.0}) world.add(submit_s, 8, 100);
  world.measure.last = 2;
  world.power = timer(600);
  world.power->boot_s = 0;
  world.power->tick_s = 100;
  Seen seen;
  (void)watch(world, seen);
  EXPECT_EQ(texts(seen.states), (std::vector<std::string>{"0 stopping 700-760", "0 off 760-2000",
                                                          "0 stopping 2700-2760", "0 off 2760-4000"}));
}

}  // namespace
}  // namespace palstudy
