// SPDX-License-Identifier: MIT
#include "inputs/arrivals.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace palstudy {

Arrivals arrivals_of(const std::vector<ArrivingJob>& jobs, double gpus) {
  Arrivals all;
  const auto first =
      std::find_if(jobs.begin(), jobs.end(), [](const auto& job) { return job.measured || !job.initial; });
  all.from_first = first != jobs.end() && first->measured;
  all.from_empty = all.from_first && !jobs.front().initial;
  double begin_s = infinity, end_s = -infinity, work = 0;
  for (const ArrivingJob& job : jobs) {
    if (!job.measured) continue;
    ++all.measured;
    begin_s = std::min(begin_s, job.submit_s);
    end_s = std::max(end_s, job.submit_s);
  }
  if (all.measured == 0) return all;
  all.window_s = end_s - begin_s;
  for (const ArrivingJob& job : jobs) {
    const bool arrives = job.submit_s >= begin_s && job.submit_s <= end_s;
    if (arrives && !job.initial) work += job.gpu_s;  // a job that runs at time 0 is no arrival
  }
  const double capacity = gpus * all.window_s;
  if (capacity > 0) all.offered_load = work / capacity;
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

std::string range_text(double least, double most) {
  const std::string from = in_digits(least), to = in_digits(most);
  return from == to ? from : from + " to " + to;
}

}  // namespace palstudy
