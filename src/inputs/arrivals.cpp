// SPDX-License-Identifier: MIT
#include "inputs/arrivals.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace palstudy {
namespace {

/// Where the window begins and ends, of the sorted times of arrival: the shortest that has all but a twentieth of the
/// jobs, if it is shorter than four fifths of all, else all.
std::pair<double, double> busy_window(const std::vector<double>& submit_s) {
  constexpr double few_share = 0.05, short_share = 0.8;
  const auto few = static_cast<std::size_t>(few_share * static_cast<double>(submit_s.size()));
  std::pair all(submit_s.front(), submit_s.back()), shortest = all;
  const auto span = [](const auto& window) { return window.second - window.first; };
  for (std::size_t first = 0; first <= few; ++first) {
    const std::pair window(submit_s[first], submit_s[submit_s.size() - 1 - few + first]);
    if (span(window) < span(shortest)) shortest = window;
  }
  return span(shortest) < short_share * span(all) ? shortest : all;
}

double load(const std::vector<ArrivingJob>& jobs, double gpus, double begin_s, double end_s) {
  double work = 0;
  for (const ArrivingJob& job : jobs) {
    const bool arrives = job.submit_s >= begin_s && job.submit_s <= end_s;
    if (arrives && !job.initial) work += job.gpu_s;  // a job that runs at time 0 is no arrival
  }
  const double capacity = gpus * (end_s - begin_s);
  return capacity > 0 ? work / capacity : nan;
}

}  // namespace

Arrivals arrivals_of(const std::vector<ArrivingJob>& jobs, double gpus) {
  Arrivals all;
  const auto first = std::ranges::find_if(jobs, [](const auto& job) { return job.measured || !job.initial; });
  all.from_first = first != jobs.end() && first->measured;
  all.from_empty = all.from_first && !jobs.front().initial;
  std::vector<double> submit_s;
  for (const ArrivingJob& job : jobs) {
    if (job.measured) submit_s.push_back(job.submit_s);
  }
  all.measured = submit_s.size();
  if (all.measured == 0) return all;
  std::tie(all.begin_s, all.end_s) =
      all.from_first ? busy_window(submit_s) : std::pair(submit_s.front(), submit_s.back());
  all.window_s = all.end_s - all.begin_s;
  all.offered_load = load(jobs, gpus, all.begin_s, all.end_s);
  if (all.begin_s != submit_s.front() || all.end_s != submit_s.back()) {
    all.quiet_load = load(jobs, gpus, submit_s.front(), submit_s.back());
  }
  return all;
}

double busiest_load(const std::vector<ArrivingJob>& jobs, double gpus, double window_s) {
  const double capacity = gpus * window_s;
  if (!(capacity > 0)) return nan;
  double work = 0, most = 0;
  std::size_t first = 0;
  for (const ArrivingJob& job : jobs) {
    if (job.initial) continue;
    work += job.gpu_s;
    for (; job.submit_s - jobs[first].submit_s > window_s; ++first) work -= jobs[first].initial ? 0 : jobs[first].gpu_s;
    most = std::max(most, work);
  }
  return most / capacity;
}

}  // namespace palstudy
