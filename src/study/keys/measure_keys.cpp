// SPDX-License-Identifier: MIT
#include "study/keys/measure_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "core/error.hpp"
#include "study/keys/key_spec.hpp"
#include "study/keys/resample_keys.hpp"
#include "workload/synthetic/generator.hpp"

namespace palstudy {
namespace {

constexpr double max_job_id = 1e12;
constexpr const char* all_jobs = "all";
/// What programs measured where nothing was given, before they measured all jobs.
constexpr const char* first_160 = "0..159";
constexpr std::array<const char*, 4> numbers_or_window = {"measure.jobs.first", "measure.jobs.last", "measure.warmup_s",
                                                          "measure.window_s"};

bool by_hand(const TomlValue& value) { return std::string_view(value.where).starts_with("--set"); }

/// The word is refused beside what says otherwise, and gives way to --set: a resolved study always has one.
void refuse_word_beside(const Point& given, Point& point) {
  const auto word = given.find(measured_jobs_key);
  if (word == given.end()) return;
  for (const char* key : numbers_or_window) {
    const auto other = given.find(key);
    if (other == given.end()) continue;
    point.erase(measured_jobs_key);
    if (by_hand(other->second)) continue;
    throw usage_error(fmt::format("measure.jobs is \"{}\", and {} is given as well", word->second.text, key),
                      word->second.where, "keep one of them");
  }
}

/// The word that says what is measured where neither numbers nor a window do. `workload.resample` needs none: all jobs
/// are measured. A generator has no end, so that only a number or a window can.
void complete_word(Point& point) {
  const auto resample = point.find(resample_name);
  if (resample != point.end() && resample->second.text != "none") {
    point.erase(measured_jobs_key);
  } else if (!point.contains("workload.generator")) {
    point.try_emplace(measured_jobs_key, TomlValue::of(std::string(all_jobs)));
  } else if (const auto word = point.find(measured_jobs_key); word != point.end() && word->second.text == all_jobs) {
    throw usage_error("measure.jobs is \"all\", but a generator makes jobs without end", word->second.where,
                      "give measure.jobs = { first = 0, last = 999 }, or measure.window_s");
  }
}

void complete_numbers(Point& point) {
  const MeasureWindow options;
  point.try_emplace("measure.jobs.first", TomlValue::of(options.first));
  point.try_emplace("measure.jobs.last", TomlValue::of(options.last));
  const auto& first = point.at("measure.jobs.first");
  const auto& last = point.at("measure.jobs.last");
  if (last.integer < first.integer) {
    throw usage_error(fmt::format("measure.jobs ends at {}, before it begins at {}", last.integer, first.integer),
                      last.where.empty() ? first.where : last.where,
                      "first and last are ids of the trace, both measured");
  }
}

}  // namespace

std::vector<KeySpec> measure_keys() {
  using key_spec::above_zero;
  KeySpec word =
      key_spec::choice(measured_jobs_key, "",
                       "Which jobs are measured: all of the trace; or, in place of a word, a table of the two below. "
                       "\"0..159\" is what versions before this key measured by default.",
                       {all_jobs, first_160});
  word.type = KeyType::word_or_table;
  word.derived = "\"all\", where nothing below says otherwise; with a generator something must";
  word.older = fmt::format("\"{}\"", first_160);
  KeySpec first =
      key_spec::integer("measure.jobs.first", "", "", "First measured job, by the id of the trace.", 0, max_job_id);
  first.derived = "0, where measure.jobs.last is given";
  KeySpec last =
      key_spec::integer("measure.jobs.last", "", "", "Last measured job, by the id of the trace.", 0, max_job_id);
  last.derived = "159, where measure.jobs.first is given";
  KeySpec warmup =
      key_spec::number("measure.warmup_s", "s", "", "Jobs that arrive from here on are measured; with window_s.");
  warmup.derived = "0, where window_s is given";
  KeySpec window =
      above_zero(key_spec::number("measure.window_s", "s", "", "For how long arriving jobs are measured."));
  window.derived = "measure.jobs says which";
  KeySpec end = above_zero(
      key_spec::number("measure.end_s", "s", "inf", "Give up here; what has not finished is counted."), true);
  KeySpec initial =
      key_spec::boolean("measure.initial", "", "Jobs that a generator makes up as running at time 0 are measured.");
  initial.derived = "false, where the window begins at time 0 and jobs are running then";
  initial.older = "true";
  return {word, first, last, warmup, window, end, initial};
}

void complete_measure(const Point& given, Point& point) {
  const auto has = [&](const char* key) { return given.contains(key); };
  const bool jobs = has("measure.jobs.first") || has("measure.jobs.last"), window = has("measure.window_s");
  refuse_word_beside(given, point);
  if (has("measure.warmup_s") && !window) {
    throw usage_error("measure.warmup_s is given, but measure.window_s is not", given.at("measure.warmup_s").where,
                      "give both");
  }
  if (jobs && window) {
    throw usage_error("measure.jobs and measure.window_s exclude each other", given.at("measure.window_s").where,
                      "keep one of them");
  }
  if (window) {
    point.try_emplace("measure.warmup_s", TomlValue::of(0.0));
  } else if (jobs) {
    complete_numbers(point);
  } else {
    complete_word(point);
  }
}

void complete_initial(Point& point) {
  const auto generator = point.find("workload.generator");
  const auto warmup = point.find("measure.warmup_s");
  bool running = false;
  if (generator != point.end()) {
    const auto& params = generators().at(generator->second.text).params;
    running =
        std::any_of(params.begin(), params.end(), [](const Param& param) { return param.name == "stationary"; }) &&
        point.at("workload.stationary").boolean;
  }
  if (running && warmup != point.end() && warmup->second.as_real() == 0) {
    point.try_emplace("measure.initial", TomlValue::of(false));
  } else {
    point.erase("measure.initial");
  }
}

void plan_measure(const Point& point, RunPlan& plan) {
  MeasureWindow& to = plan.measure;
  to.end_s = point.at("measure.end_s").as_real();
  const auto window = point.find("measure.window_s"), last = point.find("measure.jobs.last");
  const auto word = point.find(measured_jobs_key), initial = point.find("measure.initial");
  plan.initial_jobs = initial != point.end();
  if (window != point.end()) {
    to.by_window = true;
    to.warmup_s = point.at("measure.warmup_s").as_real();
    to.window_s = window->second.as_real();
    to.initial = !plan.initial_jobs || initial->second.boolean;
    plan.measure_where = window->second.where;
  } else if (last != point.end()) {
    to.first = point.at("measure.jobs.first").integer;
    to.last = last->second.integer;
    plan.measure_where = last->second.where;
  } else {
    plan.measure_all =
        resampling_of(point) != Resampling::none || (word != point.end() && word->second.text == all_jobs);
    plan.measure_older = !plan.measure_all && word != point.end();
    if (plan.measure_all) to.last = std::numeric_limits<std::int64_t>::max();
  }
  plan.measure_given = window != point.end() || last != point.end();
}

bool names_measured(const Draft& draft) {
  return std::any_of(numbers_or_window.begin(), numbers_or_window.end(),
                     [&](const char* key) { return is_given(draft, key); });
}

void add_measured(const Draft& draft, const Study& study, Point& keys) {
  const auto add = [&](const char* key, const TomlValue& otherwise) {
    if (draft.axes.contains(key)) return;
    const auto given = draft.base.find(key);
    keys.insert_or_assign(key, given == draft.base.end() ? otherwise : given->second);
  };
  const auto any = [&](auto which) { return std::any_of(study.runs.begin(), study.runs.end(), which); };
  if (any([](const RunPlan& run) { return run.initial_jobs; })) add("measure.initial", TomlValue::of(false));
  if (any([](const RunPlan& run) { return run.measure_all || run.measure_older; })) {
    add(measured_jobs_key, TomlValue::of(std::string(all_jobs)));
  }
}

}  // namespace palstudy
