// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/reorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "sim/scheduler/ones/ones_cases.hpp"

namespace palstudy {
namespace {

/// The cost of a run, GPU by GPU.
double cost_of_run(std::size_t begin, const OnesCount& count, const OnesSchedule& deployed, ClassId cls,
                   const SlownessCost& slowness) {
  double moves = 0, slowest = 0;
  for (std::size_t gpu = begin; gpu < begin + count.gpus; ++gpu) {
    moves += deployed[gpu] != no_job_row && deployed[gpu] != count.row ? 1 : 0;
    if (slowness.slowdowns != nullptr) {
      slowest = std::max(slowest, slowness.slowdowns->of(cls, static_cast<std::uint32_t>(gpu)));
    }
  }
  return slowness.slowdowns == nullptr ? moves : moves + slowness.weight * count.gpus * (slowest - 1);
}

/// The least cost of all placements of contiguous runs in all orders, with any GPUs left empty between them.
class AllOrders {
 public:
  AllOrders(const OnesCounts& counts, const OnesSchedule& deployed, const std::vector<OnesJob>& jobs,
            const SlownessCost& slowness)
      : counts_(counts), deployed_(deployed), jobs_(jobs), slowness_(slowness) {}

  [[nodiscard]] double least() {
    std::ranges::sort(counts_, {}, &OnesCount::row);
    double best = infinity;
    do {
      best = std::min(best, least_from(0, 0));
    } while (std::ranges::next_permutation(counts_, {}, &OnesCount::row).found);
    return best;
  }

 private:
  /// Of the runs from `job` on, on the GPUs from `begin` on.
  [[nodiscard]] double least_from(std::size_t job, std::size_t begin) const {
    if (job == counts_.size()) return 0;
    double best = infinity;
    for (std::size_t b = begin; b + counts_[job].gpus <= deployed_.size(); ++b) {
      const ClassId cls = jobs_[counts_[job].row].cls;
      best = std::min(
          best, cost_of_run(b, counts_[job], deployed_, cls, slowness_) + least_from(job + 1, b + counts_[job].gpus));
    }
    return best;
  }

