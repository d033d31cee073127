// SPDX-License-Identifier: MIT
// Every registered scheduler, order and placement, and every effect, must give one result: with every boundary visited
// or skipped, saved and restored at every instant, on 1, 2, 3 and 7 ranks. A new one is in this test once it is
// registered.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "sim/conforming.hpp"
#include "sim/linear_jobs.hpp"
#include "sim/state/effect.hpp"

namespace palstudy {
namespace {

/// Nodes that go off and on within the times of `short_world`.
PowerOptions short_power(std::uint64_t seed) {
  PowerOptions options;
  options.off = power_rules().names()[seed % power_rules().names().size()];
  options.forecast = forecasts().names()[seed % forecasts().names().size()];
  options.rule.idle_s = 20;
  options.rule.ces = {.history = 2, .future = 2, .buffer = 0, .keep = 1};
  options.tick_s = 14;
  options.boot_s = options.rule.boot_s = seed % 5 == 0 ? 0 : 9;
  options.stop_s = 4;
  return options;
}

TEST(Conformance, EveryOrderAndPlacement) {
  std::uint64_t seed = 0;
  for (const auto& order : orders().names()) {
    for (const auto& placement : placements().names()) {
      ++seed;
      SmallWorld world = short_world(seed, seed % 2 == 0 ? 1 : 4);
      world.order = order;
      world.placement = placement;
      if (seed % 4 == 3) world.partition_sizes = {4, 8, 4};
      world.routing = routings().names()[seed % routings().names().size()];
      SCOPED_TRACE(fmt::format("{} {} {}", order, placement, world.partitions));
      ASSERT_NO_FATAL_FAILURE(expect_conforms(world, some_ranks(seed)));
    }
  }
}

TEST(Conformance, EveryPredictor) {
  std::uint64_t seed = 0;
  for (const auto& predictor : predictors().names()) {
    for (const char* placement : {"packed-sticky", "pal"}) {
      ++seed;
      SmallWorld world = short_world(seed, seed % 2 == 0 ? 1 : 4);
      world.order = "qssf";
      world.placement = placement;
      world.predictor = predictor;
      for (Job& job : world.jobs) job.predicted_s = static_cast<double>(7 * job.id % 5) - 1;
      SCOPED_TRACE(fmt::format("{} {} {}", predictor, placement, world.partitions));
      ASSERT_NO_FATAL_FAILURE(expect_conforms(world, some_ranks(seed)));
    }
  }
}

/// With thresholds, promotions, leases, ages and half-lives that these short jobs meet, and three tenants.
TEST(Conformance, OrdersThatKeepAState) {
  std::uint64_t seed = 0;
  for (const char* order : {"las2d", "rho", "multifactor"}) {
    for (const char* placement : {"packed-sticky", "pal", "pal-sticky"}) {
      for (const Backfill backfill : {Backfill::none, Backfill::greedy}) {
        ++seed;
        SmallWorld world = short_world(seed, seed % 2 == 0 ? 1 : 4);
        world.order = order;
        world.placement = placement;
        world.engine.backfill = backfill;
        world.tenant_names = {"a", "b", "c"};
        for (Job& job : world.jobs) job.tenant = static_cast<std::uint16_t>(job.id % 3);
        if (seed % 3 == 0) world.engine.start = Start::event;
        if (seed % 3 == 1) world.engine.starvation_s = 200;
        if (seed % 4 == 3) world.outages = {{NodeId(0), 45, 100}, {NodeId(1), 90, 95}};
        world.set_params = [](ParamValues& params) {
          params.set("thresholds", std::string("60, 200"));
          params.set("promote", 0.7);
          params.set("lease_s", 70.0);
          params.set("PriorityMaxAge", 1.5);
          params.set("PriorityDecayHalfLife", 100.0 / 60);
          params.set("PriorityCalcPeriod", 25.0 / 60);
        };
        SCOPED_TRACE(fmt::format("{} {} {}", order, placement, seed));
        ASSERT_NO_FATAL_FAILURE(expect_conforms(world, some_ranks(seed)));
      }
    }
  }
}

TEST(Conformance, EveryScheduler) {
  for (const auto& entry : schedulers().entries()) {
    for (const std::uint32_t partitions : {1u, 4u}) {
      SCOPED_TRACE(entry.name);
      SmallWorld world = short_world(5, partitions);
      world.scheduler = [&](const SchedulerContext& context) {
        return entry.make(context, default_params(entry.params));
      };
      for (const int ranks : {1, 2, 3, 7}) ASSERT_NO_FATAL_FAILURE(expect_conforms(world, ranks));
    }
  }
}

// Estimates are up to three times the ideal time, and slow GPUs take jobs past them; ways to extend, kill, inflate and
// reserve in turn.
TEST(Conformance, EveryBackfill) {
  std::uint64_t seed = 0;
  for (const auto& backfill : backfills().names()) {
    for (const Start start : {Start::round, Start::event}) {
      for (int inflation = 0; inflation < 3; ++inflation) {
        ++seed;
        SmallWorld world = short_world(seed, seed % 2 == 0 ? 1 : 4);
        world.placement = seed % 3 == 0 ? "packed-sticky" : "pal-sticky";
        world.backfill =
            backfills().at(backfill).make(default_params(backfills().at(backfill).params))->reserves() ? backfill : "";
        world.engine.start = start;
        world.engine.inflation = static_cast<EstimateInflation>(inflation);
        world.engine.reserves_bins = backfill == "easy" && inflation == 1;
        world.engine.kills_overruns = seed % 5 == 0;
        for (std::size_t j = 0; j < world.jobs.size(); ++j) {
          world.jobs[j].estimate_s = world.jobs[j].ideal_s() * (1 + 0.5 * static_cast<double>(j % 4));
        }
        SCOPED_TRACE(fmt::format("{} {} {}", backfill, static_cast<int>(start), inflation));
        ASSERT_NO_FATAL_FAILURE(expect_conforms(world, some_ranks(seed)));
      }
    }
  }
}

/// Three tenants whose jobs reach the largest age, and whose usage decays while they wait.
void use_priorities(SmallWorld& world) {
  world.order = "multifactor";
  world.tenant_names = {"a", "b", "c"};
  for (Job& job : world.jobs) job.tenant = static_cast<std::uint16_t>(job.id % 3);
  world.set_params = [](ParamValues& params) {
    params.set("PriorityMaxAge", 1.5);
    params.set("PriorityDecayHalfLife", 100.0 / 60);
    params.set("PriorityCalcPeriod", 25.0 / 60);
  };
}

// An order whose keys change with time, under every backfill and with quotas.
TEST(Conformance, PrioritiesWithBackfillsAndTenants) {
  std::uint64_t seed = 0;
  for (const auto& backfill : backfills().names()) {
    for (const Start start : {Start::round, Start::event}) {
      ++seed;
      SmallWorld world = short_world(seed, seed % 2 == 0 ? 1 : 4);
      use_priorities(world);
      world.backfill =
          backfills().at(backfill).make(default_params(backfills().at(backfill).params))->reserves() ? backfill : "";
      world.engine.start = start;
      for (std::size_t j = 0; j < world.jobs.size(); ++j) {
        world.jobs[j].estimate_s = world.jobs[j].ideal_s() * (1 + 0.5 * static_cast<double>(j % 4));
      }
      SCOPED_TRACE(fmt::format("{} {}", backfill, static_cast<int>(start)));
      ASSERT_NO_FATAL_FAILURE(expect_conforms(world, some_ranks(seed)));
    }
  }
  for (const char* placement : {"packed-sticky", "pal", "pal-sticky"}) {
    SmallWorld world = short_world(++seed, 1);
    use_priorities(world);
    world.placement = placement;
    world.tenants.emplace();
    world.tenants->quota = {8, 5, 3};
    SCOPED_TRACE(placement);
    ASSERT_NO_FATAL_FAILURE(expect_conforms(world, 1));
  }
}

// Two queues that share nodes, users of two accounts, jobs that come after others and arrays, under placements that
// leave running jobs and one that moves them; nodes go, so that jobs lose theirs and wait.
TEST(Conformance, QueuesAccountsAndLinks) {
  std::uint64_t seed = 0;
  for (const char* placement : {"slurm", "packed-sticky", "pal-sticky"}) {
    for (const Start start : {Start::round, Start::event}) {
      SmallWorld world = short_world(++seed, 1);
      use_priorities(world);
      world.backfill = "slurm";
      world.placement = placement;
      world.engine.start = start;
      world.engine.kills_overruns = seed % 2 == 0;
      world.outages = {{NodeId(0), 90, 130, false}};
      NodeSet some(world.nodes);
      some.insert(NodeId(0)), some.insert(NodeId(1));
      world.queues = QueueRules{{{"all", NodeSet::all(world.nodes)}, {"some", some, 3}}, {0, 1}};
      world.shares = ShareTree{{{0, 2}, {0, 1}, {1, 1}}, {3, 1}, {}};
      world.links.at_once = {{"a", 2}};
      for (std::size_t j = 0; j < world.jobs.size(); ++j) {
        Job& job = world.jobs[j];
        job.queue = static_cast<std::uint16_t>(j % 2);
        if (job.queue == 1) job.gpus = std::min(job.gpus, 2 * world.gpus_per_node);
        job.estimate_s = job.ideal_s() * (1 + 0.5 * static_cast<double>(j % 4));
        world.shares->user_of_job.push_back(static_cast<std::uint32_t>(j % 3));
        if (j % 5 == 4) world.links.after.push_back({job.id, job.id - 3});
        if (j % 4 == 1) world.links.tasks.push_back({job.id, "a"});
      }
      SCOPED_TRACE(fmt::format("{} {}", placement, static_cast<int>(start)));
      ASSERT_NO_FATAL_FAILURE(expect_conforms(world, 1));
    }
  }
}

TEST(Conformance, EveryPowerRule) {
  std::uint64_t seed = 0;
  for (const auto& rule : power_rules().names()) {
    for (const auto& forecast : forecasts().names()) {
      ++seed;
      SmallWorld world = short_world(seed, seed % 2 == 0 ? 1 : 4);
      world.power = short_power(seed);
      world.power->off = rule;
      world.power->forecast = forecast;
      world.placement = placements().names()[seed % placements().names().size()];
      for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 16 / world.partitions);
      SCOPED_TRACE(fmt::format("{} {} {} {}", rule, forecast, world.placement, world.partitions));
      ASSERT_NO_FATAL_FAILURE(expect_conforms(world, some_ranks(seed)));
    }
  }
}

/// What turns an effect on, by its name.
const std::map<std::string, void (*)(SmallWorld&)> turn_on = {
    {"failures",
     [](SmallWorld& world) {
       world.failures =
           "reason,category,of,repeats,validated,rtf_p50_min,rtf_p90_min,rtf_p95_min,gpus_1\n"
           "(attempts that fail),,share,,,,,,60\n(jobs that are killed),,share,,,,,,10\n"
           "bad input,U,job,yes,yes,0.5,2,3,5\nlink,IF,place,no,no,0.3,1,4,8\n";
       world.failure_options.checkpoint_s = 20;
       world.faults = Faults::gpu;
     }},
    {"interference",
     [](SmallWorld& world) {
       world.interference = {1.3, 1.5};
     }},
    {"outages",
     [](SmallWorld& world) {
       world.outages = {{NodeId(0), 45, 100}, {NodeId(1), 90, 95}, {NodeId(2), 60, 211}};
       world.outages.insert(world.outages.end(), {{NodeId(3), 50, 165, true}, {NodeId(2), 200, 250, true}});
       for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 4U);
     }},
    {"elastic",
     [](SmallWorld& world) {
       auto jobs = linear_jobs(world.jobs.size(), {5, 20});
       jobs->models[0].noise.knots = {{0, 1}, {1, 1000}};
       jobs->models[0].restart_s = 3;
       jobs->batch.assign(world.jobs.size(), 64);
       world.elastic = jobs;
       for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 4U);
     }},
    {"overruns",
     [](SmallWorld& world) {
       world.engine.kills_overruns = true;
       for (std::size_t j = 0; j < world.jobs.size(); ++j) {
         world.jobs[j].estimate_s = world.jobs[j].ideal_s() * (0.6 + 0.3 * static_cast<double>(j % 4));
       }
     }},
    {"power-states",
     [](SmallWorld& world) {
       world.power = short_power(7);
       for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 4U);
     }},
    {"predictions", [](SmallWorld& world) {
       world.order = "qssf";
       world.predictor = "ewma";
     }}};

