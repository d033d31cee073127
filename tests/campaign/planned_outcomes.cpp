// SPDX-License-Identifier: MIT
#include "campaign/planned_outcomes.hpp"

#include <fmt/format.h>

#include <tuple>

#include "analysis/comparison.hpp"
#include "archive/write_records.hpp"
#include "campaign/cost.hpp"
#include "campaign/scratch.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "words/comparison_words.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

class PlannedRuns : public Scratch {
 protected:
  /// Jobs of four GPUs and `work_s` seconds, one every 100 s, on eight GPUs that are all alike: an offered load of
  /// work_s / 200.
  [[nodiscard]] Study study(int work_s, const std::string& more = "") const {
    write_trace_of(1200, [&](int job) { return fmt::format("{},4,{},1,A", 100 * job, work_s); });
    write_cluster(8);
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
  /// As `compare` notes it, but for the policies.
  void expect_as_compared(const Study& study) const {
    const auto notes = compared(study).notes;
    const Note* note = find(notes, "overloaded");
    ASSERT_NE(note, nullptr);
    const Note planned_note = planned(study).overloaded().value();
    for (const char* value : {"runs", "of", "growth", "load"}) EXPECT_EQ(planned_note[value], (*note)[value]) << value;
  }
};

// At half of what the GPUs can do nothing is said, at 1.5 times as much that both runs are overloaded, as
// `compare` says. Of what was not simulated nothing is known.
TEST_F(PlannedRuns, AreToldToBeOverloaded) {
  EXPECT_FALSE(planned(study(100)).overloaded());
  const Study over = study(300);
  expect_as_compared(over);
  EXPECT_EQ(planned(over).no_claim_line(), "");
  EXPECT_FALSE(planned(over, 0).overloaded());
}

// The first job of a trace, at time 0, is an arrival like any other: here it alone makes the load over 1.
TEST_F(PlannedRuns, AreOverloadedByTheFirstJobToo) {
  const Study first = study(10);
  std::string trace = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,8,50000,1,A\n";
  for (int job = 1; job < 100; ++job) trace += fmt::format("{},{},4,10,1,A\n", job, 100 * job);
  write("jobs.csv", trace);
  EXPECT_NEAR((*planned(first).overloaded())["load"].least(), 5.1, 0.05);
  expect_as_compared(first);
}

// An offered load below 1 can overload as well: the jobs take three times as long as it counts, on nodes that they have
// to share.
TEST_F(PlannedRuns, AreOverloadedBelowALoadOfOne) {
  Study slow = study(150);
  write_cluster(8, 4, [&](int gpu) { return gpu % 4 == 0 ? 3 : 1; });
  EXPECT_NEAR((*planned(slow).overloaded())["load"].least(), 0.75, 0.005);
  expect_as_compared(slow);
}

// Runs that are cut while jobs are unfinished make no claim of completion times, and one of the use of the GPUs.
TEST_F(PlannedRuns, AreToldToMakeNoClaim) {
  const Study cut = study(300, "measure.end_s = 30000\n");
  std::vector<std::string> excluded;
  for (const LeftOutRun& run : compared(cut).left_out) excluded.push_back(left_out_text(run, {}));
  ASSERT_EQ(excluded.size(), 2u);
  EXPECT_EQ(planned(cut).no_claim_line(),
            "simulated here: 2 of 2 runs make no claim, so compare will leave them out: " + join(excluded, "; "));
  EXPECT_EQ(planned(study(300, "measure.end_s = 30000\ncompare.metric = \"busy_fraction\"\n")).no_claim_line(), "");
  EXPECT_EQ(planned(cut, 0).no_claim_line(), "");
  // Three are named, of more it is said how many there are.
  const std::string many =
      planned(study(300, "measure.end_s = 30000\naxes.\"policy.order\" = [\"fifo\", \"las\"]\n")).no_claim_line();
  expect_parts(many, {"4 of 4 runs make no claim", ": run 0 (", "; run 1 (", "; run 2 ("});
  EXPECT_TRUE(many.ends_with("; and 1 more")) << many;
  EXPECT_EQ(many.find("run 3 ("), std::string::npos) << many;
  // A point is named without its seeds, of which one is simulated.
  const std::string seeds = planned(study(300, "measure.end_s = 30000\naxes.\"seed\" = [5, 6]\n")).no_claim_line();
  expect_parts(seeds,
               {"2 of 2 runs make no claim", " (policy.placement = pal): ", " (policy.placement = packed-sticky): "});
}

}  // namespace

