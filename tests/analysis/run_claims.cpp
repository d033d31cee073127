// SPDX-License-Identifier: MIT
#include "analysis/run_claims.hpp"

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
  const std::vector<NoClaim> reasons = {NoClaim::none, NoClaim::failed, NoClaim::unfinished, NoClaim::unstable,
                                        NoClaim::unstable};
  for (std::size_t run = 0; run < reasons.size(); ++run) {
    EXPECT_EQ(claims.reason(run), reasons[run]) << run;
    EXPECT_EQ(claims.may_claim(run, false), run == 0) << run;
    EXPECT_EQ(claims.may_claim(run, true), run == 0 || run == 2) << run;
    EXPECT_EQ(claims.cut(run), run == 2) << run;
  }
  EXPECT_EQ(claims.all_claimed(), (std::vector<bool>{true, false, false, false, false}));
  EXPECT_EQ(claims.runs_cut(), 1u);
  EXPECT_TRUE(claims.some_unfinished());
  const std::string point = " (engine.round_s = 360, policy.placement = pal): ";
  const std::string failed = "run 1" + point + "failed", cut = "run 2" + point + "3 jobs unfinished",
                    grows = "run 3" + point + "unstable, the queue grows by 12.3 jobs/h",
                    both = "run 4" + point + "1 job unfinished";
  EXPECT_EQ(claims.excluded(true), (std::vector<std::string>{failed, cut, grows, both}));
  EXPECT_EQ(claims.excluded(false), (std::vector<std::string>{failed, grows, both}));
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

// Jobs that are left count where a finish is needed, before the queue; a slope alone is no reason.
TEST(NoClaims, SayWhy) {
  EXPECT_EQ(no_claim(0, true, 50, true), "");
  EXPECT_EQ(no_claim(1200, false, 50, true), "1,200 jobs unfinished");
  EXPECT_EQ(no_claim(1200, false, 12.345, false), "unstable, the queue grows by 12.3 jobs/h");
  EXPECT_EQ(no_claim(1200, true, 50, false), "");
}

}  // namespace
}  // namespace palstudy
