// SPDX-License-Identifier: MIT
#include "study/study.hpp"

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
#include "study/keys/chosen_params.hpp"
#include "study/keys/key.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/resolved_text.hpp"
#include "study/stop_rule.hpp"
#include "study/take_slurm_conf.hpp"

namespace palstudy {
namespace {

const NoteKind unused_key("unused-key", Severity::info), endless("endless", Severity::care),
    lost_baseline("lost-baseline", Severity::care);

/// A parameter is refused if nothing that has it is chosen in any run.
void refuse_unused_params(const ParsedStudy& parsed, const std::set<std::string>& used) {
  std::set<std::string> fixed;
  for (const auto& spec : fixed_keys()) fixed.insert(spec.name);
  const auto check = [&](const std::string& key, const TomlValue& value) {
    if (fixed.contains(key) || used.contains(key)) return;
    throw usage_error(fmt::format("no run of this study uses {}", key), value.where,
                      "leave it out, or choose the generator or policy that has it");
  };
  for (const auto& [key, value] : parsed.base) check(key, value);
  for (const auto& [key, axis] : parsed.axes) {
    check(key, axis.written.front());
    for (const KeyValues& set : axis.sets) {
      for (const auto& [one, value] : set) check(one, value);
    }
  }
}

/// Keys that no run depends on are accepted all the same, so that a study can be switched from one source to another by
/// a single key.
void note_unused(const ParsedStudy& parsed, Study& study) {
  for (const Key& key : fixed_keys()) {
    if (!key.used || !is_given(parsed, key.name) || std::ranges::any_of(study.runs, key.used)) continue;
    study.notes.push_back(unused_key({{"key", key.name}}));
  }
}

/// Runs that differ in a key alone that none of them depends on have one id, and would be done once.
void refuse_equal_runs(const ParsedStudy& parsed, const Study& study) {
  std::vector<const RunPlan*> by_id;
  for (const RunPlan& run : study.runs) by_id.push_back(&run);
  std::ranges::sort(by_id, [](const auto* a, const auto* b) { return a->id < b->id; });
  const auto same = [](const auto* a, const auto* b) { return a->id == b->id; };
  const auto found = std::ranges::adjacent_find(by_id, same);
  if (found == by_id.end()) return;
  const RunPlan &a = **found, &b = **std::next(found);
  for (std::size_t at = 0; at < study.axes.size(); ++at) {
    const std::string& key = study.axes[at].key;
    if (a.values[at] == b.values[at]) continue;
    throw usage_error(fmt::format("runs {} and {} differ in nothing but {}, which neither looks at",
                                  std::min(a.number, b.number), std::max(a.number, b.number), key),
                      parsed.axes.at(key).written.front().where, "leave the axis out, or switch on what looks at it");
  }
}

/// A policy that moves or stops jobs at every boundary may never let them make up for it: such a run does not end.
void note_endless(Study& study) {
  const auto may = [](const RunPlan& run) {
    const PolicyTraits traits = traits_of(run.policy);
    const bool moves = traits.stops_jobs || traits.moves_jobs || !traits.leaves_jobs;
    return moves && run.engine.migration_s >= run.engine.round_s &&
           run.measure.end_s == std::numeric_limits<double>::infinity();
  };
  const auto run = std::ranges::find_if(study.runs, may);
  if (run == study.runs.end()) return;
  study.notes.push_back(endless({{"migration_s", run->engine.migration_s}, {"round_s", run->engine.round_s}}));
}

/// The axis that is compared where nothing else is asked.
std::string compared_key(const ParsedStudy& parsed) {
  return parsed.axes.contains(keys::placement) ? keys::placement : keys::system;
}

std::vector<std::string> baselines(const ParsedStudy& parsed) {
  if (const auto given = parsed.base.find(keys::baseline); given != parsed.base.end()) {
    if (given->second.kind == TomlValue::Kind::text) return {given->second.text};
    std::vector<std::string> names;
    for (const auto& item : given->second.items) names.push_back(item.text);
    return names;
  }
  constexpr auto usual = "packed-sticky";
  const auto axis = parsed.axes.find(compared_key(parsed));
  if (axis == parsed.axes.end()) return {};
  const auto& values = axis->second.values;
  const bool there = std::ranges::any_of(values, [](const auto& value) { return value.text == usual; });
  return there ? std::vector<std::string>{usual} : std::vector<std::string>{};
}

/// The axis of placements or of systems, as far as baselines have to be on it.
struct ComparedAxis {
  std::string key;
  std::vector<std::string> names;  // none without an axis
  bool by_hand = false;            // --set has named them
  [[nodiscard]] bool lacks(const std::string& name) const {
    return !names.empty() && std::ranges::find(names, name) == names.end();
  }
};

bool is_by_hand(const TomlValue& value) { return value.where.starts_with("--set"); }

ComparedAxis compared_axis(const ParsedStudy& parsed) {
  ComparedAxis axis;
  axis.key = compared_key(parsed);
  const auto found = parsed.axes.find(axis.key);
  if (found == parsed.axes.end()) return axis;
  for (const TomlValue& value : found->second.values) {
    axis.names.push_back(value.text);
    axis.by_hand = axis.by_hand || is_by_hand(value);
  }
  return axis;
}

/// Refuses a baseline that is not on the axis that is compared before the study runs rather than at `compare`. One that
/// --set leaves out of the axis is no baseline any more, which is noted.
std::vector<Note> check_baselines(ParsedStudy& parsed) {
  const auto given = parsed.base.find(keys::baseline);
  if (given == parsed.base.end()) return {};
  TomlValue& all = given->second;
  const ComparedAxis axis = compared_axis(parsed);
  const bool single = all.kind == TomlValue::Kind::text;
  std::vector<Note> notes;
  const auto one = parsed.base.find(keys::placement);
  if (axis.names.empty() && (one == parsed.base.end() || !is_by_hand(one->second))) {
    notes.push_back(lost_baseline({{"key", keys::placement.name}, {"is_axis", false}}));
  }
  for (const TomlValue& name : single ? std::vector<TomlValue>{all} : all.items) {
    const std::string where = (name.where.empty() ? all.where : name.where) + ": compare.baseline";
    if (!parsed.axes.contains(keys::system)) (void)placements().at(name.text, where);
    if (!axis.lacks(name.text)) continue;
    if (!axis.by_hand || is_by_hand(all)) {
      throw usage_error(fmt::format("the baseline \"{}\" is not on the axis {}", name.text, axis.key), where,
                        fmt::format("add it there, or choose of {}", join(axis.names)));
    }
    if (axis.names.size() < 2) continue;  // nothing is compared anyhow
    notes.push_back(lost_baseline({{"key", axis.key}, {"is_axis", true}}, name.text));
  }
  std::erase_if(all.items, [&](const TomlValue& name) { return axis.lacks(name.text); });
  if (single ? axis.lacks(all.text) : all.items.empty()) parsed.base.erase(given);
  return notes;
}

void add_names(const ParsedStudy& parsed, Study& study) {
  const auto text = [&](const std::string& key, const std::string& otherwise) {
    const auto given = parsed.base.find(key);
    return given == parsed.base.end() ? otherwise : given->second.text;
  };
  study.name = text(keys::study_name, study.file.stem().string());
  study.title = text(keys::study_title, "");
  study.question = text(keys::study_question, "");
  study.license = text(keys::study_license, "");
  study.creator = text(keys::study_creator, "");
  study.compare_metric = text(keys::metric, study.compare_metric);
  const auto checkpoint_s = parsed.base.find(keys::checkpoint);
  if (checkpoint_s != parsed.base.end()) study.checkpoint_s = checkpoint_s->second.real;
  study.baselines = baselines(parsed);
}

/// "order = \"las\", placement = \"pal\"" of each.
void add_systems(const ParsedStudy& parsed, Study& study) {
  const auto axis = parsed.axes.find(keys::system);
  if (axis == parsed.axes.end()) return;
  for (const TomlValue& table : axis->second.written) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < table.items.size(); ++i) {
      if (table.names[i] != "name") keys.push_back(fmt::format("{} = {}", table.names[i], to_toml(table.items[i])));
    }
    study.systems.emplace_back(table.find("name")->text, join(keys));
  }
}

