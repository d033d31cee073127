// SPDX-License-Identifier: MIT
#include "analysis/jobs/run_difference.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"

namespace palstudy {
namespace {

double value_or_1(double mean) { return std::isnan(mean) ? 1 : mean; }

JobDifference difference_of(const JobRow& job, const JobRow& other) {
  JobDifference one{job.job, job.site_job, job.gpus, job.jct_s(), other.jct_s()};
  const double s1 = value_or_1(job.slowdown), s2 = value_or_1(other.slowdown);
  const double p1 = value_or_1(job.penalty), p2 = value_or_1(other.penalty);
  const double gpus_s = job.ideal_s * (s2 - s1) * (p1 + p2) / 2, span_s = job.ideal_s * (p2 - p1) * (s1 + s2) / 2;
  const double ran_s = other.exec_s - job.exec_s;
  const double parts_s[] = {one.difference_s() - ran_s, gpus_s, span_s, ran_s - gpus_s - span_s};
  std::ranges::copy(parts_s, one.by_cause_s);
  return one;
}

bool same_job(const JobRow& a, const JobRow& b) {
  return a.submit_s == b.submit_s && a.gpus == b.gpus && a.ideal_s == b.ideal_s;
}

Error other_jobs(const std::string& where) {
  return usage_error("the runs do not have the same jobs", where,
                     "choose runs that agree in the workload and its seed; palstudy export FILE --table runs");
}

/// Keeps the first `most`, and says what share of all differences they make.
void keep_largest(RunDifference& all, std::size_t most) {
  const auto size = [](const JobDifference& one) { return std::abs(one.difference_s()); };
  std::ranges::stable_sort(all.jobs, [&](const JobDifference& a, const JobDifference& b) {
    return size(a) != size(b) ? size(a) > size(b) : a.job < b.job;
  });
  double sum = 0, kept = 0;
  for (std::size_t i = 0; i < all.jobs.size(); ++i) {
    sum += size(all.jobs[i]);
    if (i < most) kept += size(all.jobs[i]);
  }
  std::erase_if(all.jobs, [&](const JobDifference& one) { return size(one) == 0; });
  if (all.jobs.size() > most) all.jobs.resize(most);
  all.share = sum > 0 ? kept / sum : 0;
}

}  // namespace

const char* name_of(DifferenceCause cause) {
  constexpr const char* names[] = {"wait", "gpus", "span", "rest"};
  return names[static_cast<std::size_t>(cause)];
}

DifferenceCause JobDifference::main() const {
  const double sign = difference_s() < 0 ? -1 : 1;
  const auto* most = std::ranges::max_element(by_cause_s, {}, [&](double s) { return sign * s; });
  return static_cast<DifferenceCause>(most - std::ranges::begin(by_cause_s));
}

RunDifference run_difference(const std::vector<JobRow>& jobs, const std::vector<JobRow>& others, std::size_t most,
                             const std::string& where) {
  std::map<std::int64_t, const JobRow*> by_id;
  for (const JobRow& other : others) by_id[other.job] = &other;
  RunDifference all;
  for (const JobRow& job : jobs) {
    const auto found = by_id.find(job.job);
    if (found == by_id.end()) continue;  // one of the runs was over before it was submitted
    const JobRow& other = *found->second;
    if (!same_job(job, other)) throw other_jobs(where);
    if (!job.measured || !other.measured) continue;
    if (!job.over() || !other.over()) {
      ++all.left_out;
      continue;
    }
    all.jobs.push_back(difference_of(job, other));
    all.mean_s += job.jct_s(), all.other_mean_s += other.jct_s();
  }
  if (all.jobs.empty() && all.left_out == 0) throw other_jobs(where);
  all.compared = all.jobs.size();
  if (all.compared > 0) {
    all.mean_s /= static_cast<double>(all.compared), all.other_mean_s /= static_cast<double>(all.compared);
  }
  keep_largest(all, most);
  return all;
}

}  // namespace palstudy
