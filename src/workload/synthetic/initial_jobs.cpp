// SPDX-License-Identifier: MIT
#include "workload/synthetic/initial_jobs.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace palstudy {

void RunningJobs::add(double rho, std::uint32_t cluster_gpus, std::vector<Job>& out) const {
  std::vector<double> up_to;
  double total = 0;
  for (const auto& source : sources) up_to.push_back(total += source.jobs_per_s * source.duration.mean_s());
  const double wanted = std::min(rho, 1.0) * cluster_gpus;
  double used = 0;
  for (std::uint64_t number = 0;; ++number) {
    RandomStream random(seed, Purpose::running_job, number);
    const auto met = std::upper_bound(up_to.begin(), up_to.end() - 1, random.uniform() * total);
    const JobSource& source = sources[static_cast<std::size_t>(met - up_to.begin())];
    // The last job goes over; it is taken with the chance that makes the mean right.
    const bool last = used + source.gpus >= wanted;
    if (last && (used + source.gpus > cluster_gpus || random.uniform() * source.gpus >= wanted - used)) break;
    const double piece = random.uniform(), length = random.uniform(), past = random.uniform();
    const double department = random.uniform(), within = random.uniform();
    const auto any = random.below(static_cast<std::uint32_t>(models.classes.size()));
    Job job = models.job(source.llm ? models.largest : any, source.duration.residual(piece, length, past));
    job.gpus = source.gpus;
    job.tenant = tenants.choose(source.gpus > 1, department, within);
    out.push_back(job);
    used += source.gpus;
    if (last) break;
  }
  auto id = -static_cast<std::int64_t>(out.size());
  for (Job& job : out) job.id = id++;
}

}  // namespace palstudy
