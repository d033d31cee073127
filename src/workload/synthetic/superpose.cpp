// SPDX-License-Identifier: MIT
#include "workload/synthetic/superpose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/random.hpp"
#include "workload/trace/job_fields.hpp"

namespace palstudy {
namespace {

constexpr std::int64_t most_id = 1'000'000'000'000;

/// Where a copy stands in the circle: equal shares of it, in whole days where there are enough of them.
double shift_s(const SuperpositionOptions& how, std::int64_t copy, std::int64_t copies) {
  const double share_s = how.length_s / static_cast<double>(copies);
  const double step_s = share_s >= day_s ? std::floor(share_s / day_s) * day_s : share_s;
  return static_cast<double>(copy) * step_s;
}

double shifted(double submit_s, const SuperpositionOptions& how, double by_s) {
  const double at_s = submit_s - how.first_s + by_s;
  return how.first_s + (at_s < how.length_s ? at_s : at_s - how.length_s);  // a shift is less than the circle
}

bool drawn(const SuperpositionOptions& how, std::size_t job, double share) {
  return share >= 1 || RandomStream(how.seed, Purpose::superposed, job).uniform() < share;
}

}  // namespace

void superpose(Workload& workload, const SuperpositionOptions& how) {
  if (how.copies <= 1) return;
  const auto copies = static_cast<std::int64_t>(std::ceil(how.copies));
  std::vector<Job>& jobs = workload.jobs;
  const std::size_t own = jobs.size();
  std::int64_t ids = 0;
  for (const Job& job : jobs) ids = std::max(ids, job.id + 1);
  if (ids > most_id / copies) {
    throw data_error(fmt::format("{} copies of jobs with ids up to {}", copies, ids - 1), "workload.copies",
                     "give the trace smaller ids");
  }
  for (std::int64_t copy = 1; copy < copies; ++copy) {
    const double by_s = shift_s(how, copy, copies), share = how.copies - static_cast<double>(copy);
    for (std::size_t j = 0; j < own; ++j) {
      Job job = jobs[j];
      if (job.submit_s < how.first_s || job.submit_s >= how.first_s + how.length_s) continue;
      if (!drawn(how, j, share)) continue;
      job.id += copy * ids;
      job.submit_s = shifted(job.submit_s, how, by_s);
      jobs.push_back(job);
    }
  }
  std::ranges::stable_sort(jobs, [](const Job& a, const Job& b) { return a.submit_s < b.submit_s; });
  lose_links(workload);
  workload.recorded.clear();  // the site ran other jobs
}

}  // namespace palstudy
