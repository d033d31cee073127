// SPDX-License-Identifier: MIT
// Effects alone: what each does to rates, ends and nodes, without a simulation around it.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sim/partition_parts.hpp"
#include "sim/state/effect.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

SmallWorld three_nodes() {
  SmallWorld world;
  world.nodes = 3;
  for (const std::uint32_t gpus : {2u, 2u, 6u}) world.add(0, gpus, 1000);
  world.measure.last = 2;
  return world;
}

std::unique_ptr<Effect> make_effect(const char* name, PartitionParts& parts) {
  return effects().at(name).make.make(parts.state, parts.states.attempts);
}

// Jobs 0 and 1 share node 0 and slow each other by 1.3; who comes and goes changes the rates of both.
TEST(Interference, SlowsJobsOfOneNode) {
  SmallWorld world = three_nodes();
  world.interference = {1.3, 1.5};
  with_parts(world, [](PartitionParts& parts) {
    const auto effect = make_effect("interference", parts);
    const GpuSet left = {{NodeId(0), 0b0011}}, right = {{NodeId(0), 0b1100}};
    Changes changes;
    effect->on_take(JobId(0), left);
    effect->on_take(JobId(1), right);
    effect->settle(0, changes);
    EXPECT_EQ(changes.rates, std::vector<JobId>({JobId(0), JobId(1)}));
    Rate rate{1.1, 1.7, 2.0};
    effect->adjust(JobId(0), left, rate);
    EXPECT_EQ(rate.stall, 1.3);
    EXPECT_EQ(rate.seconds_per_iteration(), (1.1 * (1.7 * 1.3)) * 2.0);
    effect->on_give(JobId(1), right);
    Rate alone;
    effect->adjust(JobId(0), left, alone);
    EXPECT_EQ(alone.stall, 1.0);
  });
}

// Outages of a node that overlap are one: node 2 is down from 10 to 40, node 0 from 20 to 30.
TEST(Outages, ComeInTheOrderOfTime) {
  SmallWorld world = three_nodes();
  world.outages = {{NodeId(2), 10, 25}, {NodeId(0), 20, 30}, {NodeId(2), 25, 40}};
  with_parts(world, [](PartitionParts& parts) {
    const auto effect = make_effect("outages", parts);
    EXPECT_EQ(effect->next_event_s(), 10.0);
    Changes changes;
    effect->advance(9, changes);
    EXPECT_TRUE(changes.down.empty());
    effect->advance(20, changes);
    EXPECT_EQ(changes.down, std::vector<NodeId>({NodeId(2), NodeId(0)}));
    EXPECT_TRUE(changes.up.empty());
    EXPECT_EQ(effect->next_event_s(), 30.0);
    effect->advance(100, changes);
    EXPECT_EQ(changes.up, std::vector<NodeId>({NodeId(0), NodeId(2)}));
    EXPECT_EQ(effect->next_event_s(), std::numeric_limits<double>::infinity());
  });
}

// Node 1 drains from 10 to 100 and is down from 20 to 50 meanwhile. Each change says what begins, and gives back what
// was taken before: at 20 it is down instead of draining, at 50 it drains again, at 100 it is there.
TEST(Outages, ANodeThatGoesDownWhileItDrainsDrainsOnAfterwards) {
  SmallWorld world = three_nodes();
  world.outages = {{NodeId(1), 10, 100, true}, {NodeId(1), 20, 50}};
  with_parts(world, [](PartitionParts& parts) {
    const auto effect = make_effect("outages", parts);
    const std::vector<NodeId> none, node = {NodeId(1)};
    const auto expect_change = [&](double now_s, bool down, bool draining, bool up) {
      EXPECT_EQ(effect->next_event_s(), now_s);
      Changes changes;
      effect->advance(now_s, changes);
      EXPECT_EQ(changes.down, down ? node : none) << now_s;
      EXPECT_EQ(changes.draining, draining ? node : none) << now_s;
      EXPECT_EQ(changes.up, up ? node : none) << now_s;
    };
    expect_change(10, false, true, false);
    expect_change(20, true, false, true);
    expect_change(50, false, true, true);
    expect_change(100, false, false, true);
    EXPECT_EQ(effect->next_event_s(), std::numeric_limits<double>::infinity());
  });
}

// Restored after the first event, the node that is down then is withdrawn from the index.
TEST(Outages, AreRestoredWithTheirNodes) {
  SmallWorld world = three_nodes();
  world.outages = {{NodeId(2), 10, 40}};
  std::string bytes;
  with_parts(world, [&](PartitionParts& parts) {
    const auto effect = make_effect("outages", parts);
    Changes changes;
    effect->advance(10, changes);
    bytes = to_bytes([&](StateOut& archive) { effect->state(archive); });
  });
  with_parts(world, [&](PartitionParts& parts) {
    const auto effect = make_effect("outages", parts);
    from_bytes(bytes, [&](StateIn& archive) { effect->state(archive); });
    EXPECT_EQ(effect->next_event_s(), 40.0);
    EXPECT_EQ(parts.state.free.total(), 8U);
  });
}

// Where every attempt fails after half a minute on average, an attempt under way either fails first or finishes, and
// the end of its interval is never later than its work's.
TEST(Failures, EndAnIntervalBeforeItsWorkIsDone) {
  SmallWorld world = three_nodes();
  world.failures =
      "reason,category,of,repeats,validated,rtf_p50_min,rtf_p90_min,rtf_p95_min,gpus_1\n"
      "(attempts that fail),,share,,,,,,100\n(jobs that are killed),,share,,,,,,0\nlink,IF,place,no,no,0.5,1,2,8\n";
  with_parts(world, [](PartitionParts& parts) {
    const auto effect = make_effect("failures", parts);
    parts.launch(2, 0);
    for (const std::uint32_t job : {0u, 1u}) {
      effect->on_take(JobId(job), parts.gpus_of(job));
      const std::uint32_t slot = parts.state.running.slot_of(JobId(job));
      const double end_s = effect->end_s(slot, 1000);
      EXPECT_LE(end_s, 1000.0);
      EXPECT_EQ(effect->end_reason(JobId(job)) == EndReason::finished, end_s == 1000.0);
      EXPECT_EQ(parts.rows.records[job].attempts, 1U);
    }
    EXPECT_EQ(effect->work_limit(JobId(0), 1000), 1000.0);
    EXPECT_EQ(effect->rows(), 0U);
  });
}

}  // namespace
}  // namespace palstudy
