// SPDX-License-Identifier: MIT
#include "workload/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/random.hpp"
#include "core/text.hpp"

namespace palstudy {

void record_times(Workload& workload, Job& job, const RecordedTimes& times) {
  if (!times.known()) return;
  if (workload.recorded.empty()) workload.recorded.emplace_back();
  job.record = static_cast<std::uint32_t>(workload.recorded.size());
  workload.recorded.push_back(times);
}

RecordedTimes recorded_times(const Workload& workload, const Job& job) {
  return job.record < workload.recorded.size() ? workload.recorded[job.record] : RecordedTimes{};
}

double held_from_zero_s(const RecordedTimes& times) {
  const double held_s = std::isnan(times.held_s) ? times.end_s - times.start_s : times.held_s;
  return std::max(1.0, held_s - std::max(0.0, -times.start_s));
}

void count_from(Workload& workload, double by_s) {
  for (Job& job : workload.jobs) job.submit_s -= by_s;
  for (RecordedTimes& times : workload.recorded) times.start_s -= by_s, times.end_s -= by_s;
  workload.zero_s += by_s;
}

std::size_t leave_out(Workload& workload, const std::function<bool(const Job&)>& out) {
  const std::size_t left = std::erase_if(workload.jobs, out);
  JobLinks& links = workload.links;
  if (left == 0 || links.empty()) return left;
  std::set<std::int64_t> there;
  std::set<std::string> arrays;
  for (const Job& job : workload.jobs) there.insert(job.id);
  std::erase_if(links.after,
                [&](const auto& link) { return !there.contains(link.job) || !there.contains(link.after); });
  std::erase_if(links.tasks, [&](const auto& task) { return !there.contains(task.job); });
  for (const auto& task : links.tasks) arrays.insert(task.array);
  std::erase_if(links.at_once, [&](const auto& array) { return !arrays.contains(array.first); });
  return left;
}

void lose_links(Workload& workload) {
  if (!workload.links.after.empty()) workload.lost_links.emplace_back("after");
  if (!workload.links.tasks.empty()) workload.lost_links.emplace_back("array");
  workload.links = {};
}

void bind_classes(Workload& workload, const std::vector<std::string>& class_names, const std::string& where,
                  const std::string& cluster) {
  std::vector<ClassId> bound;
  for (const auto& name : workload.classes) {
    const auto place = std::ranges::find(class_names, name);
    if (place == class_names.end()) {
      throw data_error(fmt::format("jobs are of class \"{}\", which {} does not have", name, cluster), where,
                       fmt::format("classes of {}: {}; choose jobs of these, or a cluster with that class", cluster,
                                   join(class_names)));
    }
    bound.emplace_back(static_cast<std::size_t>(place - class_names.begin()));
  }
  for (Job& job : workload.jobs) job.cls = bound[job.cls.index()];
  workload.classes = class_names;
}

namespace {

constexpr double whole_day_s = 24 * hour_s;
/// The limits of a site's queues.
constexpr std::array limits_s = {hour_s / 4, hour_s, 4 * hour_s, 12 * hour_s, whole_day_s, 3 * whole_day_s};

double rounded_up(double seconds) {
  const auto limit = std::lower_bound(limits_s.begin(), limits_s.end(), seconds);
  return limit != limits_s.end() ? *limit : std::ceil(seconds / whole_day_s) * whole_day_s;
}

}  // namespace

void estimate_durations(Workload& workload, Estimates estimates, std::uint64_t seed) {
  if (estimates == Estimates::exact) return;
  for (Job& job : workload.jobs) {
    if (job.estimate_s > 0) continue;
    RandomStream random(seed, Purpose::estimate, static_cast<std::uint64_t>(job.id));
    const double estimate_s = job.ideal_s() * (1 + 2 * random.uniform());
    job.estimate_s = estimates == Estimates::classes ? rounded_up(estimate_s) : estimate_s;
  }
}

}  // namespace palstudy
