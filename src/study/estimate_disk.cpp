// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "archive/archive.hpp"
#include "archive/layout.hpp"
#include "core/numbers.hpp"
#include "policy/placement_policy.hpp"
#include "study/campaign_info.hpp"
#include "study/clusters.hpp"
#include "study/estimate.hpp"

namespace palstudy {
namespace {

// So many rows of jobs are made up for a study that has more.
constexpr double sample_jobs = 200000;

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
  result.jobs = made_up(run, inputs, std::min(static_cast<std::size_t>(jobs), inputs.workload.jobs.size()), sticky);
  for (std::size_t i = 0; i < result.metrics.size(); ++i) result.metrics[i] = 1 + std::sin(static_cast<double>(i));
  for (std::uint32_t n = 0; n < inputs.topology.nodes(); ++n) result.node_busy_s.push_back(1e5 * (1 + std::sin(n)));
  return make_record(label_of(study, run), result, inputs.workload, inputs.truth, inputs.topology,
                     Partitioning(inputs.topology, run.cluster.partitions), {run.output.jobs, false, false});
}

bool has_rows(const RunRecord& record) { return record.jobs.rows() + record.events.rows() + record.rounds.rows() > 0; }
void drop_rows(RunRecord& record) { record.jobs = record.events = record.event_gpus = record.rounds = {}; }

// Seconds and memory as another machine may have them: what is weighed depends on the study alone.
void make_up_provenance(RunRecord& record) {
  const double digits = std::sin(1.0 + static_cast<double>(record.run));  // as many as a measured number has
  for (std::size_t c = 0; c < record.provenance.columns.size(); ++c) {
    if (auto* reals = std::get_if<std::vector<double>>(&record.provenance.values[c])) {
      for (double& value : *reals) value = 10 + digits;
    }
  }
}

// An archive in small, and what it stands for.
class Scales {
 public:
  Scales(const Study& study, Inputs& inputs, const StudyEstimate& known, std::vector<RowSample> samples)
      : study_(study),
        inputs_(inputs),
        known_(known),
        samples_(std::move(samples)),
        sampled_(study.runs.size(), false),
        clusters_(archived_clusters(study, inputs)),
        provenance_(make_provenance(study, inputs, inputs.notes(), "palstudy run", 1)) {
    for (const RowSample& sample : samples_) {
      for (const std::size_t run : sample.runs) sampled_[run] = true;
    }
  }

  DiskEstimate weigh() {
    rows_mib_.assign(study_.runs.size(), 0);
    std::vector<double> made_up(study_.runs.size(), 0);  // rows
    auto records = make_records(made_up);
    const double with_made_up_mib = size_mib(records);
    for (RunRecord& record : records) drop_rows(record);
    const double common_mib = size_mib(records);
    share_made_up((with_made_up_mib - common_mib) * part_, made_up);
    weigh_samples(records, common_mib);
    DiskEstimate disk;
    for (const double rows_mib : rows_mib_) {
      disk.runs_mib.push_back(common_mib / static_cast<double>(rows_mib_.size()) + rows_mib);
      disk.total_mib += disk.runs_mib.back();
    }
    return disk;
  }

 private:
  [[nodiscard]] double size_mib(const std::vector<RunRecord>& records) const {
    return static_cast<double>(archive_size(records, clusters_, provenance_, inputs_.measurements())) / mib;
  }

  // Of every run; with rows where no sample stands for it, a part of them.
  std::vector<RunRecord> make_records(std::vector<double>& rows) {
    double jobs = 0;
    for (std::size_t i = 0; i < study_.runs.size(); ++i) {
      if (!sampled_[i] && study_.runs[i].output.jobs) jobs += known_.runs[i].jobs;
    }
    part_ = std::max(1.0, jobs / sample_jobs);
    std::vector<RunRecord> records;
    for (std::size_t i = 0; i < study_.runs.size(); ++i) {
      const double made = sampled_[i] ? 0 : std::floor(known_.runs[i].jobs / part_);
      records.push_back(made_up_record(study_, study_.runs[i], inputs_.load(study_.runs[i]), made));
      rows[i] = static_cast<double>(records.back().jobs.rows());
    }
    for (const RowSample& sample : samples_) {
      RunRecord& record = records[sample.runs.front()] = sample.record;
      drop_rows(record);
    }
    for (RunRecord& record : records) make_up_provenance(record);
    return records;
  }

  void share_made_up(double all_mib, const std::vector<double>& rows) {
    const double all_rows = std::accumulate(rows.begin(), rows.end(), 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!sampled_[i]) rows_mib_[i] = (all_rows > 0 ? all_mib * rows[i] / all_rows : 0) + other_mib(i);
    }
  }

  // All samples together, as the chunks of the archive have them; then by rows.
  void weigh_samples(std::vector<RunRecord>& records, double common_mib) {
    double sampled_mib = 0;
    for (RowSample& sample : samples_) {
      if (!has_rows(sample.record)) continue;
      sampled_mib += known_.runs[sample.runs.front()].rows_mib;
      records[sample.runs.front()] = std::move(sample.record);
      make_up_provenance(records[sample.runs.front()]);
    }
    if (sampled_mib <= 0) return;
    const double share = (size_mib(records) - common_mib) / sampled_mib;
    for (const RowSample& sample : samples_) {
      if (!has_rows(records[sample.runs.front()])) continue;
      for (const std::size_t run : sample.runs) rows_mib_[run] = share * known_.runs[run].rows_mib;
    }
  }

  // Tables that are not made up.
  [[nodiscard]] double other_mib(std::size_t i) const { return known_.runs[i].other_packed_mib; }

  const Study& study_;
  Inputs& inputs_;
  const StudyEstimate& known_;
  std::vector<RowSample> samples_;
  std::vector<bool> sampled_;  // by run
  std::vector<ClusterRecord> clusters_;
  Provenance provenance_;
  double part_ = 1;               // how many rows one stands for that is made up
  std::vector<double> rows_mib_;  // by run
};

}  // namespace

DiskEstimate estimate_disk(const Study& study, Inputs& inputs, const StudyEstimate& known,
                           std::vector<RowSample> samples) {
  return Scales(study, inputs, known, std::move(samples)).weigh();
}

}  // namespace palstudy
