// SPDX-License-Identifier: MIT
// Failures as Philly's study tells them (Jeon et al., ATC'19, table 7): what is carried, the run time to failure, and
// what is drawn of attempts.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "workload/attempt_model.hpp"
#include "workload/models.hpp"

namespace palstudy {
namespace {

const std::filesystem::path carried_failures = std::filesystem::path(PALSTUDY_SOURCE_DIR) / "jobs/failures/philly.csv";

const FailureTable& philly_failures() {
  static const FailureTable table = failure_table(CsvTable::read(carried_failures));
  return table;
}

Job failing_job(std::int64_t id, std::uint32_t gpus) {
  Job job;
  job.id = id;
  job.gpus = gpus;
  return job;
}

const std::vector<std::uint32_t> width_of_size = {1, 4, 8, 16};  // one of each size

// 22 reasons, each of one place; only what the scheduler does itself is not drawn, and what is of the place (the
// infrastructure alone, and ECC errors) can be neither repeated by the job nor shown beforehand.
TEST(FailureTable, TheCarriedOneIsThatOfTheStudy) {
  const FailureTable& table = philly_failures();
  ASSERT_EQ(table.reasons.size(), 22U);
  EXPECT_EQ(table.least_gpus, (std::vector<std::uint32_t>{1, 2, 5, 9}));
  const std::vector<double> fails = {0.247, 0.475, 0.52, 0.632}, killed = {0.114, 0.177, 0.236, 0.064};
  for (std::size_t size = 0; size < fails.size(); ++size) {
    EXPECT_DOUBLE_EQ(table.fails[size], fails[size]);
    EXPECT_DOUBLE_EQ(table.killed[size], killed[size]);
  }
  for (const FailureReason& reason : table.reasons) {
    EXPECT_EQ(reason.drawn, reason.name != "Job preempted");
    if (reason.category == "IF" && reason.drawn) {
      EXPECT_TRUE(reason.of_place) << reason.name;
    }
    if (reason.category.find('U') != std::string::npos) {
      EXPECT_TRUE(reason.repeats) << reason.name;
    }
  }
  EXPECT_EQ(table.size_of(1), 0U);
  EXPECT_EQ(table.size_of(4), 1U);
  EXPECT_EQ(table.size_of(5), 2U);
  EXPECT_EQ(table.size_of(5000), 3U);
}

// At its knots the quantile is the percentile to the last bit; between and beyond them it never falls; it is capped.
TEST(FailureTable, RunTimeToFailureIsExactAtItsKnotsMonotoneAndCapped) {
  for (const FailureReason& reason : philly_failures().reasons) {
    EXPECT_EQ(run_time_to_failure_s(reason, 0.5), reason.p50_min * 60) << reason.name;
    EXPECT_EQ(run_time_to_failure_s(reason, 0.9), reason.p90_min * 60) << reason.name;
    EXPECT_EQ(run_time_to_failure_s(reason, 0.95), reason.p95_min * 60) << reason.name;
    double before = 0;
    for (int i = 1; i < 2000; ++i) {
      const double now = run_time_to_failure_s(reason, i / 2000.0);
      EXPECT_GE(now, before * (1 - 1e-12)) << reason.name << " at " << i / 2000.0;
      EXPECT_GT(now, 0);
      EXPECT_LE(now, 20000 * 60);
      before = now;
    }
    // By hand, in the middle of the logarithms: at 0.7 the geometric mean of the percentiles 50 and 90.
    EXPECT_NEAR(run_time_to_failure_s(reason, 0.7) / (60 * std::sqrt(reason.p50_min * reason.p90_min)), 1, 1e-12);
  }
  const auto& mpi = philly_failures().reasons[11];
  ASSERT_EQ(mpi.name, "MPI runtime failure");
  EXPECT_EQ(run_time_to_failure_s(mpi, 0.999), 20000 * 60);
}

void expect_table_refused(const std::string& text, const std::string& beginning) {
  const auto message = testing_workload::refusal(3, [&] { (void)failure_table(CsvTable::parse(text, "f.csv")); });
  EXPECT_EQ(message.substr(0, beginning.size()), beginning) << message;
}

// Whoever writes a table of his own is told the place of what is wrong with it.
TEST(FailureTable, SaysWhereATableIsWrong) {
  const std::string head = "reason,category,of,repeats,validated,rtf_p50_min,rtf_p90_min,rtf_p95_min,gpus_1\n";
  const std::string shares = "(attempts that fail),,share,,,,,,50\n(jobs that are killed),,share,,,,,,10\n";
  const std::string bad = "bad,U,job,yes,no,1,2,3,10\n";
  EXPECT_EQ(failure_table(CsvTable::parse(head + shares + bad, "f.csv")).reasons.size(), 1U);
  expect_table_refused(head + bad, "f.csv: no row (attempts that fail)\n");
  expect_table_refused(head + "(attempts that fail),,share,,,,,,50\n" + bad, "f.csv: no row (jobs that are killed)\n");
  expect_table_refused(head + shares + bad + bad, "f.csv:5:1: a second reason called bad");
  expect_table_refused(head + shares + "bad,U,job,yes,no,3,2,3,10\n", "f.csv:4:20: 2 in column rtf_p90_min");
  expect_table_refused(head + shares + "bad,U,moon,yes,no,1,2,3,10\n", "f.csv:4:7: \"moon\" in column of");
  expect_table_refused(head + shares + "bad,IF,place,yes,no,1,2,3,10\n", "f.csv:4:8: bad has of = \"place\"");
  expect_table_refused(head + shares + "bad,U,job,yes,no,1,2,3,0\n", "f.csv, column gpus_1: no reason was ever seen");
  expect_table_refused(head + "(attempts that fail),,share,,,,,,95\n(jobs that are killed),,share,,,,,,10\n" + bad,
                       "f.csv, column gpus_1: more than all jobs");
}

const std::string before_sizes = "reason,category,of,repeats,validated,rtf_p50_min,rtf_p90_min,rtf_p95_min,";
const std::string failing_row = "(attempts that fail),,share,,,,,,", killed_row = "(jobs that are killed),,share,,,,,,";

// A table has a column for each size of job, the first of them gpus_1, in any order and among others; numbers lie
// within limits that they may reach: 60 ms and 20,000 min to failure, all attempts and jobs together, 2^24 GPUs.
TEST(FailureTable, HasAColumnForEachSizeOfJob) {
  const FailureTable table =
      failure_table(CsvTable::parse(before_sizes + "gpus_16777216,more,gpus_1\n" + failing_row + "60,x,50\n" +
                                        killed_row + "10,x,50\n" + "least,U,job,no,no,0.001,0.001,20000,7,x,1\n",
                                    "f.csv"));
  EXPECT_EQ(table.least_gpus, (std::vector<std::uint32_t>{1, 16777216}));
  EXPECT_EQ(table.fails, (std::vector<double>{0.5, 0.6}));
  EXPECT_EQ(table.killed, (std::vector<double>{0.5, 0.1}));
  EXPECT_EQ(table.reasons.at(0).trials, (std::vector<double>{1, 7}));
  EXPECT_EQ(table.size_of(16777215), 0U);
  EXPECT_EQ(table.size_of(16777216), 1U);
  for (const char* name : {"gpus_", "gpus_x", "gpus_0", "gpus_-1", "gpus_16777217"}) {
    expect_table_refused(before_sizes + "gpus_1," + name + "\n",
                         std::string("f.csv:1: column ") + name + " names no number of GPUs");
  }
  for (const char* sizes : {"more", "gpus_2", "gpus_1,gpus_2,gpus_02"}) {
    expect_table_refused(before_sizes + sizes + "\n", "f.csv:1: the table has no column gpus_1, or two of one size");
  }
}

// Each number and word has its place in the message; what the scheduler alone does is no reason that can be drawn.
TEST(FailureTable, SaysWhichNumberOrWordIsWrong) {
  const std::string head = before_sizes + "gpus_1\n", shares = failing_row + "50\n" + killed_row + "10\n";
  const auto refused = [&](const std::string& row, const std::string& beginning) {
    expect_table_refused(head + shares + row + "\n", beginning);
  };
  refused(",U,job,yes,no,1,2,3,10", "f.csv:4:1: a reason without a name");
  refused("bad,U,job,maybe,no,1,2,3,10", "f.csv:4:11: \"maybe\" in column repeats");
  refused("bad,IF,place,no,yes,1,2,3,10", "f.csv:4:8: bad has of = \"place\"");
  refused("bad,U,job,yes,no,0.0009,2,3,10", "f.csv:4:18: 0.0009 in column rtf_p50_min");
  refused("bad,U,job,yes,no,1,5,3,10", "f.csv:4:22: 3 in column rtf_p95_min");
  refused("bad,U,job,yes,no,1,2,20001,10", "f.csv:4:22: 20001 in column rtf_p95_min");
  refused("bad,U,job,yes,no,1,2,3,-1", "f.csv:4:24: -1 in column gpus_1");
  refused("Job preempted,,scheduler,no,no,1,2,3,10", "f.csv, column gpus_1: no reason was ever seen");
  refused("(jobs that end),,share,,,,,,10", "f.csv:4:1: \"(jobs that end)\" in column reason");
  refused(killed_row + "10", "f.csv:4:1: the shares are there twice");
  expect_table_refused(head + failing_row + "100.5\n", "f.csv:2:34: 100.5 in column gpus_1");
}

// The share of killed jobs is of all jobs, those of which every attempt fails included. By hand, where half of the
// attempts fail and 15 % of the jobs are killed: with one retry a quarter is given up by a transient reason, so that a
// fifth of the others is killed; without a retry, or by a reason that always comes back, half is, and 30 %; where none
// fails 15 %, and where all fail none is left. 100,000 jobs: the standard error is 0.15 points at most.
TEST(AttemptModel, OfJobsThatAreNotGivenUpMoreAreKilled) {
  const auto killed = [](const std::string& repeats, const FailureOptions& options) {
    const std::string text = before_sizes + "gpus_1\n" + failing_row + "50\n" + killed_row + "15\n" + "one,U,job," +
                             repeats + ",no,1,2,3,10\n";
    const AttemptModel model(failure_table(CsvTable::parse(text, "f.csv")), options);
    constexpr int jobs = 100'000;
    double all = 0;
    for (int i = 0; i < jobs; ++i) all += model.killed(failing_job(i, 1)) ? 1 : 0;
    return all / jobs;
  };
  FailureOptions options;
  options.retries = 1;
  EXPECT_NEAR(killed("no", options), 0.2, 0.0075);
  options.retries = 0;
  EXPECT_NEAR(killed("no", options), 0.3, 0.0075);
  options.retries = 3;
  options.repeat = 1;
  EXPECT_NEAR(killed("yes", options), 0.3, 0.0075);
  options.scale = 0;
  EXPECT_NEAR(killed("yes", options), 0.15, 0.0075);
  options.scale = 2;
  EXPECT_EQ(killed("yes", options), 0);
}

// What is drawn of first attempts: of each size as many fail as the study's jobs did, and for its reasons, each to a
// point (120,000 jobs: the standard error of a share of 0.5 is 0.15 points); and of all jobs, whatever their later
// attempts do, as many are killed as were.
TEST(AttemptModel, AttemptsFailAsOftenAndForTheReasonsThatWereCounted) {
  const AttemptModel model(philly_failures(), {});
  constexpr int jobs = 120'000;
  for (std::size_t size = 0; size < width_of_size.size(); ++size) {
    std::map<std::int32_t, double> by_reason;
    double fails = 0, killed = 0;
    for (int i = 0; i < jobs; ++i) {
      const Job job = failing_job(i, width_of_size[size]);
      Ending ending = model.ending(job, 1, Ending::none, 1);
      if (ending.fails()) ++fails, ++by_reason[ending.reason];
      std::uint32_t attempt = 1;
      for (; ending.fails() && model.tried_again(attempt, ending.reason); ++attempt) {
        ending = model.ending(job, attempt + 1, ending.reason, 1);
      }
      if (!ending.fails() && model.killed(job)) ++killed;
    }
    EXPECT_NEAR(fails / jobs, philly_failures().fails[size], 0.01);
    EXPECT_NEAR(killed / jobs, philly_failures().killed[size], 0.01);
    double trials = 0;
    for (const auto& reason : philly_failures().reasons) trials += reason.drawn ? reason.trials[size] : 0;
    for (std::size_t r = 0; r < philly_failures().reasons.size(); ++r) {
      const FailureReason& reason = philly_failures().reasons[r];
      const double share = by_reason[static_cast<std::int32_t>(r)] / fails;
      EXPECT_NEAR(share, reason.drawn ? reason.trials[size] / trials : 0, 0.01) << reason.name;
    }
  }
}

// Shares of the run time that was lost, over the sizes of jobs that the counts are from, against the published ones:
// within 5 points (three percentiles are put in; the curve through them was chosen by these shares, a lognormal does
// not give them).
TEST(AttemptModel, ReasonsHaveThePublishedSharesOfTheRunTime) {
  const CsvTable csv = CsvTable::read(carried_failures);
  const AttemptModel model(philly_failures(), {});
  std::map<std::string, double> published, drawn;
  for (std::size_t row = 2; row < csv.rows(); ++row) {
    published[std::string(csv.text(row, csv.column("reason")))] = csv.number(row, csv.column("rtf_total_pct"));
  }
  // Failures of each size in proportion to the counts; of the two widest sizes, which share one column, the narrower.
  constexpr int each = 20;
  double all = 0;
  std::int64_t id = 0;
  for (std::size_t size = 0; size < 3; ++size) {
    double trials = 0;
    for (const auto& reason : philly_failures().reasons) trials += reason.drawn ? reason.trials[size] : 0;
    for (double failures = 0; failures < each * trials;) {
      const Ending ending = model.ending(failing_job(id++, width_of_size[size]), 1, Ending::none, 1);
      if (!ending.fails()) continue;
      ++failures;
      drawn[model.reason(ending.reason).name] += ending.run_s;
      all += ending.run_s;
    }
  }
  for (const auto& [name, percent] : published) EXPECT_NEAR(100 * drawn[name] / all, percent, 5.0) << name;
}

// Longer jobs are likelier killed if asked, but of each size as many as published, also where the longest surely are: a
// tenth of the jobs here takes nine times as long, so that with exponent e it is killed 9^e times as often; where that
// would be more than all of them, all are, and the others keep the mean.
TEST(AttemptModel, LongerJobsAreLikelierKilled) {
  std::map<std::size_t, double> share_of;  // by size, where all are alike
  for (const double exponent : {0.0, 0.5, 1.0, 9.0}) {
    FailureOptions options;
    options.kill_exponent = exponent;
    AttemptModel model(philly_failures(), options);
    std::vector<Job> jobs;
    for (std::size_t size = 0; size < width_of_size.size(); ++size) {
      for (int i = 0; i < 60'000; ++i) {
        jobs.push_back(failing_job(static_cast<std::int64_t>(jobs.size()), width_of_size[size]));
        jobs.back().iterations = i % 10 == 0 ? 9 : 1;
        jobs.back().iteration_s = 100;
      }
    }
    model.weigh_kills(jobs);
    for (std::size_t size = 0; size < width_of_size.size(); ++size) {
      double killed[2] = {0, 0};
      for (const Job& job : jobs) {
        if (job.gpus == width_of_size[size] && model.killed(job)) ++killed[job.iterations > 1 ? 1 : 0];
      }
      if (exponent == 0) share_of[size] = (killed[0] + killed[1]) / 60'000;
      const double share = share_of[size];
      EXPECT_NEAR((killed[0] + killed[1]) / 60'000, share, 0.01) << exponent;
      const double weight = std::pow(9, exponent);
      double longer = share * weight / (0.9 + 0.1 * weight), shorter = longer / weight;
      if (longer > 1) longer = 1, shorter = (share - 0.1) / 0.9;
      EXPECT_NEAR(killed[1] / 6'000, longer, 0.02) << exponent;
      EXPECT_NEAR(killed[0] / 54'000, shorter, 0.02) << exponent;
    }
  }
}

// A deterministic reason comes back with the probability of `repeat` (and may be drawn again otherwise), a transient
// one only as it may be drawn again.
TEST(AttemptModel, DeterministicReasonsComeBack) {
  const AttemptModel model(philly_failures(), {});
  constexpr int jobs = 40'000;
  const auto again = [&](std::int32_t reason) {
    double same = 0;
    for (int i = 0; i < jobs; ++i) same += model.ending(failing_job(i, 1), 2, reason, 1).reason == reason ? 1 : 0;
    return same / jobs;
  };
  const auto first = [&](std::int32_t reason) {
    double same = 0;
    for (int i = 0; i < jobs; ++i) same += model.ending(failing_job(i, 1), 2, Ending::none, 1).reason == reason ? 1 : 0;
    return same / jobs;
  };
  for (const std::int32_t reason : {0, 1, 5, 11}) {
    const double p = first(reason);
    const double expected = model.reason(reason).repeats ? 0.9 + 0.1 * p : p;
    EXPECT_NEAR(again(reason), expected, 0.01) << model.reason(reason).name;
  }
  EXPECT_TRUE(model.reason(0).repeats);
  EXPECT_FALSE(model.reason(11).repeats);
}

// An adaptive retry gives up what would come back; otherwise all are tried again as often as the study says.
TEST(AttemptModel, AdaptiveRetryGivesUpWhatComesBack) {
  FailureOptions options;
  options.retries = 2;
  const AttemptModel plain(philly_failures(), options);
  EXPECT_TRUE(plain.tried_again(2, 0));
  EXPECT_FALSE(plain.tried_again(3, 0));
  options.adaptive_retry = true;
  const AttemptModel adaptive(philly_failures(), options);
  EXPECT_FALSE(adaptive.tried_again(1, 0));
  EXPECT_TRUE(adaptive.tried_again(2, 11));
  EXPECT_FALSE(adaptive.tried_again(3, 11));
}

// Twice as prone to faults: reasons of the place come twice as often, and those of the job to the very same attempts.
TEST(AttemptModel, ThePlaceChangesOnlyWhatIsOfThePlace) {
  const AttemptModel model(philly_failures(), {});
  double of_place = 0, twice = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Ending a = model.ending(failing_job(i, 8), 1, Ending::none, 1),
                 b = model.ending(failing_job(i, 8), 1, Ending::none, 2);
    const auto place = [&](const Ending& e) { return e.fails() && model.reason(e.reason).of_place; };
    of_place += place(a) ? 1 : 0;
    twice += place(b) ? 1 : 0;
    if (a.fails()) {
      EXPECT_EQ(a.reason, b.reason);
    }
    if (a.fails()) {
      EXPECT_EQ(a.run_s, b.run_s);
    }
  }
  EXPECT_NEAR(twice / of_place, 2, 0.05);
}

}  // namespace
}  // namespace palstudy
