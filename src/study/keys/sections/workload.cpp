// SPDX-License-Identifier: MIT
// [workload]: the jobs, from a trace or a generator.
#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "policy/order_policy.hpp"
#include "study/keys/chosen_params.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"
#include "workload/model_table.hpp"
#include "workload/predict/predictor.hpp"
#include "workload/synthetic/generator.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

using keys::columns;
using keys::copies;
using keys::generator;
using keys::reader;
using keys::resampling;
using keys::trace;

constexpr auto example_roles = R"(submit = "submit_time", start = "start_time", end = "end_time", gpus = "gpu_num")";
constexpr KeyName<double> copies_first{"workload.copies_first_s"}, copies_length{"workload.copies_length_s"};

/// Policies are complete before the workload, by the names of their sections.
void complete_predictor(KeyValues& values) {
  if (!keys::predictor.given_in(values)) {
    const auto& order = orders().at(keys::order.in(values));
    if (!order.make(param_values(policy_section, order.params, values))->predicts()) return;
    values[keys::predictor] = TomlValue::of(std::string("exact"));
  }
  complete_params(workload_section, predictors().at(keys::predictor.in(values)), keys::predictor.at(values).where,
                  values);
}

bool draws_jobs(const RunPlan& run) {
  const auto& from = run.workload;
  return from.trace.empty() || from.estimates != Estimates::exact || from.resampling != Resampling::none ||
         from.copies.copies > std::floor(from.copies.copies) || readers().at(from.reader).make.draws(from.columns);
}

bool uses_workload_seed(const RunPlan& run) { return draws_predictions(run) || draws_jobs(run); }

std::optional<TomlValue> usual_first(const KeyValues& values) {
  if (!copies.given_in(values)) return std::nullopt;
  return keys::measure_window.given_in(values) ? keys::measure_warmup.at(values) : TomlValue::of(0.0);
}
std::optional<TomlValue> usual_length(const KeyValues& values) {
  const bool window = copies.given_in(values) && keys::measure_window.given_in(values);
  return window ? std::optional(keys::measure_window.at(values)) : std::nullopt;
}

void check_copies(const KeyValues& values) {
  if (!copies.given_in(values)) {
    for (const auto& key : {copies_first, copies_length}) {
      if (!key.given_in(values)) continue;
      throw usage_error(fmt::format("{} is given, but {} is not", key.name, copies.name), key.at(values).where,
                        "give both");
    }
    return;
  }
  const std::string& where = copies.at(values).where;
  if (!trace.given_in(values)) {
    throw usage_error(fmt::format("{} is given, but there is no trace to copy", copies.name), where,
                      "a generator is given a load instead, by workload.rho");
  }
  if (copies_length.given_in(values)) return;
  throw usage_error(
      fmt::format("{} is given, but no window to copy", copies.name), where,
      fmt::format("give {} and {}, or {}", copies_first.name, copies_length.name, keys::measure_window.name));
}

void complete_resample(KeyValues& values) {
  if (!resampling.given_in(values)) return;
  if (resampling.in(values) == "none") {
    values.erase(resampling);
    return;
  }
  const std::string& where = resampling.at(values).where;
  if (!trace.given_in(values)) {
    throw usage_error(fmt::format("{} is given, but there is no trace to draw from", resampling.name), where,
                      "a generator makes another workload for each workload.seed already; leave it out");
  }
  if (!keys::first_job.given_in(values)) return;
  const std::string& first = keys::first_job.at(values).where;
  const std::string& numbers = first.empty() ? keys::last_job.at(values).where : first;
  throw usage_error(fmt::format("{} names jobs of the trace, and {} gives them other numbers", keys::measured_jobs.name,
                                resampling.name),
                    numbers.empty() ? where : numbers,
                    fmt::format("leave {} out, which measures all jobs, or give {}", keys::measured_jobs.name,
                                keys::measure_window.name));
}