  OnesCounts counts_;
  const OnesSchedule& deployed_;
  const std::vector<OnesJob>& jobs_;
  SlownessCost slowness_;
};

/// The dynamic program as it is described, with its lists as schedules of the first GPUs.
OnesSchedule placed_slowly(const OnesCounts& counts, const OnesSchedule& deployed, const std::vector<OnesJob>& jobs,
                           const SlownessCost& slowness) {
  struct List {
    double cost = 0;
    OnesSchedule gpus;
  };
  std::map<std::pair<std::size_t, std::size_t>, List> best;  // by GPUs and jobs placed
  best[{0, 0}] = {};
  for (std::size_t i = 1; i <= deployed.size(); ++i) {
    for (std::size_t k = 0; k <= counts.size(); ++k) {
      std::optional<List> found;
      if (const auto shorter = best.find({i - 1, k}); shorter != best.end()) {
        found = shorter->second;
        found->gpus.push_back(no_job_row);
      }
      for (const OnesCount& count : counts) {
        const auto before = k == 0 || count.gpus > i ? best.end() : best.find({i - count.gpus, k - 1});
        if (before == best.end() || std::ranges::count(before->second.gpus, count.row) > 0) continue;
        List longer = before->second;
        longer.cost += cost_of_run(i - count.gpus, count, deployed, jobs[count.row].cls, slowness);
        longer.gpus.insert(longer.gpus.end(), count.gpus, count.row);
        if (!found || longer.cost < found->cost) found = std::move(longer);
      }
      if (found) best[{i, k}] = std::move(*found);
    }
  }
  return best[{deployed.size(), counts.size()}].gpus;
}

/// Checks that each job has one run of its count, and returns the cost, counted GPU by GPU.
double cost_of_schedule(const OnesSchedule& schedule, const OnesCounts& counts, const OnesSchedule& deployed,
                        const std::vector<OnesJob>& jobs, const SlownessCost& slowness) {
  double cost = 0;
  std::size_t used = 0;
  for (const OnesCount& count : counts) {
    const auto begin = static_cast<std::size_t>(std::ranges::find(schedule, count.row) - schedule.begin());
    EXPECT_LE(begin + count.gpus, schedule.size());
    EXPECT_EQ(std::ranges::count(schedule, count.row), count.gpus);
    for (std::size_t gpu = begin; gpu < begin + count.gpus; ++gpu) EXPECT_EQ(schedule.at(gpu), count.row);
    cost += cost_of_run(begin, count, deployed, jobs[count.row].cls, slowness);
    used += count.gpus;
  }
  EXPECT_EQ(std::ranges::count(schedule, no_job_row), static_cast<std::ptrdiff_t>(schedule.size() - used));
  return cost;
}

/// How often the heuristic does not find the least cost.
struct Misses {
  int dearer = 0;
  double cost = 0, least = 0;  // sums
};

/// Holds the heuristic against all orders: it is never cheaper, and its cost is that of its schedule. Against the
/// program as described: it finds the same schedule. `in_runs`: every job has one run in the deployed schedule.
Misses misses(bool in_runs, bool aware) {
  Misses found;
  OnesReorder reorder;  // one for all, so that what it keeps cannot matter
  for (std::uint64_t number = 0; number < 1000; ++number) {
    OnesCases c(number);
    c.gpus = std::min(c.gpus, 9U);
    std::vector<double> values;
    for (std::uint32_t i = 0; i < 2 * c.gpus; ++i) values.push_back(1 + std::floor(8 * c.uniform()) / 16);
    const SetSlowdowns slowdowns(c.gpus, values);
    for (OnesJob& job : c.jobs) job.cls = ClassId(c.uniform() < 0.5 ? 0 : 1);
    const SlownessCost slowness{aware ? &slowdowns : nullptr, 2};
    const OnesSchedule deployed = in_runs ? one_after_another(c.counts(5), c.gpus) : c.schedule();
    const OnesCounts counts = c.counts(5);
    const Reordered ours = reorder(counts, deployed, c.jobs, slowness);
    EXPECT_EQ(ours.cost, cost_of_schedule(ours.schedule, counts, deployed, c.jobs, slowness)) << number;
    EXPECT_EQ(ours.schedule, placed_slowly(counts, deployed, c.jobs, slowness)) << number;
    const double least = AllOrders(counts, deployed, c.jobs, slowness).least();
    EXPECT_GE(ours.cost, least) << number;
    found.dearer += ours.cost > least ? 1 : 0;
    found.cost += ours.cost;
    found.least += least;
  }
  return found;
}

void record(const std::string& name, const Misses& found) {
  testing::Test::RecordProperty(name + "_dearer_of_1000", found.dearer);
  testing::Test::RecordProperty(name + "_cost_percent_of_least", static_cast<int>(100 * found.cost / found.least));
}

// The published heuristic keeps one list of jobs where several cost the same, and often misses the best order: in three
// of ten cases from a schedule of runs, in four of ten from entries at random. The bounds say what it is worth.
TEST(OnesReorder, IsThePublishedHeuristicAndMissesTheBestOrder) {
  for (const bool in_runs : {true, false}) {
    const Misses blind = misses(in_runs, false), aware = misses(in_runs, true);
    record(in_runs ? "runs" : "random", blind);
    record(in_runs ? "runs_aware" : "random_aware", aware);
    EXPECT_LE(blind.dearer, in_runs ? 320 : 400);
    EXPECT_LE(aware.dearer, in_runs ? 480 : 520);
    EXPECT_LE(blind.cost, blind.least * 1.5);
    EXPECT_LE(aware.cost, aware.least * 1.25);
  }
}

// Jobs 0 and 1 run on two GPUs each, and job 2 could get the two GPUs between. Tried before job 0 it does, and nobody
// moves. Tried after it, job 0 is kept for the empty GPUs, which cost it nothing, and only then it turns out that job 2
// has to take what job 0 has: the heuristic's miss.
TEST(OnesReorder, OfEqualCostsTheEarlierJobIsKept) {
  const OnesSchedule deployed = {1, 1, no_job_row, no_job_row, 0, 0};
  const std::vector<OnesJob> jobs(3);
  const Reordered kept = OnesReorder()(OnesCounts{{1, 2}, {2, 2}, {0, 2}}, deployed, jobs);
  EXPECT_EQ(kept.schedule, (OnesSchedule{1, 1, 2, 2, 0, 0}));
  EXPECT_EQ(kept.cost, 0);
  const Reordered missed = OnesReorder()(OnesCounts{{0, 2}, {1, 2}, {2, 2}}, deployed, jobs);
  EXPECT_EQ(missed.schedule, (OnesSchedule{1, 1, 0, 0, 2, 2}));
  EXPECT_EQ(missed.cost, 2);
}

// GPU 0 is slow. A job of three takes the others of four if slowness has a weight, else the first three. If it runs on
// the first three already, moving costs nothing either, since nobody else has the last one.
TEST(OnesReorder, AvoidsSlowGpus) {
  const std::vector<OnesJob> jobs(1);
  const SetSlowdowns slowdowns(4, {2, 1, 1, 1});
  const OnesCounts counts = {{0, 3}};
  for (const OnesSchedule& deployed : {OnesSchedule(4, no_job_row), OnesSchedule{0, 0, 0, no_job_row}}) {
    EXPECT_EQ(OnesReorder()(counts, deployed, jobs).schedule, (OnesSchedule{0, 0, 0, no_job_row}));
    EXPECT_EQ(OnesReorder()(counts, deployed, jobs, {&slowdowns, 1}).schedule, (OnesSchedule{no_job_row, 0, 0, 0}));
    EXPECT_EQ(OnesReorder()(counts, deployed, jobs, {&slowdowns, 0}).schedule, (OnesSchedule{0, 0, 0, no_job_row}));
  }
}

TEST(OnesReorder, RefusesMoreGpusThanThereAre) {
  EXPECT_THROW((void)OnesReorder()(OnesCounts{{0, 3}}, OnesSchedule(2, no_job_row), std::vector<OnesJob>(1)), Error);
  EXPECT_EQ(OnesReorder()(OnesCounts(), OnesSchedule(2, 0), std::vector<OnesJob>(1)).schedule,
            OnesSchedule(2, no_job_row));
}

}  // namespace
}  // namespace palstudy
