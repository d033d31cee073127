// SPDX-License-Identifier: MIT
#include "study/made_up_record.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/numbers.hpp"
#include "policy/placement_policy.hpp"
#include "topology/partitioning.hpp"

namespace palstudy {
namespace {

double next_round(double time_s, double round_s) { return std::ceil(time_s / round_s) * round_s; }

// Rows of the first `jobs` jobs as they could be: every job starts at the next boundary and runs on some GPUs, and what
// no policy knows beforehand has as many digits as it will have.
JobRows made_up(const RunPlan& run, const Inputs::Loaded& inputs, std::size_t jobs, bool sticky) {
  JobRows rows;
  rows.resize(jobs);
  const auto gpus = inputs.topology.gpus();
  for (std::size_t i = 0; i < jobs; ++i) {
    const Job& job = inputs.workload.jobs[i];
    // Other places in every run: what repeats would be compressed away.
    const auto gpu = static_cast<std::uint32_t>((i + static_cast<std::size_t>(run.number) * 104729) * 7919 % gpus);
    double slowdown = inputs.truth.at(job.cls, GpuId(gpu));
    const bool tried_again = inputs.failures != nullptr && i % 2 == 0;
    // A mean over several places has more digits.
    if (!sticky || tried_again) slowdown += 1e-3 * std::sin(static_cast<double>(i));
    const bool wide = job.gpus > inputs.topology.gpus_of(NodeId(0));
    const LocalityPenalty& penalty = inputs.penalty.of(JobId(i));
    rows.job[i] = JobId(static_cast<std::uint32_t>(i));
    rows.partition[i] = static_cast<std::int32_t>(i % run.cluster.partitions);
    rows.start_s[i] = run.engine.start == Start::round ? next_round(job.submit_s, run.engine.round_s) : job.submit_s;
    rows.slowdown_mean[i] = slowdown;
    rows.penalty_mean[i] = wide ? penalty.cluster : penalty.node;
    double ends_s = rows.start_s[i] + job.ideal_s() * slowdown * rows.penalty_mean[i];
    if (run.engine.completion == Completion::round) ends_s = next_round(ends_s, run.engine.round_s);
    rows.finish_s[i] = ends_s;
    rows.exec_s[i] = ends_s - rows.start_s[i];
    rows.finished[i] = 1;
    rows.attempts[i] = 1;
    rows.migrations[i] = sticky ? 0 : static_cast<std::uint32_t>(0.75 * rows.exec_s[i] / run.engine.round_s);
    rows.measured[i] = 1;
  }
  return rows;
}

// Another number with as many digits, if it has more than a few: what is 0, or a small count, is so in other runs too.
double varied(double seen, double by) {
  if (seen == 0 || !std::isfinite(seen)) return seen;
  constexpr int digits = 53;
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(std::abs(seen), &exponent), digits));
  const double grain = std::ldexp(1.0, exponent - digits + std::countr_zero(static_cast<std::uint64_t>(mantissa)));
  return grain * std::round(seen * (1 + by) / grain);
}

// As far as runs of one campaign are apart.
double variation(const Model& model, std::size_t place) {
  return 0.05 * std::sin(12.9898 * static_cast<double>(model.number) + 78.233 * static_cast<double>(place));
}

double number_at(const ColumnValues& values, std::size_t row) {
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values))
    return static_cast<double>((*integers)[row]);
  return std::get<std::vector<double>>(values)[row];
}

void make_up_metrics(const Model& model, RunResult& result) {
  for (std::size_t i = 0; i < result.metrics.size(); ++i) {
    const ColumnValues* seen = model.like == nullptr ? nullptr : model.like->runs.find(metric_infos[i].name);
    const double from = seen == nullptr ? 1 + std::sin(1.0 + static_cast<double>(i)) : number_at(*seen, 0);
    result.metrics[i] = varied(from, variation(model, i));
  }
}

void make_up_nodes(const Model& model, std::uint32_t nodes, RunResult& result) {
  const ColumnValues* seen = model.like == nullptr ? nullptr : model.like->nodes.find("busy_s");
  if (seen != nullptr && size(*seen) != nodes) seen = nullptr;  // of another cluster
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const double from = seen == nullptr ? 1e5 * (1 + std::sin(1.0 + n)) : number_at(*seen, n);
    result.node_busy_s.push_back(varied(from, variation(model, n)));
  }
}

}  // namespace

RunRecord made_up_record(const Study& study, const RunPlan& run, const Inputs::Loaded& inputs, double jobs,
                         const Model& model) {
  const PlacementContext context{inputs.topology, inputs.believed, inputs.believed_penalty, run.policy.seed};
  const bool sticky = placements().at(run.policy.placement).make(context, run.policy.placement_params)->sticky();
  RunResult result;
  result.jobs = made_up(run, inputs, std::min(static_cast<std::size_t>(jobs), inputs.workload.jobs.size()), sticky);
  make_up_metrics(model, result);
  make_up_nodes(model, inputs.topology.nodes(), result);
  return make_record(label_of(study, run), result, inputs.workload, inputs.truth, inputs.topology,
                     Partitioning(inputs.topology, run.cluster.partitions), {run.output.jobs, false, false});
}

}  // namespace palstudy
