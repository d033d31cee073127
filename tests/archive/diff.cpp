// SPDX-License-Identifier: MIT
#include "archive/diff.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "archive/archive_runs.hpp"
#include "archive/damage_check.hpp"
#include "archive/verify.hpp"
#include "archive/write_archive.hpp"
#include "core/error.hpp"
#include "message_of.hpp"
#include "verified.hpp"

namespace palstudy::test {
namespace {

Difference difference(const std::vector<RunRecord>& a, const std::vector<RunRecord>& b) {
  const TempDir dir;
  write_archive(dir.path() / "a.h5", a, {}, some_provenance());
  write_archive(dir.path() / "b.h5", b, {}, {});
  return diff_archives(dir.path() / "a.h5", dir.path() / "b.h5");
}

/// Four runs of one policy that finish at these times, launched at `launch_s`.
std::vector<RunRecord> runs(const std::vector<double>& finishes, double launch_s = 360) {
  std::vector<RunRecord> records;
  for (const double finish : finishes) {
    MeasuredRun run(static_cast<std::int64_t>(records.size()), "pal", finish);
    records.push_back(run.launched(launch_s).record());
  }
  return records;
}

// Provenance differs in all of these and counts for nothing.
TEST(ArchiveDiff, SameResultsAreIdentical) {
  EXPECT_EQ(difference(three_runs(), three_runs()).agreement, Agreement::identical);
}

// The digest in the root of an archive says nothing of rows that were hit since. Where verify has a finding, diff has
// no verdict, whichever of the two is damaged.
TEST(ArchiveDiff, DamagedArchivesAgreeWithNothing) {
  const TempDir dir;
  write_archive(dir.path() / "good.h5", three_runs(), {}, some_provenance());
  const std::string bytes = read_file(dir.path() / "good.h5");
  int damaged = 0;
  for (std::size_t place = 1000; place < bytes.size(); place += bytes.size() / 40) {
    std::string other = bytes;
    other[place] = static_cast<char>(other[place] ^ 8);
    write_file(dir.path() / "bad.h5", other);
    if (verified_archive(dir.path() / "bad.h5").empty()) continue;  // nothing reads that byte
    ++damaged;
    for (const auto& [a, b] : {std::pair("good.h5", "bad.h5"), std::pair("bad.h5", "good.h5")}) {
      EXPECT_NE(
          message_of(ErrorCode::data, [&] { (void)diff_archives(dir.path() / a, dir.path() / b); }).find("bad.h5"),
          std::string::npos);
    }
  }
  EXPECT_GT(damaged, 10);
}

// A quick look reads as much as it may, small datasets first, and says whether that was all.
TEST(ArchiveDiff, AQuickLookIsBounded) {
  const TempDir dir;
  const auto path = dir.path() / "a.h5";
  write_archive(path, three_runs(), {}, some_provenance());
  EXPECT_EQ(check_quickly(path, 1 << 20).damage, std::nullopt);
  EXPECT_TRUE(check_quickly(path, 1 << 20).whole);
  EXPECT_EQ(check_quickly(path, 1).damage, std::nullopt);
  EXPECT_FALSE(check_quickly(path, 1).whole);
  const std::string bytes = read_file(path);
  int seen = 0;
  for (std::size_t place = 1000; place < bytes.size(); place += bytes.size() / 40) {
    std::string other = bytes;
    other[place] = static_cast<char>(other[place] ^ 8);
    write_file(path, other);
    const QuickCheck look = check_quickly(path, 1 << 20);
    seen += look.damage ? 1 : 0;
    EXPECT_TRUE(!look.damage || !verified_archive(path).empty()) << look.damage->what;
  }
  EXPECT_GT(seen, 5);
}

// A metric apart, with the same events: the detail names it.
TEST(ArchiveDiff, SameEventsAreTheSameSchedule) {
  MeasuredRun changed(0);
  changed.set(Metric::jain, 0.5);
  const auto found = difference({MeasuredRun(0).record()}, {changed.record()});
  EXPECT_EQ(found.agreement, Agreement::same_schedule);
  EXPECT_NE(found.detail.find("/runs/jain"), std::string::npos) << found.detail;
}

// Without events the starts and finishes tell.
TEST(ArchiveDiff, JobsStandInForEvents) {
  const OutputTables jobs_only{true, false, false};
  MeasuredRun changed(0);
  changed.set(Metric::jain, 0.5);
  EXPECT_EQ(difference({MeasuredRun(0).record(jobs_only)}, {changed.record(jobs_only)}).agreement,
            Agreement::same_schedule);
  const auto found = difference({MeasuredRun(0).record(jobs_only)}, {MeasuredRun(0, "pal", 961).record(jobs_only)});
  EXPECT_EQ(found.agreement, Agreement::different);
  EXPECT_NE(found.detail.find("/jobs/finish_s row 0: 960 in the first, 961 in the second"), std::string::npos)
      << found.detail;
}

// Finishes 1000..1300 give a mean of 1150 and a half width of t(3) 3.18 x 129.1 / 2 = 205: means 100 apart overlap,
// means 1000 apart do not.
TEST(ArchiveDiff, OverlappingIntervalsAreWithin) {
  const std::vector<double> base{1000, 1100, 1200, 1300};
  const auto near = difference(runs(base), runs({1100, 1200, 1300, 1400}, 720));
  EXPECT_EQ(near.agreement, Agreement::within_intervals);
  EXPECT_NE(near.detail.find("/events/time_s row 0: 360"), std::string::npos) << near.detail;
  const auto far = difference(runs(base), runs({2000, 2100, 2200, 2300}, 720));
  EXPECT_EQ(far.agreement, Agreement::different);
  EXPECT_NE(far.detail.find("jct_mean_s"), std::string::npos) << far.detail;
}

// The edge, from the formula: half widths of 205.41 on both sides overlap up to a distance of 410.83.
TEST(ArchiveDiff, IntervalsEndWhereStudentSays) {
  const auto shifted = [](double by) { return runs({1000 + by, 1100 + by, 1200 + by, 1300 + by}, 720); };
  EXPECT_EQ(difference(runs({1000, 1100, 1200, 1300}), shifted(410)).agreement, Agreement::within_intervals);
  EXPECT_EQ(difference(runs({1000, 1100, 1200, 1300}), shifted(412)).agreement, Agreement::different);
}

// One run of a policy has no interval: it must agree.
TEST(ArchiveDiff, ASingleRunHasNoInterval) {
  EXPECT_EQ(difference(runs({1000}), runs({1000.5}, 720)).agreement, Agreement::different);
}

// Runs are matched by id, whatever their numbers.
TEST(ArchiveDiff, RunsAreMatchedById) {
  MeasuredRun first(0, "pal", 960), second(1, "pal", 2000);
  const std::vector<RunRecord> a{first.record(), second.record()};
  first.label.run = 1;
  second.label.run = 0;
  const std::vector<RunRecord> b{first.record(), second.record()};
  EXPECT_EQ(difference(a, b).agreement, Agreement::same_schedule);
  const auto missing = difference(a, {first.record()});
  EXPECT_EQ(missing.agreement, Agreement::different);
  EXPECT_NE(missing.detail.find("00000000000000a1 is in the first archive alone"), std::string::npos) << missing.detail;
}

// A run that the second alone has counts like one that the first alone has.
TEST(ArchiveDiff, TheSecondMayHaveMoreRuns) {
  const RunRecord first = MeasuredRun(0).record(), second = MeasuredRun(1).record();
  const auto more = difference({first}, {first, second});
  EXPECT_EQ(more.agreement, Agreement::different);
  EXPECT_NE(more.detail.find("00000000000000a1 is in the second archive alone"), std::string::npos) << more.detail;
}

// A run that failed in one of them has no metric, so that no interval agrees with the other's.
TEST(ArchiveDiff, AFailedRunAgreesWithNone) {
  const MeasuredRun run(0);
  const RunRecord other = MeasuredRun(1).record();
  const auto found = difference({run.record(), other}, {make_failed_record(run.label, "it broke"), other});
  EXPECT_EQ(found.agreement, Agreement::different);
  EXPECT_NE(found.detail.find("done in the first, failed in the second"), std::string::npos) << found.detail;
}

// Two events of three are the beginning of another schedule, not the same one; and without events and jobs no schedule
// is known to be the same.
TEST(ArchiveDiff, ASchedulesRowsAreCounted) {
  MeasuredRun shorter(0);
  EventRows& events = shorter.result.events;
  events.time_s.pop_back(), events.kind.pop_back(), events.job.pop_back();
  events.gpu_begin.pop_back(), events.gpu_count.pop_back();
  const OutputTables events_only{false, true, false};  // the rows of /jobs would tell that one is missing
  const auto found = difference({MeasuredRun(0).record(events_only)}, {shorter.record(events_only)});
  EXPECT_EQ(found.agreement, Agreement::within_intervals);
  EXPECT_NE(found.detail.find("/events has 3 rows in the first, 2 in the second"), std::string::npos) << found.detail;
  MeasuredRun changed(0);
  changed.set(Metric::jain, 0.5);
  const OutputTables none{false, false, false};
  const auto unknown = difference({MeasuredRun(0).record(none)}, {changed.record(none)});
  EXPECT_EQ(unknown.agreement, Agreement::within_intervals);
  EXPECT_NE(unknown.detail.find("neither events nor jobs"), std::string::npos) << unknown.detail;
}

// Where one archive has no events, the jobs of both tell; a table that one alone has tells nothing. With the same
// starts and finishes it is the same schedule, and what differs else are the rows of /events.
TEST(ArchiveDiff, OnlyTablesThatBothHaveAreCompared) {
  const OutputTables all{true, true, true}, jobs{true, false, false}, events{false, true, false},
      none{false, false, false};
  const auto of = [](const OutputTables& first, const OutputTables& second, double finish_s = 960) {
    return difference({MeasuredRun(0).record(first)}, {MeasuredRun(0, "pal", finish_s).record(second)});
  };
  for (const auto& [first, second, rows] : {std::tuple(all, jobs, "3 rows in the first, 0 in the second"),
                                            std::tuple(jobs, all, "0 rows in the first, 3 in the second")}) {
    const Difference same = of(first, second);
    EXPECT_EQ(same.agreement, Agreement::same_schedule);
    EXPECT_EQ(same.detail, std::string("run 00000000000000a0: /events has ") + rows);
    const Difference other = of(first, second, 961);
    EXPECT_EQ(other.agreement, Agreement::different);
    EXPECT_TRUE(
        other.detail.starts_with("run 00000000000000a0, /jobs/finish_s row 0: 960 in the first, 961 in the second; "
                                 "policy \"pal\": 95 % intervals "
                                 "of the mean jct_mean_s are ["))
        << other.detail;
  }
  for (const auto& [first, second] : {std::pair(jobs, none), std::pair(none, jobs), std::pair(jobs, events)}) {
    const Difference unknown = of(first, second);
    EXPECT_EQ(unknown.agreement, Agreement::within_intervals);
    EXPECT_EQ(unknown.detail, "the archives have neither events nor jobs in common to tell their schedules from");
  }
}

// Metrics by estimates are columns of /runs that one of these studies has and the other has not; all that both have is
// the same.
TEST(ArchiveDiff, ColumnsOfOneArchiveAreADifference) {
  MeasuredRun with(0);
  with.label.by_estimates = true;
  const std::vector<RunRecord> more{with.record()}, fewer{MeasuredRun(0).record()};
  for (const Difference& found : {difference(more, fewer), difference(fewer, more)}) {
    EXPECT_EQ(found.agreement, Agreement::same_schedule);
    EXPECT_EQ(found.detail, "one archive has tables or columns that the other has not");
  }
}

// Of two columns that differ the row tells which is named: the first row in which any does.
TEST(ArchiveDiff, TheFirstRowThatDiffersIsNamed) {
  const OutputTables events_only{false, true, false};
  const auto with = [&](std::size_t event, double time_s, std::size_t job) {
    MeasuredRun run(0);
    run.result.events.time_s[event] = time_s;
    run.result.events.job[job] = JobId(2);
    return std::vector<RunRecord>{run.record(events_only)};
  };
  const std::vector<RunRecord> base{MeasuredRun(0).record(events_only)};
  const std::string run = "run 00000000000000a0, /events/";
  EXPECT_EQ(difference(base, with(2, 2000, 1)).detail, run + "job row 1: 50 in the first, 60 in the second");
  EXPECT_EQ(difference(with(1, 400, 1), base).detail, run + "time_s row 1: 400 in the first, 360 in the second");
}

// A policy's single run agrees with the other's to 1e-9 on each side: 0.9e-9 apart they do, 3e-9 apart they do not.
TEST(ArchiveDiff, ASingleRunAgreesToAPartInABillion) {
  const auto apart = [](double part) { return difference(runs({1010}), runs({1010 + 1000 * part}, 720)).agreement; };
  EXPECT_EQ(apart(0.9e-9), Agreement::within_intervals);
  EXPECT_EQ(apart(-0.9e-9), Agreement::within_intervals);
  EXPECT_EQ(apart(3e-9), Agreement::different);
  EXPECT_EQ(apart(-3e-9), Agreement::different);
}

// The metric that the first study compares by decides, here one that counts: 1 migration a run against 3.
TEST(ArchiveDiff, TheMetricOfTheFirstStudyDecides) {
  const auto by = [](const std::string& metric) {
    MeasuredRun other(0);
    other.launched(300);
    other.result.jobs.migrations[0] = 3;
    other.set(Metric::migrations, 3);
    Provenance from;
    from.compare_metric = metric;
    const TempDir dir;
    write_archive(dir.path() / "a.h5", {MeasuredRun(0).record()}, {}, from);
    write_archive(dir.path() / "b.h5", {other.record()}, {}, some_provenance());
    return diff_archives(dir.path() / "a.h5", dir.path() / "b.h5");
  };
  EXPECT_EQ(by("").agreement, Agreement::within_intervals);
  EXPECT_EQ(by("jct_mean_s").agreement, Agreement::within_intervals);
  EXPECT_EQ(by("migrations").agreement, Agreement::different);
  EXPECT_NE(by("migrations").detail.find("95 % intervals of the mean migrations are ["), std::string::npos);
}

}  // namespace
}  // namespace palstudy::test
