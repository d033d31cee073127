// SPDX-License-Identifier: MIT
// What is made of runs whose queue only grows: `compare` leaves them out with their pairs and names them, and the
// stopping rule ends no study early because of them.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/comparison.hpp"
#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "archive/write_archive.hpp"
#include "archive/write_records.hpp"
#include "campaign/execute.hpp"
#include "campaign/interim_analysis.hpp"
#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

const std::string ruled = minimal +
                          "[stop]\nmetric = \"jct_mean_s\"\nrelative_half_width = 0.01\nlooks = [20, 30, 40]\n"
                          "[axes]\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n";

class UnstableRuns : public Scratch {
 protected:
  const Study study = read(ruled);

  /// pal takes 0.9 of the baseline's time, a little more or less by seed: known well after 20 seeds.
  [[nodiscard]] RunRecord record(std::size_t run, double stable, double slope) const {
    const RunPlan& plan = study.runs[run];
    const auto seed = static_cast<double>(plan.seed);
    const double base = 1000 + 10 * seed;
    const double jct = plan.policy.placement == "pal" ? base * (0.9 + 0.0001 * std::sin(7 * seed * seed)) : base;
    RunResult result;
    const auto set = [&](Metric metric, double value) { result.metrics[static_cast<std::size_t>(metric)] = value; };
    set(Metric::jct_mean_s, jct);
    set(Metric::makespan_s, jct);
    set(Metric::stable, stable);
    set(Metric::queue_slope, slope);
    const Topology topology(std::vector<NodeGroup>{{1, 2}}, 1);
    OutputTables tables;
    tables.jobs = false;
    return make_record(label_of(study, plan), result, Workload{}, Slowdowns({"A"}, 2, {1.0, 1.0}), topology,
                       Partitioning(topology, 1), tables);
  }
  /// All stable, but for those in `unstable`.
  [[nodiscard]] std::vector<RunRecord> records(std::size_t runs, const std::vector<std::size_t>& unstable) const {
    std::vector<RunRecord> all;
    for (std::size_t run = 0; run < runs; ++run) {
      const bool grows = std::find(unstable.begin(), unstable.end(), run) != unstable.end();
      all.push_back(record(run, grows ? 0 : 1, grows ? 12.5 : -3));
    }
    return all;
  }
  [[nodiscard]] Comparison compared(const std::vector<RunRecord>& of) const {
    Provenance provenance;
    provenance.baselines = study.baselines;
    write_archive(dir / "a.h5", of, {}, provenance);
    return compare(ArchiveReader(dir / "a.h5"), {{"jct_mean_s"}, {}, {}, {}});
  }
  [[nodiscard]] LookState looked(const std::vector<RunRecord>& of) const {
    Outcomes outcomes(study.runs.size());
    for (const auto& one : of) {
      const auto at = static_cast<std::size_t>(one.run);
      outcomes[at] = outcomes_of(study, one.runs)[at];
    }
    return look_at(study, outcomes);
  }
};

// Run 6 is unstable (pal at the fourth seed): it is named with its slope, and its pair counts no more. A slope alone,
// of a run that is called stable, excludes none.
TEST_F(UnstableRuns, AreNamedAndLeftOutWithTheirPairs) {
  const Comparison whole = compared(records(40, {}));
  EXPECT_TRUE(whole.left_out.empty());
  EXPECT_EQ(whole.groups.at(0).gains.at(0).gain.value().pairs, 20U);
  EXPECT_EQ(whole.groups.at(0).gains.at(0).left_out, 0U);
  const Comparison less = compared(records(40, {6}));
  ASSERT_EQ(less.left_out.size(), 1U);
  EXPECT_EQ(less.left_out[0].run, 6);
  EXPECT_EQ(less.left_out[0].why, NoClaim::unstable);
  EXPECT_EQ(less.left_out[0].growth_per_h, 12.5);
  const PolicyGain& gain = less.groups.at(0).gains.at(0);
  EXPECT_EQ(gain.gain.value().pairs, 19U);
  EXPECT_EQ(gain.left_out, 1U);
}

// The baseline's run excludes the pair as well as the policy's; where both are unstable it is one pair.
TEST_F(UnstableRuns, OfTheBaselineCountToo) {
  EXPECT_EQ(compared(records(40, {7})).groups.at(0).gains.at(0).gain.value().pairs, 19U);
  EXPECT_EQ(compared(records(40, {6, 7})).groups.at(0).gains.at(0).gain.value().pairs, 19U);
  EXPECT_EQ(compared(records(40, {6, 7})).left_out.size(), 2U);
}

// Where every run is unstable nothing is claimed.
TEST_F(UnstableRuns, AloneMakeNoClaim) {
  std::vector<std::size_t> all(40);
  for (std::size_t run = 0; run < 40; ++run) all[run] = run;
  const Comparison none = compared(records(40, all));
  EXPECT_EQ(none.left_out.size(), 40U);
  for (const PolicyGain& gain : none.groups.at(0).gains) EXPECT_FALSE(gain.gain);
}

// Without it the study ends at its first look; with one unstable run among the first 40 it goes on to the last, and
// says why. One beyond the look is nothing to it.
TEST_F(UnstableRuns, EndNoStudyEarly) {
  const LookState early = looked(records(40, {}));
  EXPECT_TRUE(early.ends && early.narrow);
  EXPECT_EQ(early.look, 0U);
  const LookState on = looked(records(80, {6}));
  EXPECT_TRUE(on.ends);
  EXPECT_FALSE(on.narrow);
  EXPECT_EQ(on.look, 2U);
  EXPECT_EQ(on.why, (LookFinding{LookResult::no_claim, {}, {}, 6, NoClaim::unstable}));
  EXPECT_EQ(looked(records(80, {6, 8, 9})).why, (LookFinding{LookResult::no_claim, {}, {}, 6, NoClaim::unstable, 2}));
  EXPECT_FALSE(looked(records(40, {6})).ends);
  EXPECT_EQ(looked(records(80, {41})).look, 0U);
}

}  // namespace
}  // namespace palstudy
