// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "archive/archive.hpp"
#include "core/numbers.hpp"
#include "study/campaign_info.hpp"
#include "study/clusters.hpp"
#include "study/estimate.hpp"
#include "study/made_up_record.hpp"
#include "study/replications.hpp"

namespace palstudy {
namespace {

// So many rows of jobs are made up for a study that has more.
constexpr double sample_jobs = 200000;

bool has_rows(const RunRecord& record) {
  return record.jobs.rows() + record.events.rows() + record.rounds.rows() + record.failures.rows() > 0;
}

// Those of runs and nodes are left, of which every run has a fixed number.
void drop_rows(RunRecord& record) {
  record.jobs = record.events = record.event_gpus = record.rounds = record.delays = record.failures = {};
}

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
        models_(study.runs.size()),
        sampled_(study.runs.size(), false),
        clusters_(archived_clusters(study, inputs)),
        provenance_(make_provenance(study, inputs, inputs.notes(), "palstudy run", 1)) {
    for (const RowSample& sample : samples_) {
      for (const std::size_t run : sample.runs) sampled_[run] = true;
    }
    choose_models();
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

  // Of a run that was simulated itself; of others the seeds of its point in turn, else a neighbouring point's.
  void choose_models() {
    std::vector<const RunRecord*> own(study_.runs.size(), nullptr);
    for (const RowSample& sample : samples_) {
      own[sample.runs.front()] = &sample.record;
    }
    // Neighbours are alike: axes are varied the last one first.
    const RunRecord* neighbour = samples_.empty() ? nullptr : &samples_.front().record;
    for (const auto& point : points_of(study_)) {
      std::vector<const RunRecord*> seeds;
      for (const std::size_t run : point) {
        if (own[run] != nullptr) seeds.push_back(own[run]);
      }
      const bool simulated = !seeds.empty();
      if (!simulated && neighbour != nullptr) seeds = {neighbour};
      for (std::size_t i = 0; i < point.size(); ++i) {
        if (!seeds.empty()) models_[point[i]].like = seeds[i % seeds.size()];
        // Where policies came to the same with the seeds that were simulated, they do with the others.
        models_[point[i]].number = simulated ? i : study_.runs.size() + point[i];
      }
      if (!seeds.empty()) neighbour = seeds.back();
    }
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
      records.push_back(made_up_record(study_, study_.runs[i], inputs_.load(study_.runs[i]), made, models_[i]));
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
  std::vector<Model> models_;  // by run, while the samples are whole
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
