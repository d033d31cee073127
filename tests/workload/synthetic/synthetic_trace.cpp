// SPDX-License-Identifier: MIT
#include "workload/synthetic/synthetic_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <thread>

#include "core/numbers.hpp"
#include "workload/generated.hpp"
#include "workload/models.hpp"
#include "workload/synthetic/sessions.hpp"

namespace palstudy {
namespace {

using testing_workload::arrivals;
using testing_workload::generated;
using testing_workload::same;
using testing_workload::Wanted;

constexpr double day_s = 86400;

void expect_same(const std::vector<Job>& a, const std::vector<Job>& b, std::size_t count) {
  ASSERT_GE(a.size(), count);
  ASSERT_GE(b.size(), count);
  std::size_t different = 0;
  for (std::size_t i = 0; i < count; ++i) different += same(a[i], b[i]) ? 0 : 1;
  EXPECT_EQ(different, 0u);
}

TraceStatistics philly() { return read_trace_statistics(PALSTUDY_SOURCE_DIR "/jobs/generators/philly.toml", "philly"); }

// The first job of a session arrives when the session begins, the others after it: of two days at seed 1 every session
// that begins has a job at that very time.
TEST(TraceLike, ASessionBeginsWithItsFirstJob) {
  constexpr std::uint32_t gpus = 256;
  const TraceStatistics numbers = philly();
  const auto sources = job_sources(numbers, {}, gpus);
  const Sessions sessions(numbers, sources, gpus, true, 1, 1);
  std::set<double> times;
  for (const Job& job : arrivals(generated({.gpus = gpus, .end_s = 2 * day_s}))) times.insert(job.submit_s);
  std::vector<Session> begun;
  for (std::int64_t hour = 0; hour < 48; ++hour) sessions.add_sessions_of(hour, begun);
  ASSERT_GT(begun.size(), 20u);
  for (const Session& session : begun) EXPECT_TRUE(times.contains(session.start_s)) << session.start_s;
}

// On clusters of any size: sorted, ids in order (below 0: running at time 0), class and time those of the model, and no
// job wider than 5 % of the cluster or 8 GPUs.
TEST(TraceLike, JobsAreSoundOnClustersOfAnySize) {
  const auto models = testing_workload::carried_models();
  for (const std::uint32_t gpus : {1u, 7u, 64u, 2560u, 37632u}) {
    for (const char* generator : {"philly", "helios"}) {
      const auto workload = generated({.generator = generator, .gpus = gpus, .jobs = 3000});
      double last_s = 0;
      std::int64_t id = workload.jobs.front().id;
      for (const Job& job : workload.jobs) {
        ASSERT_EQ(job.id, id++);
        ASSERT_GE(job.submit_s, job.id < 0 ? 0 : last_s);
        ASSERT_TRUE(job.id >= 0 || job.submit_s == 0);
        last_s = job.submit_s;
        ASSERT_LE(job.gpus, std::min<double>(gpus, std::max(8.0, 0.05 * gpus)));
        ASSERT_GT(job.iterations, 0);
        const auto& model = models.models.at(workload.models.at(job.model));
        ASSERT_EQ(job.iteration_s, model.iteration_s);
        ASSERT_EQ(workload.classes.at(job.cls.index()), model.cls);
        ASSERT_LT(job.tenant, workload.tenants.size());
      }
      ASSERT_GE(id, 3000);
    }
  }
}

// Nothing but the study enters: made twice, in another thread, and after other workloads, jobs are the same to the last
// bit. (So every rank makes the same.) Another seed gives others.
TEST(TraceLike, AFunctionOfTheStudyAlone) {
  const Wanted wanted{.gpus = 512, .jobs = 2000};
  const auto once = generated(wanted);
  const auto other = generated({.gpus = 512, .seed = 2, .jobs = 2000});
  Workload again;
  std::thread([&] { again = generated(wanted); }).join();
  ASSERT_EQ(once.jobs.size(), again.jobs.size());
  expect_same(once.jobs, again.jobs, once.jobs.size());
  std::set<double> times;
  for (const Job& job : arrivals(once)) times.insert(job.submit_s);
  for (const Job& job : arrivals(other)) EXPECT_FALSE(times.contains(job.submit_s));
}

// Going on for longer, or asking for more jobs, changes no earlier job; nor does having jobs at time 0 change arrivals.
TEST(TraceLike, LaterJobsChangeNoEarlierOnes) {
  const auto few = arrivals(generated({.end_s = 1.3 * day_s}));
  const auto more = arrivals(generated({.end_s = 5.1 * day_s}));
  ASSERT_LT(few.size(), more.size());
  EXPECT_LE(few.back().submit_s, 1.3 * day_s);
  EXPECT_GT(more[few.size()].submit_s, 1.3 * day_s);
  expect_same(few, more, few.size());
  expect_same(more, arrivals(generated({.jobs = more.size()})), more.size());
  expect_same(more, arrivals(generated({.end_s = 5.1 * day_s, .stationary = false})), more.size());
}

// Without end_s: up to the context's time, and for twice as long as the jobs asked for take; with it, that alone
// counts.
TEST(TraceLike, UntilWhenJobsArrive) {
  const auto asked = arrivals(generated({.jobs = 500}));
  ASSERT_GE(asked.size(), 500u);
  const double last_s = asked[499].submit_s;
  const auto all = arrivals(generated({.end_s = 4 * last_s}));
  const auto until = [&](double end_s) {
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const Job& job) { return job.submit_s <= end_s; }));
  };
  EXPECT_EQ(asked.size(), until(2 * last_s));
  EXPECT_EQ(arrivals(generated({.jobs = 500, .until_s = 3 * last_s})).size(), until(3 * last_s));
  EXPECT_EQ(arrivals(generated({.end_s = last_s, .jobs = 5000, .until_s = 3 * last_s})).size(), until(last_s));
}

