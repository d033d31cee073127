// SPDX-License-Identifier: MIT
#include "analysis/job_groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/comparison.hpp"
#include "analysis/job_metrics.hpp"
#include "core/error.hpp"
#include "record/tables.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

struct SizeBucket {
  double most;
  const char* name;
};
constexpr std::array<SizeBucket, 6> buckets = {
    {{1, "1"}, {4, "2-4"}, {8, "5-8"}, {16, "9-16"}, {64, "17-64"}, {HUGE_VAL, "65+"}}};

std::size_t bucket_of(double gpus) {
  std::size_t bucket = 0;
  while (gpus > buckets[bucket].most) ++bucket;
  return bucket;
}

// The columns of /jobs that metrics are made from.
class JobTableColumns {
 public:
  explicit JobTableColumns(const ArchiveReader& archive)
      : archive_(archive),
        status_(std::get<TextColumn>(read("status"))),
        id_(integers("job")),
        run_(integers("run")),
        attempts_(integers("attempts")),
        gpus_(integers("gpus")),
        measured_(integers("measured")),
        preemptions_(integers("preemptions")),
        migrations_(integers("migrations")),
        submit_(reals("submit_s")),
        finish_(reals("finish_s")),
        exec_(reals("exec_s")),
        ideal_(reals("ideal_s")),
        slowdown_(reals("slowdown_mean")),
        penalty_(reals("penalty_mean")) {
    for (const std::string& name : status_.names) outcome_.push_back(outcome_of(name));
    if (archive.has(TableId::failures)) add_losses();
    if (archive.has_column(TableId::jobs, "power_wait_s")) power_wait_ = reals("power_wait_s");
  }

  [[nodiscard]] std::size_t rows() const { return gpus_.size(); }
  [[nodiscard]] JobFacts job(std::size_t i) const {
    JobFacts facts{submit_[i],   finish_[i],  exec_[i],        ideal_[i],      static_cast<double>(gpus_[i]),
                   slowdown_[i], penalty_[i], preemptions_[i], migrations_[i], measured_[i] != 0};
    facts.outcome = outcome_[static_cast<std::size_t>(status_.codes[i])];
    facts.attempts = attempts_[i];
    if (!power_wait_.empty()) facts.power_wait_s = power_wait_[i];
    if (const auto lost = lost_s_.find({run_[i], id_[i]}); lost != lost_s_.end()) facts.lost_s = lost->second;
    return facts;
  }

 private:
  static Outcome outcome_of(const std::string& status) {
    return status == "passed"         ? Outcome::passed
           : status == "killed"       ? Outcome::killed
           : status == "unsuccessful" ? Outcome::unsuccessful
                                      : Outcome::unknown;
  }
  // What is lost in validation is none of the cluster's time.
  void add_losses() {
    const auto column = [&](const char* name) { return archive_.column(TableId::failures, name); };
    const auto run = std::get<Integers>(column("run")), job = std::get<Integers>(column("job")),
               gpus = std::get<Integers>(column("gpus"));
    const auto lost = std::get<Reals>(column("lost_s"));
    for (std::size_t i = 0; i < run.size(); ++i) {
      if (gpus[i] > 0) lost_s_[{run[i], job[i]}] += lost[i];
    }
  }
  [[nodiscard]] ColumnValues read(const char* name) const {
    need_job_rows(archive_);
    return archive_.column(TableId::jobs, name);
  }
  [[nodiscard]] Integers integers(const char* name) const { return std::get<Integers>(read(name)); }
  [[nodiscard]] Reals reals(const char* name) const { return std::get<Reals>(read(name)); }

  const ArchiveReader& archive_;
  TextColumn status_;
  Integers id_, run_, attempts_, gpus_, measured_, preemptions_, migrations_;
  Reals submit_, finish_, exec_, ideal_, slowdown_, penalty_, power_wait_;
  std::vector<Outcome> outcome_;                                    // by code of status_
  std::map<std::pair<std::int64_t, std::int64_t>, double> lost_s_;  // by run and job; GPU-seconds
};

RunFacts facts_of(const RunPlan& plan, const RunValues& runs, std::size_t run) {
  RunFacts facts;
  for (const auto& group : plan.cluster.nodes) facts.gpus += static_cast<double>(group.count) * group.gpus;
  facts.round_s = plan.engine.start == Start::event ? 0 : plan.engine.round_s;
  facts.migration_s = plan.engine.migration_s;
  facts.alloc_fraction = runs.number("alloc_fraction", run);
  facts.busy_fraction = runs.number("busy_fraction", run);
  facts.effective_fraction = runs.number("effective_fraction", run);
  return facts;
}

void need_column(const ArchiveReader& archive, const std::string& name) {
  if (archive.has_column(TableId::jobs, name) || !find_column(TableId::jobs, name)->optional) return;
  throw data_error("the archive has no " + name + "s of jobs: the trace names none, or an older palstudy wrote it",
                   column_path(TableId::jobs, name),
                   "run the study again with a trace that names them (docs/traces.md), or split by tenant");
}

