// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/plan_text.hpp"

namespace palstudy {
namespace {

struct PlanOptions {
  std::string study;
  std::vector<std::string> overrides;
  bool json = false;
};

std::function<int()> set_up_plan(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<PlanOptions>();
  app.add_option("STUDY", options->study, "the study file (TOML)")->required();
  app.add_option("--set", options->overrides, "KEY=VALUE: replace a key of the study, or an axis; repeatable")
      ->allow_extra_args(false);
  app.add_flag("--json", options->json, "for programs");
  return [options] {
    fmt::print("{}", plan_text(read_study(options->study, options->overrides), options->json));
    return 0;
  };
}

}  // namespace

void register_command_plan(CommandRegistry& registry) {
  registry.add({"plan", "Check a study and list its runs, with estimates of time, memory and disk", {}, set_up_plan});
}

}  // namespace palstudy