// The law offers rho exactly, on any cluster, whatever is left out as too wide and whatever large jobs come on top.
TEST(TraceLike, TheLawOffersRho) {
  for (const std::uint32_t gpus : {64u, 2490u, 37632u, 1048576u}) {
    for (const double llm : {0.0, 0.3}) {
      TraceLikeOptions options;
      options.rho = 0.6;
      options.llm_share = llm;
      double load = 0, of_llm = 0;
      for (const auto& source : job_sources(philly(), options, gpus)) {
        load += source.load_gpus();
        of_llm += source.llm ? source.load_gpus() : 0;
      }
      EXPECT_NEAR(load, 0.6 * gpus, 1e-9 * gpus);
      EXPECT_NEAR(of_llm, gpus < 10000 ? 0 : llm * load, 1e-9 * gpus);
    }
  }
}

// And so do the jobs, over 26 weeks: the weeks' loads, independent but for the few sessions that cross from one to the
// next, say how well their mean is known.
TEST(TraceLike, TheJobsOfferRho) {
  for (const char* generator : {"philly", "helios"}) {
    const std::uint32_t gpus = 8192;
    const int weeks = 26;
    std::vector<double> load(weeks, 0.0);
    for (const Job& job : arrivals(generated({.generator = generator, .gpus = gpus, .end_s = weeks * 7 * day_s}))) {
      const auto week = std::min<std::size_t>(static_cast<std::size_t>(job.submit_s / (7 * day_s)), weeks - 1);
      load[week] += job.gpus * job.ideal_s() / (gpus * 7 * day_s);
    }
    double mean = 0, squares = 0;
    for (const double one : load) mean += one / weeks;
    for (const double one : load) squares += (one - mean) * (one - mean);
    const double error = std::sqrt(squares / (weeks - 1) / weeks);
    EXPECT_NEAR(mean, 0.75, 4 * error) << generator;
    EXPECT_LT(error, 0.02) << generator;
  }
}

