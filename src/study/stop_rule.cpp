// SPDX-License-Identifier: MIT
#include "study/stop_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/text.hpp"
#include "study/axes.hpp"
#include "study/keys/key_names.hpp"
#include "study/resolved_text.hpp"

namespace palstudy {
namespace {

const NoteKind unused_seeds("unused-seeds", Severity::info);

constexpr auto looks_key = keys::stop_looks.name, width_key = keys::stop_width.name;

std::string where_of(const ParsedStudy& parsed) { return parsed.base.at(looks_key).where; }

/// The axis that is grown; a study without seeds on its axes gets the axis `seed`.
std::string seed_axis(ParsedStudy& parsed) {
  std::vector<std::string> names;
  for (const auto& [key, axis] : parsed.axes) {
    if (is_seed_key(key)) names.push_back(key);
  }
  if (names.size() > 1) {
    throw usage_error(fmt::format("[stop] adds values to one axis of seeds, and the study has {}", join(names)),
                      where_of(parsed), "keep one of these axes: \"seed\" stands for all of them");
  }
  if (names.size() == 1) return names.front();
  const auto given = parsed.base.find(keys::seed);
  const TomlValue first = given == parsed.base.end() ? TomlValue::of(std::int64_t{1}) : given->second;
  parsed.axes.emplace(keys::seed, ParsedAxis{{first}, {first}, {}});
  return keys::seed;
}

bool counts_up(const std::vector<TomlValue>& values) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i].integer != values[i - 1].integer + 1) return false;
  }
  return true;
}

void resize_axis(const std::string& key, ParsedAxis& axis, std::size_t seeds) {
  if (axis.values.size() < seeds && !counts_up(axis.values)) {
    throw usage_error(fmt::format("the axis {} has {} values, the last look {}", key, axis.values.size(), seeds),
                      axis.written.front().where,
                      fmt::format("let the seeds count up, such as {{ first = 1, count = {} }}", seeds));
  }
  if (axis.values.front().integer > std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(seeds)) {
    throw usage_error(fmt::format("the axis {} is too long", key), axis.written.front().where, "begin at less");
  }
  while (axis.values.size() < seeds) {
    TomlValue next = axis.values.back();
    ++next.integer;
    axis.values.push_back(next);
    axis.written.push_back(std::move(next));
  }
  axis.values.resize(seeds);
  axis.written.resize(seeds);
}

}  // namespace

std::optional<StopRule> take_stop_rule(ParsedStudy& parsed, std::vector<Note>& notes) {
  const auto looks = parsed.base.find(looks_key), width = parsed.base.find(width_key),
             metric = parsed.base.find(keys::stop_metric);
  if (looks == parsed.base.end() || width == parsed.base.end()) {
    const auto given = looks != parsed.base.end() ? looks : width != parsed.base.end() ? width : metric;
    if (given == parsed.base.end()) return std::nullopt;
    throw usage_error(fmt::format("[stop] needs {}", looks == parsed.base.end() ? looks_key : width_key),
                      given->second.where, "such as looks = [20, 40, 80, 160] and relative_half_width = 0.01");
  }
  StopRule rule;
  if (metric != parsed.base.end()) rule.metric = metric->second.text;
  rule.relative_half_width = width->second.real;
  for (const auto& item : looks->second.items) rule.looks.push_back({static_cast<std::size_t>(item.integer), 0, ""});
  rule.seed_key = seed_axis(parsed);
  ParsedAxis& axis = parsed.axes.at(rule.seed_key);
  const std::size_t most = rule.looks.back().seeds;
  if (axis.values.size() > most) {
    notes.push_back(unused_seeds({{"key", rule.seed_key}, {"seeds", axis.values.size()}, {"used", most}}));
  }
  resize_axis(rule.seed_key, axis, most);
  return rule;
}

void finish_stop_rule(const ParsedStudy& parsed, Study& study, const KeyValues& common) {
  if (!study.stop) return;
  StopRule& rule = *study.stop;
  if (rule.metric.empty()) rule.metric = study.compare_metric;
  const auto policies = parsed.axes.find(keys::placement);
  const bool several = policies != parsed.axes.end() && policies->second.values.size() > 1;
  if (!several || study.baselines.empty()) {
    throw usage_error(
        "[stop] looks at how policies compare, and the study compares none", where_of(parsed),
        fmt::format("give the axis {} several values, one of them {}", keys::placement.name, keys::baseline.name));
  }
  for (const auto& name : study.baselines) {
    const auto& values = policies->second.values;
    if (std::ranges::any_of(values, [&](const auto& value) { return value.text == name; })) continue;
    throw usage_error(fmt::format("{} \"{}\" is not on the axis {}", keys::baseline.name, name, keys::placement.name),
                      where_of(parsed), "[stop] compares with it");
  }
  const auto drawn = [](const RunPlan& run) { return run.workload.resampling != Resampling::none; };
  if (std::ranges::any_of(study.runs, drawn)) {
    throw usage_error("[stop] adds seeds until intervals are narrow, and with workload.resample seeds narrow none",
                      where_of(parsed), "leave one of them out; 20 to 30 values of workload.seed are enough");
  }
  const std::size_t each = study.runs.size() / rule.looks.back().seeds;
  for (auto& look : rule.looks) {
    ParsedStudy part = parsed;
    resize_axis(rule.seed_key, part.axes.at(rule.seed_key), look.seeds);
    look.runs = look.seeds * each;
    look.resolved = resolved_text(part, study, common);
  }
}

}  // namespace palstudy
