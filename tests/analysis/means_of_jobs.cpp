// SPDX-License-Identifier: MIT
// Means that few jobs rule are told from those that they do not, from the rows of /jobs.
#include "analysis/means_of_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/comparison.hpp"
#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

// A hundred jobs of one GPU on a hundred GPUs that are all alike: none waits, so that a job's completion time is its
// work, 1,000 s, and of the last one `longest_s`.
class FewJobs : public Scratch {
 protected:
  [[nodiscard]] Comparison compared(double longest_s, const std::string& more = "",
                                    const ComparisonOptions& options = {}) const {
    std::string trace = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n",
                table = "gpu_id,node_id,class,score\n";
    for (int job = 0; job < jobs; ++job) {
      const double work_s = job + 1 == jobs ? longest_s : 1000;
      trace += std::to_string(job) + ",0,1," + std::to_string(static_cast<int>(work_s)) + ",1,A\n";
      table += std::to_string(job) + "," + std::to_string(job / 4) + ",A,1\n";
    }
    write("jobs.csv", trace);
    write("c.csv", table);
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
  ASSERT_EQ(ruled.warnings.size(), 1u);
  expect_parts(ruled.warnings[0], {"few jobs rule jct_mean_s", "in 2 of 2 runs", "1 of 100 jobs 38 %"});
  EXPECT_TRUE(compared(49000).warnings.empty());
  EXPECT_TRUE(compared(1000).warnings.empty());
}

// A hundred jobs come on eight GPUs, one every 1,000 s, for 100 s. If the eleventh holds all GPUs for `wide_s`, the ten
// that come behind it wait for it. For 10,000 s they wait 9,000, 8,000 ... 0 s, a little more for each other: some
// 45,000 s, and all completion times are 99 x 100 + 10,000 + 45,000 s: 69 %. For 3,000 s two of them wait 2,000 and
// 1,000 s, of 16,000.
TEST_F(FewJobs, WaitingInOneEpisodeIsWarnedOf) {
  const auto warnings = [&](int wide_s) {
    std::string trace = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n",
                table = "gpu_id,node_id,class,score\n";
    for (int job = 0; job < jobs; ++job) {
      trace += fmt::format("{},{},{},{},1,A\n", job, 1000 * job, job == 10 ? 8 : 1, job == 10 ? wide_s : 100);
    }
    for (int gpu = 0; gpu < 8; ++gpu) table += fmt::format("{},{},A,1\n", gpu, gpu / 4);
    write("jobs.csv", trace);
    write("c.csv", table);
    const Study study =
        read(minimal + "cluster.gpus = 8\nengine.round_s = 100\nnetwork.penalty = { node = 1.0, cluster = 1.0 }\n" +
             "axes.\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
    Provenance provenance;
    provenance.resolved_study = study.resolved;
    provenance.baselines = study.baselines;
    write_archive(dir / "a.h5", simulate_all(study), {}, provenance);
    return compare(ArchiveReader(dir / "a.h5"), {{"jct_mean_s"}, {}, {}, {}}).warnings;
  };
  const auto said = warnings(10000);
  const auto episode =
      std::find_if(said.begin(), said.end(), [](const auto& text) { return text.starts_with("one episode"); });
  ASSERT_NE(episode, said.end());
  expect_parts(*episode, {"in 2 of 2 runs", "a tenth of the measured jobs", "up to 69 %"});
  for (const auto& text : warnings(3000)) EXPECT_FALSE(text.starts_with("one episode")) << text;
}

// Nothing is said where no mean over jobs is compared.
TEST_F(FewJobs, MatterToMeansAlone) {
  EXPECT_TRUE(compared(60000, "", {{"jct_p50_s"}, {}, {}, {}}).warnings.empty());
  EXPECT_EQ(compared(60000, "", {{"jct_mean_s"}, {}, {}, {}}).warnings.size(), 1u);
}

// Without rows it cannot be known, which is said; and there is no geometric mean to compare.
TEST_F(FewJobs, AreNotKnownWithoutRows) {
  const Comparison result = compared(60000, "output.jobs = false\n");
  ASSERT_EQ(result.warnings.size(), 1u);
  expect_parts(result.warnings[0], {"not known", "output.jobs = true"});
  for (const PolicyGain& gain : result.groups.at(0).gains) EXPECT_NE(gain.metric, jct_log_mean);
  try {
    (void)compare(ArchiveReader(dir / "a.h5"), {{jct_log_mean}, {}, {}, {}});
    ADD_FAILURE() << "was compared";
  } catch (const Error& error) {
    expect_parts(error.what(), {"the archive has no /jobs", "output.jobs = true"});
  }
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

}  // namespace
}  // namespace palstudy
