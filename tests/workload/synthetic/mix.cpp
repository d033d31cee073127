// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/error.hpp"
#include "workload/model_table.hpp"
#include "workload/models.hpp"
#include "workload/synthetic/generator.hpp"

namespace palstudy {
namespace {

using testing_workload::refusal;

ParamValues params(const std::string& mix, double end_s, double sigma = 1) {
  ParamValues values;
  values.set("rho", 0.5);
  values.set("end_s", end_s);
  values.set("mix", mix);
  values.set("median_h", 2.0);
  values.set("sigma", sigma);
  return values;
}

Workload made(const ParamValues& values, std::size_t jobs = 1, std::uint64_t seed = 1) {
  static const ModelTable table = testing_workload::carried_models();
  GeneratorContext context;
  context.cluster_gpus = 1024;
  context.seed = seed;
  context.jobs = jobs;
  context.models = &table;
  return generators().at("mix").make(context, values);
}

constexpr double year_s = 365 * 86400.0;

// Over a year on 1024 GPUs at load 0.5: GPU-seconds that arrive are half of the cluster's, a quarter of them of the
// model with share 1 of 4. Run times are lognormal with sigma 0.5, so a sum over k jobs has the relative error
// sqrt(exp(0.25) / k): 0.19 % for the 371,000 jobs of resnet50, 0.46 % for the 61,900 of claire-512. Five of these.
TEST(Mix, OffersTheLoadInTheShares) {
  const auto workload = made(params("claire-512 1, resnet50:4 3", year_s, 0.5));
  std::map<std::string, double> gpu_s, jobs;
  double logs = 0;
  for (const Job& job : workload.jobs) {
    const auto& model = workload.models.at(job.model);
    gpu_s[model] += job.gpus * job.ideal_s();
    jobs[model] += 1;
    logs += std::log(job.ideal_s());
    EXPECT_EQ(job.gpus, model == "claire-512" ? 8u : 4u);
    EXPECT_EQ(job.iteration_s, model == "claire-512" ? 10 : 0.17540429367763434);
    EXPECT_EQ(workload.classes.at(job.cls.index()), model == "claire-512" ? "D" : "A");
  }
  const double all = 0.5 * 1024 * year_s;
  EXPECT_NEAR(gpu_s["resnet50"] / all, 0.75, 0.0095 * 0.75);
  EXPECT_NEAR(gpu_s["claire-512"] / all, 0.25, 0.023 * 0.25);
  const double expected = 0.25 * all / (8 * 7200 * std::exp(0.125));
  EXPECT_NEAR(jobs["claire-512"], expected, 5 * std::sqrt(expected));
  const auto count = static_cast<double>(workload.jobs.size());
  EXPECT_NEAR(logs / count, std::log(7200.0), 5 * 0.5 / std::sqrt(count));  // the median
}

// Ids in the order of arrival; letting jobs arrive for longer adds to the end; another part of the mix at the same rate
// changes no job of the first.
TEST(Mix, ALaterEndChangesNoEarlierJob) {
  const auto shorter = made(params("resnet50:4 1, BERT:8 1", 10 * 86400.0));
  const auto longer = made(params("resnet50:4 1, BERT:8 1", 20 * 86400.0));
  ASSERT_GT(shorter.jobs.size(), 100u);
  ASSERT_GT(longer.jobs.size(), shorter.jobs.size());
  for (std::size_t j = 0; j < longer.jobs.size(); ++j) {
    EXPECT_EQ(longer.jobs[j].id, static_cast<std::int64_t>(j));
    if (j > 0) {
      EXPECT_LE(longer.jobs[j - 1].submit_s, longer.jobs[j].submit_s);
    }
    if (j >= shorter.jobs.size()) continue;
    EXPECT_EQ(longer.jobs[j].submit_s, shorter.jobs[j].submit_s);
    EXPECT_EQ(longer.jobs[j].iterations, shorter.jobs[j].iterations);
    EXPECT_EQ(longer.jobs[j].model, shorter.jobs[j].model);
  }
  EXPECT_NE(made(params("resnet50:4 1", 86400), 1, 2).jobs.at(0).submit_s,
            made(params("resnet50:4 1", 86400)).jobs.at(0).submit_s);
}

// Without an end at least the jobs asked for, and more behind them.
TEST(Mix, MakesEnoughJobs) { EXPECT_GT(made(params("resnet50:4 1", 0), 500).jobs.size(), 500u); }

// They arrive for twice as long as those take: about 1,000 come where 500 are asked for, five standard errors of a
// Poisson count apart at most. A model whose GPUs neither the mix nor the table says runs on one.
TEST(Mix, GoesOnForTwiceAsLong) {
  const auto workload = made(params("resnet50 1", 0), 500);
  EXPECT_NEAR(static_cast<double>(workload.jobs.size()), 1000, 5 * std::sqrt(1000.0));
  for (const Job& job : workload.jobs) EXPECT_EQ(job.gpus, 1u);
}

TEST(Mix, RefusesWhatIsNoMix) {
  const auto message = [](const std::string& mix) {
    const auto text = refusal(2, [&] { (void)made(params(mix, 86400)); });
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(message("resnet5 1"), "workload.mix: unknown model \"resnet5\"; did you mean \"resnet50\"?");
  EXPECT_EQ(message("resnet50"), "workload.mix: \"resnet50\" is not a model and a share");
  EXPECT_EQ(message("resnet50 0"), "workload.mix: \"resnet50 0\" is not a model and a share over 0");
  EXPECT_EQ(message("resnet50:x 1"), "workload.mix: \"x\" is not a number of GPUs");
  EXPECT_EQ(message("resnet50:-1 1"), "workload.mix: \"-1\" is not a number of GPUs");
  EXPECT_EQ(message("resnet50:0 1"), "workload.mix: \"0\" is not a number of GPUs");
  EXPECT_EQ(message("resnet50:16777217 1"), "workload.mix: \"16777217\" is not a number of GPUs");
  EXPECT_EQ(message("resnet50:4:4 1"), "workload.mix: \"resnet50:4:4\" is not a model, or MODEL:GPUS");
  EXPECT_EQ(message("resnet50 2e9"), "workload.mix: \"resnet50 2e9\" is not a model and a share over 0");
  EXPECT_EQ(message(" , "), "workload.mix: it is empty");
}

// Where by chance too few have arrived by then, once in seven with one job wanted, they arrive for longer until enough
// have.
TEST(Mix, GoesOnUntilThereAreEnough) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    EXPECT_GE(made(params("resnet50 1", 0), 1, seed).jobs.size(), 1U) << seed;
  }
}

// How an entry is spaced does not matter.
TEST(Mix, SpacesDoNotMatter) {
  const auto tidy = made(params("resnet50:4 1, BERT:8 2.5", 86400)),
             loose = made(params("  resnet50:4   1 ,BERT:8  2.5 ,", 86400));
  EXPECT_EQ(loose.models, (std::vector<std::string>{"resnet50", "BERT"}));
  ASSERT_EQ(loose.jobs.size(), tidy.jobs.size());
  for (std::size_t j = 0; j < tidy.jobs.size(); ++j) {
    EXPECT_EQ(loose.jobs[j].submit_s, tidy.jobs[j].submit_s);
    EXPECT_EQ(loose.jobs[j].gpus, tidy.jobs[j].gpus);
  }
}

}  // namespace
}  // namespace palstudy
