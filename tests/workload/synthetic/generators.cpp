// SPDX-License-Identifier: MIT
// What all generators have in common.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "core/error.hpp"
#include "workload/model_table.hpp"
#include "workload/models.hpp"
#include "workload/synthetic/generator.hpp"

namespace palstudy {
namespace {

// Models, and for jobs like those of a trace a cluster, are what the program has to give: without them there is a
// mistake in it, which no generator may hide by jobs that are none.
TEST(Generators, HaveToBeGivenModelsAndACluster) {
  const ModelTable carried = testing_workload::carried_models(), none;
  const auto refused = [](const std::string& generator, const ModelTable* models, std::uint32_t gpus) {
    GeneratorContext context;
    if (gpus > 0) context.cluster_gpus = gpus;
    context.jobs = 1;
    context.data_dir = PALSTUDY_SOURCE_DIR "/jobs";
    context.models = models;
    ParamValues params;
    for (const char* name : {"llm_share", "behind_h", "end_s"}) params.set(name, 0.0);
    for (const char* name : {"stationary", "weekdays", "max_gpus", "median_h", "sigma"}) params.set(name, 1.0);
    params.set("rho", 0.5);
    params.set("widest_share", 0.05);
    params.set("jobs_per_h", 10.0);
    params.set("mix", std::string("resnet50 1"));
    params.set("trace_cluster", std::string("all"));
    std::optional<ErrorCode> code;
    try {
      (void)generators().at(generator).make(context, params);
    } catch (const Error& error) {
      code = error.code();
    }
    return code;
  };
  for (const char* generator : {"philly", "helios", "synergy", "mix"}) {
    EXPECT_EQ(refused(generator, &carried, 64), std::nullopt) << generator;
    EXPECT_EQ(refused(generator, &none, 64), ErrorCode::fault) << generator;
    EXPECT_EQ(refused(generator, nullptr, 64), ErrorCode::fault) << generator;
  }
  for (const char* generator : {"philly", "helios"}) {
    EXPECT_EQ(refused(generator, &carried, 0), ErrorCode::fault) << generator;
  }
}

// Nobody is asked for anything by a context that nobody has filled: no jobs, up to time 0, on no cluster, by seed 1.
TEST(Generators, AreAskedForNothingAtFirst) {
  const GeneratorContext context;
  EXPECT_EQ(context.cluster_gpus, 0U);
  EXPECT_EQ(context.seed, 1U);
  EXPECT_EQ(context.jobs, 0U);
  EXPECT_EQ(context.until_s, 0);
  EXPECT_EQ(context.models, nullptr);
  EXPECT_EQ(context.files, nullptr);
}

}  // namespace
}  // namespace palstudy
