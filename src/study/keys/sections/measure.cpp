// SPDX-License-Identifier: MIT
// [measure]: which jobs the metrics are about, and when a run gives up.
#include <fmt/format.h>

#include <limits>

#include "core/error.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"
#include "workload/synthetic/generator.hpp"
#include "workload/trace/native_trace.hpp"

namespace palstudy {
namespace {

using keys::first_job;
using keys::last_job;
using keys::measure_initial;
using keys::measure_warmup;
using keys::measure_window;
using keys::measured_jobs;

constexpr double max_job_id = 1e12;

/// The word is refused beside other keys that say which jobs are measured, and gives way to --set, since a resolved
/// study always has one.
void refuse_word_beside(const KeyValues& given, KeyValues& values) {
  if (!measured_jobs.given_in(given)) return;
  const TomlValue& word = measured_jobs.at(given);
  for (const char* key : keys::numbers_or_window) {
    const auto other = given.find(key);
    if (other == given.end()) continue;
    values.erase(measured_jobs);
    if (other->second.where.starts_with("--set")) continue;
    throw usage_error(fmt::format("{} is \"{}\", and {} is given as well", measured_jobs.name, word.text, key),
                      word.where, "keep one of them");
  }
}

/// The word where neither numbers nor a window are given. Runs with `workload.resample` have none, since they measure
/// all jobs. A generator has no end, so that only a number or a window can say which of its jobs are measured.
void complete_word(KeyValues& values) {
  if (keys::resampling.given_in(values) && keys::resampling.in(values) != "none") {
    values.erase(measured_jobs);
  } else if (!keys::generator.given_in(values)) {
    values.try_emplace(measured_jobs, TomlValue::of(std::string(all_jobs)));
  } else if (measured_jobs.given_in(values) && measured_jobs.in(values) == all_jobs) {
    throw usage_error(fmt::format("{} is \"all\", but a generator makes jobs without end", measured_jobs.name),
                      measured_jobs.at(values).where,
                      fmt::format("give measure.jobs = {{ first = 0, last = 999 }}, or {}", measure_window.name));
  }
}

void complete_numbers(KeyValues& values) {
  const MeasureWindow options;
  const TomlValue& first = values.try_emplace(first_job, TomlValue::of(options.first)).first->second;
  const TomlValue& last = values.try_emplace(last_job, TomlValue::of(options.last)).first->second;
  if (last.integer >= first.integer) return;
  throw usage_error(
      fmt::format("{} ends at {}, before it begins at {}", measured_jobs.name, last.integer, first.integer),
      last.where.empty() ? first.where : last.where, "first and last are ids of the trace, both measured");
}

/// Whether jobs of the generator run at time 0 already.
bool jobs_run_at_0(const KeyValues& values) {
  if (!keys::generator.given_in(values)) return false;
  for (const Param& param : generators().at(keys::generator.in(values)).params) {
    if (param.name != "stationary") continue;
    const auto given = values.find("workload." + param.name);
    return given == values.end() ? param.default_value == "true" : given->second.boolean;
  }
  return false;
}

/// A native trace may have such jobs too, as that of a run has which was exported. There the word is not filled in, and
/// `true` changes nothing.
bool leaves_out_initial_of_trace(const KeyValues& values) {
  return keys::reader.given_in(values) && keys::reader.in(values) == native_reader &&
         measure_initial.given_in(values) && !measure_initial.in(values);
}

void complete_initial(bool window_from_0, KeyValues& values) {
  if (window_from_0 && jobs_run_at_0(values)) {
    values.try_emplace(measure_initial, TomlValue::of(false));
  } else if (!window_from_0 || !leaves_out_initial_of_trace(values)) {
    values.erase(measure_initial);
  }
}

void complete_measure(const KeyValues& given, KeyValues& values, const std::string& /*file*/) {
  const bool jobs = first_job.given_in(given) || last_job.given_in(given), window = measure_window.given_in(given);
  refuse_word_beside(given, values);
  if (measure_warmup.given_in(given) && !window) {
    throw usage_error(fmt::format("{} is given, but {} is not", measure_warmup.name, measure_window.name),
                      measure_warmup.at(given).where, "give both");
  }
  if (jobs && window) {
    throw usage_error(fmt::format("{} and {} exclude each other", measured_jobs.name, measure_window.name),
                      measure_window.at(given).where, "keep one of them");
  }
  if (window) {
    values.try_emplace(measure_warmup, TomlValue::of(0.0));
  } else if (jobs) {
    complete_numbers(values);
  } else {
    complete_word(values);
  }
  complete_initial(window && measure_warmup.in(values) == 0, values);
}

void bind_measure(const KeyValues& values, RunPlan& run) {
  MeasuredJobs& measured = run.measured;
  measured.initial_jobs = measure_initial.given_in(values);
  if (measure_window.given_in(values)) {
    run.measure.by_window = true;
    run.measure.initial = !measured.initial_jobs || measure_initial.in(values);
    measured.by = MeasuredBy::study;
    measured.where = measure_window.at(values).where;
  } else if (last_job.given_in(values)) {
    measured.by = MeasuredBy::study;
    measured.where = last_job.at(values).where;
  } else if (run.workload.resampling != Resampling::none ||
             (measured_jobs.given_in(values) && measured_jobs.in(values) == all_jobs)) {
    measured.by = MeasuredBy::all;
    run.measure.last = std::numeric_limits<std::int64_t>::max();
  }
}

bool has_initial_jobs(const RunPlan& run) { return run.measured.initial_jobs; }

}  // namespace

void register_key_section_measure(KeySections& sections) {
  const Key word =
      Key::choice(measured_jobs, "",
                  "Which jobs are measured: all of the trace; or, in place of a word, a table of the two below.",
                  {all_jobs})
          .with(&Key::derived, "\"all\", where nothing below says otherwise; with a generator something must")
          .with(&Key::type, KeyType::word_or_table);
  sections.push_back(
      {{word,
        Key::integer(first_job, "", "", "First measured job, by the id of the trace.", 0, max_job_id)
            .with(&Key::derived, "0, where measure.jobs.last is given")
            .sets(&RunPlan::measure, &MeasureWindow::first),
        Key::integer(last_job, "", "", "Last measured job, by the id of the trace.", 0, max_job_id)
            .with(&Key::derived, "159, where measure.jobs.first is given")
            .sets(&RunPlan::measure, &MeasureWindow::last),
        Key::number(measure_warmup, "s", "", "Jobs that arrive from here on are measured; with window_s.")
            .with(&Key::derived, "0, where window_s is given")
            .sets(&RunPlan::measure, &MeasureWindow::warmup_s),
        Key::number(measure_window, "s", "", "For how long arriving jobs are measured.")
            .is(&Key::above_least)
            .with(&Key::derived, "measure.jobs says which")
            .sets(&RunPlan::measure, &MeasureWindow::window_s),
        Key::number("measure.end_s", "s", "inf", "Give up here; what has not finished is counted.")
            .is(&Key::above_least, &Key::infinite)
            .sets(&RunPlan::measure, &MeasureWindow::end_s),
        Key::boolean(measure_initial, "",
                     "Jobs that run at time 0, as a generator makes them up or a native trace has them by ids under 0, "
                     "are measured.")
            .with(&Key::derived, "false, where the window begins at time 0 and jobs of a generator are running then")
            .with(&Key::outside_ids, "true")
            .with(&Key::read, [](const RunPlan& run) { return std::string(run.measure.initial ? "true" : "false"); })
            .used_where(has_initial_jobs,
                        "no run has a window that begins at time 0, when jobs of a generator run already")},
       complete_measure,
       bind_measure});
}

}  // namespace palstudy
