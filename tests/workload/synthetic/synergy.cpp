// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "workload/generated.hpp"
#include "workload/models.hpp"
#include "workload/synthetic/generator.hpp"

namespace palstudy {
namespace {

using testing_workload::same;

struct Asked {
  std::size_t jobs = 0;
  double until_s = 0;
  std::uint64_t seed = 1;
  double jobs_per_h = 10, max_gpus = 16, behind_h = 0;
  std::uint32_t cluster_gpus = 256;
};

Workload synergy(const Asked& asked, GeneratorFiles* files = nullptr) {
  const auto models = testing_workload::carried_models();
  GeneratorContext context;
  context.cluster_gpus = asked.cluster_gpus;
  context.seed = asked.seed;
  context.jobs = asked.jobs;
  context.until_s = asked.until_s;
  context.data_dir = PALSTUDY_SOURCE_DIR "/jobs";
  context.models = &models;
  context.files = files;
  ParamValues params;
  params.set("jobs_per_h", asked.jobs_per_h);
  params.set("max_gpus", asked.max_gpus);
  params.set("behind_h", asked.behind_h);
  return generators().at("synergy").make(context, params);
}

TEST(Synergy, JobsAreSoundAndSorted) {
  const auto models = testing_workload::carried_models();
  const auto workload = synergy({.jobs = 2000});
  ASSERT_EQ(workload.jobs.size(), 2000u);
  EXPECT_EQ(workload.model_use.size(), workload.models.size());
  double last_s = 0;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const Job& job = workload.jobs[i];
    ASSERT_EQ(job.id, static_cast<std::int64_t>(i));
    ASSERT_GE(job.submit_s, last_s);
    last_s = job.submit_s;
    const auto& model = models.models.at(workload.models.at(job.model));  // class and time are the model's
    ASSERT_EQ(job.iteration_s, model.iteration_s);
    ASSERT_EQ(workload.classes.at(job.cls.index()), model.cls);
    ASSERT_EQ(workload.tenants.at(job.tenant), "");
  }
}

// A study's workloads share what was read of the file, also where they leave out other jobs of it.
TEST(Synergy, KeptFilesChangeNothing) {
  GeneratorFiles files;
  for (const double max_gpus : {16.0, 2.0, 16.0}) {
    const Asked asked{.jobs = 300, .max_gpus = max_gpus};
    const auto kept = synergy(asked, &files), read = synergy(asked);
    for (std::size_t i = 0; i < 300; ++i) ASSERT_TRUE(same(kept.jobs[i], read.jobs[i])) << max_gpus << " " << i;
  }
  EXPECT_EQ(files.demands.size(), 1u);
}

// The same seed gives the same jobs, and how many are asked for changes none of them; another seed gives others.
TEST(Synergy, AJobDependsOnItsNumberAndTheSeedAlone) {
  const auto few = synergy({.jobs = 50});
  const auto many = synergy({.jobs = 500, .behind_h = 10});
  const auto other = synergy({.jobs = 50, .seed = 2});
  int equal = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_TRUE(same(few.jobs[i], many.jobs[i])) << i;
    equal +=
        few.jobs[i].submit_s == other.jobs[i].submit_s || few.jobs[i].iterations == other.jobs[i].iterations ? 1 : 0;
  }
  EXPECT_EQ(equal, 0);
}

// At twice the load the same jobs arrive twice as fast: only arrivals depend on it. Exact, as 3600/10 and 3600/20 are.
TEST(Synergy, TheLoadChangesArrivalsAlone) {
  const auto slow = synergy({.jobs = 100, .jobs_per_h = 10});
  const auto fast = synergy({.jobs = 100, .jobs_per_h = 20});
  for (std::size_t i = 0; i < 100; ++i) {
    Job job = fast.jobs[i];
    job.submit_s *= 2;
    EXPECT_TRUE(same(slow.jobs[i], job)) << i;
  }
}

// Jobs keep arriving for behind_h after the last one asked for, and up to until_s if that is later; then they end.
TEST(Synergy, HowManyJobs) {
  const auto asked = synergy({.jobs = 100});
  ASSERT_EQ(asked.jobs.size(), 100u);
  const double last_s = asked.jobs.back().submit_s;
  const auto all = synergy({.jobs = 1000});
  const auto arrived = [&](double time_s) {
    std::size_t count = 0;
    for (const Job& job : all.jobs) count += job.submit_s <= time_s ? 1 : 0;
    return count;
  };
  ASSERT_LT(arrived(last_s + 10 * 3600), 1000u);
  EXPECT_EQ(synergy({.jobs = 100, .behind_h = 10}).jobs.size(), arrived(last_s + 10 * 3600));
  EXPECT_EQ(synergy({.jobs = 100, .until_s = 2 * last_s}).jobs.size(), arrived(2 * last_s));
  EXPECT_EQ(synergy({.jobs = 100, .until_s = last_s / 2}).jobs.size(), 100u);
  EXPECT_EQ(synergy({.jobs = 0, .until_s = last_s}).jobs.size(), 100u);
}

