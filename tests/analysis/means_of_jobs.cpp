// SPDX-License-Identifier: MIT
// Means that few jobs rule are told from those that they do not, from the rows of /jobs.
#include "analysis/means_of_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/comparison.hpp"
#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

// A hundred jobs of one GPU on a hundred GPUs that are all alike: none waits, so that a job's completion time is its
// work, 1,000 s, and of the last one `longest_s`.
class FewJobs : public Scratch {
 protected:
  [[nodiscard]] Comparison compared(double longest_s, const std::string& more = "",
                                    const ComparisonOptions& options = {}) const {
    write_trace_of(jobs, [&](int job) { return fmt::format("0,1,{},1,A", job + 1 == jobs ? longest_s : 1000); });
    write_cluster(jobs);
    const Study study = read(minimal + "cluster.gpus = 100\nmeasure.jobs.last = 99\n" + more +
                             "axes.\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
    Provenance provenance;
    provenance.resolved_study = study.resolved;
    provenance.baselines = study.baselines;
    provenance.compare_metric = study.compare_metric;
    write_archive(dir / "a.h5", simulate_all(study), {}, provenance);
    return compare(ArchiveReader(dir / "a.h5"), options);
  }

  static constexpr int jobs = 100;
};

// One job of a hundred is under 2 %. It holds over a third of the sum from 49,500 s on: x / (99,000 + x) > 1 / 3.
TEST_F(FewJobs, AreWarnedOf) {
  const Comparison ruled = compared(60000);
  ASSERT_EQ(ruled.notes.size(), 1u);
  const Note& note = ruled.notes[0];
  EXPECT_EQ(note.id, "few-jobs");
  EXPECT_EQ(note.subject, "jct_mean_s");
  EXPECT_EQ(find(ruled.notes, "no-job-rows"), nullptr);
  EXPECT_EQ(note["runs"], Value(2));
  EXPECT_EQ(note["jobs"], Value(1));
  EXPECT_EQ(note["of_jobs"], Value(100));
  EXPECT_NEAR(note["share"].number(), 60.0 / 159, 1e-9);
  EXPECT_TRUE(compared(49000).notes.empty());
  EXPECT_TRUE(compared(1000).notes.empty());
}

// A hundred jobs come on eight GPUs, one every 1,000 s, for 100 s. If the eleventh holds all GPUs for `wide_s`, the ten
// that come behind it wait for it. For 10,000 s they wait 9,000, 8,000 ... 0 s, a little more for each other: some
// 45,000 s, and all completion times are 99 x 100 + 10,000 + 45,000 s: 69 %. For 3,000 s two of them wait 2,000 and
// 1,000 s, of 16,000.
TEST_F(FewJobs, WaitingInOneEpisodeIsWarnedOf) {
  const auto notes = [&](int wide_s) {
    write_trace_of(jobs, [&](int job) {
      return fmt::format("{},{},{},1,A", 1000 * job, job == 10 ? 8 : 1, job == 10 ? wide_s : 100);
    });
    write_cluster(8);
    const Study study =
        read(minimal + "cluster.gpus = 8\nengine.round_s = 100\nnetwork.penalty = { node = 1.0, cluster = 1.0 }\n" +
             "axes.\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
    Provenance provenance;
    provenance.resolved_study = study.resolved;
    provenance.baselines = study.baselines;
    write_archive(dir / "a.h5", simulate_all(study), {}, provenance);
    return compare(ArchiveReader(dir / "a.h5"), {{"jct_mean_s"}, {}, {}, {}}).notes;
  };
  const auto said = notes(10000);
  const Note* episode = find(said, "one-episode");
  ASSERT_NE(episode, nullptr);
  EXPECT_EQ((*episode)["runs"], Value(2));
  EXPECT_EQ((*episode)["of"], Value(2));
  EXPECT_NEAR((*episode)["share"].number(), 0.69, 0.005);
  EXPECT_EQ(find(notes(3000), "one-episode"), nullptr);
}

// Nothing is said where no mean over jobs is compared.
TEST_F(FewJobs, MatterToMeansAlone) {
  EXPECT_TRUE(compared(60000, "", {{"jct_p50_s"}, {}, {}, {}}).notes.empty());
  EXPECT_EQ(compared(60000, "", {{"jct_mean_s"}, {}, {}, {}}).notes.size(), 1u);
}

// Without rows it cannot be known, which is said; and there is no geometric mean to compare.
TEST_F(FewJobs, AreNotKnownWithoutRows) {
  const Comparison result = compared(60000, "output.jobs = false\n");
  EXPECT_NE(find(result.notes, "no-job-rows", "few-jobs"), nullptr);
  for (const PolicyGain& gain : result.groups.at(0).gains) EXPECT_NE(gain.metric, jct_log_mean);
  expect_parts(message_of([&] {
                 (void)compare(ArchiveReader(dir / "a.h5"), {{jct_log_mean}, {}, {}, {}});
               }),
               {"the archive has no /jobs", "output.jobs = true"});
}

// Beside the mean stand the median, the bounded slowdown and the geometric mean: of 99 jobs of 1,000 s and one of
// 60,000 s the exponential of (99 log 1,000 + log 60,000) / 100.
TEST_F(FewJobs, DoNotRuleWhatStandsBesideTheMean) {
  const Comparison by_default = compared(60000);
  std::vector<std::string> metrics;
  for (const PolicyGain& gain : by_default.groups.at(0).gains) metrics.push_back(gain.metric);
  EXPECT_EQ(metrics,
            (std::vector<std::string>{"jct_mean_s", "jct_p50_s", "bounded_slowdown_mean", jct_log_mean, "makespan_s"}));
  const double expected = std::exp((99 * std::log(1000.0) + std::log(60000.0)) / 100);
  for (const std::vector<std::string>& by : {std::vector<std::string>{}, {"class"}}) {
    const Comparison result = compared(60000, "", {{jct_log_mean}, {}, by, {}});
    EXPECT_NEAR(result.groups.at(0).rows.at(0).means.at(0).value().mean, expected, 1e-9 * expected);
  }
}

/// Archives whose jobs are made up: all of what is said of a mean follows from their rows.
class MadeJobs : public Scratch {
 protected:
  struct MadeJob {
    double jct_s, wait_s;
    bool measured = true, finished = true;
  };
  static RunRecord run_of(std::int64_t number, const std::vector<MadeJob>& made) {
    test::SmallRun small;
    small.label.run = number;
    small.result = RunResult();
    small.workload.jobs.clear();
    JobRows& rows = small.result.jobs;
    rows.resize(made.size());
    for (std::size_t i = 0; i < made.size(); ++i) {
      const auto submit_s = static_cast<double>(i);
      small.workload.jobs.push_back({static_cast<std::int64_t>(i), submit_s, 10, 1, 1, ClassId(0), 1, 0});
      rows.job[i] = JobId(static_cast<std::uint32_t>(i));
      rows.start_s[i] = submit_s;
      rows.finish_s[i] = submit_s + made[i].jct_s;
      rows.exec_s[i] = made[i].jct_s - made[i].wait_s;
      rows.finished[i] = made[i].finished ? 1 : 0;
      rows.measured[i] = made[i].measured ? 1 : 0;
    }
    return small.record({true, false, false});
  }
  /// `say(jobs)` of an archive of these runs.
  template <class Say>
  auto said_of(const std::vector<RunRecord>& records, Say say) const {
    std::filesystem::remove(dir / "made.h5");
    write_archive(dir / "made.h5", records, {}, {});
    const ArchiveReader archive(dir / "made.h5");
    const RunValues runs(archive);
    return say(MeansOfJobs(archive, runs));
  }
};

// By hand, of 20 jobs that run for 10 s, of which two in a row, a tenth, wait: for 100 s each they hold 200
// of 400 s, which is half and no more; for 130 s 57 %, for 200 s 67 %. What the last two wait is more, but one of them
// is not measured and one does not end. A run of which nothing may be claimed says nothing. The first and the third job
// do not wait in a row.
TEST_F(MadeJobs, OfOneEpisodeAreCountedByRun) {
  const auto waits = [](double seconds) {
    std::vector<MadeJob> jobs(20, {10, 0});
    jobs[3] = jobs[4] = {10 + seconds, seconds};
    jobs.push_back({9000, 8990, false, true});
    jobs.push_back({9000, 8990, true, false});
    return jobs;
  };
  std::vector<MadeJob> apart(20, {10, 0});
  apart[0] = apart[2] = {140, 130};
  const std::vector<RunRecord> records = {run_of(2, waits(100)), run_of(4, waits(130)), run_of(8, waits(200)),
                                          run_of(9, waits(900)), run_of(11, apart)};
  const auto of = [&](const std::vector<bool>& usable) {
    return said_of(records, [&](const MeansOfJobs& jobs) { return jobs.one_episode_note(usable); });
  };
  const auto expect = [](const std::optional<Note>& note, int runs, double share, int run) {
    ASSERT_TRUE(note);
    EXPECT_EQ((*note)["runs"], Value(runs));
    EXPECT_EQ((*note)["of"], Value(5));
    EXPECT_NEAR((*note)["share"].number(), share, 0.005);
    EXPECT_EQ((*note)["run"], Value(run));
  };
  expect(of({true, true, true, false, false}), 2, 0.67, 8);
  expect(of({true, true, false, false, false}), 1, 0.57, 4);
  EXPECT_FALSE(of({true, false, false, false, true}));
}

// By hand: of 101 jobs two are under 2 %. Two of 500 s beside 99 of 10 s hold 1,000 of 1,990 s, and it takes both to
// hold a third; one of 1,000 s and 100 of 10 s hold as much, and it does so alone. The median of a run is none of its
// mean.
TEST_F(MadeJobs, OfWhichFewRuleAMeanAreCountedByRun) {
  std::vector<MadeJob> alike(101, {10, 0}), two = alike, one = alike;
  two[7] = two[70] = {500, 0};
  one[50] = {1000, 0};
  one.push_back({9000, 0, false, true});
  one.push_back({9000, 0, true, false});
  const std::vector<RunRecord> records = {run_of(2, alike), run_of(4, two), run_of(9, one)};
  const auto of = [&](const std::vector<bool>& usable) {
    return said_of(records, [&](const MeansOfJobs& jobs) {
      return jobs.few_jobs_note(compared_metric("jct_mean_s", "--metric"), usable);
    });
  };
  const auto values = [](int runs, int few, double share, int run) {
    return ValueRecord{{"metric", "jct_mean_s"}, {"runs", runs},   {"of", 3},   {"jobs", few},
                       {"of_jobs", 101},         {"share", share}, {"run", run}};
  };
  EXPECT_EQ(of({true, true, true})->values, values(2, 1, 1000.0 / 2000, 9));
  EXPECT_EQ(of({true, true, false})->values, values(1, 2, 1000.0 / 1990, 4));
  EXPECT_FALSE(of({true, false, false}));
}

// The geometric mean is of the jobs that are measured and ended; a run without one has none.
TEST_F(MadeJobs, HaveAGeometricMeanByRun) {
  const std::vector<RunRecord> records = {
      run_of(0, {{10, 0}, {1000, 5}, {5000, 0, false, true}, {5000, 0, true, false}}),
      run_of(1, {{5000, 0, true, false}})};
  const auto means = said_of(records, [](const MeansOfJobs& jobs) { return jobs.log_means(); });
  ASSERT_EQ(means.size(), 2u);
  EXPECT_NEAR(means[0], 100, 1e-9);
  EXPECT_TRUE(std::isnan(means[1]));
}

}  // namespace
}  // namespace palstudy
