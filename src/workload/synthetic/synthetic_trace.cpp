// SPDX-License-Identifier: MIT
#include "workload/synthetic/synthetic_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/random.hpp"
#include "workload/synthetic/drawn_models.hpp"
#include "workload/synthetic/sessions.hpp"

namespace palstudy {
namespace {

const NoteKind no_llm_jobs("no-llm-jobs", Severity::care);

constexpr double most_jobs = most_generated_jobs;
constexpr double most_hours = 1 << 20;

double unit(std::uint32_t word) { return (word + 0.5) * 0x1p-32; }

class TraceLike {
 public:
  TraceLike(const TraceStatistics& numbers, const TraceLikeOptions& options, const GeneratorContext& context)
      : options_(options),
        context_(context),
        shared_(numbers.shared),
        sources_(job_sources(numbers, options, context.cluster_gpus)),
        sessions_(numbers, sources_, context.cluster_gpus, options.weekdays, drawn_models(*context.models),
                  context.seed),
        models_(add_models(*context.models, out_)) {
    out_.tenants = sessions_.tenants().names();
    for (const auto& source : sources_) jobs_per_s_ += source.jobs_per_s;
  }

  Workload make() {
    if (options_.stationary) {
      const RunningJobs running{sources_, sessions_.tenants(), models_, context_.seed};
      running.add(options_.rho, context_.cluster_gpus, out_.jobs);
    }
    running_ = out_.jobs.size();
    if (options_.end_s > 0) {
      add_arrivals(options_.end_s);
    } else {
      add_enough();
    }
    return std::move(out_);
  }

 private:
  /// The first `context.jobs` arrivals, and as long again.
  void add_enough() {
    const std::size_t wanted = std::max<std::size_t>(context_.jobs, 1);
    double end_s = std::max(context_.until_s, 1.5 * static_cast<double>(wanted) / jobs_per_s_);
    add_arrivals(end_s);
    while (out_.jobs.size() < running_ + wanted) add_arrivals(end_s *= 2);
    const double needed_s = std::max(context_.until_s, 2 * out_.jobs[running_ + wanted - 1].submit_s);
    if (needed_s > end_s) add_arrivals(needed_s);
    while (out_.jobs.back().submit_s > needed_s) out_.jobs.pop_back();
  }

  void add_arrivals(double end_s) {
    check_disk_space(end_s);
    out_.jobs.resize(running_);
    std::vector<Session> in_hour;
    const auto hours = static_cast<std::int64_t>(end_s / hour_s);
    const auto each = [&](auto act) {
      for (std::int64_t h = sessions_.first_hour(); h <= hours; ++h) {
        in_hour.clear();
        sessions_.add_sessions_of(h, in_hour);
        for (const Session& session : in_hour) {
          if (session.start_s <= end_s) act(session);
        }
      }
    };
    std::size_t most = running_;  // first only counted, so that the jobs are never moved to a larger place
    each([&](const Session& session) { most += session.jobs; });
    out_.jobs.reserve(most);
    each([&](const Session& session) { add(session, end_s); });
    sort_arrivals();
  }

  void check_disk_space(double end_s) const {
    const double jobs = jobs_per_s_ * end_s;
    if (jobs <= most_jobs && end_s <= most_hours * hour_s / 2) return;
    throw TooManyJobs(fmt::format("about {:.3g} jobs in {:.3g} hours", jobs, end_s / hour_s), "workload.rho",
                      fmt::format("at most {} jobs and {} hours can be made: measure less, or lower workload.end_s",
                                  most_jobs, most_hours / 2));
  }

  void add(const Session& session, double end_s) {
    double time_s = session.start_s;
    for (std::uint32_t number = 0; number < session.jobs; ++number) {
      const auto words = draw(context_.seed, Purpose::job_duration, session.key, number);
      if (number > 0) time_s -= session.gap_s * std::log(unit(words[0]));
      if (time_s > end_s) return;
      if (time_s < 0) continue;
      const double own = normal_of(words[2], words[3]);
      const double score = shared_ * session.score + std::sqrt(1 - shared_ * shared_) * own;
      const double share = 0.5 * std::erfc(-score / std::numbers::sqrt2);
      const JobSource& source = sources_[session.source];
      Job job = models_.job(source.llm ? models_.largest : session.model, source.duration.quantile(share));
      job.id = static_cast<std::int64_t>(out_.jobs.size() - running_);
      job.submit_s = time_s;
      job.gpus = source.gpus;
      job.tenant = session.tenant;
      out_.jobs.push_back(job);
    }
  }

  void sort_arrivals() {
    const auto begin = out_.jobs.begin() + static_cast<std::ptrdiff_t>(running_);
    std::sort(begin, out_.jobs.end(), [](const Job& a, const Job& b) {
      return a.submit_s != b.submit_s ? a.submit_s < b.submit_s : a.id < b.id;
    });
    std::int64_t id = 0;
    for (auto job = begin; job != out_.jobs.end(); ++job) job->id = id++;
  }

  TraceLikeOptions options_;
  GeneratorContext context_;
  double shared_;
  Workload out_;
  std::vector<JobSource> sources_;
  Sessions sessions_;
  DrawnModels models_;
  double jobs_per_s_ = 0;
  std::size_t running_ = 0;
};

}  // namespace

Workload make_trace_like(const TraceStatistics& numbers, const TraceLikeOptions& options,
                         const GeneratorContext& context) {
  if (context.models == nullptr || context.models->models.empty()) throw fault("a generator is given no models");
  if (context.cluster_gpus == 0) throw fault("a generator is given no cluster");
  Workload out = TraceLike(numbers, options, context).make();
  const auto is_llm = [](const JobSource& source) { return source.llm; };
  const auto sources = job_sources(numbers, options, context.cluster_gpus);
  if (options.llm_share > 0 && std::ranges::none_of(sources, is_llm)) {
    out.notes.push_back(no_llm_jobs({{"gpus", context.cluster_gpus}}));
  }
  return out;
}

std::vector<Param> trace_like_params() {
  return {{"rho", ParamType::number, "1",
           "Nominal load: GPU-seconds of jobs that arrive in a second, at slowdown 1 and penalty 1, over the GPUs.", "",
           1e-3, 100},
          {"end_s", ParamType::number, "s",
           "Jobs arrive up to here; 0: as long again as the measured jobs or the window take.", "0", 0, 1e9},
          {"stationary", ParamType::boolean, "",
           "Jobs are running at time 0 already, with what is left of their lives; their ids are negative.", "true"},
          {"weekdays", ParamType::boolean, "",
           "Days of the week differ, from Monday at time 0; false: every day is average.", "true"},
          {"widest_share", ParamType::number, "1",
           "The widest job's share of the cluster; jobs of up to 8 GPUs are made on any.", "0.05", 0, 1},
          {"llm_share", ParamType::number, "1",
           "Share of the load in training jobs of 512 GPUs and more; where workload.widest_share lets jobs be so wide.",
           "0", 0, 0.9}};
}

TraceLikeOptions trace_like_options(const ParamValues& params) {
  return {.rho = params.number("rho"),
          .end_s = params.number("end_s"),
          .stationary = params.number("stationary") != 0,
          .weekdays = params.number("weekdays") != 0,
          .widest_share = params.number("widest_share"),
          .llm_share = params.number("llm_share")};
}

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
