// SPDX-License-Identifier: MIT
#include "cli/tables/advice_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "archive/note_json.hpp"
#include "cli/tables/text_table.hpp"
#include "core/text.hpp"
#include "inputs/site_validation.hpp"
#include "words/advice_text.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

/// `~` if the interval holds no change.
std::string marked_interval(const ActionGain& gain) {
  const std::string text = gain_interval_text(gain);
  return !text.empty() && *gain.jct->low <= 0 && *gain.jct->high >= 0 ? text + " ~" : text;
}

TextTable actions_table(const AdviceFound& found) {
  TextTable table{{"action", "nodes", "mean JCT", "95 % interval", "job hours", "GPU hours", "GPUs lost"}, {}, 2};
  for (const ActionGain& one : found.advice.actions) {
    const bool nothing = one.action.kind == ActionKind::nothing;
    const auto hours = [&](double saved) { return nothing || !one.jct ? "" : fmt::format("{:+.0f}", -saved); };
    const std::string mark = one.action == found.advice.action ? "> " : "  ";
    table.rows.push_back({mark + action_text(one.action), drained_text(found, one.action),
                          nothing ? "baseline" : gain_text(one), marked_interval(one), hours(one.job_h_saved),
                          hours(one.gpu_h_saved), one.capacity_share > 0 ? percent_text(one.capacity_share) : ""});
  }
  return table;
}

TextTable settings_table(const AdviceFound& found) {
  TextTable table{{"if it were", "mean JCT", "95 % interval"}, {}, 1};
  for (const OtherSetting& one : found.settings) {
    table.rows.push_back({setting_text(one), gain_text(one.gain), marked_interval(one.gain)});
  }
  return table;
}

std::string needs_lines(const AdviceFound& found, std::size_t columns) {
  std::set<ActionKind> kinds;
  std::string text;
  for (const ActionGain& one : found.advice.actions) {
    if (one.helps && kinds.insert(one.action.kind).second) {
      text += paragraph(fmt::format("  {:8}", name_of(one.action.kind)), needs_text(one.action.kind), columns);
    }
  }
  return text.empty() ? "" : "\nwhat it needs\n" + text;
}

/// Whether the model was held against what the site recorded, and the ids of all other notes.
std::string notes_lines(const AdviceFound& found, std::size_t columns) {
  std::string model;
  std::vector<std::string> ids;
  for (const WordedNote& one : worded(found.notes)) {
    const std::string& id = one.note.id;
    if (is_of_validation(one.note)) {
      model = "\n" + paragraph(id + "  ", one.text, columns);
    } else if (std::ranges::find(ids, id) == ids.end()) {
      ids.push_back(id);
    }
  }
  return model +
         (ids.empty() ? "" : paragraph("", fmt::format("notes: {}; palstudy explain NOTE", join(ids)), columns));
}

Json improvement_json(const std::optional<Improvement>& jct) {
  if (!jct) return nullptr;
  Json json = {{"value", jct->mean}, {"ratio", jct->ratio},        {"low", nullptr},
               {"high", nullptr},    {"replications", jct->pairs}, {"better", jct->wins}};
  if (jct->low) json["low"] = *jct->low, json["high"] = *jct->high;
  return json;
}

Json action_json(const AdviceFound& found, const ActionGain& one) {
  Json nodes = Json::array();
  for (std::size_t i = 0; i < one.action.drained; ++i) nodes.push_back(node_name(found.nodes.at(i)));
  return {{"action", name_of(one.action.kind)},
          {"drained", one.action.drained},
          {"nodes", nodes},
          {"gain", improvement_json(one.jct)},
          {"helps", one.helps},
          {"other_half", one.other_half ? Json(*one.other_half) : Json(nullptr)},
          {"job_hours_saved", one.job_h_saved},
          {"gpu_hours_saved", one.gpu_h_saved},
          {"wait_hours_saved", one.wait_h_saved},
          {"capacity_lost", one.capacity_share}};
}