/// Errors (usage): columns for a reader that knows them, or none for one that does not.
void check_columns(const KeyValues& values) {
  const std::string name = reader.in(values);
  const NamedColumns wanted = readers().at(name).make.columns;
  if (!columns.given_in(values)) {
    if (wanted != NamedColumns::by_role) return;
    throw usage_error(fmt::format("{} = \"{}\" needs {}", reader.name, name, columns.name), reader.at(values).where,
                      fmt::format("say which columns the trace has, as in {} = {{ {} }}", columns.name, example_roles));
  }
  const TomlValue& value = columns.at(values);
  const NamedColumns given = value.kind == TomlValue::Kind::table ? NamedColumns::by_role : NamedColumns::in_order;
  if (given == wanted) return;
  throw usage_error(fmt::format("{} is {}, which {} = \"{}\" does not take", columns.name,
                                given == NamedColumns::by_role ? "a table" : "a list", reader.name, name),
                    value.where,
                    wanted == NamedColumns::never     ? "leave it out: the columns are known"
                    : wanted == NamedColumns::by_role ? fmt::format("give a table, {{ {} }}", example_roles)
                                                      : "give the names of all columns in their order, in a list");
}

void check_workload(const KeyValues& given, const std::string& file) {
  if (!trace.given_in(given) && !generator.given_in(given)) {
    throw usage_error("the study has neither a trace nor a generator", file,
                      fmt::format("give {} = \"jobs.csv\" or {} under [workload]", trace.name, generator.name));
  }
  for (const auto& key : {trace, reader}) {
    if (!key.given_in(given) || !generator.given_in(given)) continue;
    throw usage_error(fmt::format("{} and {} exclude each other", key.name, generator.name), key.at(given).where,
                      "keep one of them");
  }
}

void complete_workload(const KeyValues& /*given*/, KeyValues& values, const std::string& /*file*/) {
  if (generator.given_in(values)) {
    values.erase(reader);
    complete_params(workload_section, generators().at(generator.in(values)), generator.at(values).where, values);
  }
  check_copies(values);
  if (trace.given_in(values)) check_columns(values);
  complete_resample(values);
  complete_predictor(values);
}

void set_columns(RunPlan& run, const TomlValue& value) {
  TraceColumns& named = run.workload.columns;
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    if (value.kind == TomlValue::Kind::table) {
      named.by_role.emplace(value.names[i], value.items[i].text);
    } else {
      named.in_order.push_back(value.items[i].text);
    }
  }
}

std::string columns_text(const RunPlan& run) {
  const TraceColumns& named = run.workload.columns;
  std::string text = join(named.in_order);
  for (const auto& [role, name] : named.by_role) text += "\n" + role + "\t" + name;
  return text;
}

Key unit_of(const std::string& name, const std::string& summary, double TraceColumns::*member) {
  return Key::choice(name, "", summary)
      .with(&Key::derived, "\"s\"")
      .sets_word({{"s", 1.0}, {"ms", 1e-3}, {"min", minute_s}, {"h", hour_s}}, &RunPlan::workload,
                 &WorkloadOptions::columns, member)
      .used_where([](const RunPlan& run) { return !run.workload.columns.by_role.empty(); },
                  "no run has workload.reader = \"csv\"");
}

void bind_workload(const KeyValues& values, RunPlan& run) {
  if (!run.workload.predictor.empty()) {
    run.workload.predictor_params =
        param_values(workload_section, predictors().at(run.workload.predictor).params, values);
  }
  if (run.workload.generator.empty()) return;
  run.workload.generator_params =
      param_values(workload_section, generators().at(run.workload.generator).params, values);
}

}  // namespace

