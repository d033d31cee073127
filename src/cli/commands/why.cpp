// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/jobs/job_row.hpp"
#include "analysis/jobs/job_story.hpp"
#include "analysis/jobs/limit_kills.hpp"
#include "analysis/jobs/run_difference.hpp"
#include "campaign/archived/archived_run.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/print.hpp"
#include "cli/tables/why_tables.hpp"
#include "core/error.hpp"

namespace palstudy {
namespace {

struct WhyOptions {
  std::string file, job;
  std::int64_t run = -1, against = -1;
  bool killed = false, json = false;
};

using Need = ArchivedRuns::Need;

template <class Answer>
int answer(const WhyOptions& options, const WhyOf<Answer>& why) {
  if (options.json) {
    fmt::print("{}", why_json(why));
  } else {
    print_text(why_text(why, screen_columns()));
  }
  return 0;
}

int why_job(const WhyOptions& options, ArchivedRuns& archive) {
  const ArchivedRuns::Run run = archive.run(options.run, Need::events, "--run");
  const std::vector<JobRow> jobs = rows_of_jobs(run.record.jobs);
  const auto row = find_job(jobs, options.job);
  if (!row) {
    throw usage_error(
        fmt::format("run {} has no job \"{}\", or ended before it was submitted", options.run, options.job), "--job",
        fmt::format("palstudy export FILE --table jobs --run {} lists them", options.run));
  }
  const ArchivedRuns::Cluster cluster = archive.cluster(run.plan);
  const EngineOptions& engine = run.plan.engine;
  const RunOfJobs of{.record = run.record,
                     .topology = cluster.topology,
                     .partitioning = cluster.partitioning,
                     .truth = cluster.truth,
                     .round_s = engine.start == Start::event ? 0 : engine.round_s,
                     .migration_s = engine.migration_s,
                     .nodes_leave = !run.plan.cluster.outages.empty() || run.plan.power.on()};
  return answer(options, WhyOf<JobStory>{options.run, run.simulated, job_story(of, jobs, *row)});
}

int why_against(const WhyOptions& options, ArchivedRuns& archive) {
  constexpr std::size_t most_jobs = 10;
  const ArchivedRuns::Run run = archive.run(options.run, Need::jobs, "--run");
  const ArchivedRuns::Run other = archive.run(options.against, Need::jobs, "--against");
  RunDifference difference =
      run_difference(rows_of_jobs(run.record.jobs), rows_of_jobs(other.record.jobs), most_jobs, "--against");
  return answer(options, WhyOf<RunsApart>{
                             options.run, run.simulated || other.simulated, {options.against, std::move(difference)}});
}

int why_killed(const WhyOptions& options, ArchivedRuns& archive) {
  const ArchivedRuns::Run run = archive.run(options.run, Need::jobs, "--run");
  if (!run.plan.engine.kills_overruns) {
    throw usage_error(fmt::format("run {} kills no job at its time limit", options.run), "--killed",
                      "run the study with policy.overrun = \"kill\"");
  }
  return answer(options, WhyOf<LimitKills>{options.run, run.simulated,
                                           limit_kills(rows_of_jobs(run.record.jobs), run.plan.engine.migration_s)});
}

int why(const WhyOptions& options) {
  if (options.job.empty() && options.against < 0 && !options.killed) {
    throw usage_error("it is not said what to explain", "palstudy why", "give --job J, --against RUN or --killed");
  }
  ArchivedRuns archive(options.file);
  if (options.killed) return why_killed(options, archive);
  return options.against >= 0 ? why_against(options, archive) : why_job(options, archive);
}

std::function<int()> set_up_why(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<WhyOptions>();
  app.add_option("FILE", options->file, "the archive (HDF5), or a bundle")->required();
  whole_number(app.add_option("--run", options->run, "the run, by its number in /runs"), 0)->required();
  auto* job = app.add_option("--job", options->job, "the job, by the id that the trace or the site gives it");
  auto* against = whole_number(
      app.add_option("--against", options->against, "the ten jobs that make the difference to this run"), 0);
  auto* killed = app.add_flag("--killed", options->killed,
                              "who was killed at a time limit because of a slow GPU (policy.overrun = \"kill\")");
  job->excludes(against)->excludes(killed);
  against->excludes(killed);
  app.add_flag("--json", options->json, "print JSON (palstudy.why/1)");
  app.footer(
      "Of a job: why it waited, when it could have started, where it ran, and what its slowest GPU cost.\n"
      "If the archive has no events (output.events), the run is simulated again, and must give the same jobs.\n"
      "Then the inputs of the study have to be there as they were. docs/howto/why-a-job-waited.md explains\n"
      "the answers.");
  return [options] { return why(*options); };
}

}  // namespace

void register_command_why(CommandRegistry& registry) {
  registry.add({"why", "Say why a job waited, on what it ran and what its slowest GPU cost", {}, set_up_why});
}

}  // namespace palstudy
