// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/print.hpp"
#include "cli/tables/plan_text.hpp"

namespace palstudy {
namespace {

struct PlanCommand {
  std::string study;
  std::vector<std::string> overrides;
  bool json = false, quick = false;
};

std::function<int()> set_up_plan(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<PlanCommand>();
  app.add_option("STUDY", options->study, "the study file (TOML)")->required();
  set_option(app, options->overrides, "replace a key of the study, or an axis, or add one of seeds");
  app.add_flag("--json", options->json, "print JSON");
  app.add_flag("--quick", options->quick,
               "simulate nothing: estimate by formula. The real time may be several times as long");
  app.footer(
      "A line is a point of the axes that are not seeds. One seed of each is simulated in memory, as run does it, for "
      "ten\n"
      "seconds in all; the other seeds are taken to be like it. \"at least\" are points whose run did not end in its "
      "time.\n"
      "Seconds and disk are of all runs of a line: within a factor of 2, or of 4 if its run was cut.\n"
      "Memory is that of one process. --json lists all runs.");
  return [options] {
    const Study study = read_study(options->study, options->overrides);
    print_text(plan_text(study, options->json, options->quick, screen_columns()));
    if (!options->json && options->overrides.empty()) {
      fmt::print("next: palstudy run {} -o {}.h5\n", options->study, study.name);
    }
    return 0;
  };
}

}  // namespace

void register_command_plan(CommandRegistry& registry) {
  registry.add({"plan",
                "Check a study and list its points, with what their runs cost in time, memory and disk",
                {},
                set_up_plan});
}

}  // namespace palstudy