// The start is that of a steady state: were there GPUs for all, the running jobs and then the arrivals would keep
// rho x GPUs busy at every instant. Twenty seeds, on days that are alike; what scatters is said by the seeds.
TEST(TraceLike, BeginsInTheSteadyState) {
  const std::uint32_t gpus = 8192;
  const std::vector<double> instants_s = {0, 3600, 6 * 3600.0, day_s, 3 * day_s, 7 * day_s};
  std::vector<std::vector<double>> busy(instants_s.size());
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto workload = generated({.gpus = gpus, .end_s = 7 * day_s, .seed = seed, .weekdays = false});
    for (std::size_t i = 0; i < instants_s.size(); ++i) {
      double held = 0;
      for (const Job& job : workload.jobs) {
        const bool there = job.submit_s <= instants_s[i] && job.submit_s + job.ideal_s() > instants_s[i];
        held += there ? job.gpus : 0;
      }
      busy[i].push_back(held / gpus);
    }
  }
  for (std::size_t i = 0; i < instants_s.size(); ++i) {
    double mean = 0, squares = 0;
    for (const double one : busy[i]) mean += one / 20;
    for (const double one : busy[i]) squares += (one - mean) * (one - mean);
    const double error = std::sqrt(squares / 19 / 20);
    EXPECT_NEAR(mean, 0.75, 4 * error + 1e-3) << instants_s[i];
    EXPECT_LT(error, 0.02) << instants_s[i];
  }
}

// They fit into the cluster, also where more is offered than it has.
TEST(TraceLike, RunningJobsFit) {
  for (const double rho : {0.5, 1.0, 2.0}) {
    double held = 0;
    for (const Job& job : generated({.gpus = 100, .rho = rho, .jobs = 1}).jobs) held += job.id < 0 ? job.gpus : 0;
    EXPECT_LE(held, 100);
    EXPECT_GE(held, std::min(rho, 1.0) * 100 - 8);
  }
  for (const Job& job : generated({.jobs = 10, .stationary = false}).jobs) EXPECT_GE(job.id, 0);
}

// A session's jobs are of one tenant, model and size, and their durations correlate: of jobs next to each other in a
// session the logarithms lie closer than those of any two.
TEST(TraceLike, JobsOfASessionAreAlike) {
  const auto jobs = arrivals(generated({.gpus = 64, .jobs = 20000}));
  double near = 0, any = 0, pairs = 0;
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    const bool together = jobs[i].submit_s - jobs[i - 1].submit_s < 2 && jobs[i].model == jobs[i - 1].model &&
                          jobs[i].gpus == 1 && jobs[i - 1].gpus == 1;
    if (!together) continue;
    const Job& far = jobs[(i + jobs.size() / 2) % jobs.size()];
    if (far.gpus != 1) continue;
    near += std::abs(std::log(jobs[i].ideal_s() / jobs[i - 1].ideal_s()));
    any += std::abs(std::log(jobs[i].ideal_s() / far.ideal_s()));
    ++pairs;
  }
  ASSERT_GT(pairs, 1000);
  // Normal scores with correlation 0.64 differ by sqrt(0.36) = 0.6 of what independent ones do.
  EXPECT_NEAR(near / any, 0.6, 0.12);
}

// Models are drawn evenly, a session at a time: of the sessions of wider jobs, mostly of one job, each has a sixth
// (20,000 jobs; one standard error is .004).
TEST(TraceLike, ModelsAreDrawnEvenly) {
  const auto workload = generated({.jobs = 100000});
  std::map<std::string, double> drawn;
  double all = 0;
  for (const Job& job : workload.jobs) {
    if (job.gpus == 1) continue;
    ++drawn[workload.models.at(job.model)];
    ++all;
  }
  ASSERT_EQ(drawn.size(), 6u);
  for (const auto& [model, count] : drawn) EXPECT_NEAR(count / all, 1.0 / 6, 0.02) << model;
}

// Large training jobs are of the model that exchanges the most, as wide as the cluster allows, and said to be missing
// where it is too small.
TEST(TraceLike, LargeTrainingJobs) {
  const auto workload = generated({.gpus = 37632, .end_s = 14 * day_s, .llm_share = 0.3});
  std::set<std::uint32_t> sizes;
  for (const Job& job : workload.jobs) {
    if (job.gpus < 512) continue;
    sizes.insert(job.gpus);
    EXPECT_EQ(workload.models.at(job.model), "GPT2");
  }
  EXPECT_EQ(sizes, (std::set<std::uint32_t>{512, 1024, 1536}));  // 5 % are 1,881
  EXPECT_TRUE(workload.notes.empty());
  EXPECT_EQ(generated({.gpus = 2560, .jobs = 10, .llm_share = 0.3}).notes,
            (std::vector<Note>{{"no-llm-jobs", Severity::care, "", {{"gpus", 2560}}}}));
}

