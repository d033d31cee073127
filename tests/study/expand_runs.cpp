// SPDX-License-Identifier: MIT
// Runs that differ in independent keys alone are copies of one of them. The twin completes and plans
// every point by itself.
#include "study/expand_runs.hpp"

#include "campaign/scratch.hpp"
#include "study/axes.hpp"
#include "study/run_id.hpp"
#include "study/run_plan.hpp"
#include "study/toml_value.hpp"

namespace palstudy {
namespace {

class VariantsOfSeeds : public Scratch {
 protected:
  /// That all runs of the study are those of their points; returns how many there are.
  std::size_t same_as_twin(const std::string& text) {
    const Study study = read(text);
    const ParsedStudy parsed = parse_keys(parse_toml(text, study.file.string()));
    EXPECT_EQ(study.runs.size(), count_runs(parsed));
    for (std::size_t number = 0; number < study.runs.size(); ++number) {
      const KeyValues values = fill_defaults(values_of(parsed, number), study.file.string());
      expect_same(study.runs[number], make_plan(values), number);
      EXPECT_EQ(study.runs[number].id, id_of(canonical_text(values)));
    }
    return study.runs.size();
  }

 private:
  static void expect_same(const RunPlan& run, const RunPlan& twin, std::size_t number) {
    EXPECT_EQ(run.number, static_cast<std::int64_t>(number));
    EXPECT_EQ(run.id, twin.id) << number;
    EXPECT_EQ(run.seed, twin.seed) << number;
    EXPECT_EQ(run.cluster.seed, twin.cluster.seed) << number;
    EXPECT_EQ(run.workload.seed, twin.workload.seed) << number;
    EXPECT_EQ(run.policy.seed, twin.policy.seed) << number;
    EXPECT_EQ(run.policy.placement, twin.policy.placement) << number;
    EXPECT_EQ(run.policy.knowledge, twin.policy.knowledge) << number;
    EXPECT_EQ(run.engine.starvation_s, twin.engine.starvation_s) << number;
    EXPECT_EQ(run.engine.migration_s, twin.engine.migration_s) << number;
    EXPECT_EQ(run.engine.round_s, twin.engine.round_s) << number;
    EXPECT_EQ(run.network.penalty, twin.network.penalty) << number;
    EXPECT_EQ(run.policy.locality, twin.policy.locality) << number;
  }
};

// Independent axes lie between others by name, and seeds go slowest: the numbers are those of the whole product.
TEST_F(VariantsOfSeeds, EveryRunIsThatOfItsPoint) {
  EXPECT_EQ(same_as_twin(minimal + R"(
[axes]
"seed" = { first = 3, count = 3 }
"workload.seed" = [9, 8]
"engine.starvation_s" = [inf, 1000, 50.5]
"engine.migration_s" = [0, 7]
"engine.round_s" = [300, 360]
"policy.placement" = ["pal", "packed-sticky"]
"network.penalty.cluster" = [1.5, 2]
)"),
            288u);
}

// The three seeds follow `seed` only where they are not given, by a value or by an axis.
TEST_F(VariantsOfSeeds, SeedsThatAreGivenFollowNone) {
  EXPECT_EQ(same_as_twin(minimal + "policy.seed = 77\n[axes]\nseed = [1, 5]\n\"cluster.seed\" = [4, 2]\n"), 4u);
}

TEST_F(VariantsOfSeeds, WithoutIndependentAxesAndWithoutAxes) {
  EXPECT_EQ(same_as_twin(minimal + "[axes]\n\"policy.order\" = [\"fifo\", \"las\"]\n"), 2u);
  EXPECT_EQ(same_as_twin(minimal), 1u);
}

// The refused run is the first with a contradiction, also where it is not the first with its plan.
TEST_F(VariantsOfSeeds, TheFirstContradictoryRunIsRefused) {
  expect_parts(refusal(minimal + "[axes]\nseed = [1, 2]\n\"cluster.gpus\" = [64, 66, 67]\n"),
               {"cluster.gpus = 66 is not a multiple"});
}

// A study may have a million runs, and not one value more on an axis of them.
TEST_F(VariantsOfSeeds, AMillionRunsAreTheMost) {
  ParsedStudy parsed;
  for (const char* key : {"policy.seed", "seed"}) {
    parsed.axes[key].values.resize(1000);
    parsed.axes[key].written.resize(1);
  }
  EXPECT_EQ(count_runs(parsed), 1'000'000u);
  parsed.axes["seed"].values.resize(1001);
  EXPECT_THROW((void)count_runs(parsed), Error);
}

TEST_F(VariantsOfSeeds, OnlyIndependentKeysMayVary) {
  const ParsedStudy parsed = parse_keys(parse_toml(minimal, "study.toml"));
  const KeyValues values = fill_defaults(values_of(parsed, 0), "study.toml");
  EXPECT_THROW(SeedVariants(values, {{"engine.round_s", 0}}), Error);
}

}  // namespace
}  // namespace palstudy
