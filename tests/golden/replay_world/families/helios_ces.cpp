// SPDX-License-Identifier: MIT
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/csv.hpp"
#include "policy/power/series_replay.hpp"
#include "replay.hpp"

namespace palstudy {
namespace {

constexpr double tick_s = 600;

std::vector<double> column(const CsvTable& table, const char* name) {
  std::vector<double> values;
  for (std::size_t row = 0; row < table.rows(); ++row) values.push_back(table.number(row, table.column(name)));
  return values;
}

PowerRuleOptions options_of(const nlohmann::json& recorded) {
  PowerRuleOptions options;
  recorded.at("history").get_to(options.ces.history);
  recorded.at("future").get_to(options.ces.future);
  recorded.at("his_threshold").get_to(options.ces.his_threshold);
  recorded.at("fut_threshold").get_to(options.ces.fut_threshold);
  recorded.at("de_threshold").get_to(options.ces.de_threshold);
  recorded.at("buffer").get_to(options.ces.buffer);
  recorded.at("keep").get_to(options.ces.keep);
  recorded.at("stable_until_initial").get_to(options.ces.stable_until_initial);
  return options;
}

void compare_ticks(const std::filesystem::path& file, const std::vector<ReplayedTick>& ticks,
                   replay::Results& results) {
  const CsvTable recorded = CsvTable::read(file);
  results.compare(file, recorded.rows(), [&](std::size_t row) {
    const auto field = [&](const char* name) { return recorded.integer(row, recorded.column(name)); };
    const ReplayedTick expected{field("active"), field("powered_off"), field("change"), field("lack")};
    const auto tick = static_cast<std::size_t>(field("tick"));
    if (tick != row || ticks.size() != recorded.rows()) return std::string("another number of ticks");
    const ReplayedTick& ours = ticks[row];
    for (const auto& [name, a, b] :
         {std::tuple("active", ours.active, expected.active),
          std::tuple("powered_off", ours.powered_off, expected.powered_off),
          std::tuple("change", ours.change, expected.change), std::tuple("lack", ours.lack, expected.lack)}) {
      if (a != b) return replay::differs(name, static_cast<double>(a), static_cast<double>(b));
    }
    return std::string();
  });
}

void compare_means(const std::filesystem::path& file, const nlohmann::json& recorded, const PowerSaving& ours,
                   replay::Results& results) {
  const std::vector<std::pair<const char*, double>> means = {
      {"powered_off_mean", ours.powered_off_mean},         {"used_rate_pct", ours.used_rate_pct},
      {"optimized_rate_pct", ours.optimized_rate_pct},     {"changes_per_day", ours.changes_per_day},
      {"increases_per_day", ours.increases_per_day},       {"lack_ticks", static_cast<double>(ours.lack_ticks)},
      {"lack_nodes", static_cast<double>(ours.lack_nodes)}};
  results.compare(file, means.size(), [&](std::size_t i) {
    return replay::differs(means[i].first, means[i].second, recorded.at(means[i].first).get<double>(), 1e-12);
  });
}

void replay_folder(const std::filesystem::path& folder, replay::Results& results) {
  std::ifstream summary(folder / "summary.json");
  const auto recorded = nlohmann::json::parse(summary);
  const CsvTable table = CsvTable::read(folder / "series.csv");
  const NodeSeries series{column(table, "total"), column(table, "used"), column(table, "forecast")};
  const Forecast forecast = [&](const PowerTick& tick, std::uint32_t ahead) {
    return mean_from(series.forecast, tick.now(), ahead);
  };
  const auto rule = power_rules().at("ces").make(options_of(recorded.at("params")), forecast);
  const auto ticks = replay_series(series, *rule, tick_s);
  compare_ticks(folder / "expected.csv", ticks, results);
  compare_means(folder / "summary.json", recorded, saving(series, ticks, tick_s, {}), results);
}

}  // namespace

void register_replay_helios_ces(ReplayParts& parts) {
  parts.add({"helios", "CES at every tick of a series of nodes in use (folders ces_*)",
             [](const std::filesystem::path& folder, replay::Results& results) {
               for (const auto& input : replay::folders_with(folder, "series.csv")) replay_folder(input, results);
             }});
}

}  // namespace palstudy
