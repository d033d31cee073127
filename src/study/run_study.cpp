// SPDX-License-Identifier: MIT
#include "study/run_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "study/axes.hpp"
#include "study/bundle_manifest.hpp"
#include "study/expand_runs.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/resolved_text.hpp"
#include "workload/predict/predictor.hpp"
#include "workload/trace/native_trace.hpp"

namespace palstudy {
namespace {

/// Whether the key says where the jobs come from, and not what is made of them.
bool makes_jobs(const std::string& key, const RunPlan& run) {
  if (!key.starts_with(std::string(workload_section) + ".")) return false;
  if (key == keys::models.name || key == keys::predictor.name || key == keys::workload_seed.name) return false;
  if (run.workload.predictor.empty()) return true;
  const auto& params = predictors().at(run.workload.predictor).params;
  return std::ranges::none_of(params, [&](const Param& param) { return key.ends_with("." + param.name); });
}

/// Only keys that the run depends on, so that its study gives no note of others. Parameters of a predictor go with it.
void leave_out_unused(KeyValues& values, RunPlan run) {
  const auto& fixed = fixed_keys();
  const auto declared = [&](const std::string& name) { return std::ranges::find(fixed, name, &Key::name); };
  std::erase_if(values, [&](const auto& entry) {
    const auto key = declared(entry.first);
    return key != fixed.end() && key->used && !key->used(run);
  });
  if (!keys::predictor.given_in(values)) run.workload.predictor.clear();
  std::set<std::string> params;
  note_params(run, params);
  std::erase_if(
      values, [&](const auto& entry) { return declared(entry.first) == fixed.end() && !params.contains(entry.first); });
}

void move_files(KeyValues& values, const MovedFiles& files) {
  move_paths(values, files.paths);
  values.insert_or_assign(keys::trace, TomlValue::of(files.trace));
  values.insert_or_assign(keys::reader, TomlValue::of(std::string(native_reader)));
}

/// What is said of the study as a whole.
void add_description(const Study& study, std::int64_t run, KeyValues& values) {
  values.insert_or_assign(keys::study_name, TomlValue::of(fmt::format("{}-run-{}", study.name, run)));
  for (const auto& [key, text] : {std::pair(keys::study_title, study.title),
                                  {keys::study_question, study.question},
                                  {keys::study_license, study.license},
                                  {keys::study_creator, study.creator}}) {
    if (!text.empty()) values.insert_or_assign(key, TomlValue::of(text));
  }
  values.insert_or_assign(keys::metric, TomlValue::of(study.compare_metric));
  values.insert_or_assign(keys::checkpoint, TomlValue::of(study.checkpoint_s));
}

}  // namespace

std::string study_of_run(const Study& study, std::int64_t run, const MovedFiles& files) {
  const ParsedStudy parsed = parse_keys(parse_toml(study.resolved, study.name));
  KeyValues values = fill_defaults(values_of(parsed, static_cast<std::size_t>(run)), study.name);
  const RunPlan as_it_was = make_plan(values);
  std::erase_if(values, [&](const auto& entry) {
    return entry.first == keys::system.name || makes_jobs(entry.first, as_it_was);
  });
  move_files(values, files);
  values = fill_defaults(values, study.name);  // a trace says which jobs are measured where a resampled one does not
  leave_out_unused(values, make_plan(values));
  add_description(study, run, values);
  return sections_text(values);
}

}  // namespace palstudy
