// SPDX-License-Identifier: MIT
// `palstudy validate`: logs that the program made under a known scheduler are accepted, those of other schedulers are
// rejected (campaign/replay_of_site.hpp).
#include "campaign/site/replay_of_site.hpp"

#include <cmath>

#include "campaign/scratch.hpp"
#include "core/files.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "inputs/site_validation.hpp"

namespace palstudy {
namespace {

constexpr int jobs = 400;

/// A cluster of 32 GPUs, some of them slow, and penalties: recorded times have these in them already.
const std::string site = R"(
cluster.gpus = 32
cluster.table = "c.csv"
network.penalty = { node = 1.0, cluster = 1.3 }
workload.reader = "native"
engine.round_s = 60
)";

class ReplayOfSite : public Scratch {
 protected:
  ReplayOfSite() {
    write_cluster(32, 4, [](int gpu) { return gpu == 5 ? 1.8 : 1 + 0.01 * (gpu % 7); });
  }

  /// Jobs of one to eight GPUs that load the cluster by about 80 %, with limits of up to four times their need.
  void write_jobs(std::uint64_t seed) const {
    std::string trace = "job_id,submit_s,num_gpus,iterations,iteration_s,class,estimate_s,user\n";
    double submit_s = 0;
    for (int job = 0; job < jobs; ++job) {
      RandomStream random(seed, Purpose::running_job, static_cast<std::uint64_t>(job));
      submit_s += -330 * std::log(1 - random.uniform());
      const int gpus = 1 << static_cast<int>(4 * random.uniform());
      const double seconds = 300 + 4000 * random.uniform() * random.uniform();
      const double limit_s = seconds * (1 + 3 * random.uniform());
      trace += fmt::format("{},{:.0f},{},{:.0f},1,A,{:.0f},u{}\n", job, submit_s, gpus, seconds, limit_s, job % 5);
    }
    write("jobs.csv", trace);
  }
  /// What a scheduler makes of the jobs, as a log: start_s and end_s behind each.
  void write_log(const std::string& scheduler) const {
    const RunRecord record = simulate_all(read(site + "workload.trace = \"jobs.csv\"\n" + scheduler)).at(0);
    const auto& start = std::get<std::vector<double>>(*record.jobs.find("start_s"));
    const auto& finish = std::get<std::vector<double>>(*record.jobs.find("finish_s"));
    const auto rows = split(read_text_file(dir / "jobs.csv"));
    std::string log = rows[0] + ",start_s,end_s\n";
    for (std::size_t job = 0; job < start.size(); ++job) {
      log += fmt::format("{},{},{}\n", rows[job + 1], start[job], finish[job]);
    }
    write("log.csv", log);
  }
  [[nodiscard]] Validation validate(const std::string& scheduler) const {
    const Study study = read(site + "workload.trace = \"log.csv\"\n" + scheduler);
    Inputs inputs(study);
    return replay_of_site(study, inputs);
  }
};

const std::vector<std::string> schedulers = {
    "policy = { order = \"fifo\", placement = \"packed-sticky\" }\n",
    "policy = { order = \"fifo\", placement = \"packed-sticky\", backfill = \"easy\" }\n",
    "policy = { order = \"sjf\", placement = \"packed-sticky\", backfill = \"greedy\" }\n",
    "policy = { order = \"fewest-gpus\", placement = \"packed-sticky\" }\n",
    "policy = { order = \"fifo\", placement = \"slurm\", backfill = \"conservative\" }\n"};

// Durations are as recorded, so that the model has the site's waits to the second, though GPUs are slow and spread.
TEST_F(ReplayOfSite, AcceptsLogsOfTheSameScheduler) {
  int accepted = 0;
  for (std::uint64_t log = 0; log < 100; ++log) {
    const std::string& scheduler = schedulers[log % schedulers.size()];
    write_jobs(log);
    write_log(scheduler);
    const Validation found = validate(scheduler);
    EXPECT_EQ(found.jobs, static_cast<std::size_t>(jobs));
    accepted += found.verdict == SiteVerdict::accepted ? 1 : 0;
  }
  EXPECT_GE(accepted, 95);
}

// Of logs by another scheduler that counts are those whose mean waits differ by over 10 %; the model's mean is what the
// other scheduler would have made of the same jobs.
TEST_F(ReplayOfSite, RejectsLogsOfAnotherScheduler) {
  int rejected = 0, differ = 0;
  for (std::uint64_t log = 0; differ < 100; ++log) {
    ASSERT_LT(log, 400U) << "schedulers hardly differ";
    const std::string& made_by = schedulers[log % schedulers.size()];
    const std::string& model = schedulers[(log + 1 + log / schedulers.size() % 4) % schedulers.size()];
    write_jobs(log);
    write_log(made_by);
    const Validation found = validate(model);
    if (std::abs(found.simulated_wait_s / found.recorded_wait_s - 1) <= 0.1) continue;
    ++differ;
    rejected += found.verdict == SiteVerdict::rejected ? 1 : 0;
  }
  EXPECT_GE(rejected, 95);
}

TEST_F(ReplayOfSite, RefusesATraceWithoutStarts) {
  write_jobs(1);
  const Study study = read(site + "workload.trace = \"jobs.csv\"\n");
  Inputs inputs(study);
  EXPECT_NE(message_or_none(ErrorCode::data, [&] { (void)replay_of_site(study, inputs); }), "");
}

// The baseline is what the site does, and another placement is not simulated.
TEST_F(ReplayOfSite, SimulatesTheBaselineOfAStudyOfPlacements) {
  const Study study = read(site +
                           "workload.trace = \"jobs.csv\"\naxes.\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n"
                           "compare.baseline = \"packed-sticky\"\naxes.\"seed\" = [3, 4]\n");
  EXPECT_EQ(site_run(study).policy.placement, "packed-sticky");
  EXPECT_EQ(site_run(study).seed, 3U);
}

// Every job ran twice its limit. A model that kills at limits would free GPUs too early.
TEST_F(ReplayOfSite, RunsJobsForTheirRecordedTimesWhateverTheirLimits) {
  write_jobs(2);
  write_log(schedulers[0]);
  std::string log;
  for (const std::string& row : split(read_text_file(dir / "log.csv"))) {
    const auto cells = split(row, ',');
    const bool names = cells[0] == "job_id";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string cell = names || i != 6 ? cells[i] : fmt::format("{:.0f}", std::stod(cells[3]) / 2);
      log += (i > 0 ? "," : "") + cell;
    }
    log += "\n";
  }
  write("log.csv", log);
  const Validation found =
      validate("policy = { order = \"fifo\", placement = \"packed-sticky\", overrun = \"kill\" }\n");
  EXPECT_EQ(found.verdict, SiteVerdict::accepted);
  EXPECT_DOUBLE_EQ(found.simulated_use, found.recorded_use);
  EXPECT_DOUBLE_EQ(found.start_error_s, 0);
}

