// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "policy/placement_policy.hpp"
#include "study/axes.hpp"
#include "study/bundle_manifest.hpp"
#include "study/expand_runs.hpp"
#include "study/keys/keys.hpp"
#include "study/keys/measure_keys.hpp"
#include "study/keys/unused_keys.hpp"
#include "study/resolve.hpp"
#include "study/stop_rule.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

/// A parameter is refused if nothing that has it is chosen in any run.
void refuse_unused_params(const Draft& draft, const std::set<std::string>& used) {
  std::set<std::string> fixed;
  for (const auto& spec : fixed_keys()) fixed.insert(spec.key);
  const auto check = [&](const std::string& key, const TomlValue& value) {
    if (fixed.contains(key) || used.contains(key)) return;
    throw usage_error(fmt::format("no run of this study uses {}", key), value.where,
                      "leave it out, or choose the generator or policy that has it");
  };
  for (const auto& [key, value] : draft.base) check(key, value);
  for (const auto& [key, axis] : draft.axes) check(key, axis.written.front());
}

void note_unused(const Draft& draft, Study& study) {
  for (const auto& [key, why] : unused_keys(study.runs)) {
    if (is_given(draft, key)) study.notes.push_back(fmt::format("{} is not used: {}", key, why));
  }
}

/// Runs that are told apart by a key alone that none of them looks at have one id, and would be done once.
void refuse_equal_runs(const Draft& draft, const Study& study) {
  std::vector<const RunPlan*> by_id;
  for (const RunPlan& run : study.runs) by_id.push_back(&run);
  std::sort(by_id.begin(), by_id.end(), [](const auto* a, const auto* b) { return a->id < b->id; });
  const auto same = [](const auto* a, const auto* b) { return a->id == b->id; };
  const auto found = std::adjacent_find(by_id.begin(), by_id.end(), same);
  if (found == by_id.end()) return;
  const RunPlan &a = **found, &b = **std::next(found);
  for (std::size_t at = 0; at < study.axes.size(); ++at) {
    const std::string& key = study.axes[at].key;
    if (a.values[at] == b.values[at]) continue;
    throw usage_error(fmt::format("runs {} and {} differ in nothing but {}, which neither looks at",
                                  std::min(a.number, b.number), std::max(a.number, b.number), key),
                      draft.axes.at(key).written.front().where, "leave the axis out, or switch on what looks at it");
  }
}

/// Who moves or stops jobs at every boundary may never let them pay for it: such a run goes on for ever.
void note_endless(Study& study) {
  const auto may = [](const RunPlan& run) {
    return run.engine.migration_s >= run.engine.round_s && run.measure.end_s == std::numeric_limits<double>::infinity();
  };
  if (std::any_of(study.runs.begin(), study.runs.end(), may)) {
    study.notes.push_back(
        "engine.migration_s is not less than engine.round_s: a policy that moves or stops jobs at every boundary may "
        "never let them finish; measure.end_s gives up in time");
  }
}

std::vector<std::string> baselines(const Draft& draft) {
  if (const auto given = draft.base.find("compare.baseline"); given != draft.base.end()) {
    if (given->second.kind == TomlValue::Kind::text) return {given->second.text};
    std::vector<std::string> names;
    for (const auto& item : given->second.items) names.push_back(item.text);
    return names;
  }
  constexpr auto usual = "packed-sticky";
  const auto axis = draft.axes.find("policy.placement");
  if (axis == draft.axes.end()) return {};
  const auto& values = axis->second.values;
  const bool there = std::any_of(values.begin(), values.end(), [](const auto& value) { return value.text == usual; });
  return there ? std::vector<std::string>{usual} : std::vector<std::string>{};
}

/// A baseline that the file's own axis of placements has not: found now rather than by `compare`, when all is done.
/// `--set` may leave policies out for once.
void refuse_lost_baseline(const Draft& draft) {
  const auto given = draft.base.find("compare.baseline");
  if (given == draft.base.end()) return;
  const TomlValue& all = given->second;
  const auto axis = draft.axes.find("policy.placement");
  const auto by_hand = [](const TomlValue& value) { return value.where.starts_with("--set"); };
  std::vector<std::string> names;
  if (axis != draft.axes.end()) {
    for (const TomlValue& value : axis->second.values) names.push_back(value.text);
    if (std::any_of(axis->second.values.begin(), axis->second.values.end(), by_hand)) names.clear();
  }
  for (const TomlValue& name : all.kind == TomlValue::Kind::text ? std::vector<TomlValue>{all} : all.items) {
    const std::string where = (name.where.empty() ? all.where : name.where) + ": compare.baseline";
    (void)placements().at(name.text, where);
    if (names.size() < 2 || by_hand(all) || std::find(names.begin(), names.end(), name.text) != names.end()) continue;
    throw usage_error(fmt::format("the baseline \"{}\" is not on the axis policy.placement", name.text), where,
                      fmt::format("add it there, or choose of {}", join(names)));
  }
}

