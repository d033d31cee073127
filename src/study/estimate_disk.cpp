// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "archive/archive.hpp"
#include "archive/layout.hpp"
#include "core/numbers.hpp"
#include "policy/placement_policy.hpp"
#include "sim/exchange.hpp"
#include "study/campaign_info.hpp"
#include "study/clusters.hpp"
#include "study/estimate.hpp"

namespace palstudy {
namespace {

// A study as short as this is simulated; of a longer one so many rows of jobs are made up.
constexpr double rehearsal_s = 2.0, rehearsal_mib = 64.0, sample_jobs = 200000;
constexpr double job_row_bytes = 172;  // of /jobs in a shard
// What compression leaves of events and rounds, where they are not simulated.
constexpr double event_and_round_share = 0.2;

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
    if (!sticky) slowdown += 1e-3 * std::sin(static_cast<double>(i));  // a mean over several places
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

RunRecord made_up_record(const Study& study, const RunPlan& run, const Inputs::Loaded& inputs, double jobs) {
  const PlacementContext context{inputs.topology, inputs.believed, inputs.believed_penalty, run.policy.seed};
  const bool sticky = placements().at(run.policy.placement).make(context, run.policy.placement_params)->sticky();
  RunResult result;
  result.jobs = made_up(run, inputs, static_cast<std::size_t>(jobs), sticky);
  for (std::size_t i = 0; i < result.metrics.size(); ++i) result.metrics[i] = 1 + std::sin(static_cast<double>(i));
  for (std::uint32_t n = 0; n < inputs.topology.nodes(); ++n) result.node_busy_s.push_back(1e5 * (1 + std::sin(n)));
  return make_record(label_of(study, run), result, inputs.workload, inputs.truth, inputs.topology,
                     Partitioning(inputs.topology, run.cluster.partitions), {run.output.jobs, false, false});
}

// An archive's records in small, and what they stand for.
struct Sample {
  std::vector<RunRecord> records;
  double rows_factor = 1;
  std::vector<double> other_mib;  // by run: tables that are not in the records
  std::vector<double> wall_s;     // by run, if simulated
};

Sample rehearse(const Study& study, Inputs& inputs) {
  Sample sample;
  LocalExchange alone;
  for (const RunPlan& run : study.runs) {
    sample.records.push_back(execute(study, run, inputs, alone).value());
    sample.wall_s.push_back(reals_of(sample.records.back().provenance, "wall_s").at(0));
    sample.other_mib.push_back(0);
  }
  return sample;
}

Sample make_up(const Study& study, Inputs& inputs, const StudyEstimate& known) {
  Sample sample;
  double jobs = 0;
  for (std::size_t i = 0; i < study.runs.size(); ++i) jobs += study.runs[i].output.jobs ? known.runs[i].jobs : 0;
  sample.rows_factor = std::max(1.0, jobs / sample_jobs);
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    const RunPlan& run = study.runs[i];
    sample.records.push_back(
        made_up_record(study, run, inputs.load(run), std::floor(known.runs[i].jobs / sample.rows_factor)));
    const bool more = run.output.events || run.output.rounds;
    const double jobs_mib = run.output.jobs ? known.runs[i].jobs * job_row_bytes / mib : 0;
    sample.other_mib.push_back(more ? event_and_round_share * std::max(0.0, known.runs[i].rows_mib - jobs_mib) : 0);
  }
  return sample;
}

}  // namespace

DiskEstimate estimate_disk(const Study& study, Inputs& inputs, const StudyEstimate& known) {
  const bool small = known.core_s <= rehearsal_s && known.shards_mib <= rehearsal_mib;
  Sample sample = small ? rehearse(study, inputs) : make_up(study, inputs, known);
  const auto provenance = make_provenance(study, inputs, inputs.notes(), "palstudy run", 1);
  const auto clusters = archived_clusters(study, inputs);
  const auto weigh = [&] {
    return static_cast<double>(archive_size(sample.records, clusters, provenance, inputs.measurements())) / mib;
  };
  const double with_rows_mib = weigh();
  std::vector<double> rows;
  double all_rows = 0;
  for (RunRecord& record : sample.records) {
    const auto mine = static_cast<double>(record.jobs.rows() + record.events.rows() + record.rounds.rows());
    rows.push_back(mine);
    all_rows += mine;
    record.jobs = record.events = record.event_gpus = record.rounds = {};
  }
  const double common_mib = weigh(), rows_mib = (with_rows_mib - common_mib) * sample.rows_factor;
  DiskEstimate disk;
  disk.rehearsed_s = sample.wall_s;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double share = all_rows > 0 ? rows_mib * rows[i] / all_rows : 0;
    disk.runs_mib.push_back(common_mib / static_cast<double>(rows.size()) + share + sample.other_mib[i]);
    disk.total_mib += disk.runs_mib.back();
  }
  return disk;
}

}  // namespace palstudy