/// The study of a recorded run of Slurm (tests/golden/runs/slurm), with its own log and its own conf.
Validation of_slurm(const std::string& run, const std::vector<std::string>& more = {}) {
  const std::string folder = PALSTUDY_SOURCE_DIR "/tests/golden/runs/slurm/" + run;
  std::vector<std::string> set = {"workload.trace=\"" + folder + "/sacct.psv\"",
                                  "slurm.conf=\"" + folder + "/slurm.conf\""};
  set.insert(set.end(), more.begin(), more.end());
  const Study study = read_study(PALSTUDY_SOURCE_DIR "/tests/golden/runs/slurm/validate.toml", set);
  Inputs inputs(study);
  return replay_of_site(study, inputs);
}

// Slurm rounds plans to minutes of the clock, and the log says that time 0 was at second 47. With a clock that is wrong
// by a quarter of a minute the same model is rejected.
TEST_F(ReplayOfSite, AcceptsARecordedSlurmByTheClockOfItsLog) {
  const Validation found = of_slurm("fifo-backfill-1a");
  EXPECT_EQ(found.verdict, SiteVerdict::accepted);
  EXPECT_EQ(found.jobs + found.initial, 110U);
  EXPECT_LE(found.start_error_s, 2);
  EXPECT_EQ(of_slurm("fifo-backfill-1a", {"slurm.clock_s=47"}).simulated_wait_s, found.simulated_wait_s);
  EXPECT_EQ(of_slurm("fifo-backfill-1a", {"slurm.clock_s=2"}).verdict, SiteVerdict::rejected);
}

// A verdict counts for its trace and its scheduler; a change of GPUs or penalties leaves it.
TEST_F(ReplayOfSite, KeepsAVerdictAsLongAsTraceAndSchedulerStay) {
  write_jobs(1);
  write_log(schedulers[0]);
  const auto of = [&](const std::vector<std::string>& more) {
    const Study study = read(site + "workload.trace = \"log.csv\"\n" + schedulers[0], more);
    return validated_for(study, as_the_site_ran(study));
  };
  const ValidatedFor first = of({});
  EXPECT_EQ(of({"cluster.seed=7"}), first);
  EXPECT_EQ(of({"network.penalty.cluster=1.9"}), first);
  EXPECT_NE(of({"workload.estimates=\"uniform\""}), first);
  write_log(schedulers[1]);
  EXPECT_NE(of({}).trace, first.trace);
  EXPECT_EQ(of({}).scheduler, first.scheduler);
}

}  // namespace
}  // namespace palstudy