// A million GPUs for a day: as many jobs as the rate says, whose place is not larger than needed by half.
TEST(TraceLike, AMillionGpus) {
  const auto workload = generated({.gpus = 1048576, .end_s = day_s, .weekdays = false});
  const double expected = 0.75 * 1048576 / (25.3 * 3600) * day_s;
  EXPECT_NEAR(static_cast<double>(arrivals(workload).size()) / expected, 1, 0.15);
  EXPECT_LE(static_cast<double>(workload.jobs.capacity()), 1.2 * static_cast<double>(workload.jobs.size()));
  EXPECT_EQ(workload.tenants.size(), 1000u);
}

TEST(TraceLike, RefusesMoreJobsThanItCanHold) {
  const auto message = testing_workload::refusal(2, [] { (void)generated({.gpus = 1048576, .end_s = 1e9}); });
  EXPECT_EQ(message.find("workload.rho: about"), 0u) << message;
}

// What the study, --help and the docs are told: a sentence each, numbers within their range, and rho has to be given.
TEST(TraceLike, DescribesItsParameters) {
  for (const char* name : {"philly", "helios"}) {
    const auto& entry = generators().at(name);
    EXPECT_FALSE(entry.summary.empty());
    for (const auto& param : entry.params) {
      EXPECT_FALSE(param.summary.empty()) << param.name;
      EXPECT_EQ(param.default_value.empty(), param.name == "rho");
      if (param.type != ParamType::number || param.name == "rho") continue;
      EXPECT_GE(std::stod(param.default_value), param.least) << param.name;
      EXPECT_LE(std::stod(param.default_value), param.most) << param.name;
    }
  }
}

}  // namespace

namespace {

using namespace testing_workload;

/// Log-uniform from `low_s` to `high_s`.
DurationDistribution between(double low_s, double high_s) {
  const std::array shares{0.0, 1.0}, seconds{low_s, high_s};
  return {shares, seconds, high_s};
}

JobSource source(std::uint32_t gpus, double jobs_per_s, double low_s, double high_s) {
  return {gpus, between(low_s, high_s), BurstDistribution({}, 1), jobs_per_s};
}

/// Of a log-uniform law: E[L] = (b - a) / ln(b / a), and what is left of a job met while it runs is on average
/// E[L^2] / (2 E[L]) with E[L^2] = (b^2 - a^2) / (2 ln(b / a)): (a + b) / 4.
double mean_s(double a, double b) { return (b - a) / std::log(b / a); }

struct Found {
  std::map<std::uint32_t, double> jobs, left_s;  ///< by width
  double gpus = 0, squares = 0;
};

/// `seeds` clusters of 400 GPUs at load `rho`.
Found found(const std::vector<JobSource>& sources, double rho, std::uint64_t seeds) {
  const TenantDistribution tenants({}, 400);
  const DrawnModels models{{1.0, 2.0}, {ClassId(0), ClassId(1)}, 1};
  Found all;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    std::vector<Job> jobs;
    RunningJobs{sources, tenants, models, seed}.add(rho, 400, jobs);
    double held = 0;
    for (const Job& job : jobs) {
      ++all.jobs[job.gpus];
      all.left_s[job.gpus] += job.ideal_s();
      held += job.gpus;
    }
    all.gpus += held;
    all.squares += held * held;
  }
  return all;
}

