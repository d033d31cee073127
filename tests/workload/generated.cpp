// SPDX-License-Identifier: MIT
#include "workload/generated.hpp"

#include <cmath>
#include <tuple>

#include "workload/models.hpp"
#include "workload/synthetic/generator.hpp"

namespace palstudy::testing_workload {

Workload generated(const Wanted& wanted) {
  const auto models = carried_models();
  GeneratorContext context;
  context.cluster_gpus = wanted.gpus;
  context.seed = wanted.seed;
  context.jobs = wanted.jobs;
  context.until_s = wanted.until_s;
  context.data_dir = PALSTUDY_SOURCE_DIR "/jobs";
  context.models = &models;
  ParamValues params;
  params.set("rho", wanted.rho);
  params.set("end_s", wanted.end_s);
  params.set("stationary", wanted.stationary ? 1.0 : 0.0);
  params.set("weekdays", wanted.weekdays ? 1.0 : 0.0);
  params.set("widest_share", wanted.widest_share);
  params.set("llm_share", wanted.llm_share);
  if (wanted.generator == "helios") params.set("trace_cluster", wanted.trace_cluster);
  return generators().at(wanted.generator).make(context, params);
}

std::vector<Job> arrivals(const Workload& workload, std::size_t most) {
  std::vector<Job> jobs;
  for (const Job& job : workload.jobs) {
    if (job.id >= 0 && jobs.size() < most) jobs.push_back(job);
  }
  return jobs;
}

bool same(const Job& a, const Job& b) {
  return a.id == b.id && a.submit_s == b.submit_s && a.iterations == b.iterations && a.iteration_s == b.iteration_s &&
         a.gpus == b.gpus && a.cls == b.cls && a.model == b.model && a.tenant == b.tenant;
}

std::uint32_t bucket(const Job& job) { return job.gpus == 1 ? 1 : job.gpus <= 4 ? 4 : job.gpus <= 8 ? 8 : 1000; }

std::map<std::uint32_t, double> gpu_time_shares(const std::vector<Job>& jobs) {
  std::map<std::uint32_t, double> time;
  double all = 0;
  for (const Job& job : jobs) {
    time[bucket(job)] += job.gpus * job.ideal_s();
    all += job.gpus * job.ideal_s();
  }
  for (auto& [width, sum] : time) sum /= all;
  return time;
}

double mean_gpus(const std::vector<Job>& jobs) {
  double sum = 0;
  for (const Job& job : jobs) sum += job.gpus;
  return sum / static_cast<double>(jobs.size());
}

double hourly_dispersion(const std::vector<Job>& jobs) {
  const auto hours = static_cast<std::size_t>(jobs.back().submit_s / 3600);  // the last one is not whole
  std::vector<double> counts(hours + 1, 0.0);
  for (const Job& job : jobs) ++counts[static_cast<std::size_t>(job.submit_s / 3600)];
  double sum = 0, squares = 0;
  for (std::size_t hour = 0; hour < hours; ++hour) {
    sum += counts[hour];
    squares += counts[hour] * counts[hour];
  }
  const double mean = sum / static_cast<double>(hours);
  return squares / sum - mean;
}

double hours_correlation(const std::vector<Job>& jobs, const std::vector<double>& profile) {
  std::vector<double> seen(24, 0.0);
  std::map<std::tuple<std::uint16_t, std::uint16_t, std::uint32_t>, double> last_s;
  for (const Job& job : jobs) {
    const auto [place, fresh] = last_s.try_emplace({job.tenant, job.model, job.gpus}, job.submit_s);
    if (fresh || job.submit_s - place->second > 60) ++seen[static_cast<std::size_t>(job.submit_s / 3600) % 24];
    place->second = job.submit_s;
  }
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t hour = 0; hour < 24; ++hour) {
    x += seen[hour] / 24;
    y += profile[hour] / 24;
    xx += seen[hour] * seen[hour] / 24;
    yy += profile[hour] * profile[hour] / 24;
    xy += seen[hour] * profile[hour] / 24;
  }
  return (xy - x * y) / std::sqrt((xx - x * x) * (yy - y * y));
}

}  // namespace palstudy::testing_workload
