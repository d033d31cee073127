// SPDX-License-Identifier: MIT
#include "archive/event_replay.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "archive/archive_runs.hpp"
#include "archive/verify.hpp"
#include "verified.hpp"

namespace palstudy::test {
namespace {

constexpr double nan = SmallRun::nan;

/// An event of a job of the small run (70, 50 and 60 by their places 0, 1 and 2) on GPUs.
struct Event {
  double time_s;
  EventKind kind;
  std::uint32_t job;
  std::vector<std::uint32_t> gpus = {};
};
constexpr auto finish = EventKind::finish, stop = EventKind::stop, launch = EventKind::launch;

/// The small run with these events. Its rows of /jobs say that no job started, unless a test sets them.
struct RunOfEvents : SmallRun {
  explicit RunOfEvents(const std::vector<Event>& all) {
    EventRows& rows = result.events = {};
    for (const Event& event : all) {
      rows.time_s.push_back(event.time_s);
      rows.kind.push_back(event.kind);
      rows.job.emplace_back(event.job);
      rows.gpu_begin.push_back(rows.gpus.size());
      rows.gpu_count.push_back(static_cast<std::uint32_t>(event.gpus.size()));
      rows.gpus.insert(rows.gpus.end(), event.gpus.begin(), event.gpus.end());
    }
    for (std::size_t job = 0; job < 3; ++job) stands(job, nan, nan, 0);
    result.jobs.migrations = {9, 9, 9};
  }
  RunOfEvents& stands(std::size_t job, double start_s, double finish_s, double exec_s) {
    JobRows& jobs = result.jobs;
    jobs.start_s[job] = start_s, jobs.finish_s[job] = finish_s, jobs.exec_s[job] = exec_s;
    jobs.finished[job] = finish_s == finish_s ? 1 : 0;
    return *this;
  }
  /// What the replay finds; "" if nothing. Without rows of /jobs, unless they are asked for.
  [[nodiscard]] std::string found(bool with_jobs = false) const {
    Found findings;
    check_events(record({with_jobs, true, false}), findings);
    EXPECT_LE(findings.size(), 1U);
    if (findings.empty()) return "";
    const auto& [what, where, advice] = findings[0];
    const std::string begin = "run 7 at ";
    EXPECT_EQ(where, "/events");
    EXPECT_EQ(advice, "restore the file from a copy or run the study again");
    EXPECT_TRUE(what.starts_with(begin)) << what;
    return what.substr(begin.size());
  }
};
std::string found_in(const std::vector<Event>& all) { return RunOfEvents(all).found(); }

// A job starts, stops, starts elsewhere, moves and finishes; another takes at one instant what it leaves then. GPUs
// that two jobs exchange are free before either is taken.
TEST(EventReplay, WhatASchedulerDoesHolds) {
  EXPECT_EQ(found_in({}), "");
  EXPECT_EQ(found_in({{0, launch, 0, {0, 1}},
                      {10, stop, 0},
                      {10, launch, 1, {0}},
                      {20, launch, 0, {2, 3}},
                      {20, launch, 1, {1}},
                      {30, launch, 0, {0, 1}},
                      {30, launch, 1, {2}},
                      {35.5, finish, 0},
                      {40, launch, 2, {0, 1, 3, 4}},
                      {41, finish, 1}}),
            "");
}

// An attempt, or a whole job, may begin and be over at one instant: the row of its launch then comes after the others.
// So it may be over, begin again at the same instant, and be over once more.
TEST(EventReplay, WhatTakesNoTimeHolds) {
  EXPECT_EQ(found_in({{5, finish, 0}, {5, launch, 0, {0}}, {6, launch, 1, {0}}}), "");
  EXPECT_EQ(found_in({{5, stop, 0}, {5, launch, 0, {0}}, {6, launch, 0, {0}}, {7, finish, 0}}), "");
  EXPECT_EQ(found_in({{5, launch, 0, {0}}, {7, stop, 0}, {7, launch, 0, {1}}, {7, launch, 1, {0}}}), "");
  EXPECT_EQ(found_in({{5, launch, 0, {0}}, {7, stop, 0}, {7, stop, 0}, {7, launch, 0, {1}}, {8, launch, 1, {1}}}), "");
  EXPECT_EQ(found_in({{5, launch, 0, {0}}, {7, finish, 0}, {7, stop, 0}, {7, launch, 0, {1}}, {8, launch, 1, {1}}}),
            "");
}

// No GPU is held twice: not by a job that still runs, nor by two that begin together. What is held for no time is free.
TEST(EventReplay, NoGpuIsHeldTwice) {
  EXPECT_EQ(found_in({{0, launch, 0, {0, 1}}, {7200, launch, 1, {1}}}),
            "7200 s, job 50: it is launched on GPU 1, which job 70 holds");
  EXPECT_EQ(found_in({{0, launch, 0, {0}}, {0, launch, 1, {0}}}),
            "0 s, job 50: it is launched on GPU 0, which job 70 holds");
  EXPECT_EQ(found_in({{5, finish, 1}, {5, launch, 0, {0}}, {5, launch, 1, {0}}}), "");
  EXPECT_EQ(found_in({{0, launch, 0, {0}}, {5, launch, 0, {1}}, {6, launch, 1, {1}}}),
            "6 s, job 50: it is launched on GPU 1, which job 70 holds")
      << "it has moved there";
}

// What stops or finishes holds GPUs, and nothing comes after a finish: a job that ends at the boundary at which it
// would have moved does not move.
TEST(EventReplay, AJobGoesThroughItsLife) {
  EXPECT_EQ(found_in({{3, stop, 0}}), "3 s, job 70: it stops and holds no GPU");
  EXPECT_EQ(found_in({{3, finish, 0}}), "3 s, job 70: it finishes and holds no GPU");
  EXPECT_EQ(found_in({{0, launch, 0, {0}}, {3, stop, 0}, {4, stop, 0}}), "4 s, job 70: it stops and holds no GPU");
  EXPECT_EQ(found_in({{0, launch, 0, {0}}, {3, finish, 0}, {3, finish, 0}}), "3 s, job 70: it finishes twice");
  EXPECT_EQ(found_in({{0, launch, 0, {0}}, {3, finish, 0}, {3, launch, 0, {1}}}),
            "3 s, job 70: it is launched at the instant at which it finishes");
  for (const auto kind : {finish, stop, launch}) {
    EXPECT_EQ(found_in({{0, launch, 0, {0}}, {3, finish, 0}, {4, kind, 0, {0}}}),
              "4 s, job 70: it finished at 3 s, and something happens to it");
  }
}

// Rows have their order, and GPUs theirs; a launch has some. Jobs of one time and kind are in the order of the trace,
// which their ids need not be. Anything else no program of these archives writes.
TEST(EventReplay, RowsAreWhatTheSchemaSays) {
  const std::string order = "it does not follow the event before it by time and kind";
  EXPECT_EQ(found_in({{2, launch, 0, {0}}, {1, launch, 1, {1}}}), "1 s, job 50: " + order);
  EXPECT_EQ(found_in({{2, launch, 0, {0}}, {2, finish, 0}}), "2 s, job 70: " + order);
  EXPECT_EQ(found_in({{nan, launch, 0, {0}}}), "nan s, job 70: " + order);
  EXPECT_EQ(found_in({{2, launch, 0, {0}}, {2, launch, 1, {1}}}), "") << "70 comes before 50";
  EXPECT_EQ(found_in({{2, launch, 0, {}}}), "2 s, job 70: it is launched on no GPU");
  EXPECT_EQ(found_in({{2, launch, 0, {1, 1}}}), "2 s, job 70: GPU 1 does not follow GPU 1");
  EXPECT_EQ(found_in({{2, launch, 0, {1U << 27U}}}), "2 s, job 70: no cluster has a GPU 134217728");
}

// At the end each job stands as its row says: when it first began, when it was over, for how long it held GPUs, how
// many, and that it moved. A run that is cut off leaves jobs that run or have stopped.
TEST(EventReplay, JobsStandAsTheirRowsSay) {
  const std::vector<Event> events = {{0, launch, 0, {0, 1}}, {4, launch, 1, {2}},    {5, stop, 0},
                                     {6, launch, 0, {3, 4}}, {8, launch, 0, {0, 1}}, {9.5, finish, 0}};
  const auto run = [&] {
    RunOfEvents made(events);
    made.stands(0, 0, 9.5, 8.5).stands(1, 4, nan, 7);
    return made;
  };
  EXPECT_EQ(run().found(true), "");
  EXPECT_EQ(run().stands(0, 0, 9, 8.5).found(true), "0 s, job 70: /jobs/finish_s says 9, the events give 9.5");
  EXPECT_EQ(run().stands(0, 0, nan, 8.5).found(true), "0 s, job 70: /jobs/finish_s says nan, the events give 9.5");
  EXPECT_EQ(run().stands(0, 6, 9.5, 8.5).found(true), "0 s, job 70: /jobs/start_s says 6, it is first launched at 0");
  EXPECT_EQ(run().stands(0, 0, 9.5, 9.5).found(true), "0 s, job 70: /jobs/exec_s says 9.5, it holds GPUs for 8.5 s");
  EXPECT_EQ(run().stands(1, 4, 12, 7).found(true), "4 s, job 50: /jobs/finish_s says 12, the events give nan");
  EXPECT_EQ(run().stands(2, 3, nan, 0).found(true), "3 s, job 60: /jobs/start_s says 3, it is first launched at nan");
  EXPECT_EQ(run().stands(2, nan, 30, 0).found(true), "") << "it was turned away when it arrived";
  RunOfEvents moved = run();
  moved.result.jobs.migrations[0] = 0;
  EXPECT_EQ(moved.found(true), "0 s, job 70: /jobs/migrations says 0, it moves 1 times");
  RunOfEvents narrow(events);
  narrow.workload.jobs[0].gpus = 3;
  narrow.stands(0, 0, 9.5, 8.5).stands(1, 4, nan, 7);
  EXPECT_EQ(narrow.found(true), "0 s, job 70: /jobs/gpus says 3, it is launched on 2 to 2");
}

// verify says it, of an archive whose digests and checksums hold.
TEST(EventReplay, IsAPartOfVerify) {
  const TempDir dir;
  MeasuredRun run(0);
  run.result.events.kind[2] = EventKind::launch;
  write_archive(dir.path() / "a.h5", {run.record()}, two_clusters(), some_provenance());
  const auto findings = verified_archive(dir.path() / "a.h5");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(findings[0].find("/events: run 0 at 360 s, job 70: /jobs/finish_s says 960"), std::string::npos)
      << findings[0];
}

}  // namespace
}  // namespace palstudy::test