void register_key_section_workload(KeySections& sections) {
  constexpr double most_copies = 1000, latest_s = 1e10;
  const std::string with_copies = ", where workload.copies is given";
  sections.push_back(
      {{Key::text(KeyType::path, trace, "", "", "CSV of the jobs; or a generator.")
            .sets(&RunPlan::workload, &WorkloadOptions::trace)
            .is(&Key::names_file),
        Key::choice(reader, "\"sia\"", "The format of the trace.", readers().names())
            .sets(&RunPlan::workload, &WorkloadOptions::reader),
        Key::text(KeyType::columns, columns, "", "the reader's",
                  "What the columns of the trace are called, for reader csv; all of them in their order, for sacct "
                  "without a header line.")
            .with(&Key::choices, {column_roles.begin(), column_roles.end()})
            .with(&Key::set, set_columns)
            .with(&Key::read, columns_text)
            .used_where([](const RunPlan& run) { return !run.workload.trace.empty(); }, "no run has a trace"),
        unit_of("workload.time_unit", "Unit of times and durations that are numbers, for reader csv.",
                &TraceColumns::time_s),
        unit_of("workload.estimate_unit", "Unit of estimates that are numbers, for reader csv.",
                &TraceColumns::estimate_s),
        Key::choice("workload.wider", "", "What jobs wider than the cluster are: an error, or left out.")
            .with(&Key::derived, "\"refuse\"")
            .sets_word({{"refuse", false}, {"skip", true}}, &RunPlan::workload, &WorkloadOptions::skip_wider),
        Key::choice(generator, "", "What makes the jobs; or a trace.", generators().names())
            .sets(&RunPlan::workload, &WorkloadOptions::generator),
        Key::text(KeyType::path, keys::models, fmt::format("\"{}\"", bundled_models), "",
                  "Classes and seconds per iteration of the models; the default is the bundled one.")
            .with(&Key::set,
                  [](RunPlan& run, const TomlValue& value) {
                    run.workload.models = value.text == bundled_models ? "" : value.text;
                  })
            .with(&Key::read, [](const RunPlan& run) { return run.workload.models; })
            .is(&Key::names_file),
        Key::text(KeyType::path, keys::class_of, "", "the reader's",
                  "CSV name,class: the class of a trace's jobs by their name, user or account; * is all others.")
            .sets(&RunPlan::workload, &WorkloadOptions::class_of)
            .is(&Key::names_file)
            .used_where([](const RunPlan& run) { return !run.workload.trace.empty(); }, "no run has a trace"),
        Key::seed(keys::workload_seed, "Seed of generated jobs, and of what workload.resample draws.")
            .sets(&RunPlan::workload, &WorkloadOptions::seed)
            .with(&Key::shapes, draws_jobs)
            .used_where(uses_workload_seed, "every run has a trace"),
        Key::choice(keys::predictor, "", "What policy.order qssf believes of the time that jobs need.",
                    predictors().names())
            .with(&Key::derived, "\"exact\", where policy.order predicts")
            .with(&Key::follows, {keys::order})
            .sets(&RunPlan::workload, &WorkloadOptions::predictor)
            .with(&Key::shapes, [](const RunPlan&) { return false; })  // the jobs are the same
            .used_where(predicts, "no run has policy.order = \"qssf\""),
        Key::number(copies, "1", "",
                    "How often the jobs of the trace come, each copy shifted by whole days within a window; of 2.5 "
                    "copies the third has half of the jobs.")
            .between(1, most_copies)
            .with(&Key::derived, "1")
            .sets(&RunPlan::workload, &WorkloadOptions::copies, &SuperpositionOptions::copies),
        Key::number(copies_first, "s", "", "Where the window begins whose jobs are copied.")
            .between(0, latest_s)
            .otherwise(keys::measure_warmup.name + with_copies, usual_first)
            .with(&Key::follows, {keys::measure_warmup})
            .sets(&RunPlan::workload, &WorkloadOptions::copies, &SuperpositionOptions::first_s),
        Key::number(copies_length, "s", "", "How long it is.")
            .between(0, latest_s)
            .is(&Key::above_least)
            .otherwise(keys::measure_window.name + with_copies, usual_length)
            .with(&Key::follows, {keys::measure_window})
            .sets(&RunPlan::workload, &WorkloadOptions::copies, &SuperpositionOptions::length_s),
        Key::choice(resampling, "",
                    "Blocks of the trace that workload.seed draws with replacement, so that intervals speak of the "
                    "workload too.",
                    {"none", "days", "weeks", "users"})
            .with(&Key::derived, "\"none\"")
            .with(&Key::set,
                  [](RunPlan& run, const TomlValue& value) { run.workload.resampling = resampling_named(value.text); })
            .with(&Key::read, [](const RunPlan& run) { return std::string(name_of(run.workload.resampling)); }),
        Key::choice(
            "workload.estimates", "",
            "How long users say that their jobs take, where the trace does not say it (estimate_s): exactly "
            "the ideal time; 1 to 3 times as long, drawn by workload.seed; or that, rounded up to 15 min, 1, 4, "
            "12, 24 or 72 h.")
            .with(&Key::derived, "\"exact\"")
            .sets_word({{"exact", Estimates::exact}, {"uniform", Estimates::uniform}, {"classes", Estimates::classes}},
                       &RunPlan::workload, &WorkloadOptions::estimates)},
       complete_workload,
       bind_workload,
       check_workload});
}

}  // namespace palstudy