/// Whether two effects work together (sim/supports.cpp).
bool together(const std::string& a, const std::string& b) {
  const auto one_is = [&](const char* name) { return a == name || b == name; };
  if (one_is("elastic") && (one_is("failures") || one_is("overruns"))) return false;
  if (a == "failures" || b == "failures") return a != "overruns" && b != "overruns";
  return !(a == "outages" && b == "power-states");
}

// Every effect, and every pair and triple that works together, under a sticky placement, one that places all jobs
// again, and one that moves single jobs.
TEST(Conformance, EveryEffect) {
  const auto& all = effects().entries();
  for (const auto& effect : all) ASSERT_TRUE(turn_on.contains(effect.name)) << effect.name << " is not tested here";
  std::uint64_t seed = 0;
  for (const char* placement : {"packed-sticky", "pal", "pal-sticky"}) {
    for (unsigned mask = 1; mask < 1U << all.size(); ++mask) {
      std::vector<std::string> on;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if ((mask >> i & 1U) != 0) on.push_back(all[i].name);
      }
      bool works = on.size() <= 3;
      for (std::size_t i = 0; i < on.size(); ++i) {
        for (std::size_t j = i + 1; j < on.size(); ++j) works = works && together(on[i], on[j]);
      }
      if (!works) continue;
      ++seed;
      SmallWorld world = short_world(seed, seed % 2 == 0 ? 1 : 4);
      world.placement = placement;
      for (const std::string& effect : on) turn_on.at(effect)(world);
      SCOPED_TRACE(fmt::format("{} {} {}", placement, mask, world.partitions));
      ASSERT_NO_FATAL_FAILURE(expect_conforms(world, some_ranks(seed)));
    }
  }
}

