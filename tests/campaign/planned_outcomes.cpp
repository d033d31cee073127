// SPDX-License-Identifier: MIT
// What `plan` says of the runs that it simulates is what `compare` says of them once they have been run.
#include "campaign/planned_outcomes.hpp"

#include <fmt/format.h>

#include "analysis/comparison.hpp"
#include "archive/write_records.hpp"
#include "campaign/cost.hpp"
#include "campaign/scratch.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

class PlannedRuns : public Scratch {
 protected:
  /// Jobs of four GPUs and `work_s` seconds, one every 100 s, on eight GPUs that are all alike: an offered load of
  /// work_s / 200.
  [[nodiscard]] Study study(int work_s, const std::string& more = "") const {
    std::string trace = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n",
                table = "gpu_id,node_id,class,score\n";
    for (int job = 0; job < 1200; ++job) trace += fmt::format("{},{},4,{},1,A\n", job, 100 * job, work_s);
    for (int gpu = 0; gpu < 8; ++gpu) table += fmt::format("{},{},A,1\n", gpu, gpu / 4);
    write("jobs.csv", trace);
    write("c.csv", table);
    return read(minimal + "cluster.gpus = 8\nengine.round_s = 10\n" + more +
                "axes.\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
  }
  static PlannedOutcomes planned(const Study& study, double budget_s = infinity) {
    Inputs inputs(study);
    (void)inputs.check();
    return plan_study(study, inputs, {.budget_s = budget_s}).outcomes;
  }
  [[nodiscard]] Comparison compared(const Study& study) const {
    Provenance provenance;
    provenance.resolved_study = study.resolved;
    provenance.baselines = study.baselines;
    provenance.compare_metric = study.compare_metric;
    const auto file = dir / "a.h5";
    std::filesystem::remove(file);
    write_archive(file, simulate_all(study), {}, provenance);
    return compare(ArchiveReader(file), {});
  }
};

// At half of what the GPUs can do nothing is said, at 1.5 times as much that both runs are overloaded, in the words of
// `compare`. Of what was not simulated nothing is known.
TEST_F(PlannedRuns, AreToldToBeOverloaded) {
  EXPECT_EQ(planned(study(100)).overloaded_line(), "");
  const Study over = study(300);
  EXPECT_EQ(planned(over).overloaded_line(), "simulated here: 2 of 2 runs end " + compared(over).jobs.overloaded);
  EXPECT_EQ(planned(over).no_claim_line(), "");
  EXPECT_EQ(planned(over, 0).overloaded_line(), "");
}

// An offered load below 1 can overload as well: the jobs take three times as long as it counts, on nodes that they have
// to share.
TEST_F(PlannedRuns, AreOverloadedBelowALoadOfOne) {
  Study slow = study(150);
  std::string table = "gpu_id,node_id,class,score\n";
  for (int gpu = 0; gpu < 8; ++gpu) table += fmt::format("{},{},A,{}\n", gpu, gpu / 4, gpu % 4 == 0 ? 3 : 1);
  write("c.csv", table);
  expect_parts(planned(slow).overloaded_line(), {"simulated here: 2 of 2 runs end overloaded: offered load 0.75"});
  EXPECT_EQ(planned(slow).overloaded_line(), "simulated here: 2 of 2 runs end " + compared(slow).jobs.overloaded);
}

// Runs that are cut while jobs are unfinished make no claim of completion times, and one of the use of the GPUs.
TEST_F(PlannedRuns, AreToldToMakeNoClaim) {
  const Study cut = study(300, "measure.end_s = 30000\n");
  const std::vector<std::string> excluded = compared(cut).excluded;
  ASSERT_EQ(excluded.size(), 2u);
  EXPECT_EQ(planned(cut).no_claim_line(),
            "simulated here: 2 of 2 runs make no claim, so compare will leave them out: " + join(excluded, "; "));
  EXPECT_EQ(planned(study(300, "measure.end_s = 30000\ncompare.metric = \"busy_fraction\"\n")).no_claim_line(), "");
  EXPECT_EQ(planned(cut, 0).no_claim_line(), "");
}

}  // namespace
}  // namespace palstudy