void add_names(const Draft& draft, Study& study) {
  const auto text = [&](const std::string& key, const std::string& otherwise) {
    const auto given = draft.base.find(key);
    return given == draft.base.end() ? otherwise : given->second.text;
  };
  study.name = text("study.name", study.file.stem().string());
  study.title = text("study.title", "");
  study.creator = text("study.creator", "");
  study.license = text("study.license", "");
  study.compare_metric = text("compare.metric", study.compare_metric);
  const auto checkpoint_s = draft.base.find("engine.checkpoint_s");
  if (checkpoint_s != draft.base.end()) study.checkpoint_s = checkpoint_s->second.real;
  study.baselines = baselines(draft);
}

void add_places(const Draft& draft, Study& study) {
  const auto add = [&](const std::string& key, const TomlValue& value) {
    if (value.kind == TomlValue::Kind::text) study.places.emplace(std::pair(key, value.text), value.where);
  };
  for (const auto& [key, value] : draft.base) {
    if (!draft.axes.contains(key)) add(key, value);
  }
  for (const auto& [key, axis] : draft.axes) {
    for (const auto& value : axis.values) add(key, value);
  }
}

/// Whether the draft is a resolved study, whatever file it stands in: nobody else writes all of these defaults down. No
/// such key can be new, since its default would enter every id.
bool is_resolved(const Draft& draft) {
  const auto& keys = fixed_keys();
  return std::all_of(keys.begin(), keys.end(), [&](const KeySpec& spec) {
    const bool always = spec.key.starts_with("engine.") || spec.key.starts_with("policy.") ||
                        spec.key.starts_with("routing.") || spec.key.starts_with("output.");
    return !always || spec.default_value.empty() || is_given(draft, spec.key);
  });
}

/// A resolved study of a program that did not have a key says what that program did.
void keep_older_meaning(Draft& draft) {
  for (const KeySpec& spec : fixed_keys()) {
    if (spec.older.empty() || is_given(draft, spec.key)) continue;
    if (spec.key == measured_jobs_key && names_measured(draft)) continue;
    draft.base.emplace(spec.key, check_value(spec, parse_toml_value(spec.older, spec.key).value()));
  }
}

}  // namespace

std::filesystem::path Study::resolve(const std::string& path) const {
  const auto bundled = bundled_files.find(path);
  return bundled == bundled_files.end() ? file.parent_path() / path : bundled->second;
}

std::string Study::place_of(const std::string& key, const std::string& text) const {
  const auto place = places.find({key, text});
  return fmt::format("{}: {}", place == places.end() ? file.string() : place->second, key);
}

namespace {

/// `by_hand`: somebody wrote it for this, and is told of keys that do nothing. A resolved study has every key.
Study resolve(Draft draft, const std::filesystem::path& file, bool by_hand) {
  if (draft.base.empty() && draft.axes.empty()) {
    throw usage_error("the study is empty", file.string() + ":1:1",
                      "it needs at least a trace or a generator; see experiments/");
  }
  if (!by_hand || is_resolved(draft)) keep_older_meaning(draft);
  Study study;
  study.file = file;
  study.stop = take_stop_rule(draft, study.notes);
  add_names(draft, study);
  add_places(draft, study);
  for (const auto& [key, axis] : draft.axes) study.axes.push_back({key, axis_type(axis)});
  std::set<std::string> used;
  expand_runs(draft, study, used);
  refuse_equal_runs(draft, study);
  refuse_unused_params(draft, used);
  if (by_hand) note_unused(draft, study);
  note_endless(study);
  finish_stop_rule(draft, study);
  study.resolved = resolved_text(draft, study);
  return study;
}

}  // namespace

Study read_study(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  const auto study_file = study_of_bundle(file);
  Draft draft = make_draft(read_toml(study_file));
  const auto bundle = bundle_beside(study_file);
  if (bundle) write_as_before(draft, *bundle);
  for (const auto& assignment : overrides) draft.override_with(assignment);
  if (!bundle) refuse_lost_baseline(draft);
  Study study = resolve(std::move(draft), study_file, !bundle);
  if (bundle) adopt_bundle(study, *bundle);
  return study;
}

Study parse_study(const std::string& text, const std::string& name) {
  return resolve(make_draft(parse_toml(text, name)), name, false);
}

}  // namespace palstudy