void add_places(const ParsedStudy& parsed, Study& study) {
  const auto add = [&](const std::string& key, const TomlValue& value) {
    const bool text = value.kind == TomlValue::Kind::text;
    study.places.emplace(std::pair(key, text ? value.text : to_toml(value)), value.where);
  };
  for (const auto& [key, value] : parsed.base) {
    if (!is_on_axis(parsed, key)) add(key, value);
  }
  for (const auto& [key, axis] : parsed.axes) {
    for (const auto& value : axis.values) add(key, value);
    for (const KeyValues& set : axis.sets) {
      for (const auto& [one, value] : set) add(one, value);
    }
  }
}

/// `by_hand`: the study was written by a person, who is told about keys without effect; a resolved study has every key.
Study resolve(ParsedStudy parsed, const std::filesystem::path& file, bool by_hand) {
  if (parsed.base.empty() && parsed.axes.empty()) {
    throw usage_error("the study is empty", file.string() + ":1:1",
                      "it needs at least a trace or a generator; palstudy init prints a study to begin from");
  }
  Study study;
  study.file = file;
  study.stop = take_stop_rule(parsed, study.notes);
  add_names(parsed, study);
  add_systems(parsed, study);
  add_places(parsed, study);
  for (const auto& [key, axis] : parsed.axes) study.axes.push_back({key, axis_type(axis)});
  std::set<std::string> used;
  const KeyValues common = expand_runs(parsed, study, used);
  refuse_equal_runs(parsed, study);
  refuse_unused_params(parsed, used);
  if (by_hand) note_unused(parsed, study);
  note_endless(study);
  finish_stop_rule(parsed, study, common);
  study.resolved = resolved_text(parsed, study, common);
  return study;
}

}  // namespace

