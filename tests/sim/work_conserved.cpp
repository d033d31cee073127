// SPDX-License-Identifier: MIT
// No scheduler makes work or loses it: from the events alone, what every job did on the GPUs that it held, at the rate
// of the slowest of them and of their distance, is the work that it asked for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "sim/expect_runs.hpp"
#include "sim/uneven_world.hpp"

namespace palstudy {
namespace {

struct Rival {
  std::string scheduler, order, placement, backfill;
};

/// PAL and what docs/findings/rivals.md holds it against.
const std::vector<Rival> rivals = {
    {"list", "las", "pal", ""},
    {"list", "las", "packed-sticky", ""},
    {"list", "las2d", "tiresias", ""},
    {"list", "las2d", "pal", ""},
    {"list", "rho", "pal", ""},
    {"list", "rho", "pal-sticky", ""},
    {"list", "srtf-gpu", "packed-sticky", ""},
    {"list", "fifo", "pal-sticky", "easy"},
    {"list", "fifo", "packed-sticky", "conservative"},
    {"list", "fifo", "pal-sticky", "slurm"},
    {"gavel", "fifo", "pal", ""},
    {"gavel-nested", "fifo", "packed-sticky", ""},
};

/// 16 GPUs of two classes in two cabinets, all of which are asked for most of the time.
SmallWorld rival_world(const Rival& rival, std::uint64_t seed) {
  SmallWorld world = uneven_world(seed);
  world.order = rival.order;
  world.placement = rival.placement;
  world.backfill = rival.backfill;
  world.engine.backfill = Backfill::greedy;
  world.engine.round_s = 30;
  world.model_use = {{0, 0, 0}, {0, 0, 0.7}};
  world.set_params = [](ParamValues& params) {
    params.set("thresholds", std::string("100, 400"));
    params.set("promote", 2.0);
    params.set("lease_s", 70.0);
  };
  if (rival.scheduler != "list") {
    const auto& made = schedulers().at(rival.scheduler);
    world.scheduler = [&](const SchedulerContext& context) { return made.make(context, default_params(made.params)); };
  }
  add_random_jobs(world, seed, 40, 1500, 400);
  for (Job& job : world.jobs) job.model = static_cast<std::uint16_t>(job.id % 2);
  return world;
}

/// Seconds of work a second on these GPUs.
double rate(const SmallWorld& world, const Job& job, std::span<const std::uint32_t> gpus) {
  double slowest = 0;
  std::set<std::uint32_t> nodes, cabinets;
  for (const std::uint32_t gpu : gpus) {
    slowest = std::max(slowest, world.slowdown_values[job.cls.index() * 16 + gpu]);
    nodes.insert(gpu / world.gpus_per_node);
    cabinets.insert(gpu / world.gpus_per_node / world.nodes_per_cabinet);
  }
  const double penalty = cabinets.size() > 1 ? 1.7 : nodes.size() > 1 ? 1.3 : 1.0;
  return 1 / (slowest * penalty);
}

/// By job, from launch to launch, stop or true end.
std::vector<double> work_done(const SmallWorld& world, const RunResult& result) {
  struct Held {
    double since_s = 0, rate = 0;
  };
  std::vector<Held> held(world.jobs.size());
  std::vector<double> done(world.jobs.size());
  for (std::size_t i = 0; i < result.events.size(); ++i) {
    const std::size_t j = result.events.job[i].index();
    const double until_s = std::min(result.events.time_s[i], result.jobs.finish_s[j]);
    done[j] += held[j].rate * (until_s - held[j].since_s);
    held[j] = {};
    if (result.events.kind[i] != EventKind::launch) continue;
    const auto gpus = std::span(result.events.gpus).subspan(result.events.gpu_begin[i], result.events.gpu_count[i]);
    held[j] = {result.events.time_s[i], rate(world, world.jobs[j], gpus)};
  }
  return done;
}

TEST(WorkConserved, EveryJobDoesItsWorkUnderEveryRival) {
  for (const Rival& rival : rivals) {
    double moved_or_stopped = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      for (const Start start : {Start::round, Start::event}) {
        SCOPED_TRACE(
            fmt::format("{} {} {} {} {}", rival.scheduler, rival.order, rival.placement, rival.backfill, seed));
        SmallWorld world = rival_world(rival, seed);
        world.engine.start = start;
        const RunResult result = world.run();
        expect_sound(world, result);
        const std::vector<double> done = work_done(world, result);
        for (std::size_t j = 0; j < done.size(); ++j) {
          EXPECT_NEAR(done[j], world.jobs[j].ideal_s(), 1e-6) << "job " << j;
          moved_or_stopped += result.jobs.preemptions[j] + result.jobs.migrations[j];
        }
      }
    }
    if (rival.backfill.empty()) {
      EXPECT_GT(moved_or_stopped, 0) << "jobs that run in one piece test little";
    }
  }
}

}  // namespace
}  // namespace palstudy