Json settings_json(const AdviceFound& found) {
  constexpr std::array names = {"penalty", "load", "backfill", "knowledge"};
  Json settings = Json::array();
  for (const OtherSetting& one : found.settings) {
    settings.push_back({{"what", names.at(static_cast<std::size_t>(one.what))},
                        {"value", one.value},
                        {"gain", improvement_json(one.gain.jct)}});
  }
  return settings;
}

Json nodes_json(const AdviceFound& found) {
  Json nodes = Json::array();
  for (const RankedNode& node : found.nodes) {
    nodes.push_back({{"node", node_name(node)},
                     {"class", node.cls},
                     {"slowdown", node.slowdown},
                     {"gpus", node.gpus},
                     {"weight", node.weight}});
  }
  return nodes;
}

}  // namespace

std::string advice_text(const AdviceFound& found, std::size_t columns) {
  std::string text = paragraph("", advice_head(found), columns);
  const bool nothing = found.advice.action.kind == ActionKind::nothing;
  if (!nothing) text += paragraph("", advice_effect(found), columns);
  if (const auto usual = nothing_text(found); !usual.empty()) text += paragraph("", usual, columns);
  text += fmt::format("{} of {}; {} jobs each, {} GPUs\n", counted(found.advice.replications, "replication"),
                      days_text(found.span_s), grouped(found.jobs), grouped(found.gpus));
  if (const auto why = no_interval_text(found.advice); !why.empty()) text += paragraph("", why, columns);
  text += "\n" + to_text(actions_table(found), columns);
  if (const auto refuted = refuted_text(found); !refuted.empty()) text += "\n" + paragraph("", refuted, columns);
  if (const auto slowest = slowest_gpu_text(found); !slowest.empty()) text += "\n" + paragraph("", slowest, columns);
  if (!nothing) text += needs_lines(found, columns);
  if (!found.settings.empty()) {
    const auto& jct = found.settings.front().gain.jct;
    text += fmt::format("\nwhat the advice hangs on{}\n", jct ? ", by " + counted(jct->pairs, "replication") : "");
    text += to_text(settings_table(found), columns);
  }
  if (const auto unmeasured = unmeasured_nodes(found); !unmeasured.empty()) {
    text += "\n" + paragraph("not measured: ", join(unmeasured), columns);
  }
  return text + notes_lines(found, columns);
}

std::string advice_json(const AdviceFound& found) {
  Json actions = Json::array();
  for (const ActionGain& one : found.advice.actions) actions.push_back(action_json(found, one));
  const ActionGain& advised = found.advice.advised();
  const bool nothing = found.advice.action.kind == ActionKind::nothing;
  const auto end = [&](std::optional<double> value) { return value && !nothing ? Json(*value) : Json(nullptr); };
  const Json all = {
      {"schema", "palstudy.advice/1"},
      {"title", found.title},
      {"action", name_of(found.advice.action.kind)},
      {"drained", found.advice.action.drained},
      {"gain", nothing ? 0.0 : advised.jct->mean},
      {"low", end(advised.jct ? advised.jct->low : std::nullopt)},
      {"high", end(advised.jct ? advised.jct->high : std::nullopt)},
      {"replications", found.advice.replications},
      {"nothing", {{"jct_mean_s", found.advice.jct_mean_s}, {"wait_mean_s", found.advice.wait_mean_s}}},
      {"no_interval", found.advice.no_interval ? Json(name_of(found.advice.no_interval->why)) : Json(nullptr)},
      {"jobs", found.jobs},
      {"span_s", found.span_s},
      {"gpus", found.gpus},
      {"actions", actions},
      {"slowest_gpu_alone", improvement_json(found.slowest_gpu_alone ? found.slowest_gpu_alone->jct : std::nullopt)},
      {"settings", settings_json(found)},
      {"nodes", nodes_json(found)},
      {"unmeasured", unmeasured_nodes(found)},
      {"notes", worded(found.notes)}};
  return all.dump(2) + "\n";
}

}  // namespace palstudy