namespace {

class PlannedIntervals : public Scratch {
 protected:
  /// Jobs of five users over so many weeks, four a day, on a cluster that each seed draws.
  [[nodiscard]] Study study(const std::string& more, int weeks = 1) const {
    std::string trace = "job_id,submit_s,num_gpus,iterations,iteration_s,class,user\n";
    for (int job = 0; job < 28 * weeks; ++job) {
      trace += fmt::format("{},{},{},{},1,A,u{}\n", job, 21600 * job, 1 + job % 4, 20000 + 1000 * (job % 7), job % 5);
    }
    write("jobs.csv", trace);
    return read(
        "[cluster]\ngpus = 8\nsource = \"bootstrap\"\nprofile = \"longhorn\"\n[workload]\ntrace = \"jobs.csv\"\n"
        "reader = \"native\"\n" +
        more + "\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
  }
  static std::string planned(const Study& study) {
    Inputs inputs(study);
    (void)inputs.check();
    return no_interval_line(study, inputs);
  }
  /// Why the gain of pal has no interval.
  [[nodiscard]] std::string compared(const Study& study) const {
    Provenance provenance;
    provenance.resolved_study = study.resolved;
    provenance.baselines = study.baselines;
    provenance.compare_metric = study.compare_metric;
    provenance.resampled = Inputs(study).trace_blocks();
    const auto file = dir / "a.h5";
    std::filesystem::remove(file);
    write_archive(file, simulate_all(study), {}, provenance);
    const Comparison found = compare(ArchiveReader(file), {});
    return no_interval_text(found.groups.at(0).gains.at(0).gain.value().no_interval, found.resampled);
  }
};

// Seven clusters are too few and eight are not; where clusters and workloads are crossed either may be too few; four
// weeks are too few to draw from, and so are seven resamples. The reason is the one that `compare` gives.
TEST_F(PlannedIntervals, AreKnownBeforeTheRuns) {
  const std::string weeks = "resample = \"weeks\"\n[axes]\nseed = { first = 1, count = 8 }\n";
  for (const auto& [more, trace, why] :
       {std::tuple("[axes]\n", 1, "1 of at least 8 replications (combinations of seeds)"),
        {"[axes]\nseed = { first = 1, count = 7 }\n", 1, "7 of at least 8 replications (combinations of seeds)"},
        {"[axes]\nseed = { first = 1, count = 8 }\n", 1, ""},
        {"resample = \"users\"\n[axes]\n\"cluster.seed\" = [1, 2]\n\"workload.seed\" = { first = 1, count = 8 }\n", 1,
         "2 of at least 8 cluster seeds"},
        {weeks.c_str(), 4, "the trace has 4 whole weeks to draw from (workload.resample), and an interval needs 8"}}) {
    const Study made = study(more, trace);
    const std::string said = compared(made);
    EXPECT_EQ(said, why);
    EXPECT_EQ(planned(made), said.empty() ? "" : "no interval: " + said) << more;
  }
}

// Workload seeds of a trace that is read from a file change nothing, so that they are no replications; and a study that
// compares nothing needs no interval.
TEST_F(PlannedIntervals, CountWhatDrawsSomething) {
  const Study same = study("[axes]\n\"cluster.seed\" = [1, 2, 3]\n\"workload.seed\" = { first = 1, count = 8 }\n");
  EXPECT_EQ(compared(same), "3 of at least 8 replications (combinations of seeds)");
  EXPECT_EQ(planned(same), "no interval: " + compared(same));
  const Study single = read(study("[axes]\nseed = [1, 2]\n").resolved, {"policy.placement=pal"});
  EXPECT_EQ(planned(single), "");
}

}  // namespace

}  // namespace palstudy
