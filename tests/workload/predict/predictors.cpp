// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "workload/predict/predictor.hpp"

namespace palstudy {
namespace {

Job job_of(double seconds, std::uint32_t gpus = 1, std::uint32_t user = 0, std::uint32_t name = 0) {
  Job job;
  job.iterations = seconds;
  job.iteration_s = 1;
  job.gpus = gpus;
  job.user = user;
  job.name = name;
  return job;
}

std::unique_ptr<Predictor> make(const std::string& name, const Workload& workload, double value = 0,
                                std::uint64_t seed = 1) {
  ParamValues params;
  for (const Param& param : predictors().at(name).params) params.set(param.name, value);
  return predictors().at(name).make.make({workload, seed}, params);
}

/// GPU time of a job on one GPU after jobs of these lengths have ended.
double after(Predictor& predictor, std::initializer_list<double> seconds) {
  for (const double length : seconds) predictor.learn(job_of(length), length);
  return predictor.gpu_s(job_of(7));
}

// By hand: ln 100, then + .5 ln 2 = ln 141.42, then .5 (ln 141.42 + ln 400) = ln 237.84.
TEST(Ewma, IsTheMeanOfLogarithms) {
  const Workload workload;
  EXPECT_NEAR(after(*make("ewma", workload, 0.5), {100, 200}), 141.4214, 1e-3);
  EXPECT_NEAR(after(*make("ewma", workload, 0.5), {100, 200, 400}), 237.8414, 1e-3);
  EXPECT_NEAR(after(*make("ewma", workload, 1), {100, 200, 400}), 400, 1e-9);
  EXPECT_NEAR(after(*make("ewma", workload, 0.1), {50, 50, 50, 50}), 50, 1e-9);
  EXPECT_EQ(after(*make("ewma", workload, 0.1), {}), 1000);
}

// The first group in which a job has ended: user, name and size; user and size; user; tenant and size; size; all. Names
// that differ behind the last separator by a number are one.
TEST(Ewma, BacksOffToEverLargerGroups) {
  Workload workload;
  workload.users = {"ann", "bob"};
  workload.names = {"train_v1", "train_v2", "test"};
  workload.tenants = {"vc"};
  const auto ewma = make("ewma", workload, 1);
  const auto seconds = [&](const Job& job) { return ewma->gpu_s(job) / job.gpus; };
  ewma->learn(job_of(0, 1, 1, 2), 10);
  EXPECT_NEAR(seconds(job_of(0, 4, 0, 0)), 10, 1e-9);  // all
  ewma->learn(job_of(0, 4, 1, 2), 20);
  EXPECT_NEAR(seconds(job_of(0, 4, 0, 0)), 20, 1e-9);  // the tenant's of 4 GPUs
  ewma->learn(job_of(0, 2, 0, 2), 30);
  EXPECT_NEAR(seconds(job_of(0, 4, 0, 0)), 30, 1e-9);  // the user's
  ewma->learn(job_of(0, 4, 0, 2), 40);
  ewma->learn(job_of(0, 2, 0, 2), 30);
  EXPECT_NEAR(seconds(job_of(0, 4, 0, 0)), 40, 1e-9);  // the user's of 4 GPUs
  ewma->learn(job_of(0, 4, 0, 1), 50);
  ewma->learn(job_of(0, 4, 0, 2), 40);
  EXPECT_NEAR(seconds(job_of(0, 4, 0, 0)), 50, 1e-9);  // train_v2 is like train_v1
}

// Rule 1: no name like it: the user's mean, else that of all. Rule 2: the user's jobs of that name and size, in whole
// GPU-seconds; else of that name; else the jobs of all users with it.
TEST(Rolling, GoesFromNameAndSizeToAll) {
  Workload workload;
  workload.users = {"ann", "bob", "cid"};
  workload.names = {"resnet_a", "resnet_b", "zzzz"};
  const auto rolling = make("rolling", workload);
  rolling->learn(job_of(0, 1, 0, 0), 10);
  rolling->learn(job_of(0, 1, 0, 0), 11);
  rolling->learn(job_of(0, 4, 0, 0), 30);
  rolling->learn(job_of(0, 1, 1, 0), 100);
  EXPECT_EQ(rolling->gpu_s(job_of(0, 1, 0, 0)), 10);             // trunc(10.5 x 1)
  EXPECT_EQ(rolling->gpu_s(job_of(0, 4, 0, 0)), 120);            // 30 x 4
  EXPECT_EQ(rolling->gpu_s(job_of(0, 2, 0, 0)), 34);             // no job of 2: (10 + 11 + 30) / 3 x 2
  EXPECT_EQ(rolling->gpu_s(job_of(0, 2, 0, 1)), 34);             // the name most like resnet_b
  EXPECT_EQ(rolling->gpu_s(job_of(0, 1, 2, 0)), 151.0 / 4);      // another user: the mean of the name
  EXPECT_EQ(rolling->gpu_s(job_of(0, 3, 1, 2)), 300);            // an unknown name: the user's mean
  EXPECT_EQ(rolling->gpu_s(job_of(0, 2, 2, 2)), 2 * 151.0 / 4);  // neither is known
}

TEST(Column, TakesPredictionsAsTheyStand) {
  Workload workload;
  workload.jobs = {job_of(10, 2), job_of(10, 4)};
  workload.jobs[0].predicted_s = -3;
  EXPECT_THROW((void)make("column", workload), Error);  // the second job has none
  workload.jobs[1].predicted_s = 0.25;
  EXPECT_EQ(make("column", workload)->gpu_s(workload.jobs[0]), -6);
  EXPECT_EQ(make("column", workload)->gpu_s(workload.jobs[1]), 1);
}

TEST(Lognormal, IsExactWithoutError) {
  const Workload workload;
  const auto none = make("lognormal", workload, 0), exact = make("exact", workload);
  for (std::int64_t id = 0; id < 100; ++id) {
    Job job = job_of(10.5 * static_cast<double>(id), 3);
    job.id = id;
    EXPECT_EQ(none->gpu_s(job), exact->gpu_s(job));
  }
  EXPECT_EQ(exact->gpu_s(job_of(0.5, 3)), 3);  // none is under 1 s
}

/// ln(predicted / true) of 100,000 jobs.
std::vector<double> log_errors(const Predictor& predictor) {
  std::vector<double> errors;
  for (std::int64_t id = 0; id < 100000; ++id) {
    Job job = job_of(1e6);
    job.id = id;
    errors.push_back(std::log(predictor.gpu_s(job) / 1e6));
  }
  return errors;
}

// Standard error of the standard deviation of 1e5 draws: sigma / sqrt(2e5) = .0045; of the mean: .0063.
TEST(Lognormal, HasTheSpreadAskedFor) {
  const Workload workload;
  const auto errors = log_errors(*make("lognormal", workload, 2));
  double sum = 0, squares = 0;
  for (const double e : errors) sum += e, squares += e * e;
  const double n = static_cast<double>(errors.size());
  EXPECT_NEAR(sum / n, 0, 0.025);
  EXPECT_NEAR(std::sqrt(squares / n), 2, 0.018);
  EXPECT_NE(errors, log_errors(*make("lognormal", workload, 2, 2)));
}

// Within 10, 50, 100 and 1,000 % for 10, 50, 70 and 90 % of jobs. A negative prediction becomes 1 s and so is within
// 100 %: half of those beyond, so 85 and 95 %.
TEST(HeliosError, HasThePublishedFrequencies) {
  const Workload workload;
  const auto errors = log_errors(*make("helios-error", workload));
  const auto share_within = [&](double most) {
    const auto within =
        std::count_if(errors.begin(), errors.end(), [&](double e) { return std::abs(std::exp(e) - 1) <= most; });
    return static_cast<double>(within) / static_cast<double>(errors.size());
  };
  EXPECT_NEAR(share_within(0.1), 0.10, 0.01);
  EXPECT_NEAR(share_within(0.5), 0.50, 0.01);
  EXPECT_NEAR(share_within(1), 0.85, 0.01);
  EXPECT_NEAR(share_within(10), 0.95, 0.01);
  EXPECT_EQ(share_within(100.1), 1);
}

// Which predictions depend on the seed of the workload is known before any is made.
TEST(Predictors, SayWhetherTheyDraw) {
  for (const auto& entry : predictors().entries()) {
    EXPECT_EQ(entry.make.draws, entry.name == "lognormal" || entry.name == "helios-error") << entry.name;
  }
}

}  // namespace
}  // namespace palstudy
