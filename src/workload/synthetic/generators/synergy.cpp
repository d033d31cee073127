// SPDX-License-Identifier: MIT
// The load sweeps of PAL's evaluation (its section on Synergy traces), with two differences. The published simulator
// gives every such job class A and no model; here models, and with them classes and iteration times, are drawn. And it
// takes GPU demands from a log that is too large to carry; here they are those of the Philly jobs that Gavel's authors
// published.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/error.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "workload/synthetic/drawn_models.hpp"
#include "workload/synthetic/generator.hpp"
#include "workload/trace/job_fields.hpp"

namespace palstudy {
namespace {

constexpr auto philly_jobs = "traces/gavel-philly/gavel_philly_by_vc.csv";

/// The demands of the carried jobs, one entry a job, in file order.
std::vector<std::uint32_t> read_demands(const std::filesystem::path& path) {
  const CsvTable table = CsvTable::read(path);
  const std::size_t column = table.column("num_gpus");
  std::vector<std::uint32_t> gpus(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) gpus[row] = job_gpus(table, row, column);
  return gpus;
}

/// Those of at most `most` GPUs.
std::vector<std::uint32_t> demands(const GeneratorContext& context, double most) {
  const auto path = context.data_dir / philly_jobs;
  GeneratorFiles own;
  auto& known = context.files != nullptr ? context.files->demands : own.demands;
  auto all = known.find(path);
  if (all == known.end()) all = known.emplace(path, read_demands(path)).first;
  std::vector<std::uint32_t> gpus;
  std::copy_if(all->second.begin(), all->second.end(), std::back_inserter(gpus),
               [most](std::uint32_t count) { return count <= most; });
  if (gpus.empty()) throw data_error("no job is small enough", path.string(), "raise workload.max_gpus");
  return gpus;
}

/// Seconds at slowdown 1: one job in five is long, 10^3 to 10^4 minutes, the others 10^1.5 to 10^3, all log-uniform.
double duration_s(std::uint64_t seed, std::uint64_t job) {
  RandomStream random(seed, Purpose::job_duration, job);
  const bool is_long = random.uniform() >= 0.8;
  const double u = random.uniform();
  return 60.0 * std::pow(10.0, is_long ? 3.0 + u : 1.5 + 1.5 * u);
}

/// Every number of job i is drawn from streams of its own, so how many jobs are made changes none of them.
class Synergy {
 public:
  Synergy(const GeneratorContext& context, const ParamValues& params)
      : seed_(context.seed),
        gap_s_(3600.0 / params.number("jobs_per_h")),
        demands_(demands(context, params.number("max_gpus"))) {
    models_ = add_models(*context.models, out_);
  }

  /// The first `wanted` jobs, those that arrive within `behind_s` after the last of them, and those up to `until_s`.
  Workload generate(std::size_t wanted, double behind_s, double until_s) {
    double arrival_s = 0, end_s = wanted == 0 ? until_s : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0;; ++i) {
      arrival_s -= gap_s_ * std::log(RandomStream(seed_, Purpose::arrival, i).uniform_positive());
      if (arrival_s > end_s) break;
      if (i == most_generated_jobs || arrival_s > longest_job_s) throw too_many();
      out_.jobs.push_back(job(i, arrival_s));
      if (i + 1 == wanted) end_s = std::max(until_s, arrival_s + behind_s);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] Job job(std::size_t i, double arrival_s) const {
    const auto choose = [&](Purpose purpose, std::size_t n) {
      return RandomStream(seed_, purpose, i).below(static_cast<std::uint32_t>(n));
    };
    Job job = models_.job(choose(Purpose::job_model, models_.classes.size()), duration_s(seed_, i));
    job.id = static_cast<std::int64_t>(i);
    job.submit_s = arrival_s;
    job.gpus = demands_[choose(Purpose::job_shape, demands_.size())];
    return job;
  }

  static TooManyJobs too_many() {
    return {fmt::format("more than {} jobs, or later than {} s", most_generated_jobs, shortest(longest_job_s)),
            "workload.jobs_per_h", "measure fewer jobs, or lower workload.behind_h"};
  }

  std::uint64_t seed_;
  double gap_s_;  // mean
  std::vector<std::uint32_t> demands_;
  DrawnModels models_;
  Workload out_;
};

Workload generate_synergy(const GeneratorContext& context, const ParamValues& params) {
  if (context.models == nullptr || context.models->models.empty()) throw fault("synergy is given no models");
  const double most = params.number("max_gpus");
  if (context.cluster_gpus != 0 && most > context.cluster_gpus) {
    throw usage_error(fmt::format("jobs of up to {} GPUs on a cluster of {}", shortest(most), context.cluster_gpus),
                      "workload.max_gpus", "lower workload.max_gpus, or raise cluster.gpus");
  }
  Workload out = Synergy(context, params).generate(context.jobs, 3600.0 * params.number("behind_h"), context.until_s);
  out.tenants = {""};
  out.sources = {philly_jobs};
  return out;
}

}  // namespace

void register_generator_synergy(GeneratorRegistry& registry) {
  registry.add(
      {"synergy",
       "Poisson arrivals; GPU demands of Philly jobs; one job in five takes 10^3 to 10^4 minutes, the others 10^1.5 to "
       "10^3, log-uniform; models drawn uniformly from the table of models.",
       {{"jobs_per_h", ParamType::number, "1/h", "Mean rate of arrivals.", "10", 1e-3, 1e6},
        {"max_gpus", ParamType::integer, "GPUs", "Philly jobs that want more are left out.", "16", 1,
         static_cast<double>(most_job_gpus)},
        {"behind_h", ParamType::number, "h",
         "Jobs go on arriving for at least this long after the last requested one, so that the measured ones finish "
         "under "
         "load; by default over twice the longest job.",
         "400", 0, 1e6}},
       generate_synergy});
}

}  // namespace palstudy