std::filesystem::path Study::resolve(const std::string& path) const {
  const auto found = bundled.files.find(path);
  return found == bundled.files.end() ? file.parent_path() / path : found->second;
}

std::string Study::place_of(const std::string& key, const std::string& text) const {
  const auto place = places.find({key, text});
  return fmt::format("{}: {}", place == places.end() ? file.string() : place->second, key);
}

std::string Study::place_of(const std::string& key) const {
  const auto place = places.lower_bound({key, ""});
  const bool given = place != places.end() && place->first.first == key;
  return fmt::format("{}: {}", given ? place->second : file.string(), key);
}

Study read_study(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  const auto study_file = study_file_of_bundle(file);
  ParsedStudy parsed = parse_keys(read_toml(study_file));
  const auto bundle = bundle_beside(study_file);
  if (bundle) write_as_before(parsed, *bundle);
  for (const auto& assignment : overrides) parsed.override_with(assignment);
  std::vector<Note> of_site;
  take_slurm_conf(parsed, study_file, of_site);
  const auto notes = bundle ? std::vector<Note>() : check_baselines(parsed);
  Study study = resolve(std::move(parsed), study_file, !bundle);
  study.notes.insert(study.notes.end(), of_site.begin(), of_site.end());
  study.notes.insert(study.notes.end(), notes.begin(), notes.end());
  if (bundle) adopt_bundle(study, *bundle);
  return study;
}

Study parse_study(const std::string& text, const std::string& name) {
  return resolve(parse_keys(parse_toml(text, name)), name, false);
}

std::vector<std::vector<std::size_t>> points_of(const Study& study) {
  std::map<std::vector<AxisValue>, std::size_t> numbers;
  std::vector<std::vector<std::size_t>> points;
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    std::vector<AxisValue> values;
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
      if (!is_seed_key(study.axes[a].key)) values.push_back(study.runs[i].values[a]);
    }
    const auto [place, fresh] = numbers.try_emplace(std::move(values), points.size());
    if (fresh) points.emplace_back();
    points[place->second].push_back(i);
  }
  return points;
}

}  // namespace palstudy
