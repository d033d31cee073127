// SPDX-License-Identifier: MIT
#include "study/stop_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/text.hpp"
#include "study/resolve.hpp"
#include "study/run_plan.hpp"
#include "study/seeds.hpp"

namespace palstudy {
namespace {

constexpr auto looks_key = "stop.looks", width_key = "stop.relative_half_width", metric_key = "stop.metric";

std::string where_of(const Draft& draft) { return draft.base.at(looks_key).where; }

/// The axis that is grown; a study without seeds on its axes gets the axis `seed`.
std::string seed_axis(Draft& draft) {
  std::vector<std::string> keys;
  for (const auto& [key, axis] : draft.axes) {
    if (is_seed_key(key)) keys.push_back(key);
  }
  if (keys.size() > 1) {
    throw usage_error(fmt::format("[stop] adds values to one axis of seeds, and the study has {}", join(keys)),
                      where_of(draft), "keep one of these axes: \"seed\" stands for all of them");
  }
  if (keys.size() == 1) return keys.front();
  const auto given = draft.base.find("seed");
  const TomlValue first = given == draft.base.end() ? TomlValue::of(std::int64_t{1}) : given->second;
  draft.axes.emplace("seed", DraftAxis{{first}, {first}});
  return "seed";
}

bool counts_up(const std::vector<TomlValue>& values) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i].integer != values[i - 1].integer + 1) return false;
  }
  return true;
}

void resize_axis(const std::string& key, DraftAxis& axis, std::size_t seeds) {
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

std::optional<StopRule> take_stop_rule(Draft& draft, std::vector<std::string>& notes) {
  const auto looks = draft.base.find(looks_key), width = draft.base.find(width_key),
             metric = draft.base.find(metric_key);
  if (looks == draft.base.end() || width == draft.base.end()) {
    const auto given = looks != draft.base.end() ? looks : width != draft.base.end() ? width : metric;
    if (given == draft.base.end()) return std::nullopt;
    throw usage_error(fmt::format("[stop] needs {}", looks == draft.base.end() ? looks_key : width_key),
                      given->second.where, "such as looks = [20, 40, 80, 160] and relative_half_width = 0.01");
  }
  StopRule rule;
  if (metric != draft.base.end()) rule.metric = metric->second.text;
  rule.relative_half_width = width->second.real;
  for (const auto& item : looks->second.items) rule.looks.push_back({static_cast<std::size_t>(item.integer), 0, ""});
  rule.seed_key = seed_axis(draft);
  DraftAxis& axis = draft.axes.at(rule.seed_key);
  const std::size_t most = rule.looks.back().seeds;
  if (axis.values.size() > most) {
    notes.push_back(fmt::format("the axis {} has {} values; [stop] never takes more than the first {}", rule.seed_key,
                                axis.values.size(), most));
  }
  resize_axis(rule.seed_key, axis, most);
  return rule;
}

void finish_stop_rule(const Draft& draft, Study& study) {
  if (!study.stop) return;
  StopRule& rule = *study.stop;
  if (rule.metric.empty()) rule.metric = study.compare_metric;
  const auto policies = draft.axes.find(compared_key);
  const bool several = policies != draft.axes.end() && policies->second.values.size() > 1;
  if (!several || study.baselines.empty()) {
    throw usage_error("[stop] looks at how policies compare, and the study compares none", where_of(draft),
                      "give the axis policy.placement several values, one of them compare.baseline");
  }
  for (const auto& name : study.baselines) {
    const auto& values = policies->second.values;
    if (std::any_of(values.begin(), values.end(), [&](const auto& value) { return value.text == name; })) continue;
    throw usage_error(fmt::format("compare.baseline \"{}\" is not on the axis policy.placement", name), where_of(draft),
                      "[stop] compares with it");
  }
  const auto drawn = [](const RunPlan& run) { return run.workload.resampling != Resampling::none; };
  if (std::any_of(study.runs.begin(), study.runs.end(), drawn)) {
    throw usage_error("[stop] adds seeds until intervals are narrow, and with workload.resample seeds narrow none",
                      where_of(draft), "leave one of them out; 20 to 30 values of workload.seed are enough");
  }
  const std::size_t each = study.runs.size() / rule.looks.back().seeds;
  for (auto& look : rule.looks) {
    Draft part = draft;
    resize_axis(rule.seed_key, part.axes.at(rule.seed_key), look.seeds);
    look.runs = look.seeds * each;
    look.resolved = resolved_text(part, study);
  }
}

}  // namespace palstudy
