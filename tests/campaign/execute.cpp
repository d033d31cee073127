// SPDX-License-Identifier: MIT
// From a plan to a record.
#include <cmath>

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

double real_of(const RunRecord& record, const std::string& column) {
  for (std::size_t i = 0; i < record.runs.columns.size(); ++i) {
    if (record.runs.columns[i].name == column) return std::get<std::vector<double>>(record.runs.values[i]).at(0);
  }
  ADD_FAILURE() << "no column " << column;
  return NAN;
}

RunRecord run_alone(const Study& study, std::size_t run, Inputs& inputs) {
  LocalExchange alone;
  return execute(study, study.runs[run], inputs, alone).value();
}

Study one_of_sia_philly(const std::string& placement) {
  return read_study(std::filesystem::path(PALSTUDY_SOURCE_DIR) / "experiments/sia-philly.toml",
                    {"workload.trace=../jobs/traces/sia-philly/continued/sia4.csv", "policy.placement=" + placement});
}

// The mean JCTs of trace 4 that the published simulator gives for these policies, to its one decimal. They hang on
// every setting of the experiment: cluster, bins, penalty, rounds, completion, measured jobs.
TEST(Execute, GivesThePublishedNumbers) {
  const std::vector<std::pair<std::string, double>> published = {
      {"pal", 17323.8}, {"pm-first", 20611.1}, {"packed-sticky", 19535.6}, {"packed-nonsticky", 18527.6}};
  for (const auto& [placement, jct_mean_s] : published) {
    const Study study = one_of_sia_philly(placement);
    ASSERT_EQ(study.runs.size(), 1u);
    Inputs inputs(study);
    EXPECT_NEAR(real_of(run_alone(study, 0, inputs), "jct_mean_s"), jct_mean_s, 0.05) << placement;
  }
}

// The result is a function of the study: not of what was run before, nor of what the inputs already hold.
TEST(Execute, GivesTheSameDigestAgain) {
  const Study study = one_of_sia_philly("[\"random-nonsticky\", \"pal\"]");
  ASSERT_EQ(study.runs.size(), 2u);
  Inputs fresh(study), used(study);
  (void)used.check();
  const RunRecord later = run_alone(study, 1, used);
  const RunRecord first = run_alone(study, 0, used);
  EXPECT_EQ(run_alone(study, 0, fresh).digest, first.digest);
  EXPECT_EQ(run_alone(study, 1, fresh).digest, later.digest);
  EXPECT_NE(first.digest, later.digest);
  EXPECT_EQ(later.run, 1);
  EXPECT_EQ(later.id, study.runs[1].id);
}

}  // namespace
}  // namespace palstudy
