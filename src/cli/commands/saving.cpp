// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/tables/text_table.hpp"
#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "inputs/power_inputs.hpp"
#include "policy/power/power_rule.hpp"
#include "policy/power/series_replay.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/parsed_study.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

/// A rule with a forecast on a series.
struct SavingRow {
  std::string rule, forecast, settings;
  PowerSaving saving;
};

/// The forecast that a series brings along in its own column.
constexpr auto recorded_forecast = "recorded";

SavingRow row_of(const NodeSeries& series, const PowerOptions& options, std::string settings = "") {
  // As published, the recorded forecasts were made from measurements not yet taken then.
  const Forecast forecast =
      options.forecast == recorded_forecast
          ? [&](const PowerTick& tick, std::uint32_t ahead) { return mean_from(series.forecast, tick.now(), ahead); }
          : forecasts().at(options.forecast).make();
  PowerRuleOptions instant = options.rule;
  instant.boot_s = 0;  // a series cannot tell what would have waited
  const auto rule = power_rules().at(options.off).make(instant, forecast);
  const auto ticks = replay_series(series, *rule, options.tick_s);
  SwitchingCost cost;
  cost.boot_s = options.boot_s;
  cost.stop_s = options.stop_s;
  return {options.off, options.forecast, std::move(settings), saving(series, ticks, options.tick_s, cost)};
}

bool foresees(const std::string& rule) { return rule == "ces" || rule == "low-water"; }

SavingRow timer_row(const NodeSeries& series, PowerOptions options, double idle_s, std::int64_t spare) {
  options.off = "timer";
  options.forecast = "none";
  options.rule.idle_s = idle_s;
  options.rule.spare = spare;
  return row_of(series, options, fmt::format("idle_s = {}, spare = {}", shortest(idle_s), spare));
}

nlohmann::ordered_json json_of(const SavingRow& row) {
  const PowerSaving& saving = row.saving;
  return {{"rule", row.rule},
          {"forecast", row.forecast},
          {"settings", row.settings},
          {"powered_off_mean", saving.powered_off_mean},
          {"used_rate_pct", saving.used_rate_pct},
          {"optimized_rate_pct", saving.optimized_rate_pct},
          {"changes_per_day", saving.changes_per_day},
          {"increases_per_day", saving.increases_per_day},
          {"lack_ticks", saving.lack_ticks},
          {"lack_nodes", saving.lack_nodes},
          {"mwh_per_year", saving.mwh_per_year}};
}

/// What the chosen rule would have saved, and then others beside it: the same rule with every forecast, timers without
/// and with the chosen spare nodes (or the buffer of `ces`), and the oracle.
std::vector<SavingRow> saving_rows(const NodeSeries& series, const PowerOptions& chosen) {
  std::vector<SavingRow> rows = {row_of(series, chosen, "chosen")};
  PowerOptions other = chosen;
  std::vector<std::string> foreseen = forecasts().names();
  if (!series.forecast.empty()) foreseen.insert(foreseen.begin(), recorded_forecast);
  if (!foresees(other.off)) other.off = "ces";
  for (const auto& name : foreseen) {
    other.forecast = name;
    if (chosen.off != other.off || chosen.forecast != name) rows.push_back(row_of(series, other));
  }
  other = chosen;
  other.off = "low-water";
  if (chosen.off != other.off) rows.push_back(row_of(series, other));
  const std::int64_t spare = chosen.rule.spare > 0 ? chosen.rule.spare
                             : chosen.rule.ces.buffer >= 0
                                 ? chosen.rule.ces.buffer
                                 : static_cast<std::int64_t>(std::round(series.total.front() / 21));
  rows.push_back(timer_row(series, chosen, 0, 0));
  rows.push_back(timer_row(series, chosen, chosen.rule.idle_s, 0));
  rows.push_back(timer_row(series, chosen, chosen.rule.idle_s, spare));
  other = chosen;
  other.off = "oracle";
  other.forecast = "none";
  rows.push_back(row_of(series, other, fmt::format("idle_s = {}", shortest(chosen.rule.idle_s))));
  return rows;
}

std::string saving_text(const std::vector<SavingRow>& rows, const NodeSeries& series, double tick_s) {
  FigureTable table{{"Rule", "Forecast", "Settings", "Nodes off", "Share in use", "Changes a day", "Wake-ups a day",
                     "Ticks short a day", "Nodes short a day", "MWh a year"},
                    {}};
  const double days = static_cast<double>(series.used.size()) * tick_s / day_s;
  for (const SavingRow& row : rows) {
    const PowerSaving& saving = row.saving;
    table.rows.push_back({row.rule, row.forecast, row.settings, Figure{saving.powered_off_mean, 2},
                          Figure{saving.optimized_rate_pct / 100, 2, true}, Figure{saving.changes_per_day, 2},
                          Figure{saving.increases_per_day, 2}, Figure{static_cast<double>(saving.lack_ticks) / days, 2},
                          Figure{static_cast<double>(saving.lack_nodes) / days, 2}, Figure{saving.mwh_per_year, 1}});
  }
  return fmt::format("{} of {} s; of all nodes {:.2f} % are in use\n\n{}", counted(series.used.size(), "tick"),
                     shortest(tick_s), rows.front().saving.used_rate_pct, figures_text(table));
}

/// The chosen rule's row, with the others as `others`.
std::string saving_json(const std::vector<SavingRow>& rows) {
  nlohmann::ordered_json json = json_of(rows.front());
  auto& others = json["others"] = nlohmann::ordered_json::array();
  std::for_each(rows.begin() + 1, rows.end(), [&](const SavingRow& row) { others.push_back(json_of(row)); });
  return json.dump(2) + "\n";
}

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
  app.add_flag("--json", options->json, "print JSON");
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