// Jobs are met in proportion to how often they come and how long they run, not to either alone: jobs of one GPU come
// nine times as often, those of two run about eleven times as long. 0.01 is five standard errors of 77,000 jobs, and
// what the last job of a cluster, which is seldom taken as a whole, may shift them by.
TEST(RunningJobs, AreMetByHowOftenTheyComeAndHowLongTheyRun) {
  const auto all = found({source(1, 0.9, 10, 100), source(2, 0.1, 100, 1200)}, 0.75, 400);
  const double narrow = 0.9 * mean_s(10, 100), wide = 0.1 * mean_s(100, 1200);
  const double jobs = all.jobs.at(1) + all.jobs.at(2);
  EXPECT_NEAR(all.jobs.at(2) / jobs, wide / (narrow + wide), 0.01);
  EXPECT_EQ(all.jobs.size(), 2U);
}

// What is left of them is the mean residual life, half of what a length-biased job lasts: not the whole of it, and not
// the mean of all jobs. A job's residual has a standard deviation of about 0.25 b, so 100,000 jobs know the mean to
// 0.3 %.
TEST(RunningJobs, HaveWhatIsLeftOfTheirLives) {
  const auto all = found({source(1, 0.9, 10, 100), source(2, 0.1, 100, 1200)}, 0.75, 400);
  EXPECT_NEAR(all.left_s.at(1) / all.jobs.at(1), (10 + 100) / 4.0, 0.01 * 27.5);
  EXPECT_NEAR(all.left_s.at(2) / all.jobs.at(2), (100 + 1200) / 4.0, 0.01 * 325);
}

// Together they want rho x GPUs on average, though the last one seldom fits exactly: with jobs of 7 GPUs on 400 at 0.75
// the mean over seeds is 300 and not 294 or 301 (between which each cluster lies). Over the whole cluster none.
TEST(RunningJobs, WantTheLoadOnAverage) {
  const std::uint64_t seeds = 1000;
  const auto sevens = found({source(7, 1, 10, 100)}, 0.75, seeds);
  const double mean = sevens.gpus / seeds;
  EXPECT_NEAR(mean, 300, 0.5);  // two values 7 apart: a standard error of 0.09
  EXPECT_GT(sevens.squares / seeds - mean * mean, 1);
  EXPECT_EQ(found({source(7, 1, 10, 100)}, 1.5, 20).gpus, 20 * 399.0);  // all that fit of 7
  EXPECT_EQ(found({source(1, 1, 10, 100)}, 1.5, 20).gpus, 20 * 400.0);
}

// Ids count up to -1, all are submitted at 0, models are drawn evenly, and a large training job has the largest model.
TEST(RunningJobs, AreNumberedBelowTheArrivals) {
  std::vector<JobSource> sources = {source(1, 1, 10, 100), source(3, 1, 10, 100)};
  sources[1].llm = true;
  const TenantDistribution tenants({}, 4000);
  const DrawnModels models{{1.0, 2.0, 4.0}, {ClassId(0), ClassId(1), ClassId(2)}, 1};
  std::vector<Job> jobs;
  RunningJobs{sources, tenants, models, 5}.add(1, 4000, jobs);
  std::map<std::uint16_t, double> drawn;
  double narrow = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(jobs[i].id, static_cast<std::int64_t>(i) - static_cast<std::int64_t>(jobs.size()));
    EXPECT_EQ(jobs[i].submit_s, 0);
    if (jobs[i].gpus == 3) {
      EXPECT_EQ(jobs[i].model, 1);
      continue;
    }
    ++drawn[jobs[i].model];
    ++narrow;
  }
  ASSERT_GT(narrow, 500);
  for (std::uint16_t model = 0; model < 3; ++model) EXPECT_NEAR(drawn[model] / narrow, 1.0 / 3, 0.07) << model;
}

// The generators begin with them unless told otherwise, at their own load: at time 0 the clusters of thirty seeds are
// busy by rho on average, to a third of the widest job.
TEST(RunningJobs, TheGeneratorsBeginWithThem) {
  for (const char* generator : {"philly", "helios"}) {
    for (const double rho : {0.4, 0.9}) {
      double held = 0;
      for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        for (const Job& job : generated({.generator = generator, .rho = rho, .seed = seed, .jobs = 1}).jobs) {
          if (job.id < 0) held += job.gpus;
        }
      }
      EXPECT_NEAR(held / 30 / 2560, rho, 0.01) << generator << " " << rho;
    }
  }
}

}  // namespace

}  // namespace palstudy
