// SPDX-License-Identifier: MIT
#include "inputs/measured_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

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

std::map<std::string, double> load_values(const std::vector<MeasuredSet>& sets) {
  const Overloaded over = overloaded_sets(sets);
  const auto number = [](std::size_t count) { return static_cast<double>(count); };
  std::map<std::string, double> values = {
      {"workloads", number(over.of)}, {"overloaded", number(over.from_first)}, {"over_one", number(over.later)}};
  const auto add = [&](const std::string& name, double value) {
    if (std::isnan(value)) return;
    const double least = values.try_emplace(name + "_least", value).first->second,
                 most = values.try_emplace(name + "_most", value).first->second;
    values[name + "_least"] = std::min(least, value);
    values[name + "_most"] = std::max(most, value);
  };
  for (const MeasuredSet& set : sets) {
    add("jobs", set.total > 0 ? number(set.measured) : nan);
    add("of", set.total > 0 && set.run->workload.generator.empty() ? number(set.total) : nan);
    add("load", set.offered_load);
    add("whole", set.whole_load);
    add("busiest", set.busiest_load);
  }
  return values;
}

}  // namespace palstudy
