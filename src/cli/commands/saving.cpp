// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/tables/saving_table.hpp"
#include "core/error.hpp"
#include "inputs/node_series.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/parsed_study.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

struct SavingCommand {
  std::string series;
  std::vector<std::string> overrides;
  bool json = false;
};

/// Of the keys of [power] those of the rules; what nodes draw is fixed here, and which node it is does not matter.
bool means_something(const std::string& key) {
  for (const char* name : {"off", "forecast", "idle_s", "spare", "tick_s", "boot_s", "stop_s"}) {
    if (key == std::string("power.") + name) return true;
  }
  return key.starts_with("power.ces.");
}

/// `[power]` as a study would have it.
PowerOptions power_options(const SavingCommand& command, bool recorded) {
  ParsedStudy parsed;
  for (const auto& assignment : command.overrides) parsed.override_with(assignment);
  RunPlan run;
  run.power.off = "ces";
  run.power.forecast = recorded ? recorded_forecast : "ewma";
  for (const auto& [name, value] : parsed.base) {
    if (!means_something(name)) {
      throw usage_error(name + " means nothing for a series of nodes", value.where,
                        "give power.off, forecast, idle_s, spare, tick_s, boot_s, stop_s or ces");
    }
    if (const Key* key = find_key(name); key->set) key->set(run, value);
  }
  if (!run.power.on()) {
    throw usage_error("with power.off = \"none\" nothing is saved", keys::power_off.at(parsed.base).where,
                      "give a rule");
  }
  return run.power;
}

int run_saving(const SavingCommand& command) {
  const NodeSeries series = read_node_series(command.series);
  const PowerOptions options = power_options(command, !series.forecast.empty());
  const auto rows = saving_rows(series, options);
  fmt::print("{}", command.json ? saving_json(rows) : saving_text(rows, series, options.tick_s));
  return 0;
}

std::function<int()> set_up_saving(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<SavingCommand>();
  app.add_option("SERIES", options->series, "CSV of nodes by tick: tick,total,used[,forecast]")->required();
  app.add_option("--set", options->overrides, "a key of [power], as in a study; repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_flag("--json", options->json, "for programs");
  app.footer(
      "The rule is ces unless power.off is given, with the forecasts of the series' own column where it has one, else\n"
      "ewma; other forecasts and rules stand beside it. A tick is power.tick_s long. Nodes are taken to be on and off "
      "at\n"
      "once and jobs to run as recorded: ticks and nodes \"short\" are what would have waited. MWh are those of nodes "
      "of\n"
      "652 W idle and 10 W off; a wake-up costs power.boot_s and power.stop_s at idle power.");
  return [options] { return run_saving(*options); };
}

}  // namespace

void register_command_saving(CommandRegistry& registry) {
  registry.add({"saving", "Report what powering nodes off would have saved on a recorded series", {}, set_up_saving});
}

}  // namespace palstudy
