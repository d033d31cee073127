// SPDX-License-Identifier: MIT
#include "analysis/run_claims.hpp"

#include <cmath>

#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

class ClaimsOfRuns : public Scratch {
 protected:
  /// A run that left so many jobs unfinished, or one that failed.
  static RunRecord run_with(double unfinished, bool stable, double slope, bool failed = false) {
    test::SmallRun small;
    small.label.axes = {{"engine.round_s", ColumnType::real}, {"policy.placement", ColumnType::text}};
    small.label.values = {AxisValue{std::int64_t{360}}, AxisValue{std::string("pal")}};
    const auto set = [&](Metric metric, double value) {
      small.result.metrics[static_cast<std::size_t>(metric)] = value;
    };
    set(Metric::jobs_unfinished, unfinished);
    set(Metric::stable, stable ? 1 : 0);
    set(Metric::queue_slope, slope);
    return failed ? make_failed_record(small.label, "why") : small.record();
  }
  /// Of these runs, numbered from 0.
  [[nodiscard]] RunClaims claims_of(std::vector<RunRecord> records) const {
    for (std::size_t i = 0; i < records.size(); ++i) renumber(records[i], static_cast<std::int64_t>(i));
    std::filesystem::remove(dir / "a.h5");
    write_archive(dir / "a.h5", records, {}, {});
    const ArchiveReader archive(dir / "a.h5");
    return RunClaims(RunValues(archive));
  }
};

// A run that is done, finished all and is stable makes every claim, however steep its queue; one that left jobs and is
// stable those that need no finish; a failed one, and one that is unstable, none, also where it left jobs as well. Each
// that is left out is named with its axes and the first reason.
TEST_F(ClaimsOfRuns, FollowFromWhatBecameOfThem) {
  const RunClaims claims = claims_of({run_with(0, true, 99), run_with(0, true, 0, true), run_with(3, true, 0),
                                      run_with(0, false, 12.34), run_with(1, false, 5)});
  using enum NoClaim;
  const std::vector<NoClaim> with_finish = {none, failed, unfinished, unstable, unfinished},
                             without = {none, failed, none, unstable, unstable};
  for (std::size_t run = 0; run < without.size(); ++run) {
    EXPECT_EQ(claims.why(run, true), with_finish[run]) << run;
    EXPECT_EQ(claims.why(run, false), without[run]) << run;
    EXPECT_EQ(claims.cut(run), run == 2) << run;
  }
  EXPECT_EQ(claims.all_claimed(), (std::vector<bool>{true, false, false, false, false}));
  EXPECT_EQ(claims.runs_cut(), 1u);
  EXPECT_TRUE(claims.some_unfinished());
  const ArchiveReader archive(dir / "a.h5");
  const auto all = left_out(RunValues(archive), claims, true), some = left_out(RunValues(archive), claims, false);
  ASSERT_EQ(all.size(), 4u);
  ASSERT_EQ(some.size(), 3u);
  using Point = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(all[0].point, (Point{{"engine.round_s", "360"}, {"policy.placement", "pal"}}));
  EXPECT_TRUE(std::isnan(all[0].jobs_unfinished));
  EXPECT_EQ(all[1].run, 2);
  EXPECT_EQ(all[1].why, unfinished);
  EXPECT_EQ(all[1].jobs_unfinished, 3);
  EXPECT_EQ(some[1].run, 3);
  EXPECT_EQ(some[1].growth_per_h, 12.34);
  EXPECT_EQ(some[2].why, unfinished) << "by all that holds of it";
  const auto notes = notes_on_claims(all, 5);
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0].id, "failed");
  EXPECT_EQ(notes[0].values, (ValueRecord{{"runs", 1}, {"of", 5}}));
  EXPECT_EQ(notes[1].id, "unfinished");
  EXPECT_EQ(notes[1].values, (ValueRecord{{"runs", 2}, {"of", 5}, {"jobs", 4}}));
  EXPECT_EQ(notes[2].id, "unstable");
  EXPECT_EQ(notes[2]["growth"], least_and_most(12.34, 12.34));
  EXPECT_EQ(notes[2].severity, Severity::care);
  EXPECT_EQ(notes_on_claims(all, 4).front().severity, Severity::stop) << "no run is left";
  EXPECT_TRUE(notes_on_claims({}, 4).empty());
}

// A failed run left no jobs unfinished, of which there are -1; an unstable one may have.
TEST_F(ClaimsOfRuns, KnowWhetherJobsWereLeft) {
  const RunClaims none = claims_of({run_with(0, true, 0), run_with(0, true, 0, true), run_with(0, false, 9)});
  EXPECT_FALSE(none.some_unfinished());
  EXPECT_EQ(none.runs_cut(), 0u);
  const RunClaims some = claims_of({run_with(0, true, 0), run_with(2, false, 9)});
  EXPECT_TRUE(some.some_unfinished());
  EXPECT_EQ(some.runs_cut(), 0u);
}

// Jobs that are left count where a finish is needed, before the queue; a failed run before all.
TEST(NoClaims, HaveOneOrder) {
  EXPECT_EQ(no_claim({true, 0, true}, true), NoClaim::none);
  EXPECT_EQ(no_claim({true, 1200, false}, true), NoClaim::unfinished);
  EXPECT_EQ(no_claim({true, 1200, false}, false), NoClaim::unstable);
  EXPECT_EQ(no_claim({true, 1200, true}, false), NoClaim::none);
  EXPECT_EQ(no_claim({false, 1200, false}, true), NoClaim::failed);
}

}  // namespace
}  // namespace palstudy
