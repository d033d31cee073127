// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "sim/scheduler/ones/ones_cases.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

/// Jobs that train as a search deploys them, in rounds of 30 s. A job makes 100 samples/s on one GPU, k^0.9 times as
/// many on k, and is as slow as its slowest GPU. `waits` more jobs arrive, one at each round.
class TrainedJobs {
 public:
  TrainedJobs(std::uint32_t first, std::uint32_t waits, std::uint64_t seed) : random_(seed, Purpose::evolution, 1) {
    for (std::uint32_t i = 0; i < first; ++i) arrive();
    waiting_ = waits;
  }

  /// One round after a decision.
  void train(OnesSearch& search, const SetSlowdowns* slowdowns = nullptr) {
    const std::vector<std::uint32_t> gpus = gpus_by_row(search.deployed(), jobs_.size());
    for (std::uint32_t row = 0; row < jobs_.size(); ++row) {
      if (gpus[row] == 0) continue;
      double slowest = 1;
      for (std::uint32_t gpu = 0; slowdowns != nullptr && gpu < search.deployed().size(); ++gpu) {
        if (search.deployed()[gpu] == row) slowest = std::max(slowest, slowdowns->of(ClassId(0), gpu));
      }
      OnesJobState& job = jobs_[row];
      const double samples_per_s = 100 * std::pow(gpus[row], 0.9) / slowest;
      search.measured(job.job, samples_per_s);
      const double more = std::min(30 * samples_per_s, job.epochs_left * job.epoch_samples);
      job.samples += more;
      job.epochs_left -= more / job.epoch_samples;
      job.epochs = static_cast<std::uint32_t>(job.samples / job.epoch_samples + 1e-9);
      job.run_s += 30;
    }
    std::erase_if(jobs_, [](const OnesJobState& job) { return job.epochs_left < 1e-9; });
    if (waiting_ > 0) {
      --waiting_;
      arrive();
    }
  }
  [[nodiscard]] const std::vector<OnesJobState>& jobs() const { return jobs_; }

 private:
  void arrive() {
    OnesJobState job;
    job.job = JobId(next_++);
    job.requested = 1 + random_.below(4);
    job.epoch_samples = 1000;
    job.epochs_left = 4 + random_.below(40);
    jobs_.push_back(job);
  }

  RandomStream random_;
  std::uint32_t next_ = 0, waiting_ = 0;
  std::vector<OnesJobState> jobs_;
};

// In a run of 40 jobs on 12 GPUs: a running job whose GPUs change has completed an epoch since the last whole
// deployment or since it started, and no job has more than its limit or is there twice. The GPUs are all in use while
// jobs wait, and all jobs end.
TEST(OnesSearch, DeploysSchedulesThatMayBe) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    OnesSearch search(12, {}, seed);
    TrainedJobs world(15, 25, seed);
    std::uint32_t round = 0;
    for (; !world.jobs().empty() && round < 3000; ++round) {
      const OnesSchedule schedule = search.decide(world.jobs(), round);
      const auto has = counted_rows(schedule);
      ASSERT_EQ(schedule.size(), 12U);
      for (const auto& [row, gpus] : has) {
        ASSERT_LT(row, world.jobs().size());
        EXPECT_LE(gpus, std::max(1U, search.limit(world.jobs()[row].job)));
        const auto begin = std::ranges::find(schedule, row);
        EXPECT_TRUE(std::all_of(begin, begin + gpus, [&](std::uint32_t entry) { return entry == row; })) << "one run";
      }
      EXPECT_GE(has.size(), std::min<std::size_t>(world.jobs().size(), 1));
      world.train(search);
    }
    EXPECT_TRUE(world.jobs().empty()) << round;
  }
}

// The limit of a stopped job changes only when a deployment passes it over: then it is halved, down to one GPU. That a
// running job changed tells that the whole schedule was deployed.
TEST(OnesSearch, LimitsOfJobsPassedOverAreHalved) {
  OnesSearch search(12, {}, 4);
  TrainedJobs world(15, 25, 4);
  std::map<JobId, std::uint32_t> limits;
  std::map<JobId, std::vector<std::uint32_t>> before;  // the GPUs of each job
  std::set<JobId> started;
  int halved = 0;
  for (std::uint32_t round = 0; !world.jobs().empty() && round < 300; ++round) {
    const OnesSchedule schedule = search.decide(world.jobs(), round);
    std::map<JobId, std::vector<std::uint32_t>> now;
    for (std::uint32_t gpu = 0; gpu < schedule.size(); ++gpu) {
      if (schedule[gpu] != no_job_row) now[world.jobs()[schedule[gpu]].job].push_back(gpu);
    }
    const bool whole = std::ranges::any_of(world.jobs(), [&](const OnesJobState& job) {
      return before.contains(job.job) && before.at(job.job) != now[job.job];
    });
    for (const OnesJobState& job : world.jobs()) {
      const std::uint32_t limit = search.limit(job.job);
      if (started.contains(job.job) && before[job.job].empty() && now[job.job].empty()) {
        EXPECT_TRUE(limit == limits[job.job] || limit == limit_passed_over(limits[job.job]));
        EXPECT_TRUE(!whole || limit == limit_passed_over(limits[job.job])) << round;
        halved += limit < limits[job.job] ? 1 : 0;
      }
      limits[job.job] = limit;
      if (!now[job.job].empty()) started.insert(job.job);
    }
    std::erase_if(now, [](const auto& held) { return held.second.empty(); });
    before = now;
    world.train(search);
  }
  EXPECT_GT(halved, 0);
}

