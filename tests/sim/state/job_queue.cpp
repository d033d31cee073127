// SPDX-License-Identifier: MIT
// The queue of a partition alone.
#include "sim/state/job_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "core/random.hpp"

namespace palstudy {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Job j asks for 1 + j % 8 GPUs.
std::vector<Job> some_jobs(std::uint32_t count) {
  std::vector<Job> jobs(count);
  for (std::uint32_t j = 0; j < count; ++j) jobs[j].gpus = 1 + j % 8;
  return jobs;
}

/// The slow, obvious twin: since when each waiting job waits, who runs, who has starved.
struct SlowQueue {
  std::map<std::uint32_t, double> waiting_since_s;
  std::vector<std::uint32_t> running;
  std::map<std::uint32_t, bool> starved;
};

// Random histories of arrivals, launches, stops, ends and moves to other partitions, with and without starvation: after
// each boundary the queue is that of the twin, which looks at every job.
TEST(JobQueue, EqualsItsSlowTwin) {
  const auto jobs = some_jobs(400);
  int starvations = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const double starvation_s = seed % 3 == 0 ? infinite : 500;
    JobTable table(jobs.size());
    OwnJobs own(table, PartitionId(0)), elsewhere(table, PartitionId(1));
    const JobSizes rigid;
    JobQueue queue(jobs, own, rigid, starvation_s);
    SlowQueue twin;
    RandomStream random(seed, Purpose::job_shape, 0);
    std::uint32_t next = 0;
    for (double now_s = 0; now_s < 20000; now_s += 100) {
      for (std::uint32_t n = random.below(4); n > 0 && next < jobs.size(); --n, ++next) {
        own.change(JobId(next), JobChange::arrived);
        queue.admit(JobId(next), now_s);
        twin.waiting_since_s[next] = now_s;
      }
      const auto take_one = [&](auto& from) {
        auto at = from.begin();
        std::advance(at, random.below(static_cast<std::uint32_t>(from.size())));
        return at;
      };
      if (!twin.running.empty() && random.below(2) == 0) {  // a job ends or is stopped
        const auto at = take_one(twin.running);
        const std::uint32_t job = *at;
        twin.running.erase(at);
        if (random.below(2) == 0) {
          own.change(JobId(job), JobChange::stopped);
          queue.wait_again(JobId(job), now_s);
          twin.waiting_since_s[job] = now_s;
        } else {
          own.change(JobId(job), JobChange::ended);
          queue.finish(JobId(job), jobs[job].gpus);
          twin.starved.erase(job);
        }
      }
      if (!twin.waiting_since_s.empty() && random.below(4) == 0) {  // one goes to another partition and comes back
        const auto [job, since_s] = *take_one(twin.waiting_since_s);
        queue.move_out(JobId(job));
        own.change(JobId(job), JobChange::moved_out);
        elsewhere.change(JobId(job), JobChange::moved_in);
        elsewhere.change(JobId(job), JobChange::moved_out);
        own.change(JobId(job), JobChange::moved_in);
        queue.move_in(JobId(job), since_s);
        twin.starved.erase(job);
      }
      queue.mark_starved(now_s);
      for (const auto& [job, since_s] : twin.waiting_since_s) {
        if (now_s - since_s >= starvation_s && !twin.starved[job]) {
          twin.starved[job] = true;
          ++starvations;
        }
      }
      double next_s = infinite;
      for (const auto& [job, since_s] : twin.waiting_since_s) {
        if (!twin.starved[job]) next_s = std::min(next_s, since_s + starvation_s);
      }
      EXPECT_EQ(queue.next_starvation_s(), next_s) << "seed " << seed << " at " << now_s;
      std::vector<JobId> launched;
      while (!twin.waiting_since_s.empty() && launched.size() < 2) {
        const auto at = take_one(twin.waiting_since_s);
        launched.emplace_back(at->first);
        twin.running.push_back(at->first);
        twin.waiting_since_s.erase(at);
      }
      std::sort(launched.begin(), launched.end());
      for (const JobId job : launched) {
        own.change(job, JobChange::started);
        queue.launch();
      }
      queue.remove_launched(launched);

      std::vector<JobId> waiting;
      std::uint64_t demand_gpus = 0;
      bool starved = false;
      for (const auto& [job, since_s] : twin.waiting_since_s) {
        waiting.emplace_back(job);
        demand_gpus += jobs[job].gpus;
        starved = starved || twin.starved[job];
      }
      for (const std::uint32_t job : twin.running) {
        demand_gpus += jobs[job].gpus;
        starved = starved || twin.starved[job];
      }
      ASSERT_EQ(queue.waiting(), waiting) << "seed " << seed << " at " << now_s;
      EXPECT_EQ(queue.size(), waiting.size());
      EXPECT_EQ(queue.empty(), waiting.empty());
      EXPECT_EQ(queue.demand_gpus(), demand_gpus);
      EXPECT_EQ(queue.any_starved(), starved) << "seed " << seed << " at " << now_s;
    }
  }
  EXPECT_GT(starvations, 50);
}

}  // namespace
}  // namespace palstudy
