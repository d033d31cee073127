// SPDX-License-Identifier: MIT
#include "inputs/measured_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "archive/archived_notes.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "inputs/arrivals.hpp"
#include "sim/output/metrics.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

const NoteKind units("units", Severity::care);

}  // namespace

MeasuredSet measured_set(const RunPlan& run, const Workload& workload, double gpus) {
  std::vector<ArrivingJob> jobs;
  jobs.reserve(workload.jobs.size());
  for (const Job& job : workload.jobs) {
    jobs.push_back({job.submit_s, job.gpus * job.ideal_s(), run.measure.takes(job), job.id < 0});
  }
  const Arrivals some = arrivals_of(jobs, gpus);
  MeasuredSet set{&run, some.measured,   jobs.size(), some.offered_load, nan,
                  nan,  some.from_first, gpus,        some.quiet_load};
  if (set.measured < set.total && run.workload.generator.empty()) {
    set.busiest_load = busiest_load(jobs, gpus, some.window_s);
    for (ArrivingJob& job : jobs) job.measured = !job.initial;
    set.whole_load = arrivals_of(jobs, gpus).offered_load;
  }
  return set;
}

std::optional<Note> doubt_of_units(const MeasuredSet& set, const Workload& workload) {
  constexpr double hardly_any_load = 0.01;
  const RunPlan& run = *set.run;
  if (run.workload.trace.empty() || set.measured < few_measured) return std::nullopt;
  if (set.offered_load < hardly_any_load) return units({{"load", set.offered_load}}, run.workload.trace);
  std::vector<double> durations;
  for (const Job& job : workload.jobs) {
    if (run.measure.takes(job)) durations.push_back(job.ideal_s());
  }
  if (durations.empty()) return std::nullopt;
  constexpr double nearly_all = 0.9, rounds = 0.1;
  const double long_s = quantile(durations, nearly_all);
  if (long_s >= rounds * run.engine.round_s) return std::nullopt;
  return units({{"duration_s", long_s}, {"round_s", run.engine.round_s}}, run.workload.trace);
}

std::vector<MeasuredSet> sets_of(const std::vector<MeasuredSet>& sets, std::size_t runs) {
  std::vector<MeasuredSet> some;
  std::copy_if(sets.begin(), sets.end(), std::back_inserter(some),
               [&](const MeasuredSet& set) { return set.run->number < static_cast<std::int64_t>(runs); });
  return some;
}

Value values_of(const std::vector<MeasuredSet>& sets) {
  if (sets.empty()) return {};
  ValueList values;
  for (const MeasuredSet& set : sets) {
    values.push_back(ValueRecord{{"run", set.run->number},
                                 {"measured", set.measured},
                                 {"total", set.total},
                                 {"offered_load", set.offered_load},
                                 {"whole_load", set.whole_load},
                                 {"busiest_load", set.busiest_load},
                                 {"quiet_load", set.quiet_load},
                                 {"gpus", set.gpus},
                                 {"from_first", set.from_first}});
  }
  return values;
}

namespace {

double load_of_value(const Value& value) { return value.known() ? value.number() : nan; }

MeasuredSet set_of_value(const Value& value, const Study& study) {
  const std::size_t run = value["run"].count();
  if (run >= study.runs.size()) throw fault("measured jobs of a run that the study does not have");
  MeasuredSet set{&study.runs[run], value["measured"].count(), value["total"].count()};
  set.offered_load = load_of_value(value["offered_load"]);
  set.whole_load = load_of_value(value["whole_load"]);
  set.busiest_load = load_of_value(value["busiest_load"]);
  set.quiet_load = load_of_value(value["quiet_load"]);
  set.gpus = value["gpus"].number();
  set.from_first = value["from_first"].yes();
  return set;
}

}  // namespace

std::vector<MeasuredSet> sets_of(const Value& values, const Study& study, const std::string& where) try {
  std::vector<MeasuredSet> sets;
  if (!values.known()) return sets;
  for (const Value& value : values.list()) sets.push_back(set_of_value(value, study));
  return sets;
} catch (const Error&) {
  throw data_error("the measured jobs are not what this palstudy writes", where, restore_or_remake);
}

Overloaded overloaded_sets(const std::vector<MeasuredSet>& sets) {
  Overloaded count;
  for (const MeasuredSet& set : sets) {
    if (std::isnan(set.offered_load)) continue;
    ++count.of;
    if (set.offered_load <= 1) continue;
    if (set.from_first) ++count.from_first;
    // Where attempts fail for good jobs do less work than the load counts.
    if (!set.from_first && set.run->failures.model.empty()) ++count.later;
  }
  return count;
}

ValueRecord load_values(const std::vector<MeasuredSet>& sets) {
  const Overloaded over = overloaded_sets(sets);
  ValueRecord values = {{"workloads", over.of}, {"overloaded", over.from_first}, {"over_one", over.later}};
  const auto add = [&](const char* name, double (*of)(const MeasuredSet&)) {
    double least = infinity, most = -infinity;
    for (const MeasuredSet& set : sets) {
      const double value = of(set);
      if (std::isnan(value)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    if (Value range = least_and_most(least, most); range.known()) values.emplace_back(name, std::move(range));
  };
  add("jobs", [](const MeasuredSet& set) { return set.total > 0 ? static_cast<double>(set.measured) : nan; });
  add("of", [](const MeasuredSet& set) {
    return set.total > 0 && set.run->workload.generator.empty() ? static_cast<double>(set.total) : nan;
  });
  add("load", [](const MeasuredSet& set) { return set.offered_load; });
  add("whole", [](const MeasuredSet& set) { return set.whole_load; });
  add("busiest", [](const MeasuredSet& set) { return set.busiest_load; });
  return values;
}

}  // namespace palstudy