// Which part of the jobs each one is in.
TextColumn part_of_jobs(const ArchiveReader& archive, const std::string& part) {
  if (part != "size") {
    need_column(archive, part);
    auto column = std::get<TextColumn>(archive.column(TableId::jobs, part));
    for (auto& name : column.names) {
      if (name.empty()) name = "(none)";
    }
    return column;
  }
  TextColumn sizes;
  for (const auto& bucket : buckets) sizes.names.emplace_back(bucket.name);
  for (const std::int64_t gpus : job_column<std::int64_t>(archive, "gpus")) {
    sizes.codes.push_back(static_cast<std::int32_t>(bucket_of(static_cast<double>(gpus))));
  }
  return sizes;
}

// The rows that stand for the runs, as they grow.
class Spread {
 public:
  Spread(const ArchiveReader& archive, const JobTableColumns& table, const std::vector<std::string>& parts)
      : table_(table), parts_(parts) {
    for (const auto& part : parts) {
      part_of_job_.push_back(part_of_jobs(archive, part));
      part_of_row_.push_back({{}, part_of_job_.back().names});
    }
  }

  void add(std::size_t run, std::size_t begin, std::size_t end, const RunFacts& facts) {
    std::vector<JobFacts> jobs;
    for (std::size_t i = begin; i < end; ++i) jobs.push_back(table_.job(i));
    add_contention(jobs, facts);
    std::map<std::vector<std::int32_t>, std::vector<JobFacts>> groups;
    if (parts_.empty()) groups[{}];  // also of a run that failed and has no jobs
    for (std::size_t i = begin; i < end; ++i) {
      std::vector<std::int32_t> key;
      for (const TextColumn& part : part_of_job_) key.push_back(part.codes[i]);
      groups[key].push_back(jobs[i - begin]);
    }
    const HeldSums all = held_sums(jobs);
    for (const auto& [key, group] : groups) add_row(run, key, job_metrics(group, facts, all));
  }

  void write_to(RunValues& runs) {
    std::map<std::string, ColumnValues> columns;
    for (auto& [name, values] : metrics_) columns.emplace(name, std::move(values));
    for (std::size_t p = 0; p < parts_.size(); ++p) columns.emplace(parts_[p], std::move(part_of_row_[p]));
    runs.spread(std::move(run_of_row_), std::move(columns));
  }

 private:
  void add_row(std::size_t run, const std::vector<std::int32_t>& key, const std::map<std::string, double>& metrics) {
    run_of_row_.push_back(run);
    for (std::size_t p = 0; p < key.size(); ++p) part_of_row_[p].codes.push_back(key[p]);
    for (const auto& [name, value] : metrics) metrics_[name].push_back(value);
  }

  const JobTableColumns& table_;
  const std::vector<std::string>& parts_;
  std::vector<TextColumn> part_of_job_, part_of_row_;  // by part
  std::vector<std::size_t> run_of_row_;
  std::map<std::string, Reals> metrics_;
};

Error outside(std::int64_t run) {
  return data_error("run " + std::to_string(run) + " points outside /jobs or the study", "/runs/job_begin",
                    "run palstudy verify, which lists the damage");
}

}  // namespace

void need_job_rows(const ArchiveReader& archive) {
  if (archive.has(TableId::jobs)) return;
  throw data_error(
      "the archive has no /jobs, which metrics of classes, sizes, causes, starts and geometric means are made from",
      "/jobs", "run the study with output.jobs = true");
}

std::string size_bucket(double gpus) { return buckets[bucket_of(gpus)].name; }

std::vector<std::pair<std::size_t, std::size_t>> job_rows(const RunValues& runs, std::size_t all) {
  const auto& number = std::get<Integers>(runs.values("run"));
  const auto& first = std::get<Integers>(runs.values("job_begin"));
  const auto& count = std::get<Integers>(runs.values("job_count"));
  std::vector<std::pair<std::size_t, std::size_t>> rows;
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    const auto begin = static_cast<std::size_t>(first[run]), end = begin + static_cast<std::size_t>(count[run]);
    if (end < begin || end > all) throw outside(number[run]);
    rows.emplace_back(begin, end);
  }
  return rows;
}

std::vector<std::string> asked_job_parts(const std::vector<std::string>& by) {
  std::vector<std::string> asked;
  for (const auto part : job_parts) {
    if (std::find(by.begin(), by.end(), part) != by.end()) asked.emplace_back(part);
  }
  return asked;
}

void spread_by_jobs(const ArchiveReader& archive, RunValues& runs, const std::vector<std::string>& parts) {
  const JobTableColumns table(archive);
  const Study study = parse_study(archive.resolved_study(), "/study/resolved");
  const auto& number = std::get<Integers>(runs.values("run"));
  const auto rows = job_rows(runs, table.rows());
  Spread spread(archive, table, parts);
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    const auto plan = static_cast<std::size_t>(number[run]);
    if (plan >= study.runs.size()) throw outside(number[run]);
    spread.add(run, rows[run].first, rows[run].second, facts_of(study.runs[plan], runs, run));
  }
  spread.write_to(runs);
}

}  // namespace palstudy
