// SPDX-License-Identifier: MIT
#include "analysis/job_groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

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

/// Sets a member of every job from its column of /jobs.
template <class Value, class Member>
void fill(const ArchiveReader& archive, const char* column, Member JobFacts::*member, std::vector<JobFacts>& jobs) {
  const auto values = job_column<Value>(archive, column);
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].*member = static_cast<Member>(values[i]);
}

Outcome outcome_of(const std::string& status) {
  return status == "passed"         ? Outcome::passed
         : status == "killed"       ? Outcome::killed
         : status == "unsuccessful" ? Outcome::unsuccessful
                                    : Outcome::unknown;
}

/// What is lost in validation is none of the cluster's time.
void add_losses(const ArchiveReader& archive, std::vector<JobFacts>& jobs) {
  const auto column = [&](const char* name) { return archive.column(TableId::failures, name); };
  const auto run = std::get<Integers>(column("run")), job = std::get<Integers>(column("job")),
             gpus = std::get<Integers>(column("gpus"));
  const auto lost = std::get<Reals>(column("lost_s"));
  std::map<std::pair<std::int64_t, std::int64_t>, double> lost_s;  // by run and job; GPU-seconds
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (gpus[i] > 0) lost_s[{run[i], job[i]}] += lost[i];
  }
  const auto run_of_job = job_column<std::int64_t>(archive, "run"), id = job_column<std::int64_t>(archive, "job");
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (const auto found = lost_s.find({run_of_job[i], id[i]}); found != lost_s.end()) jobs[i].lost_s = found->second;
  }
}

/// What metrics are made from, by row of /jobs.
std::vector<JobFacts> job_facts(const ArchiveReader& archive) {
  need_job_rows(archive);
  const auto status = std::get<TextColumn>(archive.column(TableId::jobs, "status"));
  std::vector<JobFacts> jobs(status.codes.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].outcome = outcome_of(status.at(i));
  fill<double>(archive, "submit_s", &JobFacts::submit_s, jobs);
  fill<double>(archive, "finish_s", &JobFacts::finish_s, jobs);
  fill<double>(archive, "exec_s", &JobFacts::exec_s, jobs);
  fill<double>(archive, "ideal_s", &JobFacts::ideal_s, jobs);
  fill<std::int64_t>(archive, "gpus", &JobFacts::gpus, jobs);
  fill<double>(archive, "slowdown_mean", &JobFacts::slowdown, jobs);
  fill<double>(archive, "penalty_mean", &JobFacts::penalty, jobs);
  fill<std::int64_t>(archive, "preemptions", &JobFacts::preemptions, jobs);
  fill<std::int64_t>(archive, "migrations", &JobFacts::migrations, jobs);
  fill<std::int64_t>(archive, "measured", &JobFacts::measured, jobs);
  fill<std::int64_t>(archive, "attempts", &JobFacts::attempts, jobs);
  if (archive.has_column(TableId::jobs, "power_wait_s")) {
    fill<double>(archive, "power_wait_s", &JobFacts::power_wait_s, jobs);
  }
  if (archive.has(TableId::failures)) add_losses(archive, jobs);
  return jobs;
}

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
                   "run the study again with a trace that names them (docs/howto/traces.md), or split by tenant");
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
  Spread(const ArchiveReader& archive, std::vector<JobFacts> jobs, const std::vector<std::string>& parts)
      : jobs_(std::move(jobs)), parts_(parts) {
    for (const auto& part : parts) {
      part_of_job_.push_back(part_of_jobs(archive, part));
      part_of_row_.push_back({{}, part_of_job_.back().names});
    }
  }

  void add(std::size_t run, std::size_t begin, std::size_t end, const RunFacts& facts) {
    const auto jobs = std::span(jobs_).subspan(begin, end - begin);
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

  std::vector<JobFacts> jobs_;  // by row of /jobs
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
    if (std::ranges::find(by, part) != by.end()) asked.emplace_back(part);
  }
  return asked;
}

void spread_by_jobs(const ArchiveReader& archive, RunValues& runs, const std::vector<std::string>& parts) {
  std::vector<JobFacts> jobs = job_facts(archive);
  const Study& study = runs.needed_study();
  const auto& number = std::get<Integers>(runs.values("run"));
  const auto rows = job_rows(runs, jobs.size());
  Spread spread(archive, std::move(jobs), parts);
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    const auto plan = static_cast<std::size_t>(number[run]);
    if (plan >= study.runs.size()) throw outside(number[run]);
    spread.add(run, rows[run].first, rows[run].second, facts_of(study.runs[plan], runs, run));
  }
  spread.write_to(runs);
}

}  // namespace palstudy
