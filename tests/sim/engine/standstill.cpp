// SPDX-License-Identifier: MIT
// A run in which nothing can change any more ends at once, on all ranks, and says which job nobody takes and why; one
// in which something still can goes on.
#include "sim/engine/standstill.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

#include "sim/engine/refusing_placement.hpp"
#include "sim/state/checkpoints.hpp"
#include "sim/thread_team.hpp"
#include "sim/uneven_world.hpp"

namespace palstudy {
namespace {

constexpr std::uint32_t refused_gpus = 3;
constexpr std::uint64_t most_instants = 3000;

/// Ends a run that goes on for ever.
class Patience final : public Checkpoints {
 public:
  void instant_ended(const StepReport&) override { ++instants; }
  [[nodiscard]] CheckpointRequest request() override {
    return instants < most_instants ? CheckpointRequest::none : CheckpointRequest::stop;
  }
  void save(const RunState&) override {}
  [[nodiscard]] std::optional<std::vector<double>> saved_costs() override { return std::nullopt; }
  [[nodiscard]] RunState read(const std::vector<PartitionId>&) override { return {}; }
  void unusable(const std::string&) override {}

  std::uint64_t instants = 0;
};

/// The job that each rank names when the run stands still, under a placement that takes no job of three GPUs; none
/// where it ends, or goes on for ever.
std::vector<std::optional<StandingJob>> named_by_ranks(const SmallWorld& world, int ranks = 1) {
  std::vector<std::optional<StandingJob>> named(static_cast<std::size_t>(ranks));
  on_team(ranks, [&](Exchange& exchange) {
    Patience patience;
    try {
      (void)world.with_world([&](const World& of, const Policies& policies) {
        const bool says_so = world.tenants.has_value();  // or their invariants find that it is
        RefusingPlacement refuses(policies.placement, refused_gpus, says_so);
        const Policies all{policies.order,     refuses,           policies.routing,
                           policies.scheduler, policies.backfill, policies.by_order};
        return simulate(of, all, exchange, patience);
      });
    } catch (const StandsStill& still) {
      named[static_cast<std::size_t>(exchange.rank())] = still.job();
    }
    EXPECT_LT(patience.instants, most_instants) << "it goes on for ever";
  });
  return named;
}

/// 16 GPUs, some jobs, and job 2, of three GPUs, which the placement refuses.
SmallWorld stuck_world(std::uint64_t seed, std::uint32_t partitions) {
  SmallWorld world = uneven_world(seed);
  world.partitions = partitions;
  world.engine.round_s = 30;
  world.engine.backfill = Backfill::greedy;
  add_random_jobs(world, seed, 8, 200, 150);
  for (Job& job : world.jobs) {
    job.gpus = std::min(job.gpus, 16 / partitions);
    if (job.gpus == refused_gpus) job.gpus = 2;
    job.estimate_s = job.ideal_s();
  }
  world.jobs[2].gpus = refused_gpus;
  world.measure.last = 7;
  return world;
}

void expect_job_two(const SmallWorld& world, const std::vector<int>& on_ranks) {
  std::optional<StandingJob> first;
  for (const int ranks : on_ranks) {
    for (const auto& named : named_by_ranks(world, ranks)) {
      if (world.partitions == 1 && ranks > 1) continue;  // the first rank alone simulates it
      ASSERT_TRUE(named);
      if (!first) first = named;
      EXPECT_EQ(*named, *first) << "on " << ranks << " ranks";
    }
  }
  ASSERT_TRUE(first);
  EXPECT_EQ(first->id, 2);
  EXPECT_EQ(first->gpus, refused_gpus);
  EXPECT_EQ(first->free_gpus, 16 / world.partitions);
  EXPECT_EQ(first->why, Hindrance::not_placeable);
  EXPECT_GE(first->partition, 0);
}

// Whoever serves the jobs, the others end, and then the run, on any ranks.
TEST(Standstill, EverySchedulerEndsARunWithAJobThatNobodyTakes) {
  for (const auto& entry : schedulers().entries()) {
    for (const std::uint32_t partitions : {1U, 4U}) {
      SCOPED_TRACE(fmt::format("{} {}", entry.name, partitions));
      SmallWorld world = stuck_world(5, partitions);
      world.slowdown_values.clear();  // one type of GPUs for Gavel, or a partition had none that three fit in
      world.scheduler = [&](const SchedulerContext& context) {
        return entry.make(context, default_params(entry.params));
      };
      expect_job_two(world, {1, 2, 3});
    }
  }
}

// Gavel whose types are not told apart begins with another one at each boundary, and a newcomer waits for a reset.
TEST(Standstill, GavelTriesEveryOrderOfTheTypes) {
  const auto& gavel = schedulers().at("gavel");
  for (const double reset_s : {0.0, 1920.0}) {
    SmallWorld world = stuck_world(6, 1);
    world.scheduler = [&](const SchedulerContext& context) {
      ParamValues params = default_params(gavel.params);
      params.set("aware", 0.0);
      params.set("reset_s", reset_s);
      return gavel.make(context, params);
    };
    expect_job_two(world, {1});
  }
}

// Every order and placement, with the others held up or not; the order changes while they run.
TEST(Standstill, EveryOrderAndPlacement) {
  std::uint64_t seed = 0;
  for (const auto& order : orders().names()) {
    for (const auto& placement : placements().names()) {
      ++seed;
      SmallWorld world = stuck_world(seed, seed % 2 == 0 ? 1 : 4);
      world.order = order;
      world.placement = placement;
      if (seed % 3 == 0) world.engine.starvation_s = 200;
      if (seed % 5 == 0) world.engine.start = Start::event;
      if (seed % 7 == 0) world.engine.visit_every_boundary = true;
      SCOPED_TRACE(fmt::format("{} {} {}", order, placement, world.partitions));
      expect_job_two(world, {1, 2});
    }
  }
}

TEST(Standstill, EveryBackfill) {
  for (const auto& backfill : backfills().names()) {
    for (const Start start : {Start::round, Start::event}) {
      SmallWorld world = stuck_world(9, start == Start::round ? 4 : 1);
      world.backfill =
          backfills().at(backfill).make(default_params(backfills().at(backfill).params))->reserves() ? backfill : "";
      world.engine.start = start;
      SCOPED_TRACE(backfill);
      expect_job_two(world, {1, 2});
    }
  }
}

// The rule of power ticks for ever; all nodes are on, and that is all that it can do.
TEST(Standstill, EveryPowerRule) {
  for (const auto& rule : power_rules().names()) {
    for (const double boot_s : {0.0, 9.0}) {
      SmallWorld world = stuck_world(4, 4);
      world.power.emplace();
      world.power->off = rule;
      world.power->tick_s = 14;
      world.power->boot_s = world.power->rule.boot_s = boot_s;
      world.power->rule.idle_s = 20;
      SCOPED_TRACE(fmt::format("{} {}", rule, boot_s));
      expect_job_two(world, {1, 2});
    }
  }
}

// Quotas, patience and back-offs have clocks of their own.
TEST(Standstill, WithTenants) {
  SmallWorld world = stuck_world(3, 1);
  world.tenant_names = {"a", "b"};
  for (Job& job : world.jobs) job.tenant = static_cast<std::uint16_t>(job.id % 2);
  world.tenants.emplace();
  world.tenants->quota = {10, 6};
  expect_job_two(world, {1});
}

// Nobody comes before job 1 in fifo without a backfill but job 0, which is refused: job 0 is named, not job 1.
TEST(Standstill, NamesTheJobThatIsHindered) {
  SmallWorld world;
  world.add(0, 3, 100);
  world.add(0, 1, 100);
  const auto named = named_by_ranks(world);
  EXPECT_EQ(named[0], (StandingJob{0, 3, 0, 4, Hindrance::not_placeable}));
}

// A study with an end of its own counts what is unfinished then, as it says, and does not fail: the run goes there at
// once, also where every boundary would be visited.
TEST(Standstill, IsNoneBeforeAnEndThatTheStudyNames) {
  SmallWorld world;
  world.placement = "random-nonsticky";
  world.add(0, 3, 100);
  world.measure.end_s = 1e8;
  EXPECT_EQ(named_by_ranks(world)[0], std::nullopt);
  world.jobs[0].gpus = 4;
  EXPECT_EQ(world.run().jobs.finish_s[0], 100);
}

// The only node is down from 10 s on and comes back at 5000 s: the run goes on, and the job of four GPUs starts then.
TEST(Standstill, IsNoneWhereANodeComesBack) {
  SmallWorld world;
  world.engine.round_s = 100;
  world.add(50, 4, 100);
  world.outages = {{NodeId(0), 10, 5000}};
  EXPECT_EQ(world.run().jobs.start_s[0], 5000);
}

// Leases, and newcomers of Gavel who wait for the next shares while nobody runs, are none either.
TEST(Standstill, IsNoneBeforeTheNextShares) {
  SmallWorld world;
  world.engine.round_s = 360;
  const auto& gavel = schedulers().at("gavel");
  world.scheduler = [&](const SchedulerContext& context) { return gavel.make(context, default_params(gavel.params)); };
  world.add(100, 4, 500);
  world.add(400, 4, 100);
  const RunResult result = world.run();
  EXPECT_EQ(result.metric(Metric::jobs_unfinished), 0);
  EXPECT_GT(result.jobs.start_s[1], 1080);  // after job 0, which ends before that
}

}  // namespace
}  // namespace palstudy