// Gaps are exponential with mean 360 s: the standard error of the mean of 20,000 is 360 / sqrt(20000) = 2.5 s, and a
// share 1 - 1/e = .632 of them is below the mean, with standard error .0034. Four of them are allowed.
TEST(Synergy, ArrivalsAreAPoissonProcess) {
  const std::size_t n = 20000;
  const auto workload = synergy({.jobs = n});
  EXPECT_NEAR(workload.jobs.back().submit_s / static_cast<double>(n), 360, 10.2);
  double before_s = 0;
  int below = 0;
  for (const Job& job : workload.jobs) {
    below += job.submit_s - before_s < 360 ? 1 : 0;
    before_s = job.submit_s;
  }
  EXPECT_NEAR(static_cast<double>(below) / static_cast<double>(n), 1 - std::exp(-1), 0.0137);
}

// A share .2 of jobs is over 10^3 minutes (standard error .0028), all lie within 10^1.5 and 10^4, and as they are
// log-uniform, half of the long ones are over 10^3.5 and half of the short ones over 10^2.25 (.0079 and .004).
TEST(Synergy, DurationsAreLogUniformInTwoParts) {
  const auto workload = synergy({.jobs = 20000});
  double is_long = 0, long_upper = 0, short_upper = 0;
  for (const Job& job : workload.jobs) {
    const double exponent = std::log10(job.ideal_s() / 60);
    ASSERT_GT(exponent, 1.5 - 1e-9);
    ASSERT_LT(exponent, 4 + 1e-9);
    if (exponent >= 3) {
      ++is_long;
      long_upper += exponent > 3.5 ? 1 : 0;
    } else {
      short_upper += exponent > 2.25 ? 1 : 0;
    }
  }
  EXPECT_NEAR(is_long / 20000, 0.2, 0.0113);
  EXPECT_NEAR(long_upper / is_long, 0.5, 0.032);
  EXPECT_NEAR(short_upper / (20000 - is_long), 0.5, 0.016);
}

// Demands come in the shares of the carried rows of at most 16 GPUs; each within five standard errors.
TEST(Synergy, DemandsAreThoseOfTheCarriedJobs) {
  const std::map<std::uint32_t, double> rows = {{1, 10480}, {2, 463}, {4, 2044}, {7, 2}, {8, 1916}, {12, 6}, {16, 255}};
  double sum = 0;
  for (const auto& [gpus, count] : rows) sum += count;
  const double n = 30000;
  std::map<std::uint32_t, double> drawn;
  for (const Job& job : synergy({.jobs = 30000}).jobs) ++drawn[job.gpus];
  for (const auto& [gpus, count] : drawn) EXPECT_TRUE(rows.contains(gpus)) << gpus;
  for (const auto& [gpus, count] : rows) {
    const double share = count / sum;
    EXPECT_NEAR(drawn[gpus] / n, share, 5 * std::sqrt(share * (1 - share) / n)) << gpus;
  }
}

TEST(Synergy, MaxGpusLeavesLargerJobsOut) {
  std::uint32_t largest = 0;
  for (const Job& job : synergy({.jobs = 3000, .max_gpus = 4}).jobs) largest = std::max(largest, job.gpus);
  EXPECT_EQ(largest, 4u);
}

// Each of the six models for a sixth of 30,000 jobs; standard error .00215.
TEST(Synergy, ModelsAreDrawnEvenly) {
  const auto workload = synergy({.jobs = 30000});
  std::map<std::string, double> drawn;
  for (const Job& job : workload.jobs) ++drawn[workload.models.at(job.model)];
  ASSERT_EQ(drawn.size(), 6u);
  for (const auto& [model, count] : drawn) EXPECT_NEAR(count / 30000, 1.0 / 6, 0.0108) << model;
}

TEST(Synergy, RefusesWhatItCannotMake) {
  const auto message = testing_workload::refusal(2, [] { (void)synergy({.jobs = 10, .cluster_gpus = 8}); });
  EXPECT_EQ(message.find("workload.max_gpus: jobs of up to 16 GPUs on a cluster of 8"), 0u) << message;
  EXPECT_EQ(synergy({.jobs = 10, .max_gpus = 8, .cluster_gpus = 8}).jobs.size(), 10u);
  const auto late = testing_workload::refusal(2, [] { (void)synergy({.until_s = 2e12, .jobs_per_h = 1e-3}); });
  EXPECT_EQ(late.find("workload.jobs_per_h: more than"), 0u) << late;
}

// What the study, --help and the docs are told of it: every parameter has a default within its range.
TEST(Synergy, DescribesItsParameters) {
  const auto& entry = generators().at("synergy");
  EXPECT_FALSE(entry.summary.empty());
  ASSERT_EQ(entry.params.size(), 3u);
  for (const auto& param : entry.params) {
    const double value = std::stod(param.default_value);
    EXPECT_GE(value, param.least) << param.name;
    EXPECT_LE(value, param.most) << param.name;
    EXPECT_FALSE(param.summary.empty()) << param.name;
  }
}

}  // namespace
}  // namespace palstudy
