// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <memory>
#include <optional>

#include "bundle/bundle_check.hpp"
#include "campaign/campaign.hpp"
#include "campaign/campaign_status.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/print.hpp"
#include "cli/tables/plan_text.hpp"
#include "inputs/shared_inputs.hpp"
#include "parallel/agree.hpp"
#include "parallel/mpi.hpp"

namespace palstudy {
namespace {

struct RunOptions {
  std::string study, output, slice;
  std::vector<std::string> overrides;
  std::optional<double> time_limit_s;
  int team = 1;
  bool resume = false, force = false, retry_failed = false, dry_run = false, explain_comm = false;
};

CampaignOptions campaign_options(const RunOptions& options, const CommandContext& context) {
  if (options.output.empty()) throw usage_error("no output is named", "-o", "give -o FILE.h5");
  CampaignOptions result;
  result.output = options.output;
  result.resume = options.resume;
  result.force = options.force;
  result.retry_failed = options.retry_failed;
  result.team = options.team;
  result.explain_comm = options.explain_comm;
  if (!options.slice.empty()) result.slice = parse_slice(options.slice);
  if (options.time_limit_s && !(*options.time_limit_s > 0)) {
    throw usage_error(fmt::format("{} is no time limit", *options.time_limit_s), "--time-limit",
                      "give a number of seconds above 0, or leave it out");
  }
  result.time_limit_s = options.time_limit_s;
  result.command_line = command_line(context);
  return result;
}

/// What is wrong with the bundle that the study lies in, on rank 0: found before MPI is started, thrown after.
std::exception_ptr wrong_with_bundle(const RunOptions& options) {
  try {
    if (speaks_for_all()) check_bundle(options.study);
  } catch (const Error&) {
    return std::current_exception();
  }
  return nullptr;
}

int campaign(const RunOptions& options, const CampaignOptions& to, const std::exception_ptr& bundle, Mpi& mpi) {
  on_rank_0(mpi, [&] {
    if (bundle) std::rethrow_exception(bundle);
  });
  share_files(mpi, [&] { return study_files(options.study); });
  std::optional<Study> study;
  // Rank 0 reads first, so that it alone reports a bad file.
  on_rank_0(mpi, [&] { study = read_study(options.study, options.overrides); });
  on_all_ranks(mpi, [&] {
    if (!study) study = read_study(options.study, options.overrides);
  });
  share_files(mpi, [&] { return input_paths(*study); });
  // A part of a bundle, or another study made of it, has another digest.
  const bool whole = options.overrides.empty() && !to.slice;
  const int code = run_campaign(*study, to, mpi);
  if (whole && code == 0) on_rank_0(mpi, [&] { compare_with_bundle(options.study, to.output); });
  return code;
}

int run(const RunOptions& options, const CommandContext& context) {
  if (options.dry_run) {
    const Study study = read_study(options.study, options.overrides);
    const std::string text = plan_text(study, false, false, screen_columns());
    if (speaks_for_all()) fmt::print("{}{}", text, options.output.empty() ? "" : look_text(study, options.output));
    return 0;
  }
  const CampaignOptions to = campaign_options(options, context);
  const std::exception_ptr bundle = wrong_with_bundle(options);
  Mpi mpi(context.argc, context.argv);
  return on_every_rank(mpi, [&] { return campaign(options, to, bundle, mpi); });
}

std::function<int()> set_up_run(CLI::App& app, const CommandContext& context) {
  auto options = std::make_shared<RunOptions>();
  app.add_option("STUDY", options->study, "the study file (TOML)")->required();
  app.add_option("-o,--output", options->output, "the archive to write (HDF5); required unless --dry-run");
  whole_number(
      app.add_option("--team", options->team, "ranks that simulate one run together, its partitions shared among them"),
      1, 1 << 20);
  auto* resume = app.add_flag("--resume", options->resume,
                              "go on with what is there; start from the beginning if nothing is there");
  app.add_flag("--retry-failed", options->retry_failed, "with --resume, also repeat the runs that failed")
      ->needs(resume);
  app.add_option("--slice", options->slice, "I/N: only the runs whose number modulo N is I - 1; merge joins them");
  app.add_option(
      "--time-limit", options->time_limit_s,
      "stop with checkpoints and exit code 4 so many seconds after the inputs are loaded; in a Slurm job its end by "
      "default");
  set_option(app, options->overrides, "replace a key of the study, or an axis, or add one of seeds");
  app.add_flag("--dry-run", options->dry_run, "check the study, print the plan and do nothing");
  app.add_flag("--explain-comm", options->explain_comm,
               "print how many messages the ranks of a team exchange, and what they cost");
  app.add_flag("--force", options->force, "replace an existing archive")->excludes(resume);
  app.footer(
      "Under mpirun or srun the ranks share the runs; without a launcher it is one process.\n"
      "SIGTERM, SIGINT and SIGUSR1 end a campaign early: the runs at hand leave checkpoints, --resume goes on from "
      "there. mpirun itself ends with 1 on SIGTERM and SIGINT, and passes SIGUSR1 on.\n"
      "SIGUSR2 writes checkpoints and goes on; engine.checkpoint_s in the study says how often that is done by "
      "itself.");
  return [options, context] { return run(*options, context); };
}

}  // namespace

void register_command_run(CommandRegistry& registry) {
  registry.add({"run", "Simulate the runs of a study and write the archive", {}, set_up_run});
}

}  // namespace palstudy