// The same where half of the jobs are wider than a partition, so that what the ranks tell each other of their parts
// matters: every effect and every pair that works together, under the three kinds of placements in turn.
TEST(Conformance, EveryEffectOnWideJobs) {
  constexpr const char* placements[] = {"packed-sticky", "pal", "pal-sticky"};
  const auto& all = effects().entries();
  std::uint64_t seed = 0;
  for (const auto& a : all) {
    for (const auto& b : all) {
      const bool works = a.name == b.name || (a.name < b.name && together(a.name, b.name));
      if (!works || a.name == "elastic" || b.name == "elastic") continue;  // elastic jobs cannot be wide
      ++seed;
      SmallWorld world = short_world(seed, 4);
      if (seed % 4 == 3) world.partition_sizes = {4, 8, 4};
      world.placement = placements[seed % 3];
      turn_on.at(a.name)(world);
      if (a.name != b.name) turn_on.at(b.name)(world);
      for (std::size_t j = 0; j < world.jobs.size(); j += 2)
        world.jobs[j].gpus = 5 + static_cast<std::uint32_t>(j * 5 % 9);
      SCOPED_TRACE(fmt::format("{} {} {}", a.name, b.name, world.placement));
      ASSERT_NO_FATAL_FAILURE(expect_conforms(world, some_ranks(seed)));
    }
  }
}

}  // namespace
}  // namespace palstudy
