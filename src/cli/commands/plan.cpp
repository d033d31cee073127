// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/plan_text.hpp"

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
  app.add_option("--set", options->overrides, "replace a key of the study, or an axis; repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_flag("--json", options->json, "for programs");
  app.add_flag("--quick", options->quick,
               "by formula alone, nothing is rehearsed: at once, and far off for runs that are hard to foretell");
  app.footer(
      "One seed of each point whose time is hard to foretell, or short, is simulated in memory, for about ten seconds\n"
      "in all, and with output.events the beginnings of longer runs, for four seconds more; the column estimate says\n"
      "of each run whether it was rehearsed, or like which one it is taken to be.");
  return [options] {
    fmt::print("{}", plan_text(read_study(options->study, options->overrides), options->json, options->quick));
    return 0;
  };
}

}  // namespace

void register_command_plan(CommandRegistry& registry) {
  registry.add({"plan", "Check a study and list its runs, with estimates of time, memory and disk", {}, set_up_plan});
}

}  // namespace palstudy
