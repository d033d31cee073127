// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <vector>

#include "campaign/cost.hpp"
#include "campaign/site/replay_of_site.hpp"
#include "cli/command.hpp"
#include "cli/print.hpp"
#include "cli/site_options.hpp"
#include "cli/tables/validation_tables.hpp"
#include "core/durable_file.hpp"
#include "core/text.hpp"
#include "inputs/site_validation.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

struct ValidateOptions {
  SiteOptions site;
  bool json = false;
};

int validate(const ValidateOptions& options, const CommandContext& context) {
  SiteStudy site(options.site, context);
  const Study study = read_study(site.file(), options.site.overrides);
  Inputs inputs(study);
  std::vector<Note> notes = inputs.check();
  std::erase_if(notes, is_of_validation);  // of the verdict before this one
  log_notes(notes);
  const RunPlan run = as_the_site_ran(study);
  require_recorded_starts(inputs.load(run).workload, run);
  site.keep();
  fmt::print(stderr, "simulating {} jobs takes about {}\n", grouped(inputs.load(run).workload.jobs.size()),
             duration_text(cost_by_formula(study, inputs).runs.at(static_cast<std::size_t>(run.number)).core_s));
  const Validation validation = replay_of_site(study, inputs);
  const std::string json = validation_json(validation, validated_for(study, run));
  write_durably(validation_file(study), std::as_bytes(std::span(json)));
  if (options.json) {
    fmt::print("{}", json);
  } else {
    print_text(validation_text(validation, screen_columns()));
    fmt::print("\nkept in {}\nnext: palstudy advise {}\n", validation_file(study).string(), site.file());
  }
  return 0;
}

std::function<int()> set_up_validate(CLI::App& app, const CommandContext& context) {
  auto options = std::make_shared<ValidateOptions>();
  add_site_options(app, options->site);
  app.add_flag("--json", options->json, "print JSON");
  app.footer(
      "Simulates the site's scheduler, [policy] of the study, on its own log, and compares starts and waits with "
      "those\n"
      "recorded. Jobs run for their recorded times: slow GPUs and penalties are in them already. The verdict is kept\n"
      "beside the study, STUDY.validated.json. Run, compare and advise tell it as long as trace and scheduler stay.");
  return [options, context] { return validate(*options, context); };
}

}  // namespace

void register_command_validate(CommandRegistry& registry) {
  registry.add(
      {"validate", "Does the model reproduce what the site recorded? Simulates its own log", {}, set_up_validate});
}

}  // namespace palstudy