/// The deployed schedules of a whole run; at round `save_at` the search goes on as another object made of its bytes.
std::vector<OnesSchedule> deployed_schedules(std::uint64_t seed, std::optional<std::uint32_t> save_at = {}) {
  const OnesOptions options{.generations = 2};
  OnesSearch first(12, options, seed), second(12, options, seed);
  OnesSearch* search = &first;
  TrainedJobs world(15, 25, 9);
  std::vector<OnesSchedule> all;
  for (std::uint32_t round = 0; !world.jobs().empty() && round < 300; ++round) {
    if (round == save_at) {
      from_bytes(to_bytes([&](StateOut& archive) { archive << first; }), [&](StateIn& archive) { archive >> second; });
      search = &second;
    }
    all.push_back(search->decide(world.jobs(), round));
    world.train(*search);
  }
  return all;
}

// The same seed makes the same search, another one another, and a search that is saved and restored goes on as it was.
TEST(OnesSearch, IsAFunctionOfItsSeed) {
  const auto schedules = deployed_schedules(5);
  EXPECT_EQ(deployed_schedules(5), schedules);
  EXPECT_NE(deployed_schedules(6), schedules);
  for (const std::uint32_t round : {0U, 1U, 7U, 20U}) EXPECT_EQ(deployed_schedules(5, round), schedules) << round;
}

// A job alone on 8 GPUs, whose user requested two: it starts on one and is on twice as many whenever it has done two
// epochs on what it has. Other users' four times two GPUs are all that there are.
TEST(OnesSearch, LimitsDoubleWithEpochs) {
  OnesSearch search(8, {}, 1);
  OnesJobState job;
  job.requested = 2;
  job.epoch_samples = 1000;
  job.epochs_left = 100;
  std::vector<std::size_t> gpus;
  for (std::uint32_t round = 0; round < 12; ++round) {
    const OnesSchedule& schedule = search.decide(std::vector{job}, round);
    gpus.push_back(static_cast<std::size_t>(std::ranges::count(schedule, 0U)));
    search.measured(job.job, 100 * static_cast<double>(gpus.back()));
    job.epochs += 1;
    job.samples += 1000;
    job.epochs_left -= 1;
    job.run_s += 30;
  }
  EXPECT_EQ(gpus, (std::vector<std::size_t>{1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 8, 8}));
}

// GPU 0 is three times as slow. The one job of one GPU starts there, and a search that knows it takes it away once it
// has done its two epochs; one that does not leaves it.
TEST(OnesSearch, AwareOfSlowdownsItLeavesSlowGpus) {
  const SetSlowdowns slowdowns(2, {3, 1});
  OnesJobState job;
  job.epoch_samples = 1000;
  for (const bool aware : {true, false}) {
    OnesSearch search(2, {}, 1, aware ? &slowdowns : nullptr);
    job.epochs = 0;
    job.samples = 0;
    job.epochs_left = 50;
    EXPECT_EQ(search.decide(std::vector{job}, 0), (OnesSchedule{0, no_job_row}));
    search.measured(job.job, 33);
    job.epochs = 1;
    job.samples = 1000;
    const OnesSchedule moved = {no_job_row, 0}, stayed = {0, no_job_row};
    EXPECT_EQ(search.decide(std::vector{job}, 1), aware ? moved : stayed);
  }
}

// No running job moves before it has done an epoch on what it has; but a job that arrives starts on free GPUs at once.
TEST(OnesSearch, StartsWhatFitsWhileOthersMayNotChange) {
  const SetSlowdowns slowdowns(2, {3, 1});
  OnesSearch search(2, {}, 1, &slowdowns);
  OnesJobState first, second;
  first.job = JobId(4);
  second.job = JobId(6);
  first.epochs_left = second.epochs_left = 9;
  EXPECT_EQ(search.decide(std::vector{first}, 0), (OnesSchedule{0, no_job_row}));
  EXPECT_EQ(search.decide(std::vector{first}, 1), (OnesSchedule{0, no_job_row})) << "it would move, but has no epoch";
  const OnesSchedule& both = search.decide(std::vector{first, second}, 2);
  EXPECT_EQ(both, (OnesSchedule{0, 1}));
  EXPECT_EQ(search.decide(std::vector{second}, 3), (OnesSchedule{no_job_row, 0}))
      << "rows are of the jobs that are there";
  EXPECT_THROW(search.measured(first.job, 1), Error);
  EXPECT_EQ(search.decide(std::vector<OnesJobState>(), 4), OnesSchedule(2, no_job_row));
}

}  // namespace
}  // namespace palstudy
